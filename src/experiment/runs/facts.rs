//! The facts that the examples of a run see: those of the data, and what follows from the run's train examples.
//!
//! The facts that the examples of some sets see, where examples have cut-offs.
//!
//! Each cut-off is a world with all facts before it, and most of these are of entities that none of its examples leads
//! to. A search looks at worlds as a whole, so it gets small ones.
//!
//! The facts of a run: what rules about train examples derive for it. [GLEANER §4.1.3, Appendix A.7]
//!
//! Examples of tune and test see the statistics of all train examples. A train example sees those of other inner folds, so its
//! own label is never among them. The inner folds are train's given folds if there are at least five, else ten that are dealt
//! out by class. No label of tune or test is in any statistic.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ConstantId, ExampleId, PredicateId, WorldId};
use gleaner_data::{NewNumbers, Problem, Statistics, TrainRules};
use gleaner_engine::coverage::Universe;
use gleaner_engine::datalog::Background;
use gleaner_engine::mining::extensions::reached_worlds;
use gleaner_lang::program::mode::ArgumentMode;
use gleaner_lang::program::{Literal, Number};
use gleaner_lang::syntax::Diagnostic;
use gleaner_stats::eval::stratified_folds;
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use crate::experiment::runs::known_target::with_known_target;
use crate::experiment::runs::split::Split;

/// The problem as a run sees it; `None` where all runs see the same. Bodies that know the target do not go with rules about
/// train examples, so at most one of the two changes the problem.
///
/// **Cost**: that of [`with_known_target`] or of [`with_train_facts`].
pub fn with_facts_of_run(problem: &Problem, split: &Split) -> Option<Problem> {
    let seen = with_known_target(problem, split).or_else(|| with_train_facts(problem, split));
    seen.as_ref().unwrap_or(problem).with_modes_of(split.run_idx).or(seen)
}

/// The worlds for clauses over these sets. Without cut-offs they are all worlds, as they are. With cut-offs, worlds
/// without an example of the sets are empty. If `are_of_modes`, all clauses are within the modes; the other worlds then
/// have only the facts that such clauses meet from their examples, which changes no cover.
pub(crate) fn seen_worlds<'p>(
    problem: &'p Problem,
    sets: &[&Universe],
    are_of_modes: bool,
) -> Cow<'p, [Background]> {
    let examples: Vec<ExampleId> = sets.iter().flat_map(|set| set.iter().map(|(_, id)| id)).collect();
    let mut worlds = problem.worlds_seen_by(examples.iter().copied());
    if let Cow::Owned(worlds) = &mut worlds
        && are_of_modes
        && have_inputs(problem)
        // Of a database each world has only such facts from the beginning.
        && problem.schema().is_none()
    {
        let universe = Universe::new(Arc::clone(problem.examples()), &examples);
        let reached = reached_worlds(worlds, problem.modes(), &universe, usize::MAX);
        let mut seen: Vec<usize> = examples.iter().map(|&id| problem.examples().world(id).index()).collect();
        seen.sort_unstable();
        seen.dedup();
        for (world, reached) in seen.into_iter().zip(reached) {
            worlds[world] = reached;
        }
    }
    worlds
}

/// Whether each literal of the modes takes something that its clause knows already. Else literals meet facts that no
/// example leads to.
fn have_inputs(problem: &Problem) -> bool {
    let relations = problem.modes().body.iter().filter(|mode| mode.subject.predicate().is_some());
    let is_input = |argument: &ArgumentMode| matches!(argument, ArgumentMode::Input(_));
    relations.map(|mode| &mode.arguments).all(|arguments| arguments.iter().any(is_input))
}

/// Inner folds that are dealt out.
const N_FOLDS: NonZeroU32 = NonZeroU32::new(10).expect("above 0");

/// The fewest given folds of train that serve as inner folds.
const FEWEST_FOLDS: usize = 5;

