//! Coverage: the examples that a clause covers.
//!
//! `reference` proves one example at a time and is written to be obviously right. `component` splits a body into parts
//! that share no variable, keeps the cover of each part, and is fast. Tests check that both give equal covers.

pub mod component;
pub mod groups;
pub mod reference;
pub mod universe;
pub mod votes;

pub use component::{
    ComponentEngine, Counter, CoverStore, Mass, Weighed, keep_covers_again, keep_fewer_covers,
};
pub use universe::Universe;
