//! What README.md shows of `compare` is what it prints. After a change that is meant:
//! `UPDATE_README=1 cargo test --test cli readme`.

use std::fs;
use std::path::Path;

use crate::command::compare;

#[test]
fn the_readme_shows_the_real_output() {
    const START: &str = "```text\n$ schema-registrar compare ";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).expect("README.md is there");
    let mut blocks = readme.split(START);
    let mut wanted = blocks.next().unwrap_or_default().to_owned();
    let mut count = 0;
    for block in blocks {
        let (arguments, rest) = block.split_once('\n').expect("output follows the command");
        let (_, after) = rest.split_once("```").expect("the block ends");
        wanted += &format!("{START}{arguments}\n{}```{after}", compare(arguments).stdout);
        count += 1;
    }
    assert!(count > 0, "README.md shows no output of compare");
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(&path, &wanted).expect("README.md can be written");
    }
    let readme = fs::read_to_string(&path).expect("README.md is there");
    let other = readme.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
    assert!(readme == wanted, "{other:?}; write the output anew: UPDATE_README=1 cargo test --test cli readme");
}
