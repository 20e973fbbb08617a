//! A relational regression tree.
//!
//! A test of a node.
//!
//! The clause of a way down a tree, which tests add to.
//!
//! The literals of a node's clause and of its tests, numbered for an engine.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Covers;
use crate::saved::{OverClauses, over_clauses};
use gleaner_base::{Budget, ConstantId, Counts, ExampleSet, FixedMap, TypeId, VariableId};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::clause::{Distinctions, LiteralTerms, ObjectIdentity};
use gleaner_lang::program::mode::{ArgumentMode, HeadMode};
use gleaner_lang::program::monotone::Orders;
use gleaner_lang::program::{Atom, Clause, Literal, Term, Threshold};
use gleaner_lang::syntax::read_clause;

use super::splits::SplitOrder;

/// A tree: each node sorts examples by whether a clause covers them.
///
/// The clause of a node has the tests passed on the way to it, and its own test at the end. Examples that fail the test
/// go on with the clause before it: variables of a test are not bound where it fails.
///
/// **Invariant**: the first node is the root. A node comes before the nodes below it, and all nodes below its true
/// branch come before its false branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree<C = Clause> {
    /// The nodes.
    pub nodes: Vec<Node<C>>,
}

over_clauses!(Tree { in nodes; });

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Node<C = Clause> {
    /// An end.
    Leaf(Leaf),
    /// A test.
    Split(Split<C>),
}

impl<C> OverClauses for Node<C> {
    type Clause = C;
    type Over<D> = Node<D>;

    fn visit<'m>(&'m self, visit: &mut dyn FnMut(&'m C)) {
        if let Self::Split(split) = self {
            split.visit(visit);
        }
    }

    fn map<D>(&self, map: &mut dyn FnMut(&C) -> D) -> Node<D> {
        match self {
            Self::Leaf(leaf) => Node::Leaf(*leaf),
            Self::Split(split) => Node::Split(split.map(map)),
        }
    }
}

/// The end of a way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leaf {
    /// The amount that it adds to the log-odds of its examples.
    pub value: f64,
    /// The examples of train that reach it.
    pub train: Counts,
    /// The numbers of these examples, where the target is a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<LeafNumbers>,
}

impl Leaf {
    /// A leaf of positives and negatives.
    pub const fn of(value: f64, train: Counts) -> Self {
        Self { value, train, numbers: None }
    }
}

/// The numbers of a leaf's examples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeafNumbers {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, about that mean: the root of the mean square.
    pub deviation: f64,
}

/// A test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split<C = Clause> {
    /// The clause of the way with the test.
    pub clause: C,
    /// The number of literals of its body that come before the test.
    pub n_before: usize,
    /// The number of literals of the test; the literals that object identity demands follow them.
    pub n_test: usize,
    /// The examples of train that reach it and pass.
    pub train: Counts,
    /// The node of the examples that pass.
    pub on_true: usize,
    /// The node of the others.
    pub on_false: usize,
}

over_clauses!(Split { clause; n_before, n_test, train, on_true, on_false });

impl<C> Tree<C> {
    /// Its tests, in the order of the nodes.
    pub fn splits(&self) -> impl Iterator<Item = &Split<C>> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Split(split) => Some(split),
            Node::Leaf(_) => None,
        })
    }

    /// Whether each node but the root is below one node, which comes before it; a file may say otherwise.
    pub fn is_sound(&self) -> bool {
        let mut n_above = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let Node::Split(split) = node {
                for below in [split.on_true, split.on_false] {
                    if below <= at || below >= self.nodes.len() {
                        return false;
                    }
                    n_above[below] += 1;
                }
            }
        }
        !n_above.is_empty() && n_above[1..].iter().all(|&n| n == 1)
    }
}

impl Split<String> {
    /// Whether the clause has the literals of the test. A text that is no clause is reported where clauses are read.
    pub(super) fn is_test(&self) -> bool {
        let Ok(statement) = read_clause(&self.clause) else { return true };
        self.n_before.checked_add(self.n_test).is_some_and(|end| end <= statement.body.len())
    }
}

