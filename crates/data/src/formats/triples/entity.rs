//! The constants of entities.

use crate::cells::cell_constant;
use crate::provisional::Provisional;
use gleaner_base::ConstantId;
use gleaner_lang::syntax::quote_atom;

/// The constant of a cell. Digits alone are an entity's name, not a number.
pub(super) fn entity(cell: &str, symbols: &mut Provisional) -> ConstantId {
    if cell.bytes().all(|byte| byte.is_ascii_digit()) {
        return symbols.constant(&quote_atom(cell), None);
    }
    cell_constant(cell, symbols)
}
