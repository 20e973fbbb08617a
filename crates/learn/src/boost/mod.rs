//! Boosting for rankings: RankBoost, and PRankBoost for the precision-recall curve. [PRANKBOOST §2, §3]
//!
//! 1. [`climb`]: from a seed's most general clause literal by literal to the rule of the highest weighted area.
//! 2. [`mod@booster`]: round after round a rule, its weight `alpha`, and weights of examples that make the next rule
//!    look where this one fails.
//! 3. [`model`]: the rounds, whose weighted sum ranks examples, and the threshold that decides.

pub mod booster;
pub mod climb;
pub mod config;
pub mod learner;
pub mod model;
pub mod objective;
mod shown;
pub mod weights;

pub use booster::{Boosting, BoostingEnd, GrownRound, boost};
pub use config::{BoostConfig, BoostVariant, Hypothesis};
pub use learner::{Boost, FirstRounds};
pub use learner::{learn_from, refitted};
pub use model::{BoostModel, Round, Rule};
pub use objective::Objective;
pub use weights::{BoostWeights, Normalisers, Step, alpha_of};
