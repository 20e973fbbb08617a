//! GleanerSRL: clauses are features, a classifier weighs them. [GLEANERSRL §2]
//!
//! 1. [`mod@search`]: Gleaner's first stage gathers clauses, from positives, and from negatives with the classes exchanged.
//!    Given clauses take their place.
//! 2. [`clauses`]: the clauses of the bins, those of one coverage once.
//! 3. [`table`]: what they cover on train and tune, as distinct rows.
//! 4. [`columns`]: rows as columns of numbers: Boolean, or sums for each bin.
//! 5. [`classifiers`]: what weighs columns.
//! 6. [`fitting`]: `C` is chosen on examples that the classifier did not learn from; their scores calibrate, on the scale of
//!    the last classifier.
//! 7. [`model`]: the clauses, and what ranks examples by them.

pub mod classifiers;
pub mod clauses;
pub mod columns;
pub mod config;
pub mod fitting;
pub mod found;
pub mod learner;
pub mod model;
pub mod search;
mod shown;
pub mod table;

pub use config::{FEATURE_SEEDS, SrlConfig};
pub use learner::Srl;
pub use model::SrlModel;
