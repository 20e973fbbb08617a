//! The cells of composite keys: one constant for each distinct tuple of values.
//!
//! So all that is made of a key takes a composite one as it takes that of a column. A tuple is written with `|` between
//! its values, as `EWR|2013-01-01T06:00:00Z`; `\` stands before a `|` or `\` within a value.

use gleaner_base::FixedMap;
use gleaner_lang::syntax::quote_atom;

use super::profile::{Profile, Seen};
use crate::provisional::Provisional;
use crate::tables::schema::Schema;
use crate::tables::store::{Database, LONG, MISSING, StoredColumn, label_text};

/// Adds the cells of the composite keys of a schema to the columns of its tables, and their figures. A row has none where
/// one of its values is missing.
///
/// **Cost**: for each composite key a hash of each row and each column, and a text for each distinct tuple.
pub(super) fn add_composite_cells(
    database: &mut Database,
    schema: &Schema,
    profiles: &mut [Vec<Profile>],
    symbols: &mut Provisional,
) {
    for ((stored, meaning), profiles) in database.tables.iter_mut().zip(&schema.tables).zip(profiles) {
        for column in meaning.columns.iter().skip(stored.columns.len()) {
            let parts: Vec<&StoredColumn> = column.parts.iter().map(|&part| &stored.columns[part]).collect();
            let cells = tuples(&parts, stored.n_rows, symbols);
            let place = parts.first().map_or(stored.place, |part| part.place);
            let joined = StoredColumn::new(column.name.clone(), cells, place);
            profiles.push(Profile::of(&joined, &mut Seen::new(symbols.constants().len()), symbols));
            stored.columns.push(joined);
        }
    }
}

/// By row, the constant of its values in these columns, or [`MISSING`].
fn tuples(parts: &[&StoredColumn], n_rows: usize, symbols: &mut Provisional) -> Vec<u32> {
    // The number of each tuple of the columns so far, by that of the columns before and the value.
    let mut numbers = vec![0_u32; n_rows];
    for part in parts {
        let mut known: FixedMap<(u32, u32), u32> = FixedMap::default();
        for (number, &cell) in numbers.iter_mut().zip(&part.cells) {
            let is_missing = *number == MISSING || cell >= LONG;
            let next = u32::try_from(known.len()).unwrap_or(MISSING);
            *number = if is_missing { MISSING } else { *known.entry((*number, cell)).or_insert(next) };
        }
    }
    let mut constants: Vec<u32> = Vec::new();
    for (row, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number != MISSING) {
        // Tuples are numbered by their first rows.
        if constants.len() == *number as usize {
            let text = tuple_text(parts.iter().map(|part| label_text(part.cells[row], symbols)));
            constants.push(symbols.constant(&quote_atom(&text), None).raw());
        }
        *number = constants[*number as usize];
    }
    numbers
}

/// A tuple as a text. Different tuples have different texts.
fn tuple_text(values: impl Iterator<Item = String>) -> String {
    let escaped = values.map(|value| value.replace('\\', "\\\\").replace('|', "\\|"));
    escaped.collect::<Vec<_>>().join("|")
}

#[cfg(test)]
mod tests {
    use super::tuple_text;

    #[test]
    fn different_tuples_have_different_texts() {
        let text = |values: &[&str]| tuple_text(values.iter().map(|&value| value.to_owned()));
        assert_eq!(text(&["EWR", "2013-01-01"]), "EWR|2013-01-01");
        let values = ["", "a", "|", "\\", "a|", "|a", "\\|", "a\\", "||", "\\\\"];
        let mut texts: Vec<String> =
            values.iter().flat_map(|one| values.iter().map(|other| text(&[one, other]))).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), values.len() * values.len());
    }
}
