//! The listener of a job, and the job's limits.

use std::borrow::Cow;

use crate::experiment::scoring::predict::ScoringLimits;
use crate::report::Document;
use gleaner_base::Budget;
use gleaner_lang::syntax::marks::{Wording, in_library};
use gleaner_lang::syntax::{Code, Diagnostic, Sources};

use super::failure::Failure;

/// Receives a job's messages beside its answer. The command line prints them; a program may keep them or drop them.
pub(crate) trait Listener: Sync {
    /// A remark.
    fn note(&self, text: &str);

    /// A message for those too who want no remarks.
    fn say(&self, text: &str) {
        self.note(text);
    }

    /// Warnings, and the texts that they point into.
    fn warnings(&self, warnings: &[Diagnostic], sources: &Sources);

    /// A warning without a place in a file.
    fn warn(&self, code: Code, text: &str) {
        self.warnings(&[Diagnostic::warning(code, text)], &Sources::new());
    }

    /// The data were read, from these files. A failure ends the job.
    fn has_read(&self, _sources: &Sources) -> Result<(), Failure> {
        Ok(())
    }

    /// The headline of the job, after the data are read and before the long work begins. A failure ends the job.
    fn begins(&self, _headline: &Document) -> Result<(), Failure> {
        Ok(())
    }

    /// How files that the job writes name settings: in the words of whoever listens.
    fn wording(&self) -> Wording {
        in_library
    }

    /// The written form of a table.
    fn table<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(text)
    }

    /// A search begins, with the number of its seeds if that is known.
    fn search_begins(&self, _n_seeds: Option<u64>) {}

    /// This many seeds are done: searched now, or taken from an earlier process.
    fn seeds_done(&self, _n_seeds: usize, _are_kept: bool) {}

    /// This share of all work is done.
    fn share_done(&self, _share: f64) {}

    /// How many clauses a second the search evaluates, and its best score.
    fn search_rate(&self, _clauses_per_second: f64, _best_score: Option<f64>) {}

    /// The search is over.
    fn search_ends(&self) {}
}

/// The limits of a job.
pub(crate) trait Limits: Sync {
    /// The budget of the work after the data are loaded.
    fn loaded(&self) -> &Budget;

    /// An answer is found: it is reported, whatever the time.
    fn lift(&self) {}

    /// How many bytes of covers each of `n_searches` simultaneous searches may keep, once the data are loaded.
    fn cover_bytes(&self, n_searches: usize) -> usize;
}

/// The listener of a job, and the job's limits.
#[derive(Clone, Copy)]
pub(crate) struct Means<'m> {
    /// The listener of the job.
    pub(crate) listener: &'m dyn Listener,
    /// The limits of the job.
    pub(crate) limits: &'m dyn Limits,
}

impl Means<'_> {
    /// The limits of a job that scores examples, which begins now.
    pub(crate) fn scoring(&self) -> ScoringLimits<'_> {
        ScoringLimits { budget: self.limits.loaded(), cover_bytes: self.limits.cover_bytes(1) }
    }
}

/// As another listener, but without the remarks and warnings, which were told by an earlier command.
pub(crate) struct Told<'l>(pub(crate) &'l dyn Listener);

impl Listener for Told<'_> {
    fn note(&self, _text: &str) {}

    fn warnings(&self, _warnings: &[Diagnostic], _sources: &Sources) {}

    fn wording(&self) -> Wording {
        self.0.wording()
    }

    fn table<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.table(text)
    }
}

/// Hears nothing: for files that are read twice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Silent;

impl Listener for Silent {
    fn note(&self, _text: &str) {}

    fn warnings(&self, _warnings: &[Diagnostic], _sources: &Sources) {}
}
