//! The model: trees whose values add up to log-odds.
//!
//! Trees for a person and as a Prolog program: the leaf that an example reaches in each, and the first trees.
//!
//! Forests as a model.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Covers;
use crate::decision::ChosenThreshold;
use crate::model::Ranker;
use crate::prolog::{Formula, Program, number};
use crate::saved::{Checked, Contradiction, check_counts, over_clauses};
use crate::shown::{
    Account, Column, Extent, Noun, Part, Row, Table, WayTest, counts_cells, json_map, percent, signed,
};
use gleaner_base::{Budget, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::display::literal_text;
use gleaner_lang::program::{Clause, Symbols};

use super::booster::TreesFound;
use super::loss::sigmoid;
use super::numbers;
use super::numbers::NumberScale;
use super::tree::{Leaf, Node, Split, Tree, add_trees};

/// Trees; an example's score is the base and the value of its leaf in each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeModel<C = Clause> {
    /// The threshold that decides, chosen on train and tune, or on tune.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// The log-odds before the first tree; 0 of a single one.
    pub base: f64,
    /// The trees.
    pub trees: Vec<Tree<C>>,
    /// What makes a prediction of a score, where the target is a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumberScale>,
}

over_clauses!(TreeModel { in trees; decision, base, numbers });

impl Checked for TreeModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        let splits = || self.trees.iter().flat_map(Tree::splits);
        if !self.trees.iter().all(Tree::is_sound) {
            return Err(Contradiction("the nodes of a tree do not form a tree"));
        }
        if !splits().all(Split::is_test) {
            return Err(Contradiction("a test is not part of its clause"));
        }
        let values = self.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| match node {
            Node::Leaf(leaf) => Some(leaf.value),
            Node::Split(_) => None,
        });
        if !values.chain([self.base]).all(f64::is_finite) {
            return Err(Contradiction("a leaf's value is not a finite number"));
        }
        if !self.numbers.as_ref().is_none_or(NumberScale::is_sound) {
            return Err(Contradiction("its scale of numbers is not valid"));
        }
        self.decision.check("its threshold is not a finite number")?;
        check_counts(splits().map(|split| split.train))
    }
}

/// Trees that are shown; the model file has all.
const N_SHOWN_TREES: usize = 3;

const TREES: Noun = Noun { one: "tree", many: "trees" };

const RULES: &str = "\
% The score is the base and the value of the example's leaf in each tree.
gleaner_score_of(Example, Score) :-
    findall(Value, ( gleaner_tree(Tree), gleaner_comes_to(Tree, 0, Example, Value) ), Values),
    gleaner_base(Base),
    gleaner_sum(Values, Base, Score).

gleaner_comes_to(Tree, Node, _, Value) :-
    gleaner_leaf(Tree, Node, Value),
    !.
gleaner_comes_to(Tree, Node, Example, Value) :-
    gleaner_test(Tree, Node, Clause, OnTrue, OnFalse),
    ( gleaner_covers(Clause, Example) -> Next = OnTrue ; Next = OnFalse ),
    gleaner_comes_to(Tree, Next, Example, Value).

";

/// The way of an example down a tree.
struct Way<'m> {
    /// The tree's number, from 1.
    number: usize,
    /// The tests on it, each with whether the example passed it, and with what its outcome adds.
    tests: Vec<(&'m Split, bool, f64)>,
    leaf: Leaf,
}

/// The amount that the leaf of each tree adds, the greatest size first. With the base the amounts sum to the score, in
/// the order of the trees.
pub(super) fn account(model: &TreeModel, covering: &BTreeSet<&Clause>) -> Account {
    let ways = model.trees.iter().zip(1..).filter_map(|(tree, number)| way(tree, number, covering));
    let mut ways: Vec<Way<'_>> = ways.collect();
    ways.sort_by(|left, right| right.leaf.value.abs().total_cmp(&left.leaf.value.abs()));
    let sum: f64 = ways.iter().map(|way| way.leaf.value.abs()).sum();
    let columns = [("tree", 5), ("adds", 10), ("share", 8), ("tests", 7)];
    let of_leaf: &[_] = if model.numbers.is_some() { &numbers::COLUMNS } else { &[("TP", 6), ("FP", 8)] };
    let score = ways.iter().fold(model.base, |score, way| score + way.leaf.value);
    Account {
        words: model.numbers.as_ref().map_or_else(|| words(model), |of| numbers::words(model, of, score)),
        columns: Column::several(&[&columns[..], of_leaf].concat()),
        clause_title: "the last test passed, or failed",
        parts: ways.iter().filter_map(|way| way.part(sum)).collect(),
        noun: TREES,
        further: match &model.numbers {
            None => json!({ "base": model.base, "trees": model.trees.len() }),
            Some(of) => numbers::further(model, of, score),
        },
        is_of_number: model.numbers.is_some(),
        ..Account::default()
    }
}

