//! `compare --batch`: JSON lines in, JSON lines out, in the same order. One bad line is one answer `unsupported` with
//! its reason.

use std::io::{self, BufRead, BufWriter, Write};

use super::pair;
use crate::compat::Profile;

/// A line longer than this is not read: two schemas at the bound, with room to spare.
const MAX_LINE: usize = 16 << 20;

/// Answers every line of standard input.
pub fn run(profile: &Profile) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        let answer = if line.len() > MAX_LINE {
            pair::bad(None, format!("the line is longer than {MAX_LINE} bytes"))
        } else {
            pair::answer(&line, profile)
        };
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
    }
    output.flush()
}

/// Reads one line that is not blank, without its end; what is beyond the bound is dropped.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        line.clear();
        let read = io::Read::take(&mut *input, MAX_LINE as u64 + 2).read_until(b'\n', line)?;
        if read == 0 {
            return Ok(false);
        }
        if line.len() > MAX_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
        }
        if line.ends_with(b"\n") {
            line.pop();
        }
        if !line.trim_ascii().is_empty() {
            return Ok(true);
        }
    }
}
