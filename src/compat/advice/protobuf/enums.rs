//! Two enums of one name: A9 and A12.

use std::collections::BTreeMap;

use super::Adviser;
use super::numbers::{Names, Owner};
use crate::compat::advice::Code;
use crate::schema::protobuf::Enum;

impl Adviser<'_> {
    pub(super) fn constants(&mut self, path: &str, name: &str, new: &Enum, old: &Enum) {
        let of = Owner { path, name, is_enum: true };
        let (after, before) = (names(new), names(old));
        self.numbers(&of, &after, &before);
        self.renamed(&of, new, old, &after);
    }

    /// A12: a number whose names are all others, none of which has another number now.
    fn renamed(&mut self, of: &Owner<'_>, new: &Enum, old: &Enum, after: &Names<'_>) {
        let (now, before) = (by_number(new), by_number(old));
        for (number, was) in before {
            let Some(is) = now.get(&number) else { continue };
            let stays = was.iter().any(|name| after.number(name).is_some());
            let (Some(is), Some(was), false) = (is.first(), was.first(), stays) else { continue };
            if self.named_in(of.path, of.name) {
                return;
            }
            let message = format!(
                "{} is named {was} in {}: the bytes are the same, but JSON and generated code follow the name",
                of.subject(is),
                self.version
            );
            let remedy =
                format!("keep {was} beside it with option allow_alias, or change code together with this schema");
            self.give(Code::Renamed, format!("{}/{number}", of.path), message, remedy);
        }
    }
}

fn names(of: &Enum) -> Names<'_> {
    let all = of.constants.iter().map(|constant| (constant.number, &*constant.name)).collect();
    Names::of(all, &of.reserved)
}

fn by_number(of: &Enum) -> BTreeMap<i32, Vec<&str>> {
    let mut names: BTreeMap<i32, Vec<&str>> = BTreeMap::new();
    for constant in &of.constants {
        names.entry(constant.number).or_default().push(&constant.name);
    }
    names
}
