//! The model: rounds whose weighted sum ranks examples, and the threshold that decides.
//!
//! Boosted rules for a person and as a Prolog program: what each round adds to a score, and the heaviest rounds.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::decision::ChosenThreshold;
use crate::model::Ranker;
use crate::prolog::{Formula, Program, number};
use crate::saved::{Checked, Contradiction, check_counts, over_clauses};
use crate::shown::{Account, Column, Extent, Noun, Part, Row, Table, figure, json_map, percent};
use crate::{Covers, Model};
use gleaner_base::{Budget, Counts, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{Clause, Symbols};

use super::Hypothesis;
use super::weights::{Normalisers, Objective, Step};

/// `alpha` of the greatest `r` is 10.71.
const MOST_ALPHA: f64 = 10.8;

/// A rule of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule<C = Clause> {
    /// The rule, canonical.
    pub clause: C,
    /// Its counts on train.
    pub train: Counts,
    /// The weights of the positives and negatives it covered when it was found.
    pub weighted: (f64, f64),
    /// `h` of the examples for which this is the last of the round's rules to cover them, in `[0, 1]`.
    pub value: f64,
}

over_clauses!(Rule { clause; train, weighted, value });

/// One round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round<C = Clause> {
    /// The area that it maximised.
    pub objective: Objective,
    /// The rules that it kept.
    pub hypothesis: Hypothesis,
    /// The weighted area that it reached (of RankBoost, twice the area less 1), in `(0, 1]`.
    pub r: f64,
    /// The curve before the rules that are kept; `r` belongs to this curve. It has the weights of positives and
    /// negatives of all examples. Then come those of each rule on the way, where these have a part in `r` and only the
    /// last is kept. Empty in older files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve_before: Vec<(f64, f64)>,
    /// The weight of the round.
    pub alpha: f64,
    /// The divisors of each class's weights after the round.
    pub normalisers: Normalisers,
    /// Its rules, the most general first.
    pub rules: Vec<Rule<C>>,
}

over_clauses!(Round { in rules; objective, hypothesis, r, curve_before, alpha, normalisers });

impl Round {
    /// `h` of each rule.
    pub fn values(&self) -> Vec<f64> {
        self.rules.iter().map(|rule| rule.value).collect()
    }

    /// The rule that speaks for an example, with `h`: the last rule that covers it.
    fn speaker(&self, covers: impl Fn(&Rule) -> bool) -> Option<&Rule> {
        self.rules.iter().rev().find(|rule| covers(rule))
    }
}

/// Boosted rules: an example's score is the sum of `alpha * h` over the rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoostModel<C = Clause> {
    /// The threshold that decides.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// The rounds.
    pub rounds: Vec<Round<C>>,
}

over_clauses!(BoostModel { in rounds; decision });

impl BoostModel {
    /// The greatest score that an example can have.
    pub fn greatest_score(&self) -> f64 {
        self.rounds.iter().map(|round| round.alpha).sum()
    }
}

impl Checked for BoostModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        let rules = || self.rounds.iter().flat_map(|round| &round.rules);
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        if self.rounds.iter().any(|round| !((0.0..=MOST_ALPHA).contains(&round.alpha) && is_share(round.r))) {
            return Err(Contradiction("a round's weight or area is outside its range"));
        }
        if rules().any(|rule| !is_share(rule.value)) {
            return Err(Contradiction("a rule's value is not between 0 and 1"));
        }
        if self.rounds.iter().any(|round| round.rules.is_empty()) {
            return Err(Contradiction("a round has no rule"));
        }
        self.decision.check("its threshold is not a finite number")?;
        check_counts(rules().map(|rule| rule.train))
    }
}

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
fn heaviest_rounds(rounds: &[Round], symbols: &Symbols, extent: Extent) -> Table {
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
