//! Who hears of a job, and what a job may take.

use std::borrow::Cow;

use crate::report::Document;
use gleaner_base::Budget;
use gleaner_lang::syntax::{Diagnostic, Sources};

use super::failure::Failure;

/// Hears what a job says beside its answer. The command line prints it; a program may keep it, or let it go.
pub(crate) trait Listener: Sync {
    /// A remark.
    fn note(&self, text: &str);

    /// What has to be heard by those too who want no remarks.
    fn say(&self, text: &str) {
        self.note(text);
    }

    /// Warnings, and the texts that they point into.
    fn warnings(&self, warnings: &[Diagnostic], sources: &Sources);

    /// What is done, told when the data are read and before the long work begins. A failure ends the job.
    fn begins(&self, _headline: &Document) -> Result<(), Failure> {
        Ok(())
    }

    /// A table as it is to be written.
    fn table<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(text)
    }

    /// A search begins, from so many seeds if that is known.
    fn search_begins(&self, _n_seeds: Option<u64>) {}

    /// So many seeds are done: searched now, or taken from an earlier process.
    fn seeds_done(&self, _n_seeds: usize, _are_kept: bool) {}

    /// How many clauses a second the search evaluates, and its best score.
    fn search_rate(&self, _clauses_per_second: f64, _best_score: Option<f64>) {}

    /// The search is over.
    fn search_ends(&self) {}
}

/// What a job may take.
pub(crate) trait Limits: Sync {
    /// The budget of what follows once the data are loaded.
    fn loaded(&self) -> &Budget;

    /// An answer is found, which is told whatever the time.
    fn lift(&self) {}

    /// How many bytes of covers each of so many searches at a time may keep, once the data are loaded.
    fn cover_bytes(&self, n_searches: usize) -> usize;
}

/// Who hears of a job, and what it may take.
#[derive(Clone, Copy)]
pub(crate) struct Means<'m> {
    /// Who hears of it.
    pub(crate) listener: &'m dyn Listener,
    /// What it may take.
    pub(crate) limits: &'m dyn Limits,
}

/// Hears nothing: for files that are read twice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Silent;

impl Listener for Silent {
    fn note(&self, _text: &str) {}

    fn warnings(&self, _warnings: &[Diagnostic], _sources: &Sources) {}
}
