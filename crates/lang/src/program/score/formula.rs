//! A score that the user defines: arithmetic over a clause's counts.

use std::fmt;

use super::formula_fault::FormulaFault;
use super::lower;
use super::node::Node;

/// A score that the user defines, of numbers, the variables `TP FP P N L`, `+ - * / ^`, unary minus, brackets, and
/// `sqrt log log2 exp abs min max`.
///
/// **Invariant**, held by [`Formula::parse`]: it uses `TP` or `FP`, since a score without both ranks by length alone.
/// It is at most [`MAX_DEPTH`](crate::syntax::MAX_DEPTH) operations deep, so that recursion can walk it.
///
/// # Example
///
/// ```
/// use gleaner_lang::program::score::{Formula, Variable};
///
/// let formula = Formula::parse("TP/(TP+FP) * sqrt(TP/P)").expect("a formula");
/// let value = |variable| match variable {
///     Variable::TruePositives => 4.0,
///     Variable::Positives => 16.0,
///     _ => 0.0,
/// };
/// assert_eq!(formula.root().value(&value), Some(0.5));
/// assert_eq!(formula.to_string(), "TP / (TP + FP) * sqrt(TP / P)");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    root: Node,
}

impl Formula {
    /// Reads a formula. Cost: `O(length)`.
    ///
    /// # Errors
    ///
    /// [`FormulaFault`], with the column.
    pub fn parse(text: &str) -> Result<Self, FormulaFault> {
        let root = lower::read(text)?;
        if root.counts_covered() { Ok(Self { root }) } else { Err(FormulaFault::constant()) }
    }

    /// Its tree.
    #[must_use]
    pub const fn root(&self) -> &Node {
        &self.root
    }
}

/// The text with only the brackets that it needs; [`Formula::parse`] reads the same tree from it.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.write(f, 0)
    }
}

#[cfg(test)]
mod tests;
