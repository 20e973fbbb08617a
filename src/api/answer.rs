//! The answer of a job, for people and for programs.

use std::fmt;

use crate::report::{self, answer::Shown};
use gleaner_lang::syntax::marks::in_library;

/// The answer of a job. `Display` gives the text of the command line, with settings by their names.
/// [`Answer::events`] gives the same as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    text: String,
    markdown: String,
    events: Vec<String>,
}

impl Answer {
    pub(super) fn of(answer: &impl report::Answer) -> Self {
        Self::shown(&Shown::of(answer))
    }

    pub(super) fn shown(Shown { document, events }: &Shown) -> Self {
        let events = events.iter().map(ToString::to_string).collect();
        let document = document.clone().worded(in_library);
        Self { text: document.text(), markdown: document.markdown(), events }
    }

    /// Whether it has no text.
    pub(super) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text that `--markdown` prints: tables with bars, clauses as code.
    #[must_use]
    pub fn markdown(&self) -> &str {
        &self.markdown
    }

    /// The events that `--json` prints, each an object of JSON on one line. The last one is `done` and sums up.
    #[must_use]
    pub fn events(&self) -> &[String] {
        &self.events
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
