//! The content that a layout cannot express: collected during writing, told at the end.

use crate::gather::time_terms::TimeDeclarations;
use std::collections::BTreeSet;

use gleaner_lang::syntax::{Code, Diagnostic, codes};

/// The losses of one conversion.
#[derive(Debug)]
pub(crate) struct Losses {
    to: &'static str,
    told: Vec<Diagnostic>,
    modes: BTreeSet<String>,
    settings: BTreeSet<String>,
    /// Whether the layout says which facts have a time.
    are_times_said: bool,
}

/// The most names in a message.
const MOST_NAMED: usize = 5;

fn named(names: &BTreeSet<String>) -> String {
    let mut shown: Vec<&str> = names.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = format!("{} more", names.len().saturating_sub(MOST_NAMED));
    if names.len() > MOST_NAMED {
        shown.push(&more);
    }
    shown.join(", ")
}

impl Losses {
    pub(crate) const fn new(to: &'static str) -> Self {
        Self {
            to,
            told: Vec::new(),
            modes: BTreeSet::new(),
            settings: BTreeSet::new(),
            are_times_said: false,
        }
    }

    /// The layout that is written.
    pub(crate) const fn to(&self) -> &'static str {
        self.to
    }

    fn tell(&mut self, code: Code, what: &str, help: &str) {
        let message = format!("{}: {what}", self.to);
        self.told.push(Diagnostic::warning(code, message).with_help(help.to_owned()));
    }

    /// Adds a loss about folds.
    pub(crate) fn folds(&mut self, what: &str, help: &str) {
        self.tell(codes::FOLDS_NOT_SAID, what, help);
    }

    /// Adds a loss about examples.
    pub(crate) fn examples(&mut self, what: &str, help: &str) {
        self.tell(codes::EXAMPLES_NOT_SAID, what, help);
    }

    /// Adds a loss about facts.
    pub(crate) fn facts(&mut self, what: &str, help: &str) {
        self.tell(codes::FACTS_NOT_SAID, what, help);
    }

    /// Adds a mode that is left out or reads back as another, with the reason.
    pub(crate) fn mode(&mut self, mode: &str, why: &str) {
        self.modes.insert(format!("{mode} ({why})"));
    }

    /// Adds a setting that is left out.
    pub(crate) fn setting(&mut self, name: &str) {
        self.settings.insert(name.to_owned());
    }

    /// Notes that the layout says which facts have a time.
    pub(crate) const fn say_times(&mut self) {
        self.are_times_said = true;
    }

    /// Adds the loss of times, unless the layout says them.
    pub(crate) fn check_times(&mut self, times: &TimeDeclarations) {
        if !self.are_times_said && !times.goals().is_empty() {
            let help =
                "examples would see facts after their cut-offs: keep the data in the layout they are in";
            self.facts("which facts have a time is left out, and so are cut-offs", help);
        }
    }

    pub(crate) fn into_warnings(mut self) -> Vec<Diagnostic> {
        if !self.modes.is_empty() {
            let what = format!("modes are left out, or change when read back: {}", named(&self.modes));
            self.tell(codes::MODES_NOT_SAID, &what, "give them in a file by ⁅modes⁆");
        }
        if !self.settings.is_empty() {
            let what = format!("settings are left out: {}", named(&self.settings));
            self.tell(codes::SETTINGS_NOT_SAID, &what, "give them on the command line");
        }
        self.told
    }
}