fn words(model: &TreeModel) -> String {
    let trees = TREES.counted(model.trees.len());
    format!(
        "\nthe score is log-odds: {:+.4}, and the amount that the example's leaf adds in\n\
         each of {trees}; tests passed (+) and failed (-) on the way, and the leaf's\n\
         train examples:\n",
        model.base
    )
}

fn way<'m>(tree: &'m Tree, number: usize, covering: &BTreeSet<&Clause>) -> Option<Way<'m>> {
    let means = tree.means();
    let mut tests = Vec::new();
    let mut at = 0;
    loop {
        match tree.nodes.get(at)? {
            Node::Leaf(leaf) => return Some(Way { number, tests, leaf: *leaf }),
            Node::Split(split) => {
                let passed = covering.contains(&split.clause);
                let next = if passed { split.on_true } else { split.on_false };
                tests.push((split, passed, means.get(next)? - means[at]));
                at = next;
            }
        }
    }
}

impl Way<'_> {
    /// The last passed test, whose clause holds all tests passed before it. On a way without passed tests, the last
    /// test that failed.
    fn part(&self, sum: f64) -> Option<Part> {
        let passed = self.tests.iter().rev().find(|(_, passed, _)| *passed);
        let (split, covers, _) = *passed.or_else(|| self.tests.last())?;
        let signs: String = self.tests.iter().map(|(_, passed, _)| if *passed { '+' } else { '-' }).collect();
        let test = |&(split, passed, adds): &(&Split, bool, f64)| WayTest {
            literals: split.test().to_vec(),
            passed,
            adds,
        };
        let Leaf { value, train, numbers } = self.leaf;
        let share = if sum > 0.0 { value.abs() / sum } else { 0.0 };
        let part = Part {
            cells: vec![self.number.to_string(), signed(value), percent(share), signs.clone()],
            clause: split.clause.clone(),
            covers,
            share: None,
            amount: Some(value),
            fields: json_map(json!({
                "tree": self.number,
                "adds": value,
                "share_of_sizes": share,
                "tests": signs,
            })),
            way: self.tests.iter().map(test).collect(),
        };
        if numbers.is_some() {
            return Some(numbers::with_numbers(part, self.leaf));
        }
        Some(part.with_counts(train))
    }
}

/// The sizes of a model.
pub(super) fn head(model: &TreeModel) -> String {
    let n_leaves: usize = model.trees.iter().map(|tree| tree.nodes.len().div_ceil(2)).sum();
    if let Some(of) = &model.numbers {
        return numbers::head(model, of, n_leaves);
    }
    if let [_] = &model.trees[..] {
        format!("a tree of {n_leaves} leaves; a score is the log-odds of the example's leaf\n")
    } else {
        format!(
            "{} trees with {n_leaves} leaves; a score is log-odds: {:+.4} and the value of\nthe example's leaf in each tree\n",
            model.trees.len(),
            model.base
        )
    }
}

/// The first trees, each as a table.
fn first_trees(trees: &[Tree], symbols: &Symbols, extent: Extent) -> Vec<Table> {
    let first = trees.iter().zip(1..).take(extent.of(N_SHOWN_TREES)).map(|(tree, number)| {
        let lead = if trees.len() == 1 {
            "\nthe tree, with the train examples of each leaf:\n".to_owned()
        } else {
            format!("\ntree {number} of {}:\n", trees.len())
        };
        tree_table(lead, tree, symbols)
    });
    first.collect()
}

fn tree_table(lead: String, tree: &Tree, symbols: &Symbols) -> Table {
    let mut rows = Vec::new();
    add_rows(tree, 0, 0, "", symbols, &mut rows);
    Table {
        lead,
        columns: Column::several(&if is_of_numbers(tree) {
            [&numbers::COLUMNS[..], &[("adds", 10)]].concat()
        } else {
            vec![("TP", 6), ("FP", 8), ("value", 10)]
        }),
        last_title: "  ",
        rows,
        n_more_clauses: 0,
    }
}

/// Whether leaves have numbers in place of classes.
fn is_of_numbers(tree: &Tree) -> bool {
    tree.nodes.iter().any(|node| matches!(node, Node::Leaf(Leaf { numbers: Some(_), .. })))
}

/// Adds the rows of a node and of those below it, two columns further in.
fn add_rows(tree: &Tree, at: usize, indent: usize, word: &str, symbols: &Symbols, rows: &mut Vec<Row>) {
    let row = |cells: Vec<String>, text: &str| Row { cells, last: format!("  {:indent$}{word}{text}", "") };
    match &tree.nodes[at] {
        Node::Leaf(leaf) if leaf.numbers.is_some() => {
            rows.push(row([numbers::cells(*leaf), vec![signed(leaf.value)]].concat(), ""));
        }
        Node::Leaf(Leaf { value, train, .. }) => {
            rows.push(row([&counts_cells(*train)[..], &[signed(*value)]].concat(), ""));
        }
        Node::Split(split) => {
            let texts: Vec<String> =
                split.test().iter().map(|literal| literal_text(literal, symbols)).collect();
            let n_cells = if is_of_numbers(tree) { 1 + numbers::COLUMNS.len() } else { 3 };
            rows.push(row(vec![String::new(); n_cells], &format!("{}?", texts.join(", "))));
            add_rows(tree, split.on_true, indent + 2, "yes: ", symbols, rows);
            add_rows(tree, split.on_false, indent + 2, "no: ", symbols, rows);
        }
    }
}

