//! Why an example has its score: the decision that gives it, and how the clauses vote.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;

use serde_json::{Map, Value as Json, json};

use crate::covers::Votes;
use crate::prolog::Program;
use crate::saved::OverClauses;
use crate::shown::{Column, CsvTable, Explanation, Extent, Noun, Part, Summary, json_map, percent};
use crate::{Covers, Model, Points, Saved, Scoring};
use gleaner_base::{Budget, Counts, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::display::clause_text;
use gleaner_lang::program::{Clause, Symbols};

use super::model::{self, GleanerModel, votes_text};
use super::theory::TheoryClause;

/// How the model makes the score of an example; the voters by votes descending.
pub(super) fn explain(
    model: &GleanerModel,
    covers: &Covers<'_>,
    position: usize,
    budget: &Budget,
) -> Result<Explanation, Interrupted> {
    let scoring = model.score(covers, budget)?;
    let decision = scoring.decided.contains(position);
    let mut explanation = Explanation {
        score: scoring.scores[position],
        greatest: Some(model.greatest_score()),
        least: None,
        decision,
        confidence: scoring.confidences[position],
        text: "; the model has no threshold\n".to_owned(),
        tables: Vec::new(),
        columns: Column::several(&[("votes", 10), ("share", 8), ("TP", 6), ("FP", 7)]),
        clause_title: "clause",
        parts: Vec::new(),
        noun: Noun::CLAUSES,
        further: Map::new(),
    };
    if let Some(mut votes) = model.theory_votes(covers, position, budget)? {
        votes.voters.sort_by(|left, right| right.votes.total_cmp(&left.votes));
        explanation.text = model.words(&votes, decision);
        explanation.parts = votes.voters.iter().map(Voter::part).collect();
        explanation.further = model.further(&votes);
    }
    Ok(explanation)
}

impl Voter<'_> {
    fn part(&self) -> Part {
        let part = Part {
            cells: vec![votes_text(self.votes), percent(self.share)],
            clause: self.clause.clause.clone(),
            covers: self.covers,
            share: Some(self.share),
            amount: None,
            fields: json_map(json!({ "covers": self.covers, "votes": self.votes })),
            way: Vec::new(),
        };
        part.with_counts(self.clause.counts)
    }
}

/// How the clauses of one theory vote on an example.
#[derive(Clone, Debug)]
struct TheoryVotes<'m> {
    /// The position of the decision that gives the score: of those that cover the example, the first of the highest
    /// precision. `None` where none covers it; the score is then 0.
    best: Option<usize>,
    /// The theory, from 1: that of the decision that gives the score, or without one, of the operating decision.
    theory_bin: usize,
    /// The votes for the example.
    votes: f64,
    /// `K`: the most votes that the theory can give.
    greatest: f64,
    /// The clauses that vote for it, in the theory's order.
    voters: Vec<Voter<'m>>,
    /// Clauses of the theory.
    n_clauses: usize,
    /// The number of its clauses that cover the example.
    n_covering: usize,
    /// The votes for the example of the operating decision's theory; `None` where no decision classifies.
    deciding_votes: Option<f64>,
}

/// A clause that votes for an example.
#[derive(Clone, Copy, Debug)]
struct Voter<'m> {
    /// The clause.
    clause: &'m TheoryClause,
    /// Whether it covers the example. A clause with a weight below 0 votes for what it does not cover.
    covers: bool,
    /// Its votes, above 0.
    votes: f64,
    /// Its votes over those that the example got, in `(0, 1]`.
    share: f64,
}

