//! Boosted rules for a person and as a Prolog program: what each round adds to a score, and the heaviest rounds.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::decision::ChosenThreshold;
use crate::explanation::{Account, Noun, Part, json_map};
use crate::formula::Formula;
use crate::prolog::{Program, number};
use crate::ranked::Ranker;
use crate::shown::{Column, Extent, Row, Table, figure, percent};
use crate::{Covers, Model};
use gleaner_base::{Budget, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::config::Hypothesis;
use super::model::{BoostModel, Round, Rule};
use super::weights::Step;

/// Rules whose covers are held at once.
const MOST_COVERS: usize = 256;

/// Different rounds that are shown; the model file has all.
const N_SHOWN_GROUPS: usize = 20;

const RULES: &str = "\
% The score is the sum over the rounds of the product of weight and value of the rule that speaks: the round's
% first here that covers the example.
gleaner_score_of(Example, Score) :-
    findall(Product, ( gleaner_round(Round), gleaner_says(Round, Example, Product) ), Products),
    gleaner_sum(Products, 0.0, Score).

gleaner_says(Round, Example, Product) :-
    gleaner_rule(Round, Clause, Weight, Value),
    gleaner_covers(Clause, Example),
    !,
    Product is Weight * Value.

";

/// The amount that one round adds to an example's score.
#[derive(Clone, Copy, Debug)]
struct Share<'m> {
    /// The round's number in the model, from 1.
    number: usize,
    round: &'m Round,
    /// The rule that speaks for the example: the last rule of the round that covers it.
    rule: &'m Rule,
    /// `alpha * h`, above 0.
    product: f64,
}

/// The amount that each round adds, by share descending. In the order of the rounds the products sum to the score, to
/// the bit; the shares sum to 1, but for rounding. Rounds that add nothing are left out.
pub(super) fn account(model: &BoostModel, covering: &BTreeSet<&Clause>) -> Account {
    let mut shares: Vec<Share<'_>> = Vec::new();
    for (round, number) in model.rounds.iter().zip(1..) {
        let Some(rule) = round.speaker(|rule| covering.contains(&rule.clause)) else { continue };
        let product = round.alpha * rule.value;
        if product > 0.0 {
            shares.push(Share { number, round, rule, product });
        }
    }
    let score: f64 = shares.iter().map(|share| share.product).sum();
    shares.sort_by(|left, right| right.product.total_cmp(&left.product));
    let (n_rounds, n_silent) = (model.rounds.len(), model.rounds.len() - shares.len());
    Account {
        words: rounds_words(n_rounds, shares.len()),
        columns: Column::several(&[("round", 6), ("weight", 9), ("value", 9), ("product", 9), ("share", 8)]),
        clause_title: "rule",
        parts: shares.iter().map(|share| share.part(share.product / score)).collect(),
        noun: Noun { one: "round", many: "rounds" },
        further: json!({ "rounds": n_rounds, "silent_rounds": n_silent }),
        ..Account::default()
    }
}

/// Says how many rounds speak for an example.
fn rounds_words(n_rounds: usize, n_speaking: usize) -> String {
    let n_silent = n_rounds - n_speaking;
    if n_speaking == 0 {
        return format!("\nnone of the {n_silent} rounds adds to its score\n");
    }
    format!(
        "\n{n_speaking} of {n_rounds} rounds {} to its score, {n_silent} {} not; the largest shares first:\n",
        if n_speaking == 1 { "adds" } else { "add" },
        if n_silent == 1 { "does" } else { "do" }
    )
}

impl Share<'_> {
    fn part(&self, share: f64) -> Part {
        let Self { number, round, rule, product } = *self;
        let part = Part {
            cells: vec![
                number.to_string(),
                figure(round.alpha),
                figure(rule.value),
                figure(product),
                percent(share),
            ],
            clause: rule.clause.clone(),
            covers: true,
            share: Some(share),
            amount: None,
            fields: json_map(json!({
                "round": number,
                "weight": round.alpha,
                "value": rule.value,
                "product": product,
            })),
            way: Vec::new(),
        };
        part.with_count_fields(rule.train)
    }
}

/// The sizes of a model.
pub(super) fn head(model: &BoostModel) -> String {
    format!(
        "{} rounds, {} distinct clauses; a score is the sum of weight x value over\nthe rounds, at most {:.4}\n",
        model.rounds.len(),
        model.n_distinct_clauses(),
        model.greatest_score()
    )
}

/// The rounds of the greatest weight, with equal rounds together.
pub(super) fn heaviest_rounds(rounds: &[Round], symbols: &Symbols, extent: Extent) -> Table {
    let mut groups = alike(rounds);
    groups.sort_by(|left, right| right.weight.total_cmp(&left.weight));
    let n_groups = groups.len();
    groups.truncate(extent.of(N_SHOWN_GROUPS));
    let lead = format!(
        "\n{} of {n_groups} different rounds, the heaviest first; in a round of\nseveral rules, the first listed \
         one that covers an example gives the value:\n",
        groups.len()
    );
    Table {
        lead,
        columns: Column::several(&[("times", 6), ("weight", 9), ("value", 9), ("TP", 7), ("FP", 8)]),
        last_title: "  rule",
        rows: groups.iter().flat_map(|group| group_rows(group, symbols)).collect(),
        n_more_clauses: 0,
    }
}

