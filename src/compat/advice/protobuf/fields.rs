//! Two fields of one number: names, labels, presence, defaults and types. A5, and A10 to A12.

use std::collections::{HashMap, HashSet};

use super::types::{Held, lost};
use super::{Adviser, Slot, Slots};
use crate::compat::advice::Code;
use crate::compat::advice::words::listed;
use crate::compat::levels::Direction;
use crate::schema::protobuf::{Field, FieldType, Label, Message, Oneof};

/// A field on both sides.
struct Pair<'a> {
    path: String,
    /// `field x of M`
    subject: String,
    new: &'a Field,
    old: &'a Field,
    new_oneof: Option<&'a Oneof>,
    old_oneof: Option<&'a Oneof>,
}

impl<'a> Adviser<'a> {
    pub(super) fn fields(&mut self, path: &str, message: &str, new: &Slots<'a>, old: &Slots<'a>) {
        let mut numbers: Vec<i32> = new.keys().filter(|number| old.contains_key(number)).copied().collect();
        numbers.sort_unstable();
        let names: HashSet<&str> = new.values().map(Slot::name).collect();
        for number in numbers {
            if self.named_in(path, message) {
                return;
            }
            let path = format!("{path}/{number}");
            match (&new[&number], &old[&number]) {
                (Slot::Field { field, oneof }, Slot::Field { field: before, oneof: old_oneof }) => {
                    let subject = format!("field {} of {message}", field.name);
                    let (new_oneof, old_oneof) = (*oneof, *old_oneof);
                    let pair = Pair { path, subject, new: field, old: before, new_oneof, old_oneof };
                    if field.name != before.name && !names.contains(&*before.name) {
                        self.other_name(&pair);
                    }
                    self.json_name(&pair);
                    self.pair(&pair);
                }
                (after, before) => self.groups(&path, message, after, before),
            }
        }
    }

    fn pair(&mut self, pair: &Pair<'_>) {
        self.cardinality(pair);
        self.required(pair);
        self.presence(pair);
        self.default(pair);
        self.types(pair, &pair.new.field_type, &pair.old.field_type);
    }

    /// A9 where the type changed as well: then it is not the same thing under another name. A12 otherwise.
    fn other_name(&mut self, pair: &Pair<'_>) {
        let Pair { path, subject, new, old, .. } = pair;
        let version = &self.version;
        let (is, was) = (Held::of(&new.field_type, self.new), Held::of(&old.field_type, self.old));
        if is.is_same(&was) {
            let message = format!(
                "{subject} is named {} in {version}: the bytes are the same, but JSON, field masks and generated code \
                 follow the name",
                old.name
            );
            let remedy = format!(
                "keep the name {0}, or set json_name = \"{1}\" and change code together with this schema",
                old.name,
                old.json_name().map_or_else(|| json_name_of(&old.name), str::to_owned)
            );
            return self.give(Code::Renamed, path.clone(), message, remedy);
        }
        let message = format!(
            "number {} is {} {} now, and {} {} in {version}: what {version} wrote there is read as something else",
            new.number,
            is.words(),
            new.name,
            was.words(),
            old.name
        );
        let remedy = format!("give {} a number that was never used, and reserve {}", new.name, new.number);
        self.give(Code::NumberReused, path.clone(), message, remedy);
    }

    /// A12: of fields whose name stayed.
    fn json_name(&mut self, pair: &Pair<'_>) {
        let Pair { path, subject, new, old, .. } = pair;
        let shown = |field: &Field| field.json_name().map_or_else(|| json_name_of(&field.name), str::to_owned);
        let (is, was) = (shown(new), shown(old));
        if new.name == old.name && is != was {
            let message =
                format!("{subject} is {is} in JSON, and {was} in that of {0}: JSON of {0} is not found", self.version);
            self.give(Code::Renamed, path.clone(), message, format!("keep json_name = \"{was}\""));
        }
    }

    /// Whether the registry compares the labels itself: of numbers, where both sides write one.
    fn labels_are_seen(&self, pair: &Pair<'_>) -> bool {
        let held = Held::of(&pair.new.field_type, self.new);
        pair.new.label.is_some() && pair.old.label.is_some() && held.is_packed()
    }

