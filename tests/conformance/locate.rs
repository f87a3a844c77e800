//! What breaks stands somewhere: for each difference of the cases that breaks, a place in one of the two texts is
//! found, unless it may lie in a reference.

use schema_registrar::compat::engine::{Parsed, differences, read};
use schema_registrar::compat::locate::locate_all;
use schema_registrar::compat::{CONFLUENT_8_3, Difference, Direction, Policy};
use schema_registrar::schema::{Reading, Reference};

use crate::vectors::{self, Case};

#[test]
fn what_breaks_is_found_in_the_text() {
    let (mut told, mut missed) = (0, Vec::new());
    let cases = ["AVRO", "JSON", "PROTOBUF"].map(|format| vectors::pairs(format).0).into_iter().flatten();
    for case in cases.filter(|case| case.old_references.is_empty() && case.new_references.is_empty()) {
        let Some((old, new)) = parsed(&case) else { continue };
        for (direction, reader, writer) in [(Direction::Backward, &new, &old), (Direction::Forward, &old, &new)] {
            let Ok(all) = differences(reader, writer, &CONFLUENT_8_3, Policy::Strict) else { continue };
            let breaking: Vec<(Direction, &Difference)> =
                all.iter().filter(|one| one.breaks).map(|one| (direction, one)).collect();
            told += breaking.len();
            let places = locate_all(schema_type(&case), &case.old, &case.new, &breaking);
            let lost = breaking.iter().zip(places).filter(|(_, place)| place.is_none());
            missed.extend(lost.map(|((_, one), _)| format!("{}: {} {}", case.id, one.rule, one.path)));
        }
    }
    println!("{told} differences that break, {} of them not found", missed.len());
    assert!(told > 0, "nothing breaks");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

fn schema_type(case: &Case) -> schema_registrar::api::SchemaType {
    case.format.parse().expect("the case is of a schema type")
}

/// Both schemas, where they can be read.
fn parsed(case: &Case) -> Option<(Parsed, Parsed)> {
    let nothing: &[Reference] = &[];
    let old = read(schema_type(case), &case.old, nothing, Reading::Stored, &CONFLUENT_8_3).ok()?;
    let new = read(schema_type(case), &case.new, nothing, Reading::New, &CONFLUENT_8_3).ok()?;
    Some((old, new))
}
