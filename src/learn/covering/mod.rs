//! Covering theories, as Aleph learns them, and ensembles of them. [GLEANER §3.2, §8]
//!
//! 1. [`mod@grow`]: from uncovered seed examples one clause after another is added to a theory.
//! 2. [`weights`]: a theory's clauses score examples; of an ensemble each theory has a vote.
//! 3. [`model`]: theories, their scorer, and the threshold that decides.

pub mod backers;
pub mod config;
pub mod grow;
pub mod model;
pub mod weights;

pub use backers::{Backer, Backing};
pub use config::{CoveringConfig, Induction};
pub use grow::{GrownTheory, Growth, LearntClause, grow};
pub use model::{CoveringModel, Member, learn_from};
pub use weights::{Scorer, TheoryWeights};
