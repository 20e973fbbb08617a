//! The model: theories and chosen decisions, and how it scores examples with them.
//!
//! Gleaner's model for a person and as a Prolog program: its decisions, and the clauses that decide.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::covers::{Votes, curve_of};
use crate::learner::Fitting;
use crate::prolog::{DecisionRule, Formula, Program, number};
use crate::saved::{Checked, Contradiction, OverClauses, check_counts, check_weight, over_clauses};
use crate::shared_config::VoteSet;
use crate::shown::{Column, CsvTable, Extent, Noun, Row, Summary, Table, counts_cells, figure, metric};
use crate::{Covers, Model};
use gleaner_base::{Budget, ClassWeights, Counts, ExampleSet, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};
use gleaner_stats::ml::PseudoCounts;

use super::config::{GleanerConfig, Selection, TheoryRule, ThresholdSet, VoteWeights};
use super::gather::{GatheredPart, Gathering};
use super::theory::{Theory, VoteRule};
use super::threshold::{Choice, Choosing, Decision, ThresholdCurve, best_prefix, choose};

/// A learned Gleaner model.
///
/// **Shape**: `theories[b - 1]` is bin `b`'s theory, or there is one theory of all bins' clauses;
/// decisions ascend by target bin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GleanerModel<C = Clause> {
    /// How votes are weighed. The decisions' recall refers to its tune positives.
    #[serde(flatten)]
    pub rule: VoteRule,
    /// The decisions.
    pub decisions: Vec<Decision>,
    /// The position of the decision that classifies.
    pub operating_decision: Option<usize>,
    /// The theories.
    pub theories: Vec<Theory<C>>,
}

over_clauses!(GleanerModel { in theories; rule, decisions, operating_decision });

/// The theories of a part of a gathering.
fn theories(
    gathering: &Gathering,
    part: GatheredPart,
    config: &GleanerConfig,
    fitting: &Fitting<'_>,
) -> Result<Vec<Theory>, Interrupted> {
    let of_bins = |bins| match config.least_difference {
        least if least > 0.0 => Theory::of_different_clauses(gathering, part, bins, least, fitting),
        _ => Ok(Theory::of_bins(gathering, part, bins)),
    };
    let bins = 0..config.gathering.n_bins;
    match config.theories {
        TheoryRule::Bins => bins.map(|bin_idx| of_bins(bin_idx..bin_idx + 1)).collect(),
        TheoryRule::Union => Ok(vec![of_bins(bins)?]),
    }
}

/// The model of a part of a gathering: theories from the bins, decisions from
/// tune, or train and tune.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the clauses' covers were known.
pub fn learn_from(
    gathering: &Gathering,
    part: GatheredPart,
    config: &GleanerConfig,
    fitting: &Fitting<'_>,
) -> Result<GleanerModel, Interrupted> {
    let Fitting { train, tune, budget, .. } = *fitting;
    let mut model = GleanerModel {
        theories: theories(gathering, part, config, fitting)?,
        decisions: Vec::new(),
        operating_decision: None,
        rule: VoteRule {
            votes: config.votes,
            // As for the smoothing below.
            vote_set: match config.votes {
                VoteWeights::Precision | VoteWeights::Shared => config.vote_set,
                VoteWeights::Equal | VoteWeights::NaiveBayes => VoteSet::Train,
            },
            duplicates: config.duplicates,
            // For other votes it means nothing, and their files do not have it.
            smoothing: match config.votes {
                VoteWeights::NaiveBayes => config.smoothing.pseudo_counts(),
                VoteWeights::Equal | VoteWeights::Precision | VoteWeights::Shared => PseudoCounts::One,
            },
            train_weight: train.universe().negative_weight(),
            tune: tune.universe().totals(),
        },
    };
    let pooling = model.rule.pooling();
    let mut tune_votes = Vec::with_capacity(model.theories.len());
    for theory_idx in 0..model.theories.len() {
        model.retain_by_tune(theory_idx, config.min_tune_positives, tune, budget)?;
        if config.selection == Selection::Sorted {
            let theory = &mut model.theories[theory_idx];
            *theory = best_prefix(theory, &model.rule, tune, budget)?;
        }
        tune_votes.push(model.votes(&model.theories[theory_idx], tune, budget)?);
    }
    let (curves, totals): (Vec<ThresholdCurve>, Totals) = match config.threshold_set {
        ThresholdSet::Tune => {
            let curve = |votes: &Votes| votes.curve(tune.universe());
            (tune_votes.iter().map(curve).collect(), tune.universe().totals())
        }
        ThresholdSet::TrainAndTune => {
            let mut curves = Vec::with_capacity(model.theories.len());
            for (theory, votes) in model.theories.iter().zip(&tune_votes) {
                let on_train = model.votes(theory, train, budget)?;
                let of_train =
                    on_train.ranked(train.universe(), |counts| pooling.counts(counts, Counts::NONE));
                let of_tune = votes.ranked(tune.universe(), |counts| pooling.counts(Counts::NONE, counts));
                curves.push(curve_of(of_train.chain(of_tune).collect()));
            }
            (curves, pooling.totals(train.universe().totals(), tune.universe().totals()))
        }
    };
    let decision = |choice: Choice| {
        let covered = tune_votes[choice.theory_idx].at_least(choice.threshold);
        let on_tune = tune.universe().counts(&covered);
        Decision {
            target_bin: choice.target_bin,
            theory_bin: choice.theory_idx + 1,
            threshold: choice.threshold,
            chosen_on: match config.threshold_set {
                ThresholdSet::Tune => on_tune,
                ThresholdSet::TrainAndTune => pooling.left_part(choice.counts, on_tune).plus(on_tune),
            },
            tune: on_tune,
        }
    };
    let choosing = Choosing {
        rule: config.thresholds,
        partition: config.gathering.partition,
        n_bins: config.n_threshold_bins,
        totals,
    };
    model.decisions = choose(&choosing, &curves).into_iter().map(decision).collect();
    model.operating_decision = model.deciding(config, totals);
    Ok(model)
}

