//! What a text may not exceed.

/// The greatest depth of a term; a constant has depth 1. A larger one is a fault. Hand-written
/// programs stay below 20; 500 leaves room for generated ones on the smallest usual thread stack.
pub const MAX_DEPTH: usize = 500;

/// The most tokens of a statement: a term takes a hundred times the bytes that it is written with.
pub(super) const MAX_TOKENS: usize = 500_000;

/// The most bytes without the end of a line, or of a statement with that of its line. All of them are held at once;
/// half a million words take a tenth of this.
pub const MAX_STATEMENT_BYTES: usize = 64 << 20;

/// The most bytes of what has no length, as a FIFO: they are held at once, for they cannot be read again.
pub(super) const MAX_UNSIZED_BYTES: u64 = 1 << 30;
