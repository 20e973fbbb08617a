//! A covering model for a person: sizes, the threshold, and the clauses.

use crate::Model;
use crate::explanation::Noun;
use crate::shown::{Column, Extent, Row, Summary, Table, threshold_line};
use gleaner_lang::program::Symbols;
use gleaner_lang::program::display::clause_text;

use super::model::{CoveringModel, Member};

/// Clauses that are shown; the model file has all.
const N_SHOWN_CLAUSES: usize = 40;

/// Sizes, the threshold, and the clauses of the theory or of the ensemble's first.
pub(super) fn summary(model: &CoveringModel, symbols: &Symbols, extent: Extent) -> Summary {
    let mut sizes: Vec<usize> = model.theories.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    let (n_theories, n_distinct) = (sizes.len(), model.n_distinct_clauses());
    let mut head = if n_theories == 1 {
        format!("a theory of {} clauses\n", sizes[0])
    } else {
        let at = |at: usize| sizes.get(at).copied().unwrap_or(0);
        let (least, median, most) = (at(0), at(n_theories / 2), at(n_theories.saturating_sub(1)));
        format!(
            "{n_theories} theories of {least} to {most} clauses (median {median}); {n_distinct} distinct clauses\n"
        )
    };
    head.push_str(&threshold_line(model.threshold, model.chosen_on));
    let tables = model.theories.first().map(|first| clauses(first, n_theories, symbols, extent));
    Summary { head, tables: tables.into_iter().collect() }
}

/// The clauses of the first theory.
fn clauses(first: &[Member], n_theories: usize, symbols: &Symbols, extent: Extent) -> Table {
    let shown = &first[..first.len().min(extent.of(N_SHOWN_CLAUSES))];
    let which = if n_theories == 1 { "the theory" } else { "the first theory" };
    let row = |member: &Member| Row::counted(member.train, &clause_text(&member.clause, symbols));
    Table {
        lead: format!("\n{which}, {} (train TP, FP):\n", Noun::CLAUSES.counted(first.len())),
        columns: Column::COUNTS.to_vec(),
        rows: shown.iter().map(row).collect(),
        n_more_clauses: first.len() - shown.len(),
        ..Table::default()
    }
}
