//! Avro's own way to print a schema.

use super::Json;

/// What a schema is printed for.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    /// To be kept.
    Text,
    /// To be compared as Confluent does: aliases, and properties that Avro does not know, in any order.
    Meaning,
    /// To be compared as Karapace does: `"order": "ascending"` is a difference too.
    KarapaceMeaning,
}

const PRIMITIVES: [&str; 8] = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];

struct Printer {
    form: Form,
    /// Full names of the types that were defined so far.
    names: Vec<String>,
}

pub fn canonical(json: &Json, form: Form) -> Result<Json, String> {
    Printer { form, names: Vec::new() }.schema(json, "")
}

fn text(text: &str) -> Json {
    Json::String(text.to_owned())
}

impl Printer {
    fn schema(&mut self, json: &Json, space: &str) -> Result<Json, String> {
        match json {
            Json::String(name) => self.reference(name, space),
            Json::List(branches) => {
                branches.iter().map(|branch| self.schema(branch, space)).collect::<Result<_, _>>().map(Json::List)
            }
            Json::Object(_) => match json.get("type") {
                Some(Json::String(word)) => self.of_type(json, word, space),
                Some(nested @ (Json::Object(_) | Json::List(_))) => self.schema(nested, space),
                _ => Err("No type".to_owned()),
            },
            _ => Err("No type".to_owned()),
        }
    }

    fn reference(&self, name: &str, space: &str) -> Result<Json, String> {
        if PRIMITIVES.contains(&name) {
            return Ok(text(name));
        }
        let full = full_name(name, space);
        if !self.names.contains(&full) {
            return Err(format!("Undefined schema: {full}"));
        }
        Ok(text(relative(&full, space)))
    }

    fn of_type(&mut self, json: &Json, word: &str, space: &str) -> Result<Json, String> {
        if PRIMITIVES.contains(&word) {
            let properties = self.properties(json, &["type"]);
            if properties.is_empty() {
                return Ok(text(word));
            }
            return Ok(Json::Object([vec![("type".to_owned(), text(word))], properties].concat()));
        }
        match word {
            "array" => self.container(json, "array", "items", space),
            "map" => self.container(json, "map", "values", space),
            "record" | "error" | "enum" | "fixed" => self.named(json, word, space),
            name => self.reference(name, space),
        }
    }

    fn container(&mut self, json: &Json, word: &str, key: &str, space: &str) -> Result<Json, String> {
        let inner = self.schema(json.get(key).ok_or("No type")?, space)?;
        let mut fields = vec![("type".to_owned(), text(word)), (key.to_owned(), inner)];
        fields.extend(self.properties(json, &["type", key]));
        Ok(Json::Object(fields))
    }

    fn named(&mut self, json: &Json, word: &str, space: &str) -> Result<Json, String> {
        let name = json.str("name").ok_or("No name in schema")?;
        let full = full_name(name, json.str("namespace").unwrap_or(space));
        let own = full.rsplit_once('.').map_or("", |(own, _)| own).to_owned();
        if self.names.contains(&full) {
            return Err(format!("Can't redefine: {full}"));
        }
        self.names.push(full.clone());
        let mut fields = vec![("type".to_owned(), text(word)), ("name".to_owned(), text(last(&full)))];
        if own != space {
            fields.push(("namespace".to_owned(), text(&own)));
        }
        fields.extend(json.str("doc").map(|doc| ("doc".to_owned(), text(doc))));
        match word {
            "enum" => {
                fields.push(("symbols".to_owned(), json.get("symbols").cloned().ok_or("Enum has no symbols")?));
                fields.extend(json.get("default").map(|default| ("default".to_owned(), default.clone())));
            }
            "fixed" => fields.push(("size".to_owned(), json.get("size").cloned().ok_or("Invalid or no size")?)),
            _ => {
                let Some(Json::List(members)) = json.get("fields") else {
                    return Err("Record has no fields".to_owned());
                };
                let members = members.iter().map(|member| self.field(member, &own)).collect::<Result<_, _>>()?;
                fields.push(("fields".to_owned(), Json::List(members)));
            }
        }
        let known = ["type", "name", "namespace", "doc", "symbols", "default", "size", "fields", "aliases"];
        fields.extend(self.properties(json, &known));
        fields.extend(self.aliases(json, Some(&own)));
        Ok(Json::Object(fields))
    }

    fn field(&mut self, json: &Json, space: &str) -> Result<Json, String> {
        let name = json.str("name").ok_or("No field name")?;
        let inner = self.schema(json.get("type").ok_or("No field type")?, space)?;
        let mut fields = vec![("name".to_owned(), text(name)), ("type".to_owned(), inner)];
        fields.extend(json.str("doc").map(|doc| ("doc".to_owned(), text(doc))));
        fields.extend(json.get("default").map(|default| ("default".to_owned(), default.clone())));
        let order = json.str("order").filter(|order| *order != "ascending" || self.form == Form::KarapaceMeaning);
        fields.extend(order.map(|order| ("order".to_owned(), text(order))));
        fields.extend(self.aliases(json, None));
        fields.extend(self.properties(json, &["name", "type", "doc", "default", "order", "aliases"]));
        Ok(Json::Object(fields))
    }

    fn aliases(&self, json: &Json, space: Option<&str>) -> Option<(String, Json)> {
        let Some(Json::List(aliases)) = json.get("aliases") else {
            return None;
        };
        let mut names: Vec<String> = aliases
            .iter()
            .filter_map(|alias| match (alias, space) {
                (Json::String(alias), Some(space)) => Some(relative(&full_name(alias, space), space).to_owned()),
                (Json::String(alias), None) => Some(alias.clone()),
                _ => None,
            })
            .collect();
        if self.form != Form::Text {
            names.sort();
        }
        let names: Vec<Json> = names.into_iter().map(Json::String).collect();
        (!names.is_empty()).then(|| ("aliases".to_owned(), Json::List(names)))
    }

    fn properties(&self, json: &Json, known: &[&str]) -> Vec<(String, Json)> {
        let Json::Object(fields) = json else {
            return Vec::new();
        };
        let mut properties: Vec<_> =
            fields.iter().filter(|(name, _)| !known.contains(&name.as_str())).cloned().collect();
        if self.form != Form::Text {
            properties.sort_by(|(one, _), (other, _)| one.cmp(other));
        }
        properties
    }
}

fn full_name(name: &str, space: &str) -> String {
    if name.contains('.') || space.is_empty() { name.to_owned() } else { format!("{space}.{name}") }
}

fn last(full: &str) -> &str {
    full.rsplit_once('.').map_or(full, |(_, last)| last)
}

/// A name as it is written inside `space`.
fn relative<'a>(full: &'a str, space: &str) -> &'a str {
    match full.rsplit_once('.') {
        Some((own, last)) if own == space => last,
        _ => full,
    }
}
