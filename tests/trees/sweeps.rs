//! Trees with open thresholds against plain loops: many examples, some without a number and some with two, and negatives
//! that stand for several.

use std::collections::BTreeMap;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, ConstantId, ExampleId, ExampleSet, PredicateId};
use gleaner_data::{LoadRequest, Problem, Table, load};
use gleaner_engine::coverage::ComponentEngine;
use gleaner_engine::coverage::component::{Extreme, at_quantiles};
use gleaner_lang::program::mode::{BodyMode, ModeSubject};
use gleaner_lang::program::{Atom, Clause, Literal, Term, Threshold};
use gleaner_lang::syntax::Sources;
use gleaner_learn::Task;
use gleaner_learn::trees::TreeConfig;
use gleaner_learn::trees::grow::{Growing, grow};
use gleaner_learn::trees::loss::Gradients;
use gleaner_learn::trees::proposed::KnownTests;
use gleaner_learn::trees::proposing::Proposing;
use gleaner_learn::trees::tree::{Node, OpenClause, Tree};
use rand::RngExt;

use super::config;
use crate::support::task::{Conditions, on_sets};

const N_EXAMPLES: usize = 7_000;

/// The numbers of each example in each column.
type Columns = BTreeMap<PredicateId, Vec<Vec<i64>>>;

/// `a` has at most one number for each example, `b` up to two.
fn made(seed: u64) -> (Problem, Columns) {
    let mut facts =
        ":- modeh(1, t(+x)). :- modeb(1, a(+x, -n)). :- modeb(*, b(+x, -m)). :- modeb(1, +n >= #n). \
         :- modeb(1, +n =< #n). :- modeb(1, +m >= #m). :- modeb(1, +m =< #m).\n"
            .to_owned();
    let (mut names, mut labels) = (Vec::new(), Vec::new());
    let mut rng = stream(seed, Purpose::Generate, &[]);
    let mut rows: Vec<[Vec<i64>; 2]> = Vec::new();
    for at in 0..N_EXAMPLES {
        let name = format!("x{at:05}");
        let n_each = [usize::from(rng.random_bool(0.9)), rng.random_range(0..=2)];
        let numbers = n_each.map(|n| (0..n).map(|_| rng.random_range(-300..300_i64)).collect::<Vec<i64>>());
        let is_positive = numbers[0].iter().sum::<i64>() + rng.random_range(-200..200) > 0;
        for (column, numbers) in ["a", "b"].iter().zip(&numbers) {
            numbers.iter().for_each(|number| facts += &format!("{column}({name},{number}).\n"));
        }
        names.push(name);
        labels.push(is_positive);
        rows.push(numbers);
    }
    let examples = Table::new("t").column("x", names).column("label", labels);
    let request = LoadRequest::of_facts([examples], facts);
    let problem = load(&request, &mut Sources::new()).expect("the problem loads").problem;
    let mut columns = Columns::new();
    for (nth, name) in ["a", "b"].iter().enumerate() {
        let mut of_examples = vec![Vec::new(); problem.examples().len()];
        for id in problem.examples().ids() {
            let name = problem.symbols().constants.text(problem.examples().arguments(id)[0]);
            let at: usize = name[1..].parse().expect("its number");
            of_examples[id.index()].clone_from(&rows[at][nth]);
        }
        columns.insert(problem.symbols().find_predicate(name, 2).expect("it has facts"), of_examples);
    }
    (problem, columns)
}

/// An atom of a clause: its column, and the limits of its number, each with whether it is the least.
type Limited<'l> = (&'l [Vec<i64>], Vec<(bool, i64)>);

/// The atoms of a clause over the columns. It covers an example if each has a number within its limits.
fn atoms<'l>(problem: &Problem, columns: &'l Columns, clause: &Clause) -> Vec<Limited<'l>> {
    let limit = |threshold: Threshold| -> (bool, i64) {
        let text = problem.symbols().constants.text(threshold.constant);
        (threshold.is_least, text.parse().expect("whole numbers alone"))
    };
    let limited = |Atom { predicate, arguments }: &Atom| {
        let thresholds = clause.body.iter().filter_map(Threshold::of);
        let of_atom = thresholds.filter(|threshold| Term::Variable(threshold.variable) == arguments[1]);
        (columns[predicate].as_slice(), of_atom.map(limit).collect())
    };
    clause.body.iter().filter_map(Literal::positive_atom).map(limited).collect()
}

