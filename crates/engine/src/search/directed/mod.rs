//! Directed search: rapid random restarts whose starts and neighbours two Bayesian networks choose.
//! [DIRECTED §2]
//!
//! A [`Network`] says how the literals of one bottom clause depend on each other. Over it stand two sets
//! of [`Parameters`]: EXPLOIT, learnt from the clauses that were worth keeping, and EXPLORED, learnt from
//! all. Both give a candidate a probability, and the two together a weight
//!
//! ```text
//! W = alpha * EXPLOIT + (1 - alpha) * (1 - EXPLORED)
//! ```
//!
//! by which [`DirectedRestart`] picks the candidates to evaluate on data. [`Transfer`] carries EXPLOIT from one seed
//! example's bottom clause to the next.
//!
//! Weighing must cost less than evaluating, although it weighs hundreds of neighbours to choose twenty: the
//! engine evaluates some 60,000 clauses a second. Two facts make that possible. First, the factor of an absent
//! literal with one open input is a plain product of one number for each true parent. So all such children of a
//! literal contribute one sum, known beforehand. Second, a neighbour changes few factors: its own, those of the
//! clause's few literals of which it is a parent, and those of its children with several inputs. It shares all others
//! with the clause whose neighbour it is (`candidate_probability`). Logarithms and powers are made of additions,
//! multiplications and divisions only (`candidate_probability`), so that every decision is the same on every platform.

mod candidate_probability;
pub mod network;
pub mod parameters;
pub mod restart;
mod weigher;

pub use network::Network;
pub use parameters::{ListedTransfer, Parameters, Transfer};
pub use restart::DirectedRestart;
pub use weigher::{DirectedCost, Scale};

#[cfg(test)]
mod tests;
