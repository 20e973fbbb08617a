//! Clauses evaluated as joins that yield bitmaps of covered examples.
//!
//! [`relation`] keeps facts as indexed columns, and [`datalog`] runs rules over them to a fixpoint: the frozen
//! [`datalog::Background`]. [`bias`] makes bottom clauses from modes and a seed example, [`coverage`] finds what
//! clauses cover, [`search`] looks for good ones, and [`mining`] for frequent queries.

pub mod bias;
pub mod coverage;
pub mod datalog;
pub mod mining;
pub mod relation;
pub mod search;
