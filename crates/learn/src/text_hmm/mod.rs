//! A hidden Markov model of the structure of sentences: a baseline without clauses. [GLEANER §5.7, Table 5.4], after Ray and Craven.
//!
//! A sentence is a sequence of phrases ([`segments`]). A state is a kind of phrase with a label: it is part of the first argument, of
//! the second, of both, or plain. A phrase shows its kind and its words; its label is hidden. Two chains of states are counted on
//! train: one of sentences that have a positive pair, whose labels are then known, and one of the other sentences, all plain
//! ([`counts`]). The score of a pair is the probability that its sentence came from the first chain, with the pair's phrases as first
//! and as second argument and any labels elsewhere: the forward algorithm sums over them ([`forward`]).
//!
//! DIVERGENCE: the thesis takes the model as published and says little of it. There, every sentence has its best path, and all pairs on
//! it are found. Here each pair is scored, so that curves end at a recall of 1.

pub mod config;
pub mod counts;
pub mod forward;
pub mod learner;
pub mod model;
pub mod segments;

pub use config::TextHmmConfig;
pub use learner::TextHmm;
pub use model::TextHmmModel;
pub use segments::{TEXT_PREDICATES, TextPredicates};
