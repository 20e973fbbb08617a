//! Gleaner's model for a person and as a Prolog program: its decisions, and the clauses that decide.

use std::collections::{BTreeMap, BTreeSet};

use crate::Model;
use crate::explanation::Noun;
use crate::formula::{DecisionRule, Formula};
use crate::prolog::{Program, number};
use crate::shown::{Column, CsvTable, Extent, Row, Summary, Table, counts_cells, figure, metric};
use gleaner_base::Counts;
use gleaner_lang::program::Symbols;

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
        columns: Column::several(&columns),
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
        Row::of_clause(Vec::new(), clause.counts, &clause.clause, symbols)
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
            row.extend(counts_cells(*counts));
        }
        row
    };
    let rows = model.decisions.iter().zip(test_points).map(row).collect();
    CsvTable { name: DECISIONS, header: header.to_vec(), rows }
}

const RULES: &str = "\
% The score is the highest precision of the decisions that cover the example, else 0.0.
gleaner_score_of(Example, Score) :-
    findall(Precision, gleaner_reaches(Example, Precision), Precisions),
    gleaner_greatest(Precisions, 0.0, Score).

gleaner_reaches(Example, Precision) :-
    gleaner_theory(Theory),
    gleaner_votes(Theory, Example, Votes),
    gleaner_threshold(Theory, Least, Precision),
    Votes >= Least.

% The votes of a theory are the weights of its clauses that cover the example, summed in order. A clause of a weight
% below 0 votes, with its size, for what it does not cover.
gleaner_votes(Theory, Example, Votes) :-
    findall(Weight, gleaner_voter(Theory, Example, Weight), Weights),
    gleaner_sum(Weights, 0.0, Votes).

gleaner_voter(Theory, Example, Weight) :-
    gleaner_vote(Theory, Clause, Given),
    (   Given < 0.0
    ->  \\+ gleaner_covers(Clause, Example),
        Weight is -Given
    ;   gleaner_covers(Clause, Example),
        Weight = Given
    ).

% What is called positive has so many votes of this theory.
gleaner_decides(Example) :-
    gleaner_deciding(Theory, Least),
    gleaner_votes(Theory, Example, Votes),
    Votes >= Least.
";

pub(super) fn program(model: &GleanerModel) -> Program<'_> {
    let mut program = Program::default();
    for (name, arity) in
        [("gleaner_theory", 1), ("gleaner_vote", 3), ("gleaner_threshold", 3), ("gleaner_deciding", 2)]
    {
        program.table(name, arity);
    }
    // Only theories that a decision uses are evaluated.
    let used: BTreeSet<usize> = model.decisions.iter().map(|decision| decision.theory_bin).collect();
    for &theory in &used {
        program.row("gleaner_theory", &[theory.to_string()]);
    }
    let mut steps = BTreeMap::new();
    for &bin in &used {
        let theory = &model.theories[bin - 1];
        let mut votes = vec![Formula::Number(0.0)];
        for (clause, weight) in theory.clauses.iter().zip(theory.weights(&model.rule)) {
            let clause = program.clause(&clause.clause);
            program.row("gleaner_vote", &[bin.to_string(), clause.to_string(), number(weight)]);
            votes.push(if weight < 0.0 {
                Formula::choice(clause, Formula::Number(0.0), Formula::Number(-weight))
            } else {
                Formula::value_of(clause, weight)
            });
        }
        steps.insert(bin, program.scoring.steps.len());
        program.scoring.step(format!("votes_{bin}"), Formula::Sum(votes));
    }
    let mut reached = Vec::with_capacity(model.decisions.len());
    for decision in &model.decisions {
        let precision = decision.chosen_precision(model.rule.pooling()).unwrap_or(0.0);
        let cells = [decision.theory_bin.to_string(), number(decision.threshold), number(precision)];
        program.row("gleaner_threshold", &cells);
        let value = Box::new(Formula::Step(steps[&decision.theory_bin]));
        reached.push(Formula::AtLeast { value, least: decision.threshold, then: precision });
    }
    program.scoring.score = Some(Formula::Greatest(reached));
    if let Some(decision) = model.operating_decision.and_then(|at| model.decisions.get(at)) {
        program.row("gleaner_deciding", &[decision.theory_bin.to_string(), number(decision.threshold)]);
        program.scoring.decision =
            DecisionRule::Step { step: steps[&decision.theory_bin], least: decision.threshold };
    }
    program.rules(RULES);
    program
}
