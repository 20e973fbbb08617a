//! Cells of columns of times that are no times: they count as missing, and the first is told.

use gleaner_base::FixedSet;
use gleaner_lang::syntax::Diagnostic;

use super::faults::lints as faults;
use super::profile::Profile;
use super::schema::{Kind, Schema};
use super::store::{Database, MISSING};
use crate::provisional::Provisional;
use crate::time::Time;

/// Makes the cells missing that are no dates where most are, and says how many there are. Columns of numbers that
/// somebody says are times stay as they are. The composite keys of a table are not looked at.
///
/// **Cost**: a pass over the distinct values of each column of times, and over its cells if some are none.
pub(super) fn drop_other_cells(
    database: &mut Database,
    schema: &Schema,
    profiles: &[Vec<Profile>],
    symbols: &Provisional,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (table, meaning) in schema.tables.iter().enumerate() {
        let columns = meaning.columns.iter().zip(&profiles[table]).enumerate();
        for (column, (meaning, profile)) in columns {
            let is_of_numbers = profile.n_whole + profile.n_decimal > profile.n_times;
            let is_wanted = meaning.kind == Kind::Time && meaning.parts.is_empty() && !is_of_numbers;
            if !is_wanted || profile.n_not_times() == 0 {
                continue;
            }
            let is_time = |cell: u32| {
                !symbols.numbers().contains(cell)
                    && Time::read(symbols.constants().text(cell), None).is_some()
            };
            let others: FixedSet<u32> = profile.distinct.iter().filter(|&cell| !is_time(cell)).collect();
            let cells = &database.tables[table].columns[column].cells;
            let rows: Vec<usize> = (0..cells.len()).filter(|&row| others.contains(&cells[row])).collect();
            if let Some(&first) = rows.first() {
                let stored = &database.tables[table];
                let at = faults::Column { table: stored, column: &stored.columns[column] };
                let text = symbols.constants().text(cells[first]);
                found.push(faults::no_dates(at, rows.len(), first, text));
            }
            let cells = &mut database.tables[table].columns[column].cells;
            rows.into_iter().for_each(|row| cells[row] = MISSING);
        }
    }
    found
}
