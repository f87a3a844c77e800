//! The rows of the field's tables, as someone finds them out who has two files and a level.

use crate::command::{Scratch, compare_with};
use crate::rows::rows;

#[test]
fn a_row_of_the_tables_passes_or_not_by_the_exit_code() {
    let scratch = Scratch::new();
    let mut wrong = Vec::new();
    for row in rows() {
        let (old, new) = (scratch.file("old", &row.old), scratch.file("new", &row.new));
        for (level, passes) in ["BACKWARD", "FORWARD", "FULL"].into_iter().zip(row.passes) {
            let ran = compare_with(&["--type", row.schema_type, "--level", level, &old, &new], b"");
            if ran.code != i32::from(!passes) {
                wrong.push(format!("{} under {level}: exit code {}: {}{}", row.name, ran.code, ran.stdout, ran.stderr));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
