//! The model: clauses, and a network that ranks examples by the clauses that cover them.
//!
//! Weighted clauses for a person: the heaviest that speak for an example, and those that speak against it.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::calibration::HeldOut;
use crate::decision::ChosenThreshold;
use crate::learner::Fitting;
use crate::model::Ranker;
use crate::network::{Network, Similarity, Svm, check_network};
use crate::prolog::Program;
use crate::saved::{Checked, Contradiction, OverClauses, over_clauses};
use crate::shown::{Account, Column, Extent, Noun, Row, Table, signed};
use gleaner_base::{Budget, Counts};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};
use gleaner_stats::ml::linear::LinearModel;

use super::classifiers::ColumnModel;
use super::columns::{ColumnForm, Columns, FeatureTable};
use super::fitting::{HeldOutPart, fit};
use super::search::{FeatureClause, SrlFound, SrlPart, feature_clauses, most_telling};
use super::{CostSet, FeatureKind, SrlConfig};

/// A clause of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoredClause<C = Clause> {
    /// The clause.
    pub clause: C,
    /// Its counts on train.
    pub train: Counts,
}

over_clauses!(ScoredClause { clause; train });

/// Clauses with the network that scores examples by them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SrlModel<C = Clause> {
    /// `C`, if the classifier has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The threshold that decides, chosen on train and tune, or on tune.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// The network that scores examples; its numbers are in the order of the clauses.
    pub network: Network,
    /// The clauses; those of a sum are in canonical order, and none weighs 0.
    pub clauses: Vec<ScoredClause<C>>,
}

over_clauses!(SrlModel { in clauses; cost, decision, network });

/// The model of a part of the findings, with its held-out scores.
#[derive(Clone, Debug)]
pub struct SrlLearnt {
    /// The model of train and tune.
    pub model: SrlModel,
    /// The held-out scores that chose `C`.
    pub held_out: HeldOut,
}

/// Learns a model from a part of the findings.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn learn_from(
    found: &SrlFound,
    SrlPart { gathered, most_clauses }: SrlPart,
    config: &SrlConfig,
    fitting: &Fitting<'_>,
) -> Result<SrlLearnt, Interrupted> {
    let mut clauses = feature_clauses(found, gathered, config.gathering.n_bins);
    if let Some(most) = most_clauses {
        clauses = most_telling(clauses, most, found.n_parts, fitting.train.universe().totals());
    }
    let texts: Vec<&Clause> = clauses.iter().map(|feature| &feature.clause).collect();
    let table = FeatureTable::of(&texts, fitting)?;
    clauses.iter_mut().zip(&table.on_train).for_each(|(feature, &counts)| feature.train = counts);
    // Columns of many clauses take up to half a second each: the budget is checked before each.
    let in_time = || fitting.budget.check().map_err(Interrupted);
    in_time()?;
    let form = ColumnForm { kind: config.feature_kind, kernel: config.kernel, vote_set: config.vote_set };
    let columns = Columns::of(&table, &clauses, form);
    let parts = match config.cost_set {
        CostSet::CrossFitted => table.sets.cross_fitting_parts(fitting.stream),
        set => table.sets.held_out_parts(set.parts(), fitting.stream),
    };
    let of_search = |part: usize, left_out: &[usize]| {
        let is_used = |feature: &FeatureClause| found.n_parts < 2 || feature.found_by.has(part);
        let is_whole = form.kind == FeatureKind::Boolean && clauses.iter().all(is_used);
        let of_some = || Columns::of_some(&table, &clauses, form, &is_used, left_out);
        in_time().map(|()| (!is_whole).then(of_some))
    };
    let parts = parts.into_iter().enumerate();
    let parts: Vec<HeldOutPart> = parts
        .map(|(at, examples)| Ok(HeldOutPart { columns: of_search(at, &examples)?, examples }))
        .collect::<Result<_, Interrupted>>()?;
    let fitted = fit(&table, &columns, &parts, config, fitting)?;
    let decision = ChosenThreshold::none(fitting.tune.universe().totals());
    let held_out = table.sets.held_out(&fitted.held_out);
    let (clauses, network) = network_of(&clauses, &columns, &fitted.model);
    Ok(SrlLearnt { model: SrlModel { cost: fitted.cost, decision, network, clauses }, held_out })
}

/// The clauses that count, and the network that scores examples by them.
fn network_of(
    clauses: &[FeatureClause],
    columns: &Columns,
    of_columns: &ColumnModel,
) -> (Vec<ScoredClause>, Network) {
    match of_columns {
        ColumnModel::Sum(linear) => {
            let (clauses, weights) = weighted_clauses(clauses, columns, linear);
            let sum = Svm { intercept: linear.intercept, weights, products: Vec::new() };
            (clauses, Network::Svm(sum))
        }
        ColumnModel::Tree(tree) => (clause_of_each_column(clauses, columns), Network::Tan(tree.clone())),
        ColumnModel::Similarity(model) => {
            (clause_of_each_column(clauses, columns), Network::Similarity(Similarity(model.clone())))
        }
    }
}

