//! Implications between literals on the facts of a universe's worlds; each question is answered once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gleaner_base::FixedMap;
use gleaner_lang::program::Clause;

/// Implications between literals on the facts of a universe's worlds; each question is answered once.
#[derive(Debug, Default)]
pub(super) struct Implications {
    /// By a clause: the answer. The clause is a head and one literal that it may imply, or a head without arguments and
    /// two literals, where the first may imply the second.
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