impl Split {
    /// The literals of the test.
    pub fn test(&self) -> &[Literal] {
        &self.clause.body[self.n_before..self.n_before + self.n_test]
    }
}

impl Tree {
    /// For each node, the mean of the leaves below it over the examples of train.
    pub fn means(&self) -> Vec<f64> {
        let mut means = vec![(0.0, 0); self.nodes.len()];
        // A node comes before those below it.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            means[at] = match node {
                Node::Leaf(leaf) => (leaf.value, leaf.train.true_positives + leaf.train.false_positives),
                Node::Split(split) => {
                    let [(one, n), (other, m)] = [means[split.on_true], means[split.on_false]];
                    #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^52")]
                    let share = if n + m > 0 { n as f64 / (n + m) as f64 } else { 0.5 };
                    (share * one + (1.0 - share) * other, n + m)
                }
            };
        }
        means.into_iter().map(|(mean, _)| mean).collect()
    }

    /// The leaves, each with the examples of `all` that reach it; `covers` are those of its clauses.
    ///
    /// # Panics
    ///
    /// When a node comes before the one above it, or there are fewer covers than tests.
    pub fn sorted<'t>(&'t self, all: &ExampleSet, covers: &[ExampleSet]) -> Vec<(&'t Leaf, ExampleSet)> {
        let mut reaching: Vec<Option<ExampleSet>> = vec![None; self.nodes.len()];
        if let Some(root) = reaching.first_mut() {
            *root = Some(all.clone());
        }
        let mut covers = covers.iter();
        let mut leaves = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let here = reaching[at].take().expect("a node comes after the one above it");
            match node {
                Node::Leaf(leaf) => leaves.push((leaf, here)),
                Node::Split(split) => {
                    let cover = covers.next().expect("there is a cover for each test");
                    let [passing, failing] = divided(here, cover);
                    reaching[split.on_true] = Some(passing);
                    reaching[split.on_false] = Some(failing);
                }
            }
        }
        leaves
    }

    /// Replaces its leaves by these, in the order of the nodes.
    pub fn set_leaves(&mut self, leaves: impl IntoIterator<Item = Leaf>) {
        let own = self.nodes.iter_mut().filter(|node| matches!(node, Node::Leaf(_)));
        own.zip(leaves).for_each(|(node, leaf)| *node = Node::Leaf(leaf));
    }

    /// The same tree, with leaves that add a share of their amounts.
    pub fn scaled(&self, share: f64) -> Self {
        let mut tree = self.clone();
        for node in &mut tree.nodes {
            if let Node::Leaf(leaf) = node {
                leaf.value *= share;
            }
        }
        tree
    }

    /// Adds the value of each example's leaf to its score.
    pub fn add_to(&self, scores: &mut [f64], all: &ExampleSet, covers: &[ExampleSet]) {
        for (leaf, examples) in self.sorted(all, covers) {
            examples.iter().for_each(|position| scores[position] += leaf.value);
        }
    }
}

/// Adds the values of all trees to the scores of a universe.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn add_trees(
    trees: &[Tree],
    scores: &mut [f64],
    covers: &Covers<'_>,
    budget: &Budget,
) -> Result<(), Interrupted> {
    for tree in trees {
        let found = covers.all(&tree.all_clauses(), budget)?;
        tree.add_to(scores, covers.universe().all(), &found);
    }
    Ok(())
}

/// The examples that a test covers, and the others.
pub(super) fn divided(examples: ExampleSet, cover: &ExampleSet) -> [ExampleSet; 2] {
    let mut passing = examples.clone();
    passing.intersect_with(cover);
    let mut failing = examples;
    failing.subtract(cover);
    [passing, failing]
}

