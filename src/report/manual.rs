//! The manual of codes as documents.

use serde::Serialize;

use gleaner_lang::syntax::codes::{Page, PagePart, page};
use gleaner_lang::syntax::{Code, codes};

use super::document::{Block, Column, Level, Table};
use super::{Answer, Document, Events};

/// One code with its page.
#[derive(Clone, Debug, Serialize)]
pub struct CodeAnswer {
    /// The code and its title.
    #[serde(flatten)]
    pub code: TitledCode,
    /// The page as text.
    pub page: String,
    /// The page.
    #[serde(skip)]
    pub document: Document,
}

/// A code as messages show it.
#[derive(Clone, Debug, Serialize)]
pub struct TitledCode {
    /// The code, as `G012`.
    pub code: String,
    /// The meaning of the code, in a few words.
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
    pub fn of(code: Code) -> Self {
        let document = page(code).as_ref().map(page_document).unwrap_or_default();
        Self { code: TitledCode::of(code), page: document.text(), document }
    }
}

impl CodesAnswer {
    /// All there are.
    pub fn all() -> Self {
        Self { codes: codes::ALL.iter().map(|(code, _)| TitledCode::of(*code)).collect() }
    }
}

impl Events for CodeAnswer {}

impl Answer for CodeAnswer {
    fn document(&self) -> Document {
        self.document.clone()
    }
}

impl Events for CodesAnswer {}

impl Answer for CodesAnswer {
    fn document(&self) -> Document {
        let columns = [Column::text("", 0).named("code"), Column::text("", 0).after(2).named("title")];
        let row = |TitledCode { code, title }: &TitledCode| [code.clone(), (*title).to_owned()];
        let mut document = Document::new();
        document.table(Table::new(columns).with_rows(self.codes.iter().map(row)));
        document
    }
}

/// A page: its heading, wrapped prose, and the lines of files and commands set in.
pub fn page_document(page: &Page) -> Document {
    let mut document = Document::new();
    document.blocks.push(Block::Heading(Level::Page, page.heading.to_owned()));
    for part in page.parts() {
        document.gap();
        match part {
            PagePart::Prose(prose) => prose.split("\n\n").enumerate().for_each(|(at, paragraph)| {
                if at > 0 {
                    document.gap();
                }
                document.line(paragraph);
            }),
            PagePart::Block(label, lines) => {
                if label.contains('.') {
                    document.line(format!("  {}:", label.trim_end_matches(" instead")));
                }
                let lines = lines.lines().map(str::to_owned).collect();
                document.blocks.push(Block::Code { language: "", indent: 4, lines });
            }
        }
    }
    document
}
