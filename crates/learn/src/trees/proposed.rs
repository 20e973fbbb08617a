//! Tests that were proposed, each made once.
//!
//! Tests for another answer of a call: `child(A,C), C \= B` where the path to a node has `child(A,B)`. With them a tree counts.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use gleaner_base::{ExampleId, FixedMap, FixedSet, TypeId, VariableId};
use gleaner_engine::bias::{Extension, differing_variables, inequality};
use gleaner_lang::program::monotone::Orders;
use gleaner_lang::program::{Literal, Term};

use super::proposing::Making;
use super::tree::{OpenClause, Test};

/// The tests of an example, so far.
#[derive(Debug, Default)]
pub(super) struct Proposed {
    /// The tests.
    pub tests: FixedSet<Test>,
    /// Single literals, numbered as they come: a literal that holds of a molecule says the same of most of its atoms.
    known: FixedMap<Test, u32>,
    /// Pairs of literals that were made into tests.
    pairs: FixedSet<Vec<u32>>,
}

/// A literal by itself.
pub(super) struct Alone {
    test: Test,
    number: u32,
    /// Its new variables, in order of occurrence.
    pub new: Vec<VariableId>,
}

impl Proposed {
    /// A literal by itself, which becomes no test yet.
    pub(super) fn alone(&mut self, making: &Making<'_>, extension: &Extension) -> Alone {
        let (test, new) = making.in_order(&[extension]);
        let next = number(self.known.len());
        let number = match self.known.get(&test) {
            Some(&number) => number,
            None => {
                self.known.insert(test.clone(), next);
                next
            }
        };
        Alone { test, number, new }
    }

    /// Adds a literal as a test, and once more for each way to make it another answer of a call.
    pub(super) fn add_alone(
        &mut self,
        making: &Making<'_>,
        extension: &Extension,
        alone: &Alone,
        another: &[&AnotherAnswer],
    ) {
        if self.tests.contains(&alone.test) {
            return;
        }
        self.tests.insert(alone.test.clone());
        for AnotherAnswer { inequalities, .. } in another {
            let all: Vec<&Extension> = std::iter::once(extension).chain(inequalities).collect();
            self.tests.insert(making.in_order(&all).0);
        }
    }

    /// Adds two literals as a test, and once more for each way to make the first another answer of a call. Such a test
    /// is the same again where both literals are the same and share the same variables. Each of `thresholds`, which are of
    /// variables of the second literal, makes one more test.
    pub(super) fn add_pair(
        &mut self,
        making: &Making<'_>,
        pair: [&Extension; 2],
        alone: [&Alone; 2],
        another: &[&AnotherAnswer],
        thresholds: impl FnOnce() -> Vec<Extension>,
    ) {
        let [first, second] = alone;
        let not_shared = u32::MAX;
        let shared = |variable: &VariableId| {
            first.new.iter().position(|known| known == variable).map_or(not_shared, number)
        };
        let mut key = vec![first.number, second.number, u32::from(pair[1].depth > 1)];
        key.extend(second.new.iter().map(shared));
        if !self.pairs.contains(&key) {
            self.tests.insert(making.pair(pair, &[]));
            let with_threshold = |threshold| making.pair(pair, std::slice::from_ref(threshold));
            self.tests.extend(thresholds().iter().map(with_threshold));
            self.tests.extend(another.iter().map(|another| making.pair(pair, &another.inequalities)));
            self.pairs.insert(key);
        }
    }
}

/// The tests that the facts of examples propose at nodes, kept over all trees. Nodes often have the same clause: so
/// have all nodes that are reached by failing alone.
///
/// Proposals depend on the clause and the example alone, so results do not depend on which of them are kept.
#[derive(Debug, Default)]
pub struct KnownTests(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    tests: Vec<Arc<Test>>,
    numbers: FixedMap<Arc<Test>, u32>,
    of: FixedMap<OpenClause, FixedMap<ExampleId, Arc<[u32]>>>,
    /// The count of kept numbers, plus one for each example of a clause.
    n_kept: usize,
}

/// The most tests and numbers of tests that are kept; beyond these, all are forgotten.
const MOST_TESTS: usize = 1 << 18;

const MOST_NUMBERS: usize = 1 << 23;

impl KnownTests {
    /// The numbers of an example's tests at a node with this clause.
    pub(super) fn get(&self, open: &OpenClause, example: ExampleId) -> Option<Arc<[u32]>> {
        self.kept(|kept| kept.of.get(open)?.get(&example).cloned())
    }

    /// Keeps an example's tests.
    pub(super) fn insert(&self, open: &OpenClause, example: ExampleId, tests: FixedSet<Test>) -> Arc<[u32]> {
        self.kept(|kept| {
            let numbers: Arc<[u32]> = tests.into_iter().map(|test| kept.number(test)).collect();
            kept.n_kept += numbers.len() + 1;
            kept.of.entry(open.clone()).or_default().insert(example, Arc::clone(&numbers));
            numbers
        })
    }

    /// The numbers of tests that are not all of an example's.
    pub(super) fn numbers(&self, tests: FixedSet<Test>) -> Arc<[u32]> {
        self.kept(|kept| tests.into_iter().map(|test| kept.number(test)).collect())
    }

