//! Groups and extensions, which the registry does not compare (compat.md §2.3).

use std::collections::HashMap;

use super::types::Held;
use super::{Adviser, Slot};
use crate::compat::advice::Code;
use crate::schema::protobuf::{Field, Group, Label};

impl Adviser<'_> {
    /// Two slots of one number, at least one of which is a group.
    pub(super) fn groups(&mut self, path: &str, message: &str, new: &Slot<'_>, old: &Slot<'_>) {
        match (new, old) {
            (Slot::Group(after), Slot::Group(before)) => {
                self.group_labels(path, message, after, before);
                let before: HashMap<i32, &Field> = before.fields.iter().map(|field| (field.number, field)).collect();
                for field in &after.fields {
                    let Some(before) = before.get(&field.number) else { continue };
                    if self.named_in(path, message) {
                        return;
                    }
                    let subject = format!("field {} of group {} of {message}", field.name, after.name);
                    self.uncompared(format!("{path}/{}", field.number), &subject, field, before);
                }
            }
            _ => {
                let words = |slot: &Slot<'_>| match slot {
                    Slot::Group(group) => format!("group {}", group.name),
                    Slot::Field { field, .. } => format!("field {}", field.name),
                };
                let message = format!(
                    "number {} of {message} is {}, and {} in {}: the registry does not compare groups, and what {} \
                     wrote there cannot be read",
                    new.number(),
                    words(new),
                    words(old),
                    self.version,
                    self.version
                );
                let remedy = format!("give {} a number that was never used", new.name());
                self.give(Code::NotCompared, path.to_owned(), message, remedy);
            }
        }
    }

    fn group_labels(&mut self, path: &str, message: &str, new: &Group, old: &Group) {
        let is_repeated = |group: &Group| group.label == Some(Label::Repeated);
        if is_repeated(new) == is_repeated(old) {
            return;
        }
        let word = |group: &Group| if is_repeated(group) { "repeated" } else { "single" };
        let message = format!(
            "group {} of {message} is {}, and {} in {}, which the registry does not compare",
            new.name,
            word(new),
            word(old),
            self.version
        );
        self.give(Code::NotCompared, path.to_owned(), message, format!("keep it {}", word(old)));
    }

    /// Fields that both files add to the same message.
    pub(super) fn extensions(&mut self) {
        let (new, old) = (self.new.main(), self.old.main());
        let before: HashMap<(&str, i32), &Field> =
            old.extensions.iter().map(|one| ((bare(&one.extended), one.field.number), &one.field)).collect();
        for one in &new.extensions {
            let Some(before) = before.get(&(bare(&one.extended), one.field.number)) else { continue };
            if self.named_in(&one.extended, &one.extended) {
                return;
            }
            let subject = format!("extension {} of {}", one.field.name, one.extended);
            self.uncompared(format!("#/{}/{}", bare(&one.extended), one.field.number), &subject, &one.field, before);
        }
    }

    /// A field that the registry does not look at, whose bytes are read otherwise.
    fn uncompared(&mut self, path: String, subject: &str, new: &Field, old: &Field) {
        let (is, was) = (Held::of(&new.field_type, self.new), Held::of(&old.field_type, self.old));
        let is_repeated = |field: &Field| field.label == Some(Label::Repeated);
        let same_label = is_repeated(new) == is_repeated(old);
        // A message is told by its name, and a type that is not resolved here by its spelling.
        let same_type = is.shares_bytes(&was) && (!matches!(is, Held::Message(..)) || is.is_same(&was));
        if same_label && same_type {
            return;
        }
        let words = |field: &Field, held: &Held<'_>| {
            format!("{}{}", if is_repeated(field) { "repeated " } else { "" }, held.words())
        };
        let message = format!(
            "{subject} is {}, and {} in {}, which the registry does not compare: what {} wrote there is misread",
            words(new, &is),
            words(old, &was),
            self.version,
            self.version
        );
        let remedy = format!("keep {}, and give what is new a number that was never used", words(old, &was));
        self.give(Code::NotCompared, path, message, remedy);
    }
}

/// Without the dot that makes a name absolute.
fn bare(name: &str) -> &str {
    name.trim_start_matches('.')
}