/// What is known of one run.
struct Loops<'l> {
    problem: &'l Problem,
    columns: &'l Columns,
    task: &'l Task<'l>,
    gradients: &'l Gradients,
    config: &'l TreeConfig,
}

impl Loops<'_> {
    fn passing(&self, clause: &Clause, examples: &[usize]) -> Vec<usize> {
        let atoms = atoms(self.problem, self.columns, clause);
        let is_within = |value: i64, limits: &[(bool, i64)]| {
            limits.iter().all(|&(is_least, limit)| if is_least { value >= limit } else { value <= limit })
        };
        let passes = |&at: &usize| {
            let example = self.task.train.example(at).expect("it holds an example").index();
            atoms.iter().all(|(column, limits)| column[example].iter().any(|&value| is_within(value, limits)))
        };
        examples.iter().copied().filter(passes).collect()
    }

    /// `S^2 / n`, of weighted examples.
    fn explained(&self, examples: &[usize]) -> f64 {
        let Gradients { of, stands_for, .. } = self.gradients;
        let sum: f64 = examples.iter().map(|&at| of[at] * stands_for[at]).sum();
        let weight: f64 = examples.iter().map(|&at| stands_for[at]).sum();
        if examples.is_empty() { 0.0 } else { sum * sum / weight }
    }

    /// The gain of a split; nothing where a side is too small.
    fn gain(&self, clause: &Clause, examples: &[usize]) -> Option<f64> {
        let passing = self.passing(clause, examples);
        let failing: Vec<usize> =
            examples.iter().copied().filter(|at| passing.binary_search(at).is_err()).collect();
        (passing.len().min(failing.len()) >= self.config.min_leaf)
            .then(|| self.explained(&passing) + self.explained(&failing) - self.explained(examples))
    }

    /// The clauses of all tests of a node, with each threshold at a quantile of the node's examples.
    fn clauses(&self, open: &OpenClause, examples: &[usize]) -> Vec<Clause> {
        let (config, universe) = (self.config, self.task.train);
        let proposing = Proposing {
            task: self.task,
            universe,
            gradients: self.gradients,
            saturation: config.saturation,
            test_length: config.test_length,
            n_sampled: N_EXAMPLES,
            budget: &Budget::unlimited(),
            known: &KnownTests::default(),
        };
        let set = ExampleSet::from_positions(universe.len(), examples.iter().copied());
        // All examples propose the same few tests.
        let some = ExampleSet::from_positions(universe.len(), examples.iter().copied().step_by(7));
        let tests = proposing.tests(open, &some, &mut stream(1, Purpose::Search, &[])).0;
        let mut clauses = Vec::new();
        for test in tests.iter().filter(|test| !test.counts) {
            let longer = open.with(test);
            let Some(at) = test.open else {
                clauses.push(longer.clause(config.saturation.object_identity));
                continue;
            };
            let at = open.literals.len() + at;
            let threshold = Threshold::of(&longer.literals[at]).expect("it is open");
            let body: Vec<u16> =
                (0..).take(longer.literals.len()).filter(|&nth| usize::from(nth) != at).collect();
            let extreme = if threshold.is_least { Extreme::Greatest } else { Extreme::Least };
            let mut engine = ComponentEngine::new(
                self.problem.worlds(),
                universe,
                longer.head.clone(),
                longer.literals.clone(),
                Budget::unlimited(),
            )
            .within(&set);
            let extremes = engine.extremes(&body, threshold.variable, extreme).expect("nothing interrupts");
            let binned = extremes.binned().expect("so many examples have numbers");
            let in_bins = binned.thresholds(extreme).map(|(_, constant)| {
                let fixed = Threshold::moved(&longer.literals[at], constant);
                let mut literals = longer.literals.clone();
                literals[at] = fixed;
                let clause = Clause::renumbered(&longer.head, &literals);
                (constant, (self.passing(&clause, examples), clause))
            });
            let steps: Vec<(ConstantId, (Vec<usize>, Clause))> = in_bins.collect();
            let n_of = |of_class: bool| {
                move |(passing, _): &(Vec<usize>, Clause)| {
                    passing.iter().filter(|&&at| universe.is_positive(at) == of_class).count()
                }
            };
            let [positives, negatives] = [true, false].map(|of_class| at_quantiles(&steps, n_of(of_class)));
            let kept = steps.into_iter().zip(positives.into_iter().zip(negatives));
            clauses
                .extend(kept.filter(|(_, (one, other))| *one || *other).map(|((_, (_, clause)), _)| clause));
        }
        clauses
    }

    /// Holds each split of a tree against all tests of its node.
    fn check(&self, tree: &Tree, at: usize, open: &OpenClause, examples: &[usize]) -> usize {
        let Node::Split(split) = &tree.nodes[at] else { return 0 };
        let gains =
            self.clauses(open, examples).into_iter().filter_map(|clause| self.gain(&clause, examples));
        let best = gains.max_by(f64::total_cmp).expect("some test divides the node");
        let found = self.gain(&split.clause, examples).expect("both sides are large enough");
        assert!((found - best).abs() <= 1e-9 * best, "{found} of {best}: {:?}", split.clause);
        let passing = self.passing(&split.clause, examples);
        let failing: Vec<usize> =
            examples.iter().copied().filter(|at| passing.binary_search(at).is_err()).collect();
        let mut longer = open.clone();
        longer.literals = split.clause.body.clone();
        longer.constants = vec![Vec::new(); longer.literals.len()];
        // Each atom of a test gives one variable, of the column's type.
        let of_atom = |atom: &Atom| {
            let is_of = |mode: &&BodyMode| mode.subject == ModeSubject::Relation(atom.predicate);
            let mode = self.problem.modes().body.iter().find(is_of);
            mode.expect("an atom has a mode").arguments[1].type_id()
        };
        longer.types.truncate(1);
        longer.types.extend(split.clause.body.iter().filter_map(Literal::positive_atom).map(of_atom));
        1 + self.check(tree, split.on_true, &longer, &passing)
            + self.check(tree, split.on_false, open, &failing)
    }
}

