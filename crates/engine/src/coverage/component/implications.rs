//! What literals imply on the facts of a universe's worlds, each question answered once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gleaner_base::FixedMap;
use gleaner_lang::program::Clause;

/// What literals imply on the facts of a universe's worlds, each question answered once.
#[derive(Debug, Default)]
pub(super) struct Implications {
    /// By a clause of the head and one literal, or of two literals and a head without arguments: whether what comes first implies the
    /// last.
    known: Mutex<FixedMap<Clause, bool>>,
}

impl Implications {
    fn lock(&self) -> MutexGuard<'_, FixedMap<Clause, bool>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn known_or(&self, question: Clause, answer: impl FnOnce(&Clause) -> bool) -> bool {
        if let Some(&known) = self.lock().get(&question) {
            return known;
        }
        let is_implied = answer(&question);
        self.lock().insert(question, is_implied);
        is_implied
    }
}
