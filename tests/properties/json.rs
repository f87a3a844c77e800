//! JSON Schema.

use proptest::prelude::*;
use schema_registrar::api::SchemaType;

use crate::generate::for_all;
use crate::generate::json::{Draft, Json, changes, drafts, histories, schemas};
use crate::laws::{self, Mix, Texts};

fn texts(schema: &Json, draft: Draft) -> Texts {
    laws::text(SchemaType::Json, schema.text(draft))
}

#[test]
fn changes_go_both_ways() {
    let mix = Mix::default();
    for_all(400, (changes(), drafts()), |((old, new), draft)| mix.count(&texts(old, *draft), &texts(new, *draft)));
    mix.assert_both();
}

#[test]
fn a_schema_is_compatible_with_itself() {
    for_all(400, (schemas(), drafts()), |(schema, draft)| laws::is_compatible_with_itself(&texts(schema, *draft)));
}

#[test]
fn backward_and_forward_mirror_each_other() {
    for_all(400, (changes(), drafts()), |((old, new), draft)| {
        laws::directions_mirror(&texts(old, *draft), &texts(new, *draft))
    });
}

#[test]
fn a_transitive_level_asks_for_each_version() {
    for_all(300, (histories(), drafts()), |(versions, draft)| {
        let versions: Vec<Texts> = versions.iter().map(|version| texts(version, *draft)).collect();
        laws::transitive_is_the_conjunction(&versions)
    });
}

#[test]
fn names_of_definitions_do_not_matter_if_they_are_the_same_ones() {
    for_all(400, (changes(), drafts()), |((old, new), draft)| {
        let renamed = |schema: &Json| laws::text(SchemaType::Json, schema.renamed_text(*draft));
        laws::are_judged_alike([&texts(old, *draft), &renamed(old)], [&texts(new, *draft), &renamed(new)])
    });
}

#[test]
fn the_order_of_keys_and_of_lists_that_mean_sets_does_not_matter() {
    for_all(400, (changes(), drafts(), any::<u64>()), |((old, new), draft, order)| {
        let reordered = |schema: &Json| laws::text(SchemaType::Json, schema.reordered_text(*draft, *order));
        laws::are_judged_alike([&texts(old, *draft), &reordered(old)], [&texts(new, *draft), &reordered(new)])
    });
}

/// But for branches that the registry combines otherwise.
#[test]
fn a_reference_is_as_good_as_what_it_refers_to() {
    for_all(600, (changes(), drafts()), |((old, new), draft)| {
        if [old, new].into_iter().any(|schema| schema.combines_otherwise_inlined(*draft)) {
            return Ok(());
        }
        let inlined = |schema: &Json| {
            let text = schema.inlined_text(*draft).unwrap_or_else(|| schema.text(*draft));
            laws::text(SchemaType::Json, text)
        };
        laws::are_judged_alike([&texts(old, *draft), &inlined(old)], [&texts(new, *draft), &inlined(new)])?;
        let referring = |schema: &Json| match schema.text_and_references(*draft) {
            Some((text, references)) => Texts { schema_type: SchemaType::Json, text, references },
            None => texts(schema, *draft),
        };
        laws::are_judged_alike([&texts(old, *draft), &referring(old)], [&texts(new, *draft), &referring(new)])
    });
}
