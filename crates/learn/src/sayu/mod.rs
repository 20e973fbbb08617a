//! Networks over clauses that grow with the search: SAYU, nFOIL and kFOIL.
//!
//! Clauses are searched for from one seed example after another. A clause becomes a feature of the network if the
//! network's score rises enough with it. The three learners are one loop with other defaults:
//!
//! - SAYU keeps the first clause that raises the area on tune enough `[SAYU]`;
//! - nFOIL keeps the clause with which train is most likely `[NFOIL]`;
//! - kFOIL keeps the clause with which a support vector machine ranks train best `[KFOIL]`.
//!
//! DIVERGENCE: kFOIL scores a clause by the accuracy of its machine, which skewed classes make constant; here by the area.
//! SAYU-VISTA's predicates, which are invented as the network grows, are left out: its summaries do not say how.
//!
//! 1. [`grouping`]: the examples of a set, those that the features do not tell apart together.
//! 2. [`network_form`]: fitting naive Bayes, its tree-augmented form, or a support vector machine over clauses.
//! 3. [`judge`]: the score that the network would have with one clause more.
//! 4. [`mod@grow`]: seeds, searches, and the clauses that are kept.
//! 5. [`model`]: the clauses, the network, and the threshold that decides.

pub mod config;
pub mod grouping;
pub mod grow;
pub mod judge;
pub mod learner;
pub mod model;
pub mod network_form;

pub use config::{Adoption, Guide, NetworkFit, NetworkKind, NetworkScore, SayuConfig};
pub use grow::{GrownFeature, GrownNetwork, grow};
pub use learner::Sayu;