/// Rounds that say the same.
struct Group<'a> {
    first: &'a Round,
    n_rounds: usize,
    /// Their weight together.
    weight: f64,
}

/// Rounds with the same rules and values, by their first.
fn alike(rounds: &[Round]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let says = |round: &Round| -> Vec<(Clause, u64)> {
        round.rules.iter().map(|rule| (rule.clause.clone(), rule.value.to_bits())).collect()
    };
    let mut places: BTreeMap<Vec<(Clause, u64)>, usize> = BTreeMap::new();
    for round in rounds {
        let place = *places.entry(says(round)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => {
                group.n_rounds += 1;
                group.weight += round.alpha;
            }
            None => groups.push(Group { first: round, n_rounds: 1, weight: round.alpha }),
        }
    }
    groups
}

/// A row for each rule that says something. The first row says how often the round came, and how heavy it is.
fn group_rows(group: &Group<'_>, symbols: &Symbols) -> Vec<Row> {
    let mut sizes = Some([group.n_rounds.to_string(), format!("{:.4}", group.weight)]);
    let mut rows = Vec::new();
    for rule in group.first.rules.iter().rev().filter(|rule| rule.value > 0.0) {
        let value = match group.first.hypothesis {
            Hypothesis::Clause => "1".to_owned(),
            Hypothesis::Path => format!("{:.4}", rule.value),
        };
        let [times, weight] = sizes.take().unwrap_or_default();
        rows.push(Row::of_clause(vec![times, weight, value], rule.train, &rule.clause, symbols));
    }
    rows
}

pub(super) fn program(model: &BoostModel) -> Program<'_> {
    let mut program = Program::default();
    program.table("gleaner_round", 1);
    program.table("gleaner_rule", 4);
    for at in 1..=model.rounds.len() {
        program.row("gleaner_round", &[at.to_string()]);
    }
    let mut rounds = vec![Formula::Number(0.0)];
    for (at, round) in model.rounds.iter().enumerate() {
        let mut values = Vec::with_capacity(round.rules.len());
        // The last rule that covers an example speaks for the round.
        for rule in round.rules.iter().rev() {
            let clause = program.clause(&rule.clause);
            let cells = [(at + 1).to_string(), clause.to_string(), number(round.alpha), number(rule.value)];
            program.row("gleaner_rule", &cells);
            values.push((clause, round.alpha * rule.value));
        }
        rounds.push(Formula::first(&values));
    }
    program.scoring.score = Some(Formula::Sum(rounds));
    program.rules(RULES);
    program
}

impl Ranker for BoostModel {
    fn decision(&self) -> ChosenThreshold {
        self.decision
    }

    fn decision_mut(&mut self) -> &mut ChosenThreshold {
        &mut self.decision
    }

    /// Sums in the order of the rounds.
    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut scores = vec![0.0; covers.universe().len()];
        for rounds in in_portions(&self.rounds) {
            let clauses: Vec<&Clause> =
                rounds.iter().flat_map(|round| &round.rules).map(|rule| &rule.clause).collect();
            let found = covers.all(&clauses, budget)?;
            let mut found = found.iter();
            for round in rounds {
                let covers: Vec<&ExampleSet> = found.by_ref().take(round.rules.len()).collect();
                Step { covers: &covers, values: &round.values() }.add_to(&mut scores, round.alpha);
            }
        }
        Ok(scores)
    }

    /// The share of the greatest possible score.
    fn confidence(&self, score: f64) -> f64 {
        let greatest = self.greatest_score();
        if greatest > 0.0 { (score / greatest).min(1.0) } else { 0.0 }
    }

    fn greatest(&self) -> Option<f64> {
        Some(self.greatest_score())
    }

    fn account(&self, covering: &BTreeSet<&Clause>) -> Account {
        account(self, covering)
    }

    fn head(&self) -> String {
        head(self)
    }

    fn contents(&self, symbols: &Symbols, extent: Extent) -> Vec<Table> {
        vec![heaviest_rounds(&self.rounds, symbols, extent)]
    }

    fn program(&self) -> Option<Program<'_>> {
        Some(program(self))
    }
}

/// Rounds in portions of about [`MOST_COVERS`] rules.
fn in_portions(rounds: &[Round]) -> Vec<&[Round]> {
    let mut portions = Vec::new();
    let (mut start, mut n_rules) = (0, 0);
    for (at, round) in rounds.iter().enumerate() {
        n_rules += round.rules.len();
        if n_rules >= MOST_COVERS || at + 1 == rounds.len() {
            portions.push(&rounds[start..=at]);
            (start, n_rules) = (at + 1, 0);
        }
    }
    portions
}
