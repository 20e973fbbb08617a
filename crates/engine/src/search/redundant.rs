//! Redundant clauses: those with a literal that their other literals imply on train.
//!
//! On train, such a clause covers the same examples with and without the literal
//! ([`ComponentEngine::without_implied`](crate::coverage::ComponentEngine::without_implied)). Two things follow.
//!
//! *Its counts need not be found.* Under `infer` they are those of the body without the literal, which is counted
//! once, whichever clause asks first. In all else the clause is treated as evaluated: it counts as an evaluated clause,
//! its score is that of its own length, the observer sees it, and it is refined. So every search takes the same way and
//! every model is the same, whatever budget ends the search. A model may hold such a clause, and then holds the literal
//! too: on tune, test and new data, whose facts were not looked at, the literal may matter.
//!
//! *It can only tie with the shorter clause, and loses the tie.* Under `leave-out` a search from the top down neither
//! counts nor refines such a clause if two conditions hold. All variables of the literal are in the head or in other
//! literals, and the clause without the literal is legal and has a body. Each longer clause is then redundant in the
//! same way: the literals that imply this one are still there, and others bind the variables that it binds. So the
//! longer clause without the literal is legal too, is shorter, and covers the same examples. All observers prefer the
//! shorter of two clauses of equal counts, as long as a score does not rise with the length. So a search that exhausts
//! its space keeps the best clauses.
//!
//! Three kinds of search may keep other clauses. A search that its budget ends spends the saved evaluations on other
//! clauses, and a beam gives them its few places. A search for the best clause only (`Evaluations::for_best_only`) does not
//! refine a clause that could at most equal the best so far. Which of several clauses of one score it keeps may then
//! depend on the order in which it meets them.

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
        "Clauses with a literal that their other literals imply on train: evaluate them, infer \
         their counts, or leave-out (only searches from the top down)",
    )
    .source("our own; Popper prunes what is redundant and pointless")
    .recorded_where_changed();

/// Whether one literal of a candidate is redundant on train, in the candidate and in each of its specialisations.
/// Without it each of them covers the same examples and is still a candidate: legal, and not the most general clause,
/// which no search evaluates.
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
