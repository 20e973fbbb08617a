//! Shows the clauses of a model without the literals that change nothing on the examples they were learnt from.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};
use gleaner_learn::Model;
use gleaner_learn::reduction::Reducing;
use gleaner_learn::shown::Extent;

/// The clauses, as texts, whose form for people differs from the model's, with that form. Only clauses of the model's
/// summary are considered: some dozens. A clause that the budget leaves no time for keeps its form.
pub(super) fn shown_clauses(
    model: &dyn Model,
    symbols: &Symbols,
    reducing: &Reducing<'_, '_>,
) -> BTreeMap<String, String> {
    let summary = model.summary(symbols, Extent::Short);
    let rows = summary.tables.iter().flat_map(|table| &table.rows);
    let lines: BTreeSet<&str> = rows.map(|row| row.last.trim()).collect();
    let distinct: BTreeSet<&Clause> = model.clauses().into_iter().collect();
    let other_form = |clause: &Clause| {
        let text = clause_text(clause, symbols);
        let reduced = lines.contains(text.as_str()).then(|| reducing.readable(clause).ok())??;
        let shown = clause_text(&reduced, symbols);
        (shown != text).then_some((text, shown))
    };
    distinct.into_iter().filter_map(other_form).collect()
}
