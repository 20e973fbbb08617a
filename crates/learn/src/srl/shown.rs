//! Weighted clauses for a person: the heaviest that speak for an example, and those that speak against it.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::Covers;
use crate::decision::ChosenThreshold;
use crate::explanation::{Account, Noun};
use crate::network::{Network, Svm};
use crate::prolog::Program;
use crate::ranked::Ranker;
use crate::saved::OverClauses;
use crate::shown::{Column, Extent, Row, Table, signed};
use gleaner_base::Budget;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::model::{ScoredClause, SrlModel};

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
