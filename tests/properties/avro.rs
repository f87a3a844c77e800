//! Avro.

use proptest::prelude::*;
use schema_registrar::api::SchemaType;

use crate::generate::avro::{Avro, changes, histories, schemas};
use crate::generate::for_all;
use crate::laws::{self, Mix, Texts};

fn texts(schema: &Avro) -> Texts {
    laws::text(SchemaType::Avro, schema.text())
}

#[test]
fn changes_go_both_ways() {
    let mix = Mix::default();
    for_all(400, changes(), |(old, new)| mix.count(&texts(old), &texts(new)));
    mix.assert_both();
}

#[test]
fn a_schema_is_compatible_with_itself() {
    for_all(400, schemas(), |schema| laws::is_compatible_with_itself(&texts(schema)));
}

#[test]
fn backward_and_forward_mirror_each_other() {
    for_all(400, changes(), |(old, new)| laws::directions_mirror(&texts(old), &texts(new)));
}

#[test]
fn a_transitive_level_asks_for_each_version() {
    for_all(300, histories(), |versions| {
        let versions: Vec<Texts> = versions.iter().map(texts).collect();
        laws::transitive_is_the_conjunction(&versions)
    });
}

#[test]
fn names_of_definitions_do_not_matter_if_they_are_the_same_ones() {
    for_all(400, changes(), |(old, new)| {
        let renamed = [&texts(&old.clone().renamed()), &texts(&new.clone().renamed())];
        laws::are_judged_alike_together([&texts(old), renamed[0]], [&texts(new), renamed[1]])
    });
}

#[test]
fn the_order_of_fields_symbols_and_branches_does_not_matter() {
    for_all(400, (changes(), any::<u64>()), |((old, new), order)| {
        let reordered = |schema: &Avro| texts(&schema.clone().reordered(*order));
        laws::are_judged_alike([&texts(old), &reordered(old)], [&texts(new), &reordered(new)])
    });
}

#[test]
fn a_reference_is_as_good_as_what_it_refers_to() {
    for_all(400, changes(), |(old, new)| {
        let referring = |schema: &Avro| {
            let (text, references) = schema.text_and_references();
            Texts { schema_type: SchemaType::Avro, text, references }
        };
        laws::are_judged_alike([&texts(old), &referring(old)], [&texts(new), &referring(new)])
    });
}
