//! Tests of a node: the proposals from the facts of a sample of its examples.
//!
//! Tests, made of literals that facts propose.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::seq::index::sample;
use rand_pcg::Pcg64;
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use crate::Task;
use gleaner_base::{
    Budget, ConstantId, ExampleId, ExampleSet, FixedMap, FixedSet, StopReason, TypeId, VariableId,
};
use gleaner_engine::bias::{Extension, SaturationConfig, extensions};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::reference::witnesses;
use gleaner_engine::datalog::Background;
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::mode::{ArgumentMode, BodyMode};
use gleaner_lang::program::{Clause, Literal, Term, Threshold, Thresholds};

use super::loss::Gradients;
use super::proposed::{Alone, AnotherAnswer, CallsMade, KnownTests, NO_CALL, Proposed};
use super::tree::{OpenClause, Test};

/// The most proofs of the way's clause, for one example, that tests are proposed from.
const MOST_PROOFS: usize = 4;

/// Rows and literals that the search for these proofs may look at.
const MOST_PROOF_STEPS: u64 = 10_000;

/// The inputs for proposing tests.
#[derive(Clone, Copy, Debug)]
pub struct Proposing<'a> {
    /// Facts and modes.
    pub task: &'a Task<'a>,
    /// The examples, by position.
    pub universe: &'a Universe,
    /// Their gradients: tests are proposed from examples that a test shall tell apart.
    pub gradients: &'a Gradients,
    /// Limits of calls.
    pub saturation: SaturationConfig,
    /// Most literals of a test, inequalities not counted.
    pub test_length: u32,
    /// Examples of each class.
    pub n_sampled: usize,
    /// Outer stops.
    pub budget: &'a Budget,
    /// The tests that were proposed before.
    pub known: &'a KnownTests,
}

/// What an example proposes.
enum OfExample {
    /// The numbers of tests that it proposed before.
    Known(Arc<[u32]>),
    /// All its tests.
    New(ExampleId, FixedSet<Test>),
    /// Its tests until an outer stop.
    Cut(FixedSet<Test>, StopReason),
}

/// Modes of comparisons with their numbers, by the type of what they compare.
type Comparisons<'m> = FixedMap<TypeId, Vec<(usize, &'m BodyMode)>>;

