//! A network over clauses for a person: its kind, the threshold, and the clauses with their numbers.

use crate::shown::{Extent, Summary, threshold_line};
use gleaner_base::Counts;
use gleaner_lang::program::{Clause, Symbols};

use super::model::SayuModel;

/// Sizes, the threshold, and the clauses in the order kept.
pub(super) fn summary(model: &SayuModel, symbols: &Symbols, extent: Extent) -> Summary {
    let mut head = model.network.words();
    head.push_str(&threshold_line(model.threshold, model.chosen_on));
    let clauses: Vec<(&Clause, Counts)> = model.clauses_with_counts();
    Summary { head, tables: vec![model.network.table(&clauses, symbols, extent)] }
}