pub(super) fn program(model: &TreeModel) -> Program<'_> {
    let mut program = Program::default();
    program.base(model.base);
    for (name, arity) in [("gleaner_tree", 1), ("gleaner_leaf", 3), ("gleaner_test", 5)] {
        program.table(name, arity);
    }
    for at in 1..=model.trees.len() {
        program.row("gleaner_tree", &[at.to_string()]);
    }
    let nodes = model.trees.iter().zip(1..).flat_map(|(tree, number)| {
        tree.nodes.iter().enumerate().map(move |(node_idx, node)| (number, node_idx, node))
    });
    let (leaves, splits): (Vec<_>, Vec<_>) = nodes.partition(|(.., node)| matches!(node, Node::Leaf(_)));
    for (tree, node_idx, node) in leaves.into_iter().chain(splits) {
        let place = [tree.to_string(), node_idx.to_string()];
        match node {
            Node::Leaf(leaf) => program.row("gleaner_leaf", &[&place[..], &[number(leaf.value)]].concat()),
            Node::Split(split) => {
                let clause = program.clause(&split.clause);
                let ways = [clause, split.on_true, split.on_false].map(|number| number.to_string());
                program.row("gleaner_test", &[&place[..], &ways].concat());
            }
        }
    }
    program.rules(RULES);
    score_by_trees(model, &mut program);
    if let Some(of) = &model.numbers {
        program.rules(numbers::prediction_rule(of));
        let score = program.scoring.score.clone();
        program.scoring.prediction = score.map(|score| of.prediction_formula(score));
    }
    program
}

/// The score as a formula: the base and a step for each tree.
fn score_by_trees<'m>(model: &'m TreeModel, program: &mut Program<'m>) {
    let mut parts = vec![Formula::Number(model.base)];
    for (tree, number) in model.trees.iter().zip(1..) {
        // A node comes before those below it, so these are known when it is met from the end.
        let mut below: BTreeMap<usize, Formula> = BTreeMap::new();
        for (at, node) in tree.nodes.iter().enumerate().rev() {
            let mut take = |at: usize| below.remove(&at).unwrap_or(Formula::Number(0.0));
            let formula = match node {
                Node::Leaf(leaf) => Formula::Number(leaf.value),
                Node::Split(split) => {
                    let [covered, other] = [split.on_true, split.on_false].map(&mut take);
                    Formula::choice(program.clause(&split.clause), covered, other)
                }
            };
            below.insert(at, formula);
        }
        let root = below.remove(&0).unwrap_or(Formula::Number(0.0));
        parts.push(program.scoring.step(format!("tree_{number}"), root));
    }
    program.scoring.score = Some(Formula::Sum(parts));
}

impl Ranker for TreeModel {
    fn decision(&self) -> ChosenThreshold {
        self.decision
    }

    fn decision_mut(&mut self) -> &mut ChosenThreshold {
        &mut self.decision
    }

    /// A tree of one leaf has no clauses.
    fn is_blank(&self) -> bool {
        self.trees.is_empty()
    }

    /// Sums in the order of the trees.
    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let mut scores = vec![self.base; covers.universe().len()];
        add_trees(&self.trees, &mut scores, covers, budget)?;
        Ok(scores)
    }

    fn decision_line(&self) -> String {
        if self.numbers.is_some() { String::new() } else { self.decision.line() }
    }

    fn confidence(&self, score: f64) -> f64 {
        sigmoid(score)
    }

    fn account(&self, covering: &BTreeSet<&Clause>) -> Account {
        account(self, covering)
    }

    fn head(&self) -> String {
        head(self)
    }

    fn contents(&self, symbols: &Symbols, extent: Extent) -> Vec<Table> {
        first_trees(&self.trees, symbols, extent)
    }

    fn program(&self) -> Option<Program<'_>> {
        Some(program(self))
    }
}

/// The first rounds of some forests as a model that decides nothing yet.
pub(super) fn model(found: &TreesFound, forests: &[usize], n_rounds: usize, chosen_on: Totals) -> TreeModel {
    let share = 1.0 / f64::from(u32::try_from(forests.len()).expect("the setting's range"));
    let trees = found.rounds[..n_rounds]
        .iter()
        .flat_map(|round| forests.iter().map(move |&forest| round[forest].tree.scaled(share)));
    TreeModel {
        decision: ChosenThreshold::none(chosen_on),
        base: forests.iter().map(|&forest| found.forests[forest].base * share).sum(),
        trees: trees.collect(),
        numbers: None,
    }
}
