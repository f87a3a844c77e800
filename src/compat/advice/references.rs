//! What a change of references means: A21, and numbers that do not travel.

use super::words::{advice, listed};
use super::{Advice, Code};
use crate::schema::Version;

/// A reference of a schema, resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Referred<'a> {
    /// The name that the schema uses.
    pub name: &'a str,
    /// The subject that it refers to.
    pub subject: &'a str,
    /// The version that it refers to.
    pub version: Version,
    /// Whether the resource names the version by its number, rather than a resource or the latest version.
    pub is_pinned: bool,
}

/// What a change of references caused. `is_text_same`: the schema's own text did not change.
pub fn of_references(is_text_same: bool, old: &[Referred<'_>], new: &[Referred<'_>]) -> Vec<Advice> {
    let bump = if is_text_same { bumped(old, new) } else { None };
    let pinned = new.iter().filter(|one| one.is_pinned && !old.contains(one)).map(not_portable);
    bump.into_iter().chain(pinned).collect()
}

/// A21.
fn bumped(old: &[Referred<'_>], new: &[Referred<'_>]) -> Option<Advice> {
    let moved = |one: &&Referred<'_>| {
        let before = old.iter().find(|before| before.name == one.name);
        before.is_some_and(|before| (before.subject, before.version) != (one.subject, one.version))
    };
    let told: Vec<String> = new.iter().filter(moved).map(|one| format!("{} {}", one.subject, one.version)).collect();
    if told.is_empty() {
        return None;
    }
    let message = format!(
        "the text did not change, but it now refers to {}: that is a new version with an id of its own, and what is \
         compared is what it refers to",
        listed(&told)
    );
    Some(advice(Code::ReferenceBump, "", message, "acknowledge this if the new version is meant"))
}

fn not_portable(one: &Referred<'_>) -> Advice {
    let Referred { name, subject, version, .. } = one;
    let message = format!(
        "reference {name} is pinned to version {version} of subject {subject}, a number that another registry or \
         context may give to another schema"
    );
    let remedy = "refer to a Schema resource by schemaRef, or to the latest version, before this is applied elsewhere";
    advice(Code::PinnedReferenceNotPortable, "", message, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn refers(version: i64, is_pinned: bool) -> Vec<Referred<'static>> {
        let version = Version::new(version).unwrap();
        vec![Referred { name: "common.proto", subject: "common", version, is_pinned }]
    }

    #[rstest]
    #[case::nothing_changed(true, refers(1, false), refers(1, false), &[])]
    #[case::only_the_reference(true, refers(1, false), refers(2, false), &[Code::ReferenceBump])]
    #[case::the_text_as_well(false, refers(1, false), refers(2, false), &[])]
    #[case::a_new_reference(true, vec![], refers(1, false), &[])]
    #[case::a_new_pin(false, vec![], refers(1, true), &[Code::PinnedReferenceNotPortable])]
    #[case::a_pin_that_was_there(false, refers(1, true), refers(1, true), &[])]
    #[case::a_pin_that_moved(
        true, refers(1, true), refers(2, true), &[Code::ReferenceBump, Code::PinnedReferenceNotPortable]
    )]
    fn references_are_told_when_they_change(
        #[case] is_text_same: bool,
        #[case] old: Vec<Referred<'static>>,
        #[case] new: Vec<Referred<'static>>,
        #[case] codes: &[Code],
    ) {
        let given: Vec<Code> = of_references(is_text_same, &old, &new).iter().map(|advice| advice.code).collect();
        assert_eq!(given, codes);
    }
}
