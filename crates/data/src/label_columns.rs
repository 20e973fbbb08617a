//! Columns of tables that could hold the class of their rows, for messages about missing classes.

use gleaner_base::{ConstantId, FixedSet, PredicateId};
use gleaner_lang::program::FactTable;

use crate::faults::LabelColumn;
use crate::gather::{Facts, Statements};

/// The most values of a column that could hold classes.
const MOST_CLASSES: usize = 10;

/// The fewest rows for each value, on average.
const ROWS_OF_A_CLASS: usize = 5;

/// The columns of few values in tables. Those beside a column that identifies each row come first, then those of fewest values, then
/// by name. Cost: a pass over the tables' rows.
pub(super) fn label_columns(statements: &Statements, facts: &Facts) -> Vec<LabelColumn> {
    let mut columns = Vec::new();
    let tables: Vec<&FactTable> = facts.tables().chain([&statements.examples.rows]).collect();
    for (table, names) in &statements.declarations.argument_names {
        let Some(id) = statements.symbols.find_predicate(table) else { continue };
        let (n_rows, n_values) = distinct_values(id, table.arity, &tables);
        let is_beside_key = n_values.contains(&n_rows);
        for (argument, name) in names.iter().enumerate() {
            let n_values = n_values[argument];
            let is_few = (2..=MOST_CLASSES).contains(&n_values) && n_rows >= ROWS_OF_A_CLASS * n_values;
            if is_few {
                let (name, table) = (name.clone(), table.clone());
                columns.push(LabelColumn { name, table, argument, n_values, is_beside_key });
            }
        }
    }
    columns.sort_by(|left, right| {
        let rank = |of: &LabelColumn| (!of.is_beside_key, of.n_values);
        rank(left)
            .cmp(&rank(right))
            .then_with(|| (&left.table, left.argument).cmp(&(&right.table, right.argument)))
    });
    columns
}

/// The number of a predicate's rows, facts and examples, and for each argument the number of its distinct constants.
fn distinct_values(id: PredicateId, arity: usize, tables: &[&FactTable]) -> (usize, Vec<usize>) {
    let mut values: Vec<FixedSet<ConstantId>> = vec![FixedSet::default(); arity];
    let mut n_rows = 0;
    for rows in tables.iter().filter(|table| id.index() < table.n_predicates()).map(|table| table.rows(id)) {
        n_rows += rows.len();
        for (argument, values) in values.iter_mut().enumerate() {
            values.extend(rows.column(argument));
        }
    }
    (n_rows, values.iter().map(FixedSet::len).collect())
}
