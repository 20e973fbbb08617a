//! How the clauses of a model are shown: without the literals that change nothing on the examples they were learnt from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::base::{Budget, ExampleId};
use crate::coverage::{CoverStore, Universe};
use crate::learn::reduction::Reducing;
use crate::learn::{Covers, Model};
use crate::problem::Problem;
use crate::program::Clause;
use crate::program::display::clause_text;

use super::split::Split;

/// The clauses, as texts, that a person reads in another form than the model's, with that form. Only those of the
/// model's summary are looked at: some dozens. One that the budget leaves no time for is shown as it is.
#[must_use]
pub fn shown_clauses(
    problem: &Problem,
    split: &Split,
    model: &dyn Model,
    budget: &Budget,
    cover_bytes: usize,
) -> BTreeMap<String, String> {
    let summary = model.summary(&problem.symbols);
    let rows = summary.tables.iter().flat_map(|table| &table.rows);
    let lines: BTreeSet<&str> = rows.map(|row| row.last.trim()).collect();
    let distinct: BTreeSet<&Clause> = model.clauses().into_iter().collect();
    let universe = |ids: &[ExampleId]| Universe::new(Arc::clone(&problem.examples), ids);
    let sets = [universe(&split.train), universe(&split.tune)];
    let covers = |set| {
        let capacity = CoverStore::usual_capacity(set).min(cover_bytes);
        Covers::new(&problem.worlds, set, capacity)
    };
    let [train, tune] = [covers(&sets[0]), covers(&sets[1])];
    let reducing = Reducing { train: &train, tune: &tune, budget };
    let other_form = |clause: &Clause| {
        let text = clause_text(clause, &problem.symbols);
        let reduced = lines.contains(text.as_str()).then(|| reducing.reduced(clause).ok())??;
        let shown = clause_text(&reduced, &problem.symbols);
        (shown != text).then_some((text, shown))
    };
    distinct.into_iter().filter_map(other_form).collect()
}
