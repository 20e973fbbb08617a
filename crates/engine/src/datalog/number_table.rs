//! The constants that are numbers.

use gleaner_base::ConstantId;
use gleaner_lang::program::Number;

/// The numbers among the constants, to which `is` adds.
pub trait NumberTable {
    /// The number of a constant, if the constant is a number.
    fn number(&self, constant: ConstantId) -> Option<Number>;

    /// The constant of a number: the known one if there is one, else a new one.
    fn intern(&mut self, number: Number) -> ConstantId;
}
