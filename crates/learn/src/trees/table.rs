//! The literals of a node's clause and of its tests, numbered for an engine.

use std::sync::Arc;

use gleaner_base::{FixedMap, TypeId, VariableId};
use gleaner_lang::program::object_identity::{Distinctions, LiteralTerms, ObjectIdentity};
use gleaner_lang::program::order::Orders;
use gleaner_lang::program::{Literal, Term};

use super::open_clause::OpenClause;
use super::split_order::SplitOrder;
use super::test::Test;

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