    /// The tests of these numbers. It may forget all afterwards: numbers are good for one node.
    pub(super) fn tests(&self, numbers: &BTreeSet<u32>) -> Vec<Arc<Test>> {
        self.kept(|kept| {
            let tests = numbers.iter().map(|&number| Arc::clone(&kept.tests[number as usize])).collect();
            if kept.tests.len() > MOST_TESTS || kept.n_kept > MOST_NUMBERS {
                *kept = Kept::default();
            }
            tests
        })
    }

    fn kept<T>(&self, with: impl FnOnce(&mut Kept) -> T) -> T {
        with(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Kept {
    fn number(&mut self, test: Test) -> u32 {
        if let Some(&known) = self.numbers.get(&test) {
            return known;
        }
        let next = number(self.tests.len());
        let test = Arc::new(test);
        self.tests.push(Arc::clone(&test));
        self.numbers.insert(test, next);
        next
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).expect("fewer tests than 2^32")
}

/// The calls on the path to a node. A test may ask for another answer of one of them.
pub(super) struct CallsMade<'a> {
    /// The clause of the path.
    pub open: &'a OpenClause,
    /// The types of all variables, new ones too.
    pub types: &'a [TypeId],
    /// Whether further answers are asked for at all.
    pub is_proposed: bool,
    /// The numbers by which scores keep an order: whether two of these differ goes neither way.
    pub orders: &'a Orders,
}

/// The inequalities that make a literal another answer than all answers of its call on the path.
pub(super) struct AnotherAnswer {
    /// A variable of the path, with the literal's new variable at the same argument.
    pairs: Vec<[VariableId; 2]>,
    /// The inequalities of these pairs, as further literals of a test.
    inequalities: Vec<Extension>,
}

impl CallsMade<'_> {
    /// The ways to make a literal another answer of a call on the path: `child(A,D), D \= B, D \= C` after `child(A,B)` and `child(A,C)`.
    /// There is one for each argument at which answers differ.
    ///
    /// The inequalities hold of the example that proposes the literal: new variables stand for constants that the path does not have.
    pub(super) fn of(&self, extension: &Extension) -> Vec<AnotherAnswer> {
        let Some(second) = extension.literal.positive_atom() else { return Vec::new() };
        let is_new = |variable: &VariableId| variable.index() >= self.open.types.len();
        if !self.is_proposed {
            return Vec::new();
        }
        let mut all: Vec<AnotherAnswer> = Vec::new();
        for inputs in &extension.input_sets {
            for first in self.open.literals.iter().filter_map(Literal::positive_atom) {
                let pairs = differing_variables(first, second, inputs, self.types).into_iter();
                for pair in pairs.filter(|pair| self.orders.of(self.types[pair[0].index()]).is_none()) {
                    match all.iter_mut().find(|known| known.pairs[0][1] == pair[1]) {
                        Some(known) if known.pairs.contains(&pair) => {}
                        Some(known) => known.add(pair),
                        None if is_new(&pair[1]) => {
                            let mut another = AnotherAnswer { pairs: Vec::new(), inequalities: Vec::new() };
                            another.add(pair);
                            all.push(another);
                        }
                        None => {}
                    }
                }
            }
        }
        all
    }

    /// Whether the path says nothing else of an answer. Then another answer alone is a test: "two children".
    pub(super) fn is_plain(&self, another: &AnotherAnswer) -> bool {
        let is_said_of = |known: VariableId| {
            let literals = self.open.literals.iter().filter(|literal| literal.comparison().is_none());
            literals.filter(|literal| literal.variables().contains(&known)).count()
        };
        another.pairs.iter().any(|&[known, _]| is_said_of(known) == 1)
    }

    /// Whether a literal says of the other answer what the path says of one: `sick(C)` after `sick(B)`, or `owns(C,_)`
    /// after `owns(B,_)`. Two answers with different literals are mostly different without an inequality.
    pub(super) fn repeats(&self, another: &AnotherAnswer, literal: &Literal) -> bool {
        another
            .pairs
            .iter()
            .any(|&pair| self.open.literals.iter().any(|of_way| self.says_the_same(of_way, literal, pair)))
    }

    fn says_the_same(&self, of_way: &Literal, literal: &Literal, [known, new]: [VariableId; 2]) -> bool {
        let is_same = |one: Term, other: Term| match other {
            Term::Variable(variable) if variable == new => one == Term::Variable(known),
            Term::Variable(variable) if variable.index() >= self.open.types.len() => one.variable().is_some(),
            other => one == other,
        };
        let both_are_same = |sides: (Option<Term>, Option<Term>)| match sides {
            (Some(one), Some(other)) => is_same(one, other),
            _ => false,
        };
        of_way.subject() == literal.subject() && of_way.terms().zip(literal.terms()).all(both_are_same)
    }
}

impl AnotherAnswer {
    fn add(&mut self, pair: [VariableId; 2]) {
        self.pairs.push(pair);
        self.inequalities.push(extension_of(pair));
    }
}

/// The depth of inequalities, which no call gives.
pub(super) const NO_CALL: u32 = 0;

/// An inequality as a literal of a test.
fn extension_of(pair: [VariableId; 2]) -> Extension {
    Extension {
        literal: inequality(pair),
        constants: Vec::new(),
        input_sets: vec![pair.to_vec()],
        depth: NO_CALL,
        is_open: false,
    }
}