/// The problem as a run sees it, where rules ask for train examples; `None` where none does.
///
/// **Cost**: the rules once for each inner fold over the facts of all worlds of train, and once in each world.
pub fn with_train_facts(problem: &Problem, split: &Split) -> Option<Problem> {
    let rules = problem.train_rules()?.without_limit();
    let run = Run::new(problem, split, &rules);
    let parts = run.parts().ok()?;
    let n_constants = problem.symbols().constants.len();
    let mut worlds: Vec<Background> = Vec::with_capacity(problem.worlds().len());
    let mut of_example: Vec<WorldId> =
        problem.examples().ids().map(|id| problem.examples().world(id)).collect();
    let added = |part: &Derived<'_>| part.facts.added_to(&problem.worlds()[part.world.index()], n_constants);
    let known: Vec<Background> = parts.par_iter().map(added).collect();
    for (part, world) in parts.iter().zip(known) {
        part.examples.iter().for_each(|id| of_example[id.index()] = WorldId::new(worlds.len()));
        worlds.push(world);
    }
    let examples = problem.examples().with_worlds(&of_example);
    Some(problem.seeing(worlds, examples))
}

/// The problem with all numbers that its runs' facts have and the data lack.
///
/// # Errors
///
/// The rules derive too much.
pub fn with_numbers_of_runs<'s>(
    problem: Problem,
    splits: impl IntoIterator<Item = &'s Split>,
) -> Result<Problem, Diagnostic> {
    let Some(rules) = problem.train_rules() else { return Ok(problem) };
    let mut further = Numbers::new();
    for split in splits {
        let run = Run::new(&problem, split, rules);
        if !rules.may_make_numbers(of_clauses(&problem)) {
            // Only whether the rules can be run.
            run.all()?;
            continue;
        }
        for part in run.parts()? {
            further.extend(part.facts.numbers().new_numbers().iter().cloned());
        }
    }
    let further: Vec<(String, Option<Number>)> = further.into_iter().collect();
    Ok(problem.with_numbers(&further))
}

/// The predicates that clauses of the problem may have.
fn of_clauses(problem: &Problem) -> Vec<PredicateId> {
    let modes = problem.modes().body.iter().filter_map(|mode| mode.subject.predicate().copied());
    let given = problem.given_clauses().into_iter();
    let given = given.flat_map(|given| given.of_all.iter().chain(given.of_runs.values().flatten()));
    let atoms = given.flat_map(|clause| clause.body.iter().flat_map(Literal::atoms));
    modes.chain(atoms.map(|atom| atom.predicate)).collect()
}

/// The statistics that a run's model keeps, as facts in texts; none where no rule asks for train examples.
pub fn kept_statistics(problem: &Problem, split: &Split) -> Vec<String> {
    let Some(rules) = problem.train_rules() else { return Vec::new() };
    let rules = rules.without_limit();
    Run::new(problem, split, &rules).all().map_or_else(|_| Vec::new(), |all| all.texts(problem))
}

/// The problem as a model that keeps these statistics scores it.
///
/// **Cost**: the rules once in each world; twice where they compute numbers that the data lack.
///
/// # Errors
///
/// The rules derive too much.
pub fn with_statistics(problem: Problem, facts: &[GroundFact]) -> Result<Problem, Diagnostic> {
    let Some(rules) = problem.train_rules() else { return Ok(problem) };
    let (worlds, further) = worlds_with_statistics(&problem, rules, facts)?;
    if further.is_empty() {
        return Ok(problem.with_facts(Arc::clone(problem.symbols()), worlds));
    }
    let further: Vec<(String, Option<Number>)> = further.into_iter().collect();
    let problem = problem.with_numbers(&further);
    let (worlds, _) = worlds_with_statistics(&problem, rules, facts)?;
    Ok(problem.with_facts(Arc::clone(problem.symbols()), worlds))
}

/// A fact over a problem's ids.
pub type GroundFact = (PredicateId, Vec<ConstantId>);

/// Numbers by their texts.
type Numbers = BTreeMap<String, Option<Number>>;

