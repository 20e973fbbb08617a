//! The manual of codes on a terminal of 80 columns.

use std::fmt::Write;

use crate::syntax::codes;
use crate::syntax::manual::{Page, PagePart};

/// A page: its heading, prose as it is wrapped, and the lines of files and commands set in.
#[must_use]
pub fn page(page: &Page) -> String {
    let mut text = format!("{}\n", page.heading);
    for part in page.parts() {
        text.push('\n');
        match part {
            PagePart::Prose(prose) => {
                let _ = writeln!(text, "{prose}");
            }
            PagePart::Block(label, lines) => {
                if label.contains('.') {
                    let _ = writeln!(text, "  {}:", label.trim_end_matches(" instead"));
                }
                for line in lines.lines() {
                    let _ = writeln!(text, "{}", format!("    {line}").trim_end());
                }
            }
        }
    }
    text
}

/// All codes with their titles.
#[must_use]
pub fn codes() -> String {
    codes::ALL.iter().fold(String::new(), |mut text, (code, title)| {
        let _ = writeln!(text, "{code}  {title}");
        text
    })
}
