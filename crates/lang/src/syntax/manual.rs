//! The manual of codes: a page for each code, from `codes.md`, which is part of the program.
//!
//! `tests/manual.rs` loads the examples of the pages, and checks that each gives the code of its page.

use super::codes::{ALL, Code};

/// The manual in Markdown.
const TEXT: &str = include_str!("codes.md");

/// The text that begins a page.
const HEADING: &str = "\n## ";

/// The line that opens or closes a block of a page.
const FENCE: &str = "```";

/// One code's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The heading: `G012: title`.
    pub heading: &'static str,
    /// The text below the heading.
    pub text: &'static str,
}

/// A part of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PagePart {
    /// Paragraphs.
    Prose(&'static str),
    /// A fenced block: its label, as `modes.pl`, `modes.pl instead` or `console`, and its lines.
    Block(&'static str, &'static str),
}

impl Page {
    /// The page's parts in order.
    pub fn parts(&self) -> Vec<PagePart> {
        // Fences separate prose and blocks, which alternate; prose is first.
        let mut parts = Vec::new();
        for (position, part) in self.text.split(FENCE).enumerate() {
            if position % 2 == 1 {
                let (label, lines) = part.split_once('\n').unwrap_or((part, ""));
                parts.push(PagePart::Block(label.trim(), lines));
            } else if !part.trim().is_empty() {
                parts.push(PagePart::Prose(part.trim_matches('\n')));
            }
        }
        parts
    }
}

/// All pages in the order of the manual.
pub fn pages() -> impl Iterator<Item = Page> {
    TEXT.split(HEADING).skip(1).map(|page| {
        let (heading, text) = page.split_once('\n').unwrap_or((page, ""));
        Page { heading: heading.trim(), text: text.trim_matches('\n') }
    })
}

/// The page of a code.
pub fn page(code: Code) -> Option<Page> {
    let start = format!("{code}:");
    pages().find(|page| page.heading.starts_with(&start))
}

/// The code that a user means by `G012`, `g012` or `12`; `None` where there is no such code.
///
/// # Example
///
/// ```
/// use gleaner_lang::syntax::{codes, manual::find_code};
/// assert_eq!(find_code("g012"), Some(codes::EMPTY_PREDICATE));
/// assert_eq!(find_code("012"), find_code("12"));
/// assert_eq!(find_code("G999"), None);
/// ```
pub fn find_code(text: &str) -> Option<Code> {
    let number = code_number(text)?;
    ALL.iter().map(|(code, _)| *code).find(|code| u64::from(code.number()) == number)
}

/// The codes nearest to a text that names none: the next below and the next above its number, where they exist.
pub fn nearest_codes(text: &str) -> Vec<Code> {
    let Some(number) = code_number(text) else { return Vec::new() };
    let codes = || ALL.iter().map(|(code, _)| *code);
    let below = codes().rfind(|code| u64::from(code.number()) < number);
    let above = codes().find(|code| u64::from(code.number()) > number);
    below.into_iter().chain(above).collect()
}

fn code_number(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.strip_prefix(['G', 'g']).unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}