/// The worlds of a problem with what follows from statistics, and the numbers that its symbols lack.
fn worlds_with_statistics(
    problem: &Problem,
    rules: &TrainRules,
    facts: &[GroundFact],
) -> Result<(Vec<Background>, Numbers), Diagnostic> {
    let statistics = Statistics::given(facts.iter().cloned(), NewNumbers::of(problem.symbols()));
    let n_constants = problem.symbols().constants.len();
    let mut further = Numbers::new();
    let mut worlds = Vec::with_capacity(problem.worlds().len());
    for world in problem.worlds() {
        let derived = rules.derived(problem, world, &statistics)?;
        further.extend(derived.numbers().new_numbers().iter().cloned());
        worlds.push(derived.added_to(world, n_constants));
    }
    Ok((worlds, further))
}

/// The examples of a run that see the same facts.
struct Derived<'r> {
    examples: Vec<ExampleId>,
    world: WorldId,
    facts: Statistics<'r>,
}

struct Run<'r> {
    problem: &'r Problem,
    split: &'r Split,
    rules: &'r TrainRules,
    numbers: NewNumbers<'r>,
}

impl<'r> Run<'r> {
    fn new(problem: &'r Problem, split: &'r Split, rules: &'r TrainRules) -> Self {
        Self { problem, split, rules, numbers: NewNumbers::of(problem.symbols()) }
    }

    /// The statistics of all train examples.
    fn all(&self) -> Result<Statistics<'r>, Diagnostic> {
        self.without(&[])
    }

    /// The statistics of the train examples that are not among some, which ascend.
    fn without(&self, left_out: &[ExampleId]) -> Result<Statistics<'r>, Diagnostic> {
        let train = self.split.train.iter().copied().filter(|id| left_out.binary_search(id).is_err());
        self.rules.statistics(self.problem, train.collect(), self.numbers.clone())
    }

    /// All examples of the problem by what they see: first those outside train, by world.
    fn parts(&self) -> Result<Vec<Derived<'r>>, Diagnostic> {
        let mut sets: Vec<Vec<ExampleId>> = vec![Vec::new()];
        sets.extend(self.inner_folds());
        let mut is_train = vec![false; self.problem.examples().len()];
        self.split.train.iter().for_each(|id| is_train[id.index()] = true);
        let others: Vec<ExampleId> =
            self.problem.examples().ids().filter(|id| !is_train[id.index()]).collect();
        let of_set = |set: &Vec<ExampleId>| -> Result<Vec<Derived<'r>>, Diagnostic> {
            let statistics = self.without(set)?;
            let seeing = if set.is_empty() { &others } else { set };
            let of_world = |(world, examples)| {
                let base = &self.problem.worlds()[WorldId::index(world)];
                let facts = self.rules.derived(self.problem, base, &statistics)?;
                Ok(Derived { examples, world, facts })
            };
            self.by_world(seeing).into_iter().map(of_world).collect()
        };
        let parts: Result<Vec<Vec<Derived<'r>>>, Diagnostic> = sets.par_iter().map(of_set).collect();
        Ok(parts?.into_iter().flatten().collect())
    }

    fn by_world(&self, examples: &[ExampleId]) -> BTreeMap<WorldId, Vec<ExampleId>> {
        let mut by_world: BTreeMap<WorldId, Vec<ExampleId>> = BTreeMap::new();
        for &id in examples {
            by_world.entry(self.problem.examples().world(id)).or_default().push(id);
        }
        by_world
    }

    /// Train in inner folds, each of which ascends.
    fn inner_folds(&self) -> Vec<Vec<ExampleId>> {
        let examples = self.problem.examples();
        let train = &self.split.train;
        let mut given: BTreeMap<_, Vec<ExampleId>> = BTreeMap::new();
        train.iter().for_each(|&id| given.entry(examples.fold(id)).or_default().push(id));
        if given.len() >= FEWEST_FOLDS {
            return given.into_values().collect();
        }
        let classes: Vec<bool> = train.iter().map(|&id| examples.is_positive(id)).collect();
        let mut rng = stream(self.rules.rng_seed, Purpose::Folds, &[6, self.split.run_idx as u64]);
        let dealt = stratified_folds(&classes, N_FOLDS, &mut rng);
        let of_fold = |fold: u32| -> Vec<ExampleId> {
            train.iter().zip(&dealt).filter(|&(_, &of)| of == fold).map(|(&id, _)| id).collect()
        };
        (0..N_FOLDS.get()).map(of_fold).filter(|part| !part.is_empty()).collect()
    }
}
