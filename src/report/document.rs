//! An answer as blocks; each renderer shows all blocks in its own way.
//!
//! Renderers: [`text`](Document::text) for a terminal and [`markdown`](Document::markdown) for reports. A further
//! renderer is a file beside them.

mod blocks;
mod markdown;
mod text;

pub use blocks::{Align, Block, Cell, Column, Document, Level, Row, Table};
pub(in crate::report) use text::shortened;

#[cfg(test)]
mod tests;
