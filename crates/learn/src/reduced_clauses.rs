//! Clauses that are reduced before they vote, where the user wants that.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::{Setting, words};
use gleaner_lang::program::{Clause, canonical};

use super::reduction::Reducing;

words! {
    /// Whether a model's clauses are reduced.
    pub enum ReduceClauses {
        /// They stay as they were found.
        None = "none",
        /// Literals are left out if their absence changes the cover on neither train nor tune.
        TrainAndTune = "train-and-tune",
    }
}

/// Whether a model's clauses are reduced.
pub static REDUCE_CLAUSES: Setting<ReduceClauses> = Setting::new("reduce-clauses", "none")
    .help("Whether a model's clauses lose literals that change their cover on neither train nor tune")
    .source("our own")
    .recorded_where_changed();

/// The reduced forms of the clauses of one run: parts of its search share most clauses, and each is reduced once.
#[derive(Debug, Default)]
pub struct ReducedClauses {
    known: Mutex<BTreeMap<Clause, Clause>>,
}

impl ReducedClauses {
    /// Puts each clause's reduced form, canonical, in its place. **Cost**: as of [`Reducing::reduced`] for each distinct
    /// clause that was not asked for before, in parallel.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first; then all clauses are as they were.
    pub(super) fn replace(
        &self,
        clauses: Vec<&mut Clause>,
        reducing: &Reducing<'_, '_>,
    ) -> Result<(), Interrupted> {
        // The lock is not held while clauses are reduced: a thread that waits for others may take up work of theirs.
        let distinct: BTreeSet<&Clause> = clauses.iter().map(|clause| &**clause).collect();
        let new: Vec<&Clause> = {
            let known = self.known();
            distinct.into_iter().filter(|clause| !known.contains_key(clause)).collect()
        };
        let reduced = |clause: &&Clause| Ok(((*clause).clone(), canonical(&reducing.reduced(clause)?)));
        let reduced: Vec<(Clause, Clause)> =
            new.par_iter().map(reduced).collect::<Result<_, Interrupted>>()?;
        let mut known = self.known();
        known.extend(reduced);
        for clause in clauses {
            if let Some(shorter) = known.get(clause) {
                clause.clone_from(shorter);
            }
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Clause, Clause>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
