//! Covering theories, as Aleph learns them, and ensembles of them. [GLEANER §3.2, §8]
//!
//! 1. [`mod@grow`]: from uncovered seed examples one clause after another is added to a theory.
//! 2. [`weights`]: a theory's clauses score examples; of an ensemble each theory has a vote.
//! 3. [`model`]: theories, their scorer, and the threshold that decides.

pub mod bootstrap;
pub mod config;
pub mod grow;
pub mod learner;
pub mod model;
mod shown;
pub mod weights;

pub use bootstrap::bootstrap;
pub use config::{CoveringConfig, Induction, Resample};
pub use grow::{GrownPart, GrownTheory, Growth, LearntClause, grow};
pub use learner::Covering;
pub use model::{CoveringModel, learn_from};
pub use weights::{Scorer, TheoryWeights};