impl Proposing<'_> {
    /// The tests of a node with this clause and these examples, ascending: those of fewer literals first, then those of fewer
    /// thresholds. If an outer stop ends the work, it is given, too; the tests are then those proposed until it.
    pub fn tests(
        &self,
        open: &OpenClause,
        examples: &ExampleSet,
        rng: &mut Pcg64,
    ) -> (Vec<Arc<Test>>, Option<StopReason>) {
        let clause = open.clause(self.saturation.object_identity);
        let of_example = |&example: &ExampleId| match self.known.get(open, example) {
            Some(known) => OfExample::Known(known),
            None => self.of_example(open, &clause, example),
        };
        let sampled = self.sampled(examples, rng);
        let found: Vec<OfExample> = sampled.par_iter().map(of_example).collect();
        let mut numbers = BTreeSet::new();
        let mut stop = None;
        // Tests are numbered in the order of the examples, whichever thread found them.
        for of_example in found {
            let of_example = match of_example {
                OfExample::Known(known) => known,
                OfExample::New(example, tests) => self.known.insert(open, example, tests),
                OfExample::Cut(tests, reason) => {
                    stop = stop.or(Some(reason));
                    self.known.numbers(tests)
                }
            };
            numbers.extend(of_example.iter().copied());
        }
        let mut tests = self.known.tests(&numbers);
        let n_thresholds = |literals: &[Literal]| literals.iter().filter_map(Threshold::of).count();
        if let Some(most) = self.saturation.max_thresholds.checked_sub(n_thresholds(&open.literals)) {
            tests.retain(|test| n_thresholds(&test.literals) <= most);
        }
        // The first of equal tests is taken. One without a threshold speaks of a row, of which later tests can say more; a
        // count of such rows that is at least 1 covers the same, and leads nowhere.
        let key = |test: &Test| (test.literals.len(), n_thresholds(&test.literals));
        tests.sort_unstable_by(|left, right| key(left).cmp(&key(right)).then_with(|| left.cmp(right)));
        (tests, stop)
    }

    /// The tests that hold of an example.
    fn of_example(&self, open: &OpenClause, clause: &Clause, example: ExampleId) -> OfExample {
        let background = &self.task.worlds[self.task.examples.world(example).index()];
        let mut tests = Proposed::default();
        let done = self.budget.check().and_then(|()| {
            let mut proofs = self.proofs(background, clause, open, example).into_iter();
            proofs.try_for_each(|known| self.propose(background, open, &known, &mut tests))
        });
        match done {
            Ok(()) => OfExample::New(example, tests.tests),
            Err(stop) => OfExample::Cut(tests.tests, stop),
        }
    }

    /// So many examples of each class.
    fn sampled(&self, examples: &ExampleSet, rng: &mut Pcg64) -> Vec<ExampleId> {
        let (positives, negatives): (Vec<usize>, Vec<usize>) =
            examples.iter().partition(|&at| self.gradients.is_upper(at, self.universe.is_positive(at)));
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

    /// The modes of comparisons whose numbers are found by sweeps, with their numbers, by the type of what they compare.
    fn comparisons(&self) -> Comparisons<'_> {
        let is_swept = self.saturation.thresholds != Thresholds::Seed;
        let modes = self.task.modes.body.iter();
        let mut comparisons = Comparisons::default();
        for of in modes.filter(|mode| is_swept && mode.subject.comparison().is_some()).enumerate() {
            for argument in &of.1.arguments {
                if let ArgumentMode::Input(of_type) = argument {
                    comparisons.entry(*of_type).or_default().push(of);
                }
            }
        }
        comparisons
    }

    /// The open thresholds of these variables, by modes of comparisons. A number is of no use without one, so it does not
    /// count as a literal of a test.
    fn thresholds_of(
        comparisons: &Comparisons<'_>,
        variables: &[VariableId],
        types: &[TypeId],
    ) -> Vec<Extension> {
        let any_number = Term::Constant(ConstantId::default());
        let open = |mode: &BodyMode, variable: VariableId| {
            let side = |argument: &ArgumentMode| match *argument {
                ArgumentMode::Input(of_type) if of_type == types[variable.index()] => {
                    Some(Term::Variable(variable))
                }
                ArgumentMode::Constant(_) => Some(any_number),
                ArgumentMode::Input(_) | ArgumentMode::Output(_) => None,
            };
            let literal = mode.subject.literal(mode.arguments.iter().map(side).collect::<Option<_>>()?)?;
            Threshold::of(&literal)?;
            let input_sets = vec![vec![variable]];
            Some(Extension { literal, constants: Vec::new(), input_sets, depth: 2, is_open: true })
        };
        let of_variable = |(at, variable): (usize, &VariableId)| {
            let modes = comparisons.get(&types[variable.index()]);
            modes.into_iter().flatten().map(move |&(nth, mode)| (nth, at, mode)).collect::<Vec<_>>()
        };
        let mut calls: Vec<(usize, usize, &BodyMode)> =
            variables.iter().enumerate().flat_map(of_variable).collect();
        calls.sort_by_key(|&(nth, at, _)| (nth, at));
        calls.dedup_by_key(|&mut (nth, at, _)| (nth, at));
        calls.into_iter().filter_map(|(_, at, mode)| open(mode, variables[at])).collect()
    }

    /// Adds the tests that hold of these values.
    fn propose(
        &self,
        background: &Background,
        open: &OpenClause,
        known: &[(ConstantId, TypeId)],
        tests: &mut Proposed,
    ) -> Result<(), StopReason> {
        let limits = SaturationConfig { depth: self.test_length, ..self.saturation };
        let (found, types) = extensions(background, self.task.modes, known, limits, self.budget)?;
        let making = Making { open, types: &types };
        let comparisons = self.comparisons();
        let calls = CallsMade {
            open,
            types: &types,
            is_proposed: limits.object_identity == ObjectIdentity::Proposed,
            orders: &self.task.modes.orders,
        };
        let is_new = |variable: &VariableId| variable.index() >= open.types.len();
        let mut with_variable: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
        let alone: Vec<Alone> = found.iter().map(|extension| tests.alone(&making, extension)).collect();
        for (at, of) in alone.iter().enumerate() {
            of.new.iter().for_each(|variable| with_variable[variable.index()].push(at));
        }
        for (at, first) in found.iter().enumerate() {
            self.budget.check()?;
            let connects = !first.literal.variables().iter().all(is_new);
            if first.depth > 1 || !connects || open.literals.contains(&first.literal) {
                continue;
            }
            let another = calls.of(first);
            let plain: Vec<&AnotherAnswer> = another.iter().filter(|known| calls.is_plain(known)).collect();
            tests.add_alone(&making, first, &alone[at], &plain);
            if self.test_length < 2 {
                continue;
            }
            let new = &alone[at].new;
            let mut seconds: Vec<usize> =
                new.iter().flat_map(|variable| with_variable[variable.index()].iter().copied()).collect();
            seconds.sort_unstable();
            seconds.dedup();
            for second in seconds.into_iter().filter(|&second| second != at) {
                let extension = &found[second];
                let is_known = |variable: &VariableId| !is_new(variable) || new.contains(variable);
                if extension.input_sets.iter().any(|inputs| inputs.iter().all(is_known)) {
                    let repeated: Vec<&AnotherAnswer> =
                        another.iter().filter(|known| calls.repeats(known, &extension.literal)).collect();
                    let alone = [&alone[at], &alone[second]];
                    let added: Vec<VariableId> =
                        alone[1].new.iter().copied().filter(|variable| !new.contains(variable)).collect();
                    let thresholds = || Self::thresholds_of(&comparisons, &added, &types);
                    tests.add_pair(&making, [first, extension], alone, &repeated, thresholds);
                }
            }
        }
        Ok(())
    }
}

