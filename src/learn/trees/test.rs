//! Tests of a node: what the facts of a sample of its examples propose.

use std::collections::BTreeSet;

use rand::seq::index::sample;
use rand_pcg::Pcg64;

use crate::base::{Budget, ConstantId, ExampleId, ExampleSet, StopReason, TypeId, VariableId};
use crate::bias::{Extension, SaturationConfig, extensions};
use crate::coverage::Universe;
use crate::coverage::witness::witnesses;
use crate::datalog::Background;
use crate::learn::Task;
use crate::program::{Clause, Literal, Term};

use super::open_clause::OpenClause;

/// Proofs of the way's clause, of one example, that tests are proposed from.
const MOST_PROOFS: usize = 4;

/// Rows and literals that the search for them may look at.
const MOST_PROOF_STEPS: u64 = 10_000;

/// One literal or two, over the variables of a clause and new ones, which are numbered on from them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Test {
    /// The literals.
    pub literals: Vec<Literal>,
    /// By literal: its constants, with the types at their places.
    pub constants: Vec<Vec<(ConstantId, TypeId)>>,
    /// The types of the new variables.
    pub types: Vec<TypeId>,
}

/// What tests are proposed from.
#[derive(Clone, Copy, Debug)]
pub struct Proposing<'a> {
    /// Facts and modes.
    pub task: &'a Task<'a>,
    /// The examples, by position.
    pub universe: &'a Universe,
    /// Limits of calls.
    pub saturation: SaturationConfig,
    /// Most literals of a test.
    pub test_length: u32,
    /// Examples of each class.
    pub n_sampled: usize,
    /// Outer stops.
    pub budget: &'a Budget,
}

impl Proposing<'_> {
    /// The tests of a node with this clause and these examples, ascending: of fewer literals first.
    ///
    /// # Errors
    ///
    /// The outer stop.
    pub fn tests(
        &self,
        open: &OpenClause,
        examples: &ExampleSet,
        rng: &mut Pcg64,
    ) -> Result<Vec<Test>, StopReason> {
        let clause = open.clause(self.saturation.object_identity);
        let mut tests = BTreeSet::new();
        for example in self.sampled(examples, rng) {
            let background = &self.task.worlds[self.task.examples.world(example).index()];
            for known in self.proofs(background, &clause, open, example) {
                self.propose(background, open, &known, &mut tests)?;
            }
        }
        let mut tests: Vec<Test> = tests.into_iter().collect();
        tests.sort_by_key(|test| test.literals.len());
        Ok(tests)
    }

    /// So many examples of each class.
    fn sampled(&self, examples: &ExampleSet, rng: &mut Pcg64) -> Vec<ExampleId> {
        let (positives, negatives): (Vec<usize>, Vec<usize>) =
            examples.iter().partition(|&position| self.universe.is_positive(position));
        let mut chosen = Vec::with_capacity(2 * self.n_sampled);
        for of_class in [positives, negatives] {
            let mut drawn: Vec<usize> =
                sample(rng, of_class.len(), self.n_sampled.min(of_class.len())).into_iter().collect();
            drawn.sort_unstable();
            chosen.extend(drawn.into_iter().filter_map(|at| self.universe.example(of_class[at])));
        }
        chosen
    }

    /// Values of the clause's variables in an example, with their types.
    fn proofs(
        &self,
        background: &Background,
        clause: &Clause,
        open: &OpenClause,
        example: ExampleId,
    ) -> Vec<Vec<(ConstantId, TypeId)>> {
        let arguments = self.task.examples.arguments(example);
        let proofs = witnesses(background, clause, arguments, MOST_PROOF_STEPS, MOST_PROOFS);
        let known = |values: Vec<Option<ConstantId>>| {
            values.into_iter().zip(&open.types).map(|(value, &of_type)| Some((value?, of_type))).collect()
        };
        proofs.into_iter().filter_map(known).collect()
    }

    /// Adds the tests that hold of these values.
    fn propose(
        &self,
        background: &Background,
        open: &OpenClause,
        known: &[(ConstantId, TypeId)],
        tests: &mut BTreeSet<Test>,
    ) -> Result<(), StopReason> {
        let limits = SaturationConfig { depth: self.test_length, ..self.saturation };
        let (found, types) = extensions(background, self.task.modes, known, limits, self.budget)?;
        let making = Making { open, types: &types };
        let is_new = |variable: VariableId| variable.index() >= open.types.len();
        let mut with_variable: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
        let variables: Vec<Vec<VariableId>> =
            found.iter().map(|extension| extension.literal.variables()).collect();
        for (at, of) in variables.iter().enumerate() {
            of.iter().for_each(|variable| with_variable[variable.index()].push(at));
        }
        for (at, first) in found.iter().enumerate() {
            let connects = variables[at].iter().any(|&variable| !is_new(variable));
            if first.depth > 1 || !connects || open.literals.contains(&first.literal) {
                continue;
            }
            tests.insert(making.test(&[first]));
            if self.test_length < 2 {
                continue;
            }
            let new: Vec<VariableId> =
                variables[at].iter().copied().filter(|&variable| is_new(variable)).collect();
            let seconds: BTreeSet<usize> =
                new.iter().flat_map(|variable| with_variable[variable.index()].iter().copied()).collect();
            for second in seconds.into_iter().filter(|&second| second != at) {
                let extension = &found[second];
                let is_known = |variable: &VariableId| !is_new(*variable) || new.contains(variable);
                if extension.input_sets.iter().any(|inputs| inputs.iter().all(is_known)) {
                    tests.insert(making.test(&[first, extension]));
                }
            }
        }
        Ok(())
    }
}

struct Making<'a> {
    open: &'a OpenClause,
    types: &'a [TypeId],
}

impl Making<'_> {
    /// The test of these literals, in the order that comes first once new variables are numbered.
    fn test(&self, literals: &[&Extension]) -> Test {
        let mut reversed: Vec<&Extension> = literals.to_vec();
        reversed.reverse();
        let test = self.in_order(literals);
        if literals.len() < 2 || literals[1].depth > 1 {
            return test;
        }
        test.min(self.in_order(&reversed))
    }

    fn in_order(&self, literals: &[&Extension]) -> Test {
        let n_known = self.open.types.len();
        let mut new: Vec<VariableId> = Vec::new();
        let mut renamed = |term: Term| match term {
            Term::Variable(variable) if variable.index() >= n_known => {
                let at = new.iter().position(|&known| known == variable).unwrap_or_else(|| {
                    new.push(variable);
                    new.len() - 1
                });
                Term::Variable(VariableId::new(n_known + at))
            }
            other => other,
        };
        let renamed = literals.iter().map(|extension| extension.literal.map_terms(&mut renamed)).collect();
        Test {
            literals: renamed,
            constants: literals.iter().map(|extension| extension.constants.clone()).collect(),
            types: new.iter().map(|variable| self.types[variable.index()]).collect(),
        }
    }
}