impl GleanerModel {
    /// `K`: the most votes that an example can have from the theory of a bin, or from the one theory.
    fn greatest_votes(&self, theory_bin: usize) -> f64 {
        let weights = self.theories[theory_bin - 1].weights(&self.rule);
        weights.iter().map(|weight| weight.abs()).sum()
    }

    /// The decision that classifies, by the cover of each on the examples that they were chosen on.
    fn deciding(&self, config: &GleanerConfig, chosen_on: Totals) -> Option<usize> {
        let called = |decision: &Decision| -> ClassWeights {
            let counts = match config.threshold_set {
                ThresholdSet::Tune => decision.tune,
                ThresholdSet::TrainAndTune => decision.pooled(self.rule.pooling()),
            };
            counts.weighted(chosen_on.negative_weight)
        };
        let called: Vec<ClassWeights> = self.decisions.iter().map(called).collect();
        config.operating_point.choose(&called, chosen_on.weighted())
    }

    /// Counts the clauses of a theory on tune, and drops those that cover fewer positives than the minimum.
    fn retain_by_tune(
        &mut self,
        theory_idx: usize,
        min_positives: usize,
        tune: &Covers<'_>,
        budget: &Budget,
    ) -> Result<(), Interrupted> {
        let theory = &mut self.theories[theory_idx];
        let mut counts: Vec<Counts> = Vec::with_capacity(theory.clauses.len());
        tune.visit(&theory.all_clauses(), budget, |_, covers| {
            counts.extend(covers.iter().map(|cover| tune.universe().counts(cover)));
        })?;
        theory.clauses.iter_mut().zip(counts).for_each(|(clause, counts)| clause.tune = counts);
        theory.clauses.retain(|clause| clause.tune.true_positives >= min_positives);
        Ok(())
    }

    /// The votes of a theory's clauses on the universe of `covers`.
    pub(super) fn votes(
        &self,
        theory: &Theory,
        covers: &Covers<'_>,
        budget: &Budget,
    ) -> Result<Votes, Interrupted> {
        let weights = theory.weights(&self.rule);
        let universe = covers.universe();
        let mut votes = Votes::none(universe, &weights);
        covers.visit(&theory.all_clauses(), budget, |first, covers| {
            let covers: Vec<&ExampleSet> = covers.iter().collect();
            votes.add(universe, &covers, &weights[first..first + covers.len()]);
        })?;
        Ok(votes)
    }
}

impl Checked for GleanerModel<String> {
    type Head = VoteRule;

    fn check(&self) -> Result<(), Contradiction> {
        let n_bins = self.theories.len();
        if self.decisions.iter().any(|decision| !(1..=n_bins).contains(&decision.theory_bin)) {
            return Err(Contradiction("a decision names a bin without a theory"));
        }
        if self.decisions.iter().any(|decision| decision.threshold <= 0.0) {
            return Err(Contradiction("a decision has no positive number of votes"));
        }
        if self.operating_decision.is_some_and(|position| position >= self.decisions.len()) {
            return Err(Contradiction("the operating decision does not exist"));
        }
        check_weight(self.rule.tune.negative_weight)?;
        check_weight(self.rule.train_weight)?;
        let counts = || self.theories.iter().flat_map(|theory| &theory.clauses).map(|clause| clause.counts);
        if counts().any(|counts| counts.true_positives == 0) {
            return Err(Contradiction("a clause covers no positive of train"));
        }
        if self.decisions.iter().any(|decision| self.theories[decision.theory_bin - 1].clauses.is_empty()) {
            return Err(Contradiction("a decision names a theory without clauses"));
        }
        check_counts(counts())
    }
}

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
