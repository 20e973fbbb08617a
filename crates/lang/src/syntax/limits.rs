//! Limits on the size of a text.

/// The greatest depth of a term; a constant has depth 1. A larger one is a fault. Hand-written
/// programs stay below 20; 500 leaves room for generated ones on the smallest usual thread stack.
pub const MAX_DEPTH: usize = 500;

/// The most tokens of a statement: a term takes a hundred times the bytes of its text.
pub(super) const MAX_TOKENS: usize = 500_000;

/// The most bytes without the end of a line, or of a statement up to the end of its line. Memory holds all of them at
/// once; half a million words take a tenth of this.
pub const MAX_STATEMENT_BYTES: usize = 64 << 20;

/// The most bytes of an input without a length, as a FIFO. Memory holds them at once, as they cannot be read again.
pub(super) const MAX_UNSIZED_BYTES: u64 = 1 << 30;