/// One literal or two, over the variables of a clause and new ones; the new ones are numbered on from those of the
/// clause. Inequalities may make the first literal another answer of a call of the clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Test {
    /// The literals.
    pub literals: Vec<Literal>,
    /// The constants of each literal, with the types at their places.
    pub constants: Vec<Vec<(ConstantId, TypeId)>>,
    /// The types of the new variables.
    pub types: Vec<TypeId>,
    /// Whether it asks for another answer of a call that the clause has.
    pub counts: bool,
    /// The literal that is an open threshold: it stands for all numbers in place of the one that it has.
    pub open: Option<usize>,
}

impl Test {
    /// The test with a number for its open threshold.
    pub fn with_threshold(&self, constant: ConstantId) -> Self {
        let mut test = self.clone();
        if let Some(open) = test.open.take() {
            test.literals[open] = Threshold::moved(&test.literals[open], constant);
        }
        test
    }
}

/// A clause whose variables have types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpenClause {
    /// The head.
    pub head: Atom,
    /// The body, in the order of the tests.
    pub literals: Vec<Literal>,
    /// The constants of each literal, with the types at their places.
    pub constants: Vec<Vec<(ConstantId, TypeId)>>,
    /// The type of each variable, numbered by first occurrence.
    pub types: Vec<TypeId>,
}

impl OpenClause {
    /// The clause without a body. An argument of the head is a constant where all examples have the same. Else it is a
    /// variable, even where the mode says `#`: a tree is to sort all examples.
    pub fn most_general(mode: &HeadMode, universe: &Universe) -> Self {
        let first = universe.iter().next().map(|(_, example)| universe.examples().arguments(example));
        let mut types = Vec::new();
        let argument = |(at, argument): (usize, &ArgumentMode)| {
            let shared = first.map(|arguments| arguments[at]).filter(|constant| {
                matches!(argument, ArgumentMode::Constant(_))
                    && universe
                        .iter()
                        .all(|(_, example)| universe.examples().arguments(example)[at] == *constant)
            });
            match shared {
                Some(constant) => Term::Constant(constant),
                None => {
                    types.push(argument.type_id());
                    Term::Variable(VariableId::new(types.len() - 1))
                }
            }
        };
        let arguments = mode.arguments.iter().enumerate().map(argument).collect();
        let head = Atom { predicate: mode.predicate, arguments };
        Self { head, literals: Vec::new(), constants: Vec::new(), types }
    }

    /// The clause with the literals of a test.
    pub fn with(&self, test: &Test) -> Self {
        let mut clause = self.clone();
        clause.literals.extend(test.literals.iter().cloned());
        clause.constants.extend(test.constants.iter().cloned());
        clause.types.extend(&test.types);
        clause
    }

    /// The open clause as a clause: the body in this order, and then the literals that object identity demands.
    pub fn clause(&self, identity: ObjectIdentity) -> Clause {
        let mut body = self.literals.clone();
        if identity == ObjectIdentity::On {
            let positions: Vec<u16> = (0..).take(body.len()).collect();
            body.extend(self.distinctions().of(&positions));
        }
        Clause::renumbered(&self.head, &body)
    }

    fn distinctions(&self) -> Distinctions {
        let terms = self.literals.iter().zip(&self.constants).map(|(literal, constants)| LiteralTerms {
            variables: literal.variables(),
            constants: constants.clone(),
        });
        Distinctions::new(self.types.clone(), self.head_variables(), terms.collect())
    }

    /// The variables of the head, ascending.
    pub fn head_variables(&self) -> Vec<VariableId> {
        self.head.arguments.iter().filter_map(|term| term.variable()).collect()
    }
}

/// Literals of the tests that are judged at once: an engine numbers its literals by 16 bits.
const MOST_LITERALS: usize = 1 << 15;

/// The literals of a node's clause and of its tests, and which of them each test needs.
pub(super) struct Table<'a> {
    pub(super) open: &'a OpenClause,
    pub(super) literals: Vec<Literal>,
    pub(super) tests: Vec<TableTest>,
    pub(super) distinctions: Option<Arc<Distinctions>>,
}

