//! The manual of codes on a terminal of 80 columns.

use std::fmt::Write;

use serde::Serialize;

use gleaner_lang::syntax::manual::{Page, PagePart, page};
use gleaner_lang::syntax::{Code, codes};

use super::Answer;

/// One code with its page.
#[derive(Clone, Debug, Serialize)]
pub struct CodeAnswer {
    /// The code and its title.
    #[serde(flatten)]
    pub code: TitledCode,
    /// The page as text.
    pub page: String,
}

/// A code as messages show it.
#[derive(Clone, Debug, Serialize)]
pub struct TitledCode {
    /// The code, as `G012`.
    pub code: String,
    /// What it means in a few words.
    pub title: &'static str,
}

/// All codes.
#[derive(Clone, Debug, Serialize)]
pub struct CodesAnswer {
    /// In the order of the manual.
    pub codes: Vec<TitledCode>,
}

impl TitledCode {
    fn of(code: Code) -> Self {
        Self { code: code.to_string(), title: code.title() }
    }
}

impl CodeAnswer {
    /// Looks a code up.
    #[must_use]
    pub fn of(code: Code) -> Self {
        Self { code: TitledCode::of(code), page: page(code).as_ref().map(page_text).unwrap_or_default() }
    }
}

impl CodesAnswer {
    /// All there are.
    #[must_use]
    pub fn all() -> Self {
        Self { codes: codes::ALL.iter().map(|(code, _)| TitledCode::of(*code)).collect() }
    }
}

impl Answer for CodeAnswer {
    fn text(&self) -> String {
        self.page.clone()
    }
}

impl Answer for CodesAnswer {
    fn text(&self) -> String {
        self.codes.iter().fold(String::new(), |mut text, TitledCode { code, title }| {
            let _ = writeln!(text, "{code}  {title}");
            text
        })
    }
}

/// A page: its heading, prose as it is wrapped, and the lines of files and commands set in.
#[must_use]
pub fn page_text(page: &Page) -> String {
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