/// The clauses that weigh something, in canonical order, with their weights.
fn weighted_clauses(
    clauses: &[FeatureClause],
    columns: &Columns,
    linear: &LinearModel,
) -> (Vec<ScoredClause>, Vec<f64>) {
    let weight =
        |part: &Option<(usize, f64)>| part.map_or(0.0, |(column, value)| linear.weights[column] * value);
    let weighted = clauses.iter().zip(&columns.parts).map(|(feature, part)| (feature, weight(part)));
    let mut weighted: Vec<(&FeatureClause, f64)> = weighted.filter(|&(_, weight)| weight != 0.0).collect();
    weighted.sort_by(|left, right| left.0.clause.cmp(&right.0.clause));
    weighted.into_iter().map(|(feature, weight)| (scored(feature), weight)).unzip()
}

/// The clauses of Boolean columns, in the order of these.
fn clause_of_each_column(clauses: &[FeatureClause], columns: &Columns) -> Vec<ScoredClause> {
    let adding = clauses.iter().zip(&columns.parts).filter(|(_, part)| part.is_some());
    adding.map(|(feature, _)| scored(feature)).collect()
}

fn scored(feature: &FeatureClause) -> ScoredClause {
    ScoredClause { clause: feature.clause.clone(), train: feature.train }
}

impl SrlModel {
    /// The clauses with their counts on train.
    pub(super) fn clauses_with_counts(&self) -> Vec<(&Clause, Counts)> {
        self.clauses.iter().map(|scored| (&scored.clause, scored.train)).collect()
    }
}

impl Checked for SrlModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        check_network(&self.network, self.clauses.len(), self.decision)
    }
}

/// Clauses that are shown of each kind; the model file has all.
const N_SHOWN: usize = 15;

/// The sizes of a model, and its `C`.
pub(super) fn head(model: &SrlModel) -> String {
    let mut head = sum(model).map_or_else(
        || model.network.words(),
        |sum| {
            format!(
                "{}; a score is {:.4} and the weights of the clauses that cover an\nexample",
                Noun::CLAUSES.counted(model.clauses.len()),
                sum.intercept
            ) + if model.cost.is_some() { "; " } else { "\n" }
        },
    );
    if let Some(cost) = model.cost {
        let _ = writeln!(head, "C = {cost}");
    }
    head
}

/// The heaviest clauses of a sum; the clauses of another network with their numbers.
pub(super) fn contents(model: &SrlModel, symbols: &Symbols, extent: Extent) -> Vec<Table> {
    let Some(sum) = sum(model) else {
        return vec![model.network.table(&model.clauses_with_counts(), symbols, extent)];
    };
    let weighted: Vec<Weighted<'_>> = model.clauses.iter().zip(sum.weights.iter().copied()).collect();
    let kinds = [("for", true), ("against", false)];
    let tables = kinds.map(|kind| table(&weighted, symbols, kind, extent));
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// The network, if it is a sum of weights that a linear classifier gave.
fn sum(model: &SrlModel) -> Option<&Svm> {
    match &model.network {
        Network::Svm(sum) if sum.products.is_empty() => Some(sum),
        Network::NaiveBayes(_)
        | Network::OneOfMany(_)
        | Network::Tan(_)
        | Network::Svm(_)
        | Network::Similarity(_) => None,
    }
}

/// A clause with its weight.
type Weighted<'m> = (&'m ScoredClause, f64);

fn table(
    weighted: &[Weighted<'_>],
    symbols: &Symbols,
    (word, is_for): (&str, bool),
    extent: Extent,
) -> Table {
    let mut clauses: Vec<&Weighted<'_>> =
        weighted.iter().filter(|(_, weight)| (*weight > 0.0) == is_for).collect();
    clauses.sort_by(|left, right| right.1.abs().total_cmp(&left.1.abs()));
    let n_clauses = clauses.len();
    let speaking = Noun { one: "clause speaks", many: "clauses speak" };
    clauses.truncate(extent.of(N_SHOWN));
    let row = |&&(scored, weight): &&Weighted<'_>| {
        Row::of_clause(vec![signed(weight)], scored.train, &scored.clause, symbols)
    };
    Table {
        lead: format!("\n{} {word} an example, the heaviest first:\n", speaking.counted(n_clauses)),
        columns: Column::several(&[("weight", 10), ("TP", 7), ("FP", 8)]),
        last_title: "  clause",
        rows: clauses.iter().map(row).collect(),
        n_more_clauses: n_clauses - clauses.len(),
    }
}

impl Ranker for SrlModel {
    fn decision(&self) -> ChosenThreshold {
        self.decision
    }

    fn decision_mut(&mut self) -> &mut ChosenThreshold {
        &mut self.decision
    }

    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        self.network.scores_on(covers, &self.all_clauses(), budget)
    }

    fn account(&self, covering: &BTreeSet<&Clause>) -> Account {
        self.network.account(&self.clauses_with_counts(), covering)
    }

    fn head(&self) -> String {
        head(self)
    }

    fn contents(&self, symbols: &Symbols, extent: Extent) -> Vec<Table> {
        contents(self, symbols, extent)
    }

    fn program(&self) -> Option<Program<'_>> {
        self.network.program(self.all_clauses())
    }
}
