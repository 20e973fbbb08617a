//! What a text may not exceed.

/// The greatest depth of a term; a constant has depth 1. A larger one is a fault. Hand-written
/// programs stay below 20; 500 leaves room for generated ones on the smallest usual thread stack.
pub const MAX_DEPTH: usize = 500;

/// The most tokens of a statement: a term takes a hundred times the bytes that it is written with.
pub(super) const MAX_TOKENS: usize = 500_000;
