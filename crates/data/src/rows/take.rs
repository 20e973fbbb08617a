//! One row as a fact or an example.

use gleaner_base::ConstantId;
use gleaner_lang::syntax::Place;

use crate::gather::{Class, FileReading};
use crate::rows::cell::{CellValue, Refusal};

/// A row without its arguments.
#[derive(Debug)]
pub(crate) struct RowParts<'r> {
    /// The predicate's name; its arity is the number of arguments.
    pub(crate) predicate: &'r str,
    pub(crate) class: Class,
    /// The cell that names the row's fold; if it is empty, the file decides.
    pub(crate) fold: CellValue<'r>,
    pub(crate) place: Place,
}

/// Takes a row as a fact or example, by its class: without one it is a fact. Cost: a look-up for each argument.
///
/// # Errors
///
/// The position of the first argument that is no constant, or none if the fold is at fault, and the reason. The row is
/// then not taken.
pub(crate) fn take_row<'v>(
    row: &RowParts<'_>,
    arguments: impl Iterator<Item = CellValue<'v>>,
    reading: &mut FileReading<'_>,
) -> Result<(), (Option<usize>, Refusal)> {
    let symbols = &mut reading.statements.symbols;
    let constant = |(position, argument): (usize, CellValue<'_>)| {
        argument.constant(symbols).map_err(|refusal| (Some(position), refusal))
    };
    let mut constants: Vec<ConstantId> = Vec::with_capacity(arguments.size_hint().0);
    for argument in arguments.enumerate().map(constant) {
        constants.push(argument?);
    }
    let fold = row.fold.fold().map_err(|refusal| (None, refusal))?;
    let fold = match fold {
        Some(name) => Some(reading.fold_named(&name)),
        None => reading.fold,
    };
    reading.table_row(row.predicate, &constants, row.class, fold, row.place);
    Ok(())
}