/// A test over a table's literals.
pub(super) struct TableTest {
    /// The positions of the clause's literals and of its own, without an open threshold.
    pub(super) literals: Vec<u16>,
    /// The position of its open threshold.
    pub(super) open: Option<u16>,
    /// The order of its two sides.
    pub(super) order: SplitOrder,
    /// The number of the test among those of a node.
    pub(super) nth: usize,
}

impl<'a> Table<'a> {
    /// The table of tests with numbers from `first` on. Their new variables are numbered by their type, so that each has
    /// one type in all tests.
    pub(super) fn of(
        open: &'a OpenClause,
        (tests, first): (&[&Test], usize),
        identity: ObjectIdentity,
        orders: &Orders,
    ) -> Self {
        let of_way = open;
        let mut types = open.types.clone();
        let mut new: FixedMap<(TypeId, usize), VariableId> = FixedMap::default();
        let mut literals = open.literals.clone();
        let mut constants = open.constants.clone();
        let mut known: FixedMap<Literal, u16> =
            literals.iter().enumerate().map(|(at, literal)| (literal.clone(), position(at))).collect();
        let of_clause: Vec<u16> = (0..literals.len()).map(position).collect();
        let mut positions_of_tests = Vec::with_capacity(tests.len());
        for (nth, test) in (first..).zip(tests) {
            let variables: Vec<VariableId> = test
                .types
                .iter()
                .enumerate()
                .map(|(at, &of_type)| {
                    let nth = test.types[..at].iter().filter(|&&other| other == of_type).count();
                    *new.entry((of_type, nth)).or_insert_with(|| {
                        types.push(of_type);
                        VariableId::new(types.len() - 1)
                    })
                })
                .collect();
            let mut renamed = |term: Term| match term {
                Term::Variable(variable) if variable.index() >= open.types.len() => {
                    Term::Variable(variables[variable.index() - open.types.len()])
                }
                other => other,
            };
            let mut positions = of_clause.clone();
            let mut open = None;
            for (of_test, (literal, of_literal)) in test.literals.iter().zip(&test.constants).enumerate() {
                let literal = literal.map_terms(&mut renamed);
                let at = *known.entry(literal).or_insert_with_key(|literal| {
                    literals.push(literal.clone());
                    constants.push(of_literal.clone());
                    position(literals.len() - 1)
                });
                if test.open == Some(of_test) {
                    open = Some(at);
                } else if !positions.contains(&at) {
                    positions.push(at);
                }
            }
            positions.sort_unstable();
            // Tests whose outcome may change either way were left out.
            let order = SplitOrder::of(of_way, test, orders).unwrap_or_default();
            positions_of_tests.push(TableTest { literals: positions, open, order, nth });
        }
        let distinctions = (identity == ObjectIdentity::On).then(|| {
            let terms = literals.iter().zip(&constants).map(|(literal, constants)| LiteralTerms {
                variables: literal.variables(),
                constants: constants.clone(),
            });
            Arc::new(Distinctions::new(types, open.head_variables(), terms.collect()))
        });
        Self { open, literals, tests: positions_of_tests, distinctions }
    }
}

/// The tests, in parts whose literals fit one table.
pub(super) fn parts(tests: &[Arc<Test>]) -> impl Iterator<Item = &[Arc<Test>]> {
    let mut rest = tests;
    std::iter::from_fn(move || {
        let mut n_literals = 0;
        let fits = |test: &&Arc<Test>| {
            n_literals += test.literals.len();
            n_literals <= MOST_LITERALS
        };
        let n_fitting = rest.iter().take_while(fits).count().max(rest.len().min(1));
        let (part, others) = rest.split_at(n_fitting);
        rest = others;
        (!part.is_empty()).then_some(part)
    })
}

fn position(at: usize) -> u16 {
    u16::try_from(at).expect("tests of one table have at most 2^15 literals, and a clause has fewer")
}
