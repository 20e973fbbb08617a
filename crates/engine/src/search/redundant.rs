//! Clauses with a literal that their others imply on train: what is known of them before they are evaluated.
//!
//! Such a clause covers on train what it covers without the literal
//! ([`ComponentEngine::without_implied`](crate::coverage::ComponentEngine::without_implied)). Two things follow.
//!
//! *Its counts need not be found.* Under `infer` they are those of the body without the literal, which is evaluated once, whichever
//! clause asks first. All else is as if it were evaluated: it counts as an evaluated clause, its score is that of its own length, the
//! observer sees it, and it is refined. So every search goes the same way and every model is the same, whatever budget ends it. A model
//! may hold such a clause, and holds all of it: on tune, test and new data, whose facts were not asked, the literal may matter.
//!
//! *It can be the best only by a tie that it loses.* Under `leave-out` a search from the top down neither counts nor refines it where the
//! literal's variables are all the head's or its other literals', and where the clause without it is legal and has a body. Each longer
//! clause is then redundant in the same way: what the literal needs is still there, and the others bind what it binds, so that
//! the longer clause without it is legal too, shorter, and covers the same. All observers prefer the shorter of two clauses of equal
//! counts, as long as a score does not rise with the length. So of a search that exhausts its space the best clauses stay.
//!
//! That is no promise for three kinds of search. One that a budget ends evaluates other clauses in the place of those; so does a beam
//! with its few places. One for the best clause only (`Evaluations::for_best_only`) refines nothing that could no more than equal
//! the best so far: which of several clauses of one score it keeps may then depend on the order in which it meets them.

use crate::bias::{Candidate, RefinementSpace};
use crate::coverage::ComponentEngine;
use gleaner_lang::program::settings::{Setting, words};

words! {
    /// What becomes of a clause with a literal that its others imply on the facts of train.
    pub enum RedundantClauses {
        /// It is evaluated as any other.
        Evaluate = "evaluate",
        /// Its counts are those of the clause without the literal.
        Infer = "infer",
        /// As `infer`; from the top down it is neither counted nor refined where no longer clause needs the literal.
        LeaveOut = "leave-out",
    }
}

/// What becomes of a clause with a literal that its others imply on the facts of train.
pub static REDUNDANT_CLAUSES: Setting<RedundantClauses> = Setting::new("redundant-clauses", "infer")
    .help(
        "Clauses with a literal that the others imply on train: evaluate them, infer their counts, or leave-out \
         (searches from the top down)",
    )
    .source("our own; Popper prunes what is redundant and pointless")
    .recorded_where_changed();

/// Whether a candidate and each specialisation of it cover on train what they cover without one of their literals, the same of all,
/// and are candidates without it: legal, and not the most general clause, which no search evaluates.
pub(super) fn is_idle(
    candidate: &Candidate,
    space: &RefinementSpace<'_>,
    engine: &mut ComponentEngine<'_>,
) -> bool {
    let idle = engine.idle_literals(candidate.positions());
    idle.iter().any(|left_out| {
        let rest = candidate.positions().iter().copied().filter(|position| position != left_out);
        let rest = Candidate::new(rest.collect());
        !rest.positions().is_empty() && space.is_legal(&rest)
    })
}
