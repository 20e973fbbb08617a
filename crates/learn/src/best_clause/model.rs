//! The model: one clause.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use crate::contradiction::{Contradiction, check_counts, check_weight};
use crate::explanation::{Explanation, Noun, Part};
use crate::formula::Formula;
use crate::learner::Fitting;
use crate::prolog::Program;
use crate::ranked::scoring;
use crate::saved::{Checked, OverClauses};
use crate::shown::{Column, Extent, Row, Summary, Table, metric};
use crate::{Covers, Model, Saved, Scoring};
use gleaner_base::{Budget, Counts, NegativeWeight, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::search::ClauseScore;
use gleaner_engine::search::Score;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

use super::search::{Finalist, SeedFinalists};

const RULES: &str = "\
% The score is 1.0 for what the clause covers, else 0.0.
gleaner_score_of(Example, Score) :-
    ( gleaner_covers(1, Example) -> Score = 1.0 ; Score = 0.0 ).

";

/// The clause with the highest F1 on tune. If no clause covers a tune positive, F1 on train decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestClauseModel<C = Clause> {
    /// Positives and negatives of the tune set.
    pub n_tune: [usize; 2],
    /// How many negatives each of tune stands for.
    #[serde(default, skip_serializing_if = "NegativeWeight::is_one")]
    pub negative_weight: NegativeWeight,
    /// The clause.
    pub clause: Option<C>,
    /// Its counts on train.
    pub train: Counts,
    /// Its counts on tune.
    pub tune: Counts,
}

impl<C> OverClauses for BestClauseModel<C> {
    type Clause = C;
    type Over<D> = BestClauseModel<D>;

    fn visit<'m>(&'m self, visit: &mut dyn FnMut(&'m C)) {
        self.clause.iter().for_each(visit);
    }

    fn map<D>(&self, map: &mut dyn FnMut(&C) -> D) -> BestClauseModel<D> {
        let Self { n_tune, negative_weight, ref clause, train, tune } = *self;
        BestClauseModel { n_tune, negative_weight, clause: clause.as_ref().map(map), train, tune }
    }
}

/// The finalist with the highest F1 on tune. Ties go to the higher F1 on train, then to the first in canonical order.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out before the finalists' covers were known.
pub(super) fn choose(found: &[SeedFinalists], fitting: &Fitting<'_>) -> Result<BestClauseModel, Interrupted> {
    let (train, tune) = (fitting.train.universe().totals(), fitting.tune.universe().totals());
    let all = found.iter().flat_map(|seed| &seed.finalists);
    let distinct: BTreeMap<&Clause, &Finalist> = all.map(|finalist| (&finalist.clause, finalist)).collect();
    let clauses: Vec<&Clause> = distinct.keys().copied().collect();
    let mut counts: Vec<Counts> = Vec::with_capacity(clauses.len());
    fitting.tune.visit(&clauses, fitting.budget, |_, covers| {
        counts.extend(covers.iter().map(|cover| fitting.tune.universe().counts(cover)));
    })?;
    let f1 = |counts: Counts, totals: Totals| Score::F1.of(counts, totals, 0).filter(|f1| *f1 > 0.0);
    let mut best: Option<((f64, f64), &Finalist, Counts)> = None;
    for (finalist, counts) in distinct.into_values().zip(counts) {
        let Some(on_train) = f1(finalist.train, train) else { continue };
        // Where none covers a positive of tune, train decides.
        let on_tune = f1(counts, tune).unwrap_or(0.0);
        if best.is_none_or(|(least, ..)| (on_tune, on_train) > least) {
            best = Some(((on_tune, on_train), finalist, counts));
        }
    }
    Ok(BestClauseModel {
        n_tune: tune.numbers(),
        negative_weight: tune.negative_weight,
        clause: best.map(|(_, finalist, _)| finalist.clause.clone()),
        train: best.map_or(Counts::NONE, |(_, finalist, _)| finalist.train),
        tune: best.map_or(Counts::NONE, |(.., counts)| counts),
    })
}

impl BestClauseModel {
    /// 1 for the examples that the clause covers, else 0.
    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut scores = vec![0.0; covers.universe().len()];
        covers.visit(&self.clauses(), budget, |_, found| {
            found.iter().flat_map(|cover| cover.iter()).for_each(|position| scores[position] = 1.0);
        })?;
        Ok(scores)
    }
}

impl Model for BestClauseModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.clause.iter().collect()
    }

    fn is_empty(&self) -> bool {
        self.clause.is_none()
    }

    fn covers_tune(&self) -> bool {
        self.tune != Counts::NONE
    }

    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let scores = self.scores(covers, budget)?;
        Ok(scoring(covers.universe(), scores, Some(1.0), |score| score))
    }

    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        let score = self.scores(covers, budget)?[position];
        let is_covered = score > 0.0;
        let part = |clause: &Clause| {
            let (cells, fields, share) = (Vec::new(), Map::new(), Some(1.0));
            Part { cells, clause: clause.clone(), covers: true, share, amount: None, fields, way: Vec::new() }
                .with_counts(self.train)
        };
        let text = if is_covered {
            ": positive,\nthe clause covers it\n"
        } else {
            ": negative,\nthe clause does not cover it\n"
        };
        Ok(Explanation {
            score,
            greatest: Some(1.0),
            least: Some(1.0),
            decision: is_covered,
            confidence: score,
            text: text.to_owned(),
            tables: Vec::new(),
            columns: Column::several(&[("tp", 6), ("fp", 7)]),
            clause_title: "clause",
            parts: self.clause.iter().filter(|_| is_covered).map(part).collect(),
            noun: Noun::CLAUSES,
            further: Map::new(),
        })
    }

    fn summary(&self, symbols: &Symbols, _extent: Extent) -> Summary {
        let [n_positives, n_negatives] = self.n_tune;
        let head = format!(
            "one clause: tune precision {}, tune recall {}\n",
            metric(self.tune.precision(self.negative_weight)),
            metric(self.tune.recall(Totals {
                n_positives,
                n_negatives,
                negative_weight: self.negative_weight
            }))
        );
        let row = |clause: &Clause| Row::of_clause(Vec::new(), self.train, clause, symbols);
        let table = Table {
            lead: "\nthe clause (train TP, FP):\n".to_owned(),
            columns: Column::COUNTS.to_vec(),
            rows: self.clause.iter().map(row).collect(),
            ..Table::default()
        };
        Summary { head, tables: vec![table] }
    }

    fn prolog(&self) -> Option<Program<'_>> {
        let mut program = Program::default();
        let numbers = program.numbers(&self.clause);
        program.scoring.score = Some(Formula::sum(0.0, numbers.into_iter().map(|clause| (clause, 1.0))));
        program.rules(RULES);
        program.decide_by_score(Some(1.0));
        Some(program)
    }

    fn theory(&self) -> Result<Vec<&Clause>, String> {
        Ok(self.clauses())
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(self.map(&mut |clause| clause_text(clause, symbols)))
    }
}

impl Checked for BestClauseModel<String> {
    type Head = IgnoredAny;

    fn check(&self) -> Result<(), Contradiction> {
        check_weight(self.negative_weight)?;
        check_counts(self.clause.iter().map(|_| self.train))
    }
}
