//! mLynx: frequent queries, few of which are chosen by mutual information, and naive Bayes over these. `[MLYNX]`
//!
//! `search` mines, `columns` puts what queries cover on train and tune side by side, `selection` chooses sets of them and
//! fits naive Bayes, `learner` joins these. A model is what GleanerSRL's are: clauses and what each adds to a score.

pub mod columns;
pub mod config;
pub mod learner;
pub mod search;
pub mod selection;

pub use learner::Mlynx;