/// The inputs for making tests.
pub(super) struct Making<'a> {
    /// The clause of the way to the node.
    pub(super) open: &'a OpenClause,
    /// The types of all variables, new ones too.
    pub(super) types: &'a [TypeId],
}

impl Making<'_> {
    /// The test of two literals, with further ones after them. The two have the order that comes first once new
    /// variables are numbered.
    pub(super) fn pair(&self, [first, second]: [&Extension; 2], further: &[Extension]) -> Test {
        let with_further = |pair: [&Extension; 2]| {
            let all: Vec<&Extension> = pair.into_iter().chain(further).collect();
            self.in_order(&all).0
        };
        let test = with_further([first, second]);
        if second.depth > 1 { test } else { test.min(with_further([second, first])) }
    }

    /// The test of literals in this order, and its new variables.
    pub(super) fn in_order(&self, literals: &[&Extension]) -> (Test, Vec<VariableId>) {
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
        let mut literal = |extension: &&Extension| {
            let renamed = extension.literal.map_terms(&mut renamed);
            // Examples with other values propose the same threshold, if it is open.
            if extension.is_open { Threshold::moved(&renamed, ConstantId::default()) } else { renamed }
        };
        let renamed = literals.iter().map(&mut literal).collect();
        let test = Test {
            literals: renamed,
            constants: literals.iter().map(|extension| extension.constants.clone()).collect(),
            types: new.iter().map(|variable| self.types[variable.index()]).collect(),
            counts: literals.iter().any(|extension| extension.depth == NO_CALL),
            open: literals.iter().position(|extension| extension.is_open),
        };
        (test, new)
    }
}
