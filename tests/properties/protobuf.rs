//! Protobuf.

use proptest::prelude::*;
use schema_registrar::api::SchemaType;

use crate::generate::for_all;
use crate::generate::protobuf::{Proto, changes, histories, schemas};
use crate::laws::{self, Mix, Texts};

fn texts(schema: &Proto) -> Texts {
    laws::text(SchemaType::Protobuf, schema.text())
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
fn the_order_of_declarations_does_not_matter() {
    for_all(400, (changes(), any::<u64>()), |((old, new), order)| {
        let reordered = |schema: &Proto| laws::text(SchemaType::Protobuf, schema.reordered_text(*order));
        laws::are_judged_alike([&texts(old), &reordered(old)], [&texts(new), &reordered(new)])
    });
}
