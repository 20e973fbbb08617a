//! Gleaner's model for a person: its decisions, and the clauses that decide.

use crate::Model;
use crate::explanation::Noun;
use crate::shown::{Column, CsvTable, Extent, Row, Summary, Table, figure, metric};
use gleaner_base::Counts;
use gleaner_lang::program::Symbols;
use gleaner_lang::program::display::clause_text;

use super::model::GleanerModel;
use super::threshold::Decision;

/// Decisions that are shown, or one more; the model file has all.
const N_SHOWN_DECISIONS: usize = 20;

/// Clauses of the deciding theory that are shown; the model file has all.
const N_SHOWN_CLAUSES: usize = 40;

/// The table of decisions.
pub(super) const DECISIONS: &str = "decisions";

/// The model's decisions and the clauses of the theory that classifies.
pub(super) fn summary(model: &GleanerModel, symbols: &Symbols, extent: Extent) -> Summary {
    let n_theories = model.theories.iter().filter(|theory| !theory.clauses.is_empty()).count();
    let head = format!(
        "{} distinct clauses in {n_theories} {}; {} of {} decisions, with their figures on tune:\n",
        model.n_distinct_clauses(),
        if n_theories == 1 { "theory" } else { "theories" },
        shown_decisions(model, extent).count(),
        model.decisions.len()
    );
    let tables =
        std::iter::once(decisions(model, extent)).chain(deciding_clauses(model, symbols, extent)).collect();
    Summary { head, tables }
}

fn decisions(model: &GleanerModel, extent: Extent) -> Table {
    let row = |(position, decision): (usize, &Decision)| Row {
        cells: vec![
            decision.target_bin.to_string(),
            decision.theory_bin.to_string(),
            votes_text(decision.threshold),
            votes_text(model.greatest_votes(decision.theory_bin)),
            metric(decision.tune_precision(model.rule.tune.negative_weight)),
            metric(decision.tune_recall(model.rule.tune)),
        ],
        last: if model.operating_decision == Some(position) { "  <- decides" } else { "" }.to_owned(),
    };
    let columns = [
        ("bin", 4),
        ("theory", 8),
        ("least votes", 14),
        ("of", 12),
        ("tune precision", 16),
        ("tune recall", 13),
    ];
    Table {
        columns: columns.map(|(title, width)| Column::new(title, width)).to_vec(),
        rows: shown_decisions(model, extent).map(row).collect(),
        ..Table::default()
    }
}

/// The clauses of the theory that decides, the heaviest first.
fn deciding_clauses(model: &GleanerModel, symbols: &Symbols, extent: Extent) -> Option<Table> {
    let decision = model.decisions[model.operating_decision?];
    let theory = &model.theories[decision.theory_bin - 1];
    let weights = theory.weights(&model.rule);
    let mut heaviest: Vec<usize> = (0..weights.len()).collect();
    // Of clauses with equal votes, the shortest comes first, as it is the easiest to read.
    let length = |position: usize| {
        let clause = &theory.clauses[position].clause;
        (clause.n_literals(), clause)
    };
    heaviest.sort_by(|&left, &right| {
        weights[right].total_cmp(&weights[left]).then_with(|| length(left).cmp(&length(right)))
    });
    heaviest.truncate(extent.of(N_SHOWN_CLAUSES));
    let n_more_clauses = weights.len() - heaviest.len();
    let lead = format!(
        "\nthe theory that decides, {}, the heaviest first (train TP, FP):\n",
        Noun::CLAUSES.counted(weights.len())
    );
    let row = |position: usize| {
        let clause = &theory.clauses[position];
        Row::counted(clause.counts, &clause_text(&clause.clause, symbols))
    };
    let rows = heaviest.into_iter().map(row).collect();
    Some(Table { lead, columns: Column::COUNTS.to_vec(), rows, n_more_clauses, ..Table::default() })
}

/// Votes to four decimals, whole ones without; small ones by their first figures.
pub(super) fn votes_text(votes: f64) -> String {
    figure(votes).replace(".0000", "")
}

/// Decisions at equal steps so that about [`N_SHOWN_DECISIONS`] remain, with the last one and the one that decides.
fn shown_decisions(model: &GleanerModel, extent: Extent) -> impl Iterator<Item = (usize, &Decision)> {
    let n_decisions = model.decisions.len();
    let step = n_decisions.div_ceil(extent.of(N_SHOWN_DECISIONS)).max(1);
    model.decisions.iter().enumerate().filter(move |(position, _)| {
        (n_decisions - 1 - position).is_multiple_of(step) || model.operating_decision == Some(*position)
    })
}

/// The chosen decisions with their counts on the examples that chose them, on tune and on test: which theory serves
/// which bin of recall.
pub(super) fn decisions_table(model: &GleanerModel, test_points: &[Counts]) -> CsvTable {
    let header = [
        "target_bin",
        "theory_bin",
        "votes",
        "chosen_on_true_positives",
        "chosen_on_false_positives",
        "tune_true_positives",
        "tune_false_positives",
        "test_true_positives",
        "test_false_positives",
    ];
    let row = |(decision, test): (&Decision, &Counts)| {
        let mut row = vec![
            decision.target_bin.to_string(),
            decision.theory_bin.to_string(),
            decision.threshold.to_string(),
        ];
        for counts in [&decision.chosen_on, &decision.tune, test] {
            row.extend([counts.true_positives.to_string(), counts.false_positives.to_string()]);
        }
        row
    };
    let rows = model.decisions.iter().zip(test_points).map(row).collect();
    CsvTable { name: DECISIONS, header: header.to_vec(), rows }
}