    /// A10: a label that only one side writes is invisible to the registry, and so are all labels of messages.
    fn cardinality(&mut self, pair: &Pair<'_>) {
        let Pair { path, subject, new, old, .. } = pair;
        let held = Held::of(&new.field_type, self.new);
        let is_map = |field: &Field| matches!(field.field_type, FieldType::Map(_));
        let (is, was) = (new.label == Some(Label::Repeated), old.label == Some(Label::Repeated));
        if is == was || is_map(new) || is_map(old) || self.labels_are_seen(pair) {
            return;
        }
        let version = &self.version;
        let packed = if held.is_packed() { ", and none of packed ones" } else { "" };
        let (message, remedy) = if is {
            (
                format!(
                    "{subject} is repeated, and single in {version}: readers with {version} keep the last of several \
                     values{packed}"
                ),
                "upgrade every reader before more than one value is written",
            )
        } else {
            (
                format!(
                    "{subject} is single, and repeated in {version}: of several values that {version} wrote, readers of \
                     this schema keep the last{packed}"
                ),
                "keep it repeated, and give the single value a number of its own",
            )
        };
        self.give(Code::CardinalityChanged, path.clone(), message, remedy.to_owned());
    }

    /// A10: the registry sees this for numbers only, and only where both sides write a label.
    fn required(&mut self, pair: &Pair<'_>) {
        let Pair { path, subject, new, old, .. } = pair;
        let (is, was) = (new.label == Some(Label::Required), old.label == Some(Label::Required));
        if is == was || self.labels_are_seen(pair) {
            return;
        }
        let version = &self.version;
        let (message, remedy) = if is {
            (
                format!(
                    "{subject} is required, and not in {version}: readers of this schema refuse data of {version} that \
                     lacks it"
                ),
                "keep it optional: what is required can never be taken back",
            )
        } else {
            (
                format!("{subject} is no longer required: readers with {version} refuse new data that lacks it"),
                "go on writing it until every reader is upgraded",
            )
        };
        self.give(Code::RequiredChanged, path.clone(), message, remedy.to_owned());
    }

    /// A10: whether unset can be told from zero.
    fn presence(&mut self, pair: &Pair<'_>) {
        let is_plain = |field: &Field, of| {
            let held = Held::of(&field.field_type, of);
            matches!(held, Held::Scalar(_) | Held::Enum(..)) && field.label != Some(Label::Repeated)
        };
        if !is_plain(pair.new, self.new) || !is_plain(pair.old, self.old) {
            return;
        }
        let is_told = |field: &Field, oneof: Option<&Oneof>| field.label.is_some() || oneof.is_some();
        if is_told(pair.old, pair.old_oneof) && !is_told(pair.new, pair.new_oneof) {
            self.presence.push((pair.path.clone(), pair.subject.clone()));
        }
    }

    /// Where the whole file changed to proto3, once for all fields.
    pub(super) fn presence_dropped(&mut self) {
        let fields = std::mem::take(&mut self.presence);
        let is_of_file = self.new.main().proto3 != self.old.main().proto3 && fields.len() > 1;
        let version = self.version.clone();
        let lost = |subjects: &str, verb: &str, do_so: &str| {
            format!("{subjects} no longer {verb} unset from 0, false or empty, as {do_so} in {version}")
        };
        if is_of_file {
            let subjects: Vec<&str> = fields.iter().map(|(_, subject)| &**subject).collect();
            let message = lost(&listed(&subjects), "tell", "they do");
            let remedy = "write optional before the fields whose absence means something".to_owned();
            return self.give(Code::PresenceDropped, "#/".to_owned(), message, remedy);
        }
        for (path, subject) in fields {
            let message = lost(&subject, "tells", "it does");
            let remedy = "write optional before it, if its absence means something".to_owned();
            self.give(Code::PresenceDropped, path, message, remedy);
        }
    }

    /// A5: proto2's defaults are not in the data.
    fn default(&mut self, pair: &Pair<'_>) {
        let Pair { path, subject, new, old, .. } = pair;
        let (is, was) = (new.default(), old.default());
        if is == was {
            return;
        }
        let shown = |default: Option<&str>| {
            default.map_or_else(|| "no default".to_owned(), |default| format!("the default {default}"))
        };
        let message = format!(
            "{subject} has {}, and {} in {}: data without the field reads as another value than before",
            shown(is),
            shown(was),
            self.version
        );
        let remedy = format!("keep {}, unless data that lacks it is meant to change", shown(was));
        self.give(Code::DefaultChanged, path.clone(), message, remedy);
    }

