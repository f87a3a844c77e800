//! Instances of JSON Schemas.

use serde_json::{Map, Value, json};

/// Makes instances that are likely to be valid under a schema, and to say something about another one.
pub struct Instances {
    rng: fastrand::Rng,
    /// The names of properties in either.
    names: Vec<String>,
    /// The values that either names.
    values: Vec<Value>,
}

impl Instances {
    pub fn new(schemas: [&Value; 2], seed: u64) -> Instances {
        let mut instances = Instances { rng: fastrand::Rng::with_seed(seed), names: Vec::new(), values: Vec::new() };
        schemas.into_iter().for_each(|schema| instances.learn(schema));
        instances.names.extend(["ab", "x1", "zz"].map(str::to_owned));
        instances
    }

    fn learn(&mut self, value: &Value) {
        match value {
            Value::Object(node) => {
                if let Some(Value::Object(properties)) = node.get("properties") {
                    self.names.extend(properties.keys().cloned());
                }
                self.values.extend(node.get("const").cloned());
                self.values.extend(node.get("enum").and_then(Value::as_array).into_iter().flatten().cloned());
                node.values().for_each(|inner| self.learn(inner));
            }
            Value::Array(items) => items.iter().for_each(|item| self.learn(item)),
            _ => {}
        }
    }

    /// One that is likely to be valid under a schema.
    pub fn any(&mut self, root: &Value) -> Value {
        self.of(root, root, 0)
    }

    fn of(&mut self, schema: &Value, root: &Value, depth: usize) -> Value {
        let Value::Object(node) = schema else { return self.whatever(depth) };
        if depth > 8 {
            return self.scalar();
        }
        if let Some(reference) = node.get("$ref").and_then(Value::as_str) {
            let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer)).cloned();
            return match target {
                Some(target) => self.of(&target, root, depth + 1),
                None => self.whatever(depth),
            };
        }
        for keyword in ["oneOf", "anyOf", "allOf"] {
            if let Some(Value::Array(branches)) = node.get(keyword)
                && let Some(branch) = self.rng.choice(branches)
            {
                let branch = branch.clone();
                let made = self.of(&branch, root, depth + 1);
                // The other keywords may ask for an object as well.
                return if node.contains_key("properties") && self.rng.bool() {
                    self.object(node, root, depth)
                } else {
                    made
                };
            }
        }
        if let Some(value) = node.get("const") {
            return value.clone();
        }
        if let Some(Value::Array(values)) = node.get("enum") {
            return self.rng.choice(values).cloned().unwrap_or(Value::Null);
        }
        if node.contains_key("not") && self.rng.u8(0..4) > 0 {
            return self.whatever(depth);
        }
        let kind = match node.get("type") {
            Some(Value::String(kind)) => kind.clone(),
            Some(Value::Array(kinds)) => self.rng.choice(kinds).and_then(Value::as_str).unwrap_or("null").to_owned(),
            _ if self.rng.u8(0..4) == 0 => return self.whatever(depth),
            _ if node.contains_key("properties") || node.contains_key("required") => "object".to_owned(),
            _ if node.contains_key("items") || node.contains_key("prefixItems") => "array".to_owned(),
            _ => return self.whatever(depth),
        };
        match kind.as_str() {
            "object" => self.object(node, root, depth),
            "array" => self.array(node, root, depth),
            "string" => self.string(node),
            "integer" => json!(self.number(node)),
            "number" if self.rng.bool() => json!(self.number(node) as f64 + 0.5),
            "number" => json!(self.number(node)),
            "boolean" => json!(self.rng.bool()),
            _ => Value::Null,
        }
    }

    fn object(&mut self, node: &Map<String, Value>, root: &Value, depth: usize) -> Value {
        let mut made = Map::new();
        let empty = Map::new();
        let declared = node.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        for (name, schema) in declared {
            if self.rng.u8(0..4) > 0 {
                made.insert(name.clone(), self.of(schema, root, depth + 1));
            }
        }
        let required = node.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        for name in required.iter().filter_map(Value::as_str) {
            if !made.contains_key(name) {
                let schema = declared.get(name).cloned().unwrap_or(json!(true));
                made.insert(name.to_owned(), self.of(&schema, root, depth + 1));
            }
        }
        let is_closed = node.get("additionalProperties") == Some(&json!(false));
        let more = if is_closed { self.rng.usize(0..2) } else { self.rng.usize(0..4) };
        for _ in 0..more {
            let name = self.rng.choice(&self.names).cloned().unwrap_or_default();
            if !declared.contains_key(&name) {
                let schema = node.get("additionalProperties").cloned().unwrap_or(json!(true));
                made.insert(name, self.of(&schema, root, depth + 1));
            }
        }
        Value::Object(made)
    }

    fn array(&mut self, node: &Map<String, Value>, root: &Value, depth: usize) -> Value {
        let tuple = node.get("prefixItems").or(node.get("items").filter(|items| items.is_array()));
        let tuple = tuple.and_then(Value::as_array).cloned().unwrap_or_default();
        let rest = node.get("items").filter(|items| !items.is_array()).or(node.get("additionalItems"));
        let rest = rest.cloned().unwrap_or(json!(true));
        let least = node.get("minItems").and_then(Value::as_u64).unwrap_or(0).min(8) as usize;
        let length = least + self.rng.usize(0..4);
        let items = (0..length).map(|at| self.of(tuple.get(at).unwrap_or(&rest), root, depth + 1));
        items.collect()
    }

    fn string(&mut self, node: &Map<String, Value>) -> Value {
        let least = node.get("minLength").and_then(Value::as_u64).unwrap_or(0).min(20) as usize;
        let length = least + self.rng.usize(0..4);
        let letters: String = (0..length).map(|_| self.rng.choice(['a', 'b', 'c', 'x', '1']).unwrap_or('a')).collect();
        json!(letters)
    }

    fn number(&mut self, node: &Map<String, Value>) -> i64 {
        let limit = |keyword| node.get(keyword).and_then(Value::as_i64);
        let low = limit("minimum").or(limit("exclusiveMinimum")).unwrap_or(-2);
        let high = limit("maximum").or(limit("exclusiveMaximum")).unwrap_or(low.saturating_add(9)).max(low);
        let number = self.rng.i64(low..=high);
        let step = limit("multipleOf").unwrap_or(1).max(1);
        if self.rng.bool() { number / step * step } else { number }
    }

    fn whatever(&mut self, depth: usize) -> Value {
        match self.rng.u8(0..8) {
            0 if depth < 4 => {
                let names: Vec<String> = (0..2).filter_map(|_| self.rng.choice(&self.names).cloned()).collect();
                Value::Object(names.into_iter().map(|name| (name, self.whatever(depth + 1))).collect())
            }
            1 if depth < 4 => (0..self.rng.usize(0..3)).map(|_| self.whatever(depth + 1)).collect(),
            2 => self.rng.choice(&self.values).cloned().unwrap_or(Value::Null),
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) -> Value {
        match self.rng.u8(0..6) {
            0 => Value::Null,
            1 => json!(self.rng.bool()),
            2 => json!(self.rng.i64(-3..9)),
            3 => json!(2.5),
            _ => self.string(&Map::new()),
        }
    }
}