impl GleanerModel {
    /// The votes on the example at a position of `covers`' universe; `None` if the model has no decision.
    ///
    /// **Cost**: the covers of the theories that decisions use; of the theory that is shown, twice.
    fn theory_votes(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Option<TheoryVotes<'_>>, Interrupted> {
        let mut votes_of = vec![None; self.theories.len()];
        let mut best: Option<(usize, f64)> = None;
        for (decision_idx, decision) in self.decisions.iter().enumerate() {
            let known = &mut votes_of[decision.theory_bin - 1];
            if known.is_none() {
                *known = Some(self.votes(&self.theories[decision.theory_bin - 1], covers, budget)?);
            }
            let is_covered =
                known.as_ref().is_some_and(|votes| votes.at_least(decision.threshold).contains(position));
            let precision = decision.chosen_precision(self.rule.pooling()).unwrap_or(0.0);
            if is_covered && best.is_none_or(|(_, highest)| precision > highest) {
                best = Some((decision_idx, precision));
            }
        }
        let best = best.map(|(decision_idx, _)| decision_idx);
        let Some(shown) = best.or(self.operating_decision).or(self.decisions.len().checked_sub(1)) else {
            return Ok(None);
        };
        let theory_bin = self.decisions[shown].theory_bin;
        let at = |theory_bin: usize| {
            let votes = votes_of[theory_bin - 1].as_ref();
            votes.map_or((0.0, 0.0), |votes| (votes.at(position), votes.greatest()))
        };
        let (votes, greatest) = at(theory_bin);
        let (voters, n_covering) = self.voters(theory_bin, votes, covers, position, budget)?;
        let operating = self.operating_decision.map(|decision_idx| &self.decisions[decision_idx]);
        Ok(Some(TheoryVotes {
            best,
            theory_bin,
            votes,
            greatest,
            voters,
            n_clauses: self.theories[theory_bin - 1].clauses.len(),
            n_covering,
            deciding_votes: operating.map(|decision| at(decision.theory_bin).0),
        }))
    }

    /// The clauses of a theory that vote for the example, and how many cover it; `votes` are the example's.
    fn voters(
        &self,
        theory_bin: usize,
        votes: f64,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<(Vec<Voter<'_>>, usize), Interrupted> {
        let theory = &self.theories[theory_bin - 1];
        let weights = theory.weights(&self.rule);
        let covering = covers.covering(&theory.all_clauses(), position, budget)?;
        let (mut voters, mut n_covering) = (Vec::new(), 0);
        for (clause, weight) in theory.clauses.iter().zip(weights) {
            let covers = covering.contains(&clause.clause);
            n_covering += usize::from(covers);
            if weight != 0.0 && covers == (weight > 0.0) {
                voters.push(Voter { clause, covers, votes: weight.abs(), share: weight.abs() / votes });
            }
        }
        Ok((voters, n_covering))
    }

    /// The highest score that an example can have: the highest precision of a decision, on the examples it was
    /// chosen on.
    pub fn greatest_score(&self) -> f64 {
        let precisions =
            self.decisions.iter().filter_map(|decision| decision.chosen_precision(self.rule.pooling()));
        precisions.fold(0.0, f64::max)
    }

    /// Says how the score comes about and decides, and how the theory votes.
    fn words(&self, votes: &TheoryVotes<'_>, decision: bool) -> String {
        let mut text = match votes.best.map(|best| &self.decisions[best]) {
            None => ": no decision covers it\n".to_owned(),
            Some(best) => format!(
                ": the precision of the best decision that covers\nit, on the examples that chose it: bin {} from \
                 {} votes of theory {} on\n",
                best.target_bin,
                votes_text(best.threshold),
                best.theory_bin
            ),
        };
        text.push_str(&self.deciding_words(votes, decision));
        let _ = writeln!(
            text,
            "\ntheory {} gives it {} of {} votes;\n{} of its {} clauses do not cover it",
            votes.theory_bin,
            votes_text(votes.votes),
            votes_text(votes.greatest),
            votes.n_clauses - votes.n_covering,
            votes.n_clauses
        );
        if !votes.voters.is_empty() {
            let _ = writeln!(text, "\n{} clauses vote for it, the heaviest first:", votes.voters.len());
        }
        text
    }

    /// The words for the operating decision.
    fn deciding_words(&self, votes: &TheoryVotes<'_>, decision: bool) -> String {
        let operating = self.operating_decision.map(|position| &self.decisions[position]);
        let (Some(operating), Some(votes)) = (operating, votes.deciding_votes) else {
            return "the model has no threshold\n".to_owned();
        };
        let word = if decision { "positive" } else { "negative" };
        format!(
            "{word}: {} votes of theory {}; the threshold is {}\n",
            votes_text(votes),
            operating.theory_bin,
            votes_text(operating.threshold)
        )
    }

    fn further(&self, votes: &TheoryVotes<'_>) -> Map<String, Json> {
        let decision = |position: Option<usize>| {
            position.map(|position| &self.decisions[position]).map(|decision| {
                json!({
                    "bin": decision.target_bin,
                    "theory": decision.theory_bin,
                    "least_votes": decision.threshold,
                })
            })
        };
        json_map(json!({
            "theory": votes.theory_bin,
            "votes": votes.votes,
            "greatest_votes": votes.greatest,
            "clauses": votes.n_clauses,
            "covering_clauses": votes.n_covering,
            "best_decision": decision(votes.best),
            "operating_decision": decision(self.operating_decision),
            "deciding_votes": votes.deciding_votes,
        }))
    }
}

impl Model for GleanerModel {
    fn clauses(&self) -> Vec<&Clause> {
        self.all_clauses()
    }

    fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    fn theory_curves(
        &self,
        covers: &Covers<'_>,
        budget: &Budget,
    ) -> Result<Vec<Vec<(f64, Counts)>>, Interrupted> {
        let curve = |theory| Ok(self.votes(theory, covers, budget)?.curve(covers.universe()));
        self.theories.iter().map(curve).collect()
    }

    fn covers_tune(&self) -> bool {
        self.theories.iter().flat_map(|theory| &theory.clauses).any(|clause| clause.tune != Counts::NONE)
    }

    /// Only theories that a decision uses are evaluated.
    fn score(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Scoring, Interrupted> {
        let universe = covers.universe();
        let mut scoring = Scoring {
            scores: vec![0.0; universe.len()],
            decided: ExampleSet::empty(universe.len()),
            confidences: vec![0.0; universe.len()],
            points: Points::Thresholds,
        };
        let mut counts: Vec<Counts> = Vec::with_capacity(self.decisions.len());
        let mut votes_by_theory: BTreeMap<usize, Votes> = BTreeMap::new();
        for decision in &self.decisions {
            if let Entry::Vacant(votes) = votes_by_theory.entry(decision.theory_bin) {
                votes.insert(self.votes(&self.theories[decision.theory_bin - 1], covers, budget)?);
            }
        }
        for (decision_idx, decision) in self.decisions.iter().enumerate() {
            let votes = &votes_by_theory[&decision.theory_bin];
            let covered = votes.at_least(decision.threshold);
            counts.push(universe.counts(&covered));
            let precision = decision.chosen_precision(self.rule.pooling()).unwrap_or(0.0);
            for position in covered.iter() {
                scoring.scores[position] = scoring.scores[position].max(precision);
            }
            if self.operating_decision == Some(decision_idx) {
                for (position, _) in universe.iter() {
                    scoring.confidences[position] = votes.at(position) / votes.greatest();
                }
                scoring.decided = covered;
            }
        }
        scoring.points = Points::Decisions(counts);
        Ok(scoring)
    }

    fn explain(
        &self,
        covers: &Covers<'_>,
        position: usize,
        budget: &Budget,
    ) -> Result<Explanation, Interrupted> {
        explain(self, covers, position, budget)
    }

    fn summary(&self, symbols: &Symbols, extent: Extent) -> Summary {
        model::summary(self, symbols, extent)
    }

    fn prolog(&self) -> Option<Program<'_>> {
        Some(model::program(self))
    }

    /// The clauses of the theory that decides, where the votes of each are enough.
    fn theory(&self) -> Result<Vec<&Clause>, String> {
        let decision = self.operating_decision.map(|at| self.decisions[at]);
        let decision = decision.ok_or_else(|| "it has no threshold".to_owned())?;
        let theory = &self.theories[decision.theory_bin - 1];
        let weights = theory.weights(&self.rule);
        let n_short = weights.iter().filter(|weight| **weight < decision.threshold).count();
        if n_short > 0 {
            return Err(format!("{n_short} of its {} clauses decide only with others", weights.len()));
        }
        Ok(theory.all_clauses())
    }

    fn saved(&self, symbols: &Symbols) -> Box<dyn Saved> {
        Box::new(self.map(&mut |clause| clause_text(clause, symbols)))
    }

    fn tables(&self, test_points: &[Counts]) -> Vec<CsvTable> {
        vec![model::decisions_table(self, test_points)]
    }
}
