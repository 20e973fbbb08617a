//! What commands print and write keeps its bytes: the hashes of `benches/same_bytes.py` are those of `same_bytes.txt`, numbers to
//! six digits.
//!
//! A change that is meant changes the file, by `BLESS=1 cargo test same_bytes`; the commit says which lines, and why.

use std::process::Command;

use crate::support::{expect_text, root};

#[test]
fn commands_write_the_bytes_that_they_wrote() {
    let script = root().join("benches/same_bytes.py");
    let run = Command::new("python3")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_gleaner"))
        .args(["--short", "--rounded"])
        .output();
    let Ok(output) = run else {
        eprintln!("python3 is absent: bytes are not compared");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("hashes are text");
    assert!(printed.lines().count() > 100, "{printed}");
    expect_text(&root().join("tests/same_bytes.txt"), &printed);
}