    /// A11; of maps, the key and the value.
    fn types(&mut self, pair: &Pair<'_>, new: &FieldType, old: &FieldType) {
        let (is, was) = (Held::of(new, self.new), Held::of(old, self.old));
        if let (Held::Map(key, value), Held::Map(old_key, old_value)) = (&is, &was) {
            self.types(pair, key, old_key);
            return self.types(pair, value, old_value);
        }
        let is_scalar = !matches!(is, Held::Message(..) | Held::Map(..));
        if !is_scalar || is.is_same(&was) || !is.shares_bytes(&was) {
            return;
        }
        let Pair { path, subject, .. } = pair;
        let (is_words, was_words, version) = (is.words(), was.words(), self.version.clone());
        let backward = lost(&was, &is).filter(|_| self.change.promises(Direction::Backward));
        let forward = lost(&is, &was).filter(|_| self.change.promises(Direction::Forward));
        let told = match (backward, forward) {
            (Some(why), _) => Some(format!("when this schema reads data of {version}, {why}")),
            (None, Some(why)) => Some(format!("when readers with {version} read new data, {why}")),
            (None, None) => None,
        };
        if let Some(told) = told {
            let message = format!("{subject} is {is_words}, and {was_words} in {version}: {told}");
            let remedy = format!("keep {was_words}, and give {is_words} a number of its own");
            self.give(Code::ValuesMayNotFit, path.clone(), message, remedy);
        }
        let message = format!(
            "{subject} is {is_words}, and {was_words} in {version}: the bytes are the same, generated code and JSON are \
             not"
        );
        let remedy = "change code together with this schema".to_owned();
        self.give(Code::WireTypeChanged, path.clone(), message, remedy);
    }

    /// A12: a oneof that keeps its members under another name.
    pub(super) fn oneofs(&mut self, path: &str, message: &str, new: &'a Message, old: &'a Message) {
        let names = |message: &'a Message| message.oneofs.iter().map(|oneof| &*oneof.name).collect::<HashSet<&str>>();
        let (names, old_names) = (names(new), names(old));
        let members = |oneof: &'a Oneof| oneof.fields.iter().map(move |field| (field.number, oneof));
        let owners: HashMap<i32, &Oneof> = old.oneofs.iter().flat_map(members).collect();
        for after in new.oneofs.iter().filter(|oneof| !old_names.contains(&*oneof.name)) {
            let before = had_its_members(after, &owners).filter(|before| !names.contains(&*before.name));
            let Some(before) = before else { continue };
            if self.named_in(path, message) {
                return;
            }
            let told = format!(
                "oneof {} of {message} is named {} in {}: generated code follows the name",
                after.name, before.name, self.version
            );
            let remedy = format!("keep the name {}, or change code together with this schema", before.name);
            self.give(Code::Renamed, format!("{path}/{}", after.name), told, remedy);
        }
    }
}

/// The old oneof whose members a new one has, all of them and none of another.
fn had_its_members<'a>(after: &Oneof, owners: &HashMap<i32, &'a Oneof>) -> Option<&'a Oneof> {
    let owner = |number: i32| owners.get(&number).copied();
    let mut of_old = after.fields.iter().filter_map(|field| owner(field.number));
    let before = of_old.next()?;
    let is_only_it = of_old.all(|other| other.name == before.name);
    let now: HashSet<i32> = after.fields.iter().map(|field| field.number).collect();
    let is_all_of_it = before.fields.iter().all(|field| now.contains(&field.number));
    (is_only_it && is_all_of_it).then_some(before)
}

/// The name that protoc gives a field in JSON: `user_id` is `userId`.
fn json_name_of(name: &str) -> String {
    let mut json = String::with_capacity(name.len());
    let mut starts_word = false;
    for character in name.chars() {
        match character {
            '_' => starts_word = true,
            _ if starts_word => {
                json.push(character.to_ascii_uppercase());
                starts_word = false;
            }
            _ => json.push(character),
        }
    }
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_names_are_those_of_protoc() {
        for (name, json) in [("id", "id"), ("user_id", "userId"), ("_a_1b", "A1b"), ("aB_c", "aBC"), ("a__b", "aB")] {
            assert_eq!(json_name_of(name), json);
        }
    }
}