#[test]
fn trees_on_many_numbers_are_those_of_plain_loops() {
    for seed in 1..=2 {
        let (problem, columns) = made(seed);
        let all: Vec<ExampleId> = problem.examples().ids().collect();
        let conditions = Conditions { rng_seed: seed, budget: &Budget::unlimited() };
        on_sets(&problem, &[all.clone(), all], conditions, |task, context, stores| {
            let mut rng = stream(seed, Purpose::Weights, &[]);
            let n = task.train.len();
            // With one seed all negatives stand for as many, with the other for two numbers of others.
            let several = [2.5, if seed == 1 { 2.5 } else { 4.0 }];
            let mut gradients = Gradients::of_classes(vec![0.0; n], vec![0.0; n]);
            for (at, _) in task.train.iter() {
                let size = rng.random_range(0.1..0.9);
                let is_positive = task.train.is_positive(at);
                gradients.of[at] = if is_positive { size } else { -size };
                gradients.stands_for[at] = if is_positive { 1.0 } else { several[at % 2] };
            }
            let further = [
                ("leaves", "4"),
                ("min-leaf", "20"),
                ("node-sample", "500"),
                ("tree-depth", "3"),
                ("object-identity", "off"),
            ];
            let config = config("tree", &further);
            let grown = grow(&Growing {
                task,
                config: &config,
                context,
                store: &stores[0],
                examples: task.train.all(),
                gradients: &gradients,
                path: &[],
                known: &KnownTests::default(),
                may_be_cut: false,
            })
            .expect("nothing interrupts");
            let examples: Vec<usize> = task.train.iter().map(|(at, _)| at).collect();
            let root = OpenClause::most_general(&task.modes.head, task.train);
            let loops =
                Loops { problem: &problem, columns: &columns, task, gradients: &gradients, config: &config };
            assert_eq!(loops.check(&grown.tree, 0, &root, &examples), 3);
        });
    }
}
