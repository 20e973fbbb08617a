//! The links of the target that bodies may know: the links of train, but never the example itself.
//!
//! A body literal of the target is true of the train positives and of the target's given facts. It is never true of
//! positives of tune or test, nor of the example that is proved. Each example is proved from the facts of its world, so
//! a run gets worlds that differ in the target's relation alone. So engines need not know of this, and the reference is
//! as exact as the others.
//!
//! - *Leave one out*: each train positive has a world of its own, without its own atom. Only positives lose something,
//!   so literals that ask for the *absence* of links could tell train's classes apart. So learners that weigh clauses
//!   against the class are refused, and literals of the target are never proposed under a negation.
//! - *Folds*: the train examples of both classes are dealt to ten inner folds, and each sees the links of the other nine.
//!
//! Tune and test examples see all train positives.
//!
//! In a symmetric relation, the known link `r(b, a)` gives away the example `r(a, b)`. With
//! [`ItselfAndInverse`](gleaner_lang::program::OwnLinks) no example of any set sees that link: learning then uses the
//! other links.
//!
//! Where test's entities are *new* (`new_entities`), they have no known links, while those of train have some. Such a
//! link ("this student has an adviser already") is of no use in test, and misleads. There no example of any set sees a
//! known link of its own entity: examples of train are dealt by entity, so that all links of one leave together.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ConstantId, ExampleId, FixedSet, WorldId};
use gleaner_data::{KnownTarget, Problem, TargetInBody};
use gleaner_engine::datalog::Background;
use gleaner_engine::relation::Relation;
use gleaner_lang::program::{Rows, SharedEnd, Withheld};
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_stats::eval::{grouped_folds, stratified_folds};

use crate::experiment::links::lost::{Known, Lost, MOST_PARTS, alike, in_parts, new_ends};
use crate::experiment::runs::split::Split;

/// Inner folds.
const N_FOLDS: NonZeroU32 = NonZeroU32::new(10).expect("above 0");

/// The most train positives for leave-one-out: each has a world, with a relation that holds all other links.
pub const MOST_LEFT_OUT: usize = MOST_PARTS;

type Tuple<'p> = &'p [ConstantId];

/// Known links.
type Links = BTreeSet<Vec<ConstantId>>;

/// The problem as a run sees it, where bodies may know the target; `None` where they may not.
///
/// **Cost**: by folds ten times the known links (up to 27 times where entities are new at several arguments), by leave-one-out
/// their square; for each example of tune and test that loses a link, up to 2,000 of them, the known links once more. Of more
/// some are proved without each other's, too.
pub fn with_known_target(problem: &Problem, split: &Split) -> Option<Problem> {
    problem.known_target()?;
    let knowing = Knowing::new(problem, split)?;
    let mut worlds: Vec<Background> = problem
        .worlds()
        .iter()
        .zip(&knowing.links)
        .map(|(world, links)| with_target(problem, world, links.iter().cloned()))
        .collect();
    let mut of_example: Vec<WorldId> =
        problem.examples().ids().map(|id| problem.examples().world(id)).collect();
    for (world, links) in knowing.links.iter().enumerate() {
        let known = Known::new(links);
        for part in knowing.parts(WorldId::new(world), &known) {
            let lost = part.iter().map(|&id| knowing.lost(id, &known)).collect();
            let own = WorldId::new(worlds.len());
            worlds.push(with_target(problem, &problem.worlds()[world], known.without(lost)));
            part.iter().for_each(|id| of_example[id.index()] = own);
        }
    }
    let examples = problem.examples().with_worlds(&of_example);
    Some(problem.seeing(worlds, examples))
}

/// The links that the examples of a run, and those that its model scores later, are proved without.
pub fn withheld(problem: &Problem, split: &Split) -> Withheld {
    Knowing::new(problem, split).map_or_else(Withheld::default, |knowing| knowing.withheld)
}

/// The positives that no body may know: those of tune and test, unless they are positives of train as well.
fn hidden<'p>(problem: &'p Problem, split: &Split) -> FixedSet<Tuple<'p>> {
    let positives = |ids: &[ExampleId]| -> FixedSet<Tuple<'p>> {
        let positive = ids.iter().filter(|&&id| problem.examples().is_positive(id));
        positive.map(|&id| problem.examples().arguments(id)).collect()
    };
    let train = positives(&split.train);
    let mut hidden = positives(&split.tune);
    hidden.extend(positives(&split.test));
    hidden.retain(|tuple| !train.contains(tuple));
    hidden
}

struct Knowing<'p> {
    problem: &'p Problem,
    split: &'p Split,
    known: KnownTarget,
    /// The known links of each world.
    links: Vec<Links>,
    withheld: Withheld,
}

impl<'p> Knowing<'p> {
    /// `None` where bodies may not know the target.
    fn new(problem: &'p Problem, split: &'p Split) -> Option<Self> {
        let known = problem.known_target()?;
        let links = links(problem, split);
        let ends = new_ends(problem, split, &links, known.own_links);
        Some(Self { problem, split, known, links, withheld: Withheld { own_links: known.own_links, ends } })
    }

    /// The examples of a world in parts that lose the same links.
    fn parts(&self, world: WorldId, known: &Known<'_>) -> Vec<Vec<ExampleId>> {
        let examples = self.problem.examples();
        let of_world = |ids: &[ExampleId]| -> Vec<ExampleId> {
            ids.iter().copied().filter(|&id| examples.world(id) == world).collect()
        };
        let losing = |ids: &[ExampleId]| in_parts(&alike(ids, |id| self.lost(id, known)));
        let train = of_world(&self.split.train);
        let mut parts = match (self.known.way, &self.withheld.ends[..]) {
            (TargetInBody::LeaveOneOut, _) => losing(&train),
            (TargetInBody::Folds, []) => self.folds(&train),
            (TargetInBody::Folds, ends) => self.folds_of_entities(&train, ends),
        };
        let kept_back = [&self.split.tune, &self.split.test].map(|ids| of_world(ids));
        parts.extend(losing(&kept_back.concat()));
        parts
    }

    /// The links that an example is proved without. A negative's own atom stays, should the data give it as a fact.
    fn lost(&self, id: ExampleId, known: &Known<'_>) -> Lost {
        let examples = self.problem.examples();
        known.lost(&self.withheld, examples.arguments(id), examples.is_positive(id))
    }

    /// The train examples of one world in inner folds; each class is dealt separately.
    fn folds(&self, train: &[ExampleId]) -> Vec<Vec<ExampleId>> {
        let mut rng = stream(self.known.rng_seed, Purpose::Folds, &[4, self.split.run_idx as u64]);
        let folds = stratified_folds(&self.classes(train), N_FOLDS, &mut rng);
        let of_fold = |fold: u32| -> Vec<ExampleId> {
            train.iter().zip(&folds).filter(|&(_, &of)| of == fold).map(|(&id, _)| id).collect()
        };
        (0..N_FOLDS.get()).map(of_fold).filter(|part| !part.is_empty()).collect()
    }

    /// The train examples of one world in inner folds that keep the examples of each new entity together. Each of
    /// several arguments is dealt separately; examples that share the folds of all arguments form one part.
    fn folds_of_entities(&self, train: &[ExampleId], ends: &[SharedEnd]) -> Vec<Vec<ExampleId>> {
        let arguments: BTreeSet<usize> = ends.iter().map(|end| end.of_example).collect();
        let n_folds = match arguments.len() {
            0 | 1 => N_FOLDS,
            2 => const { NonZeroU32::new(5).expect("above 0") },
            _ => const { NonZeroU32::new(3).expect("above 0") },
        };
        let classes = self.classes(train);
        let mut parts: BTreeMap<Vec<u32>, Vec<ExampleId>> = BTreeMap::new();
        let folds: Vec<Vec<u32>> = arguments
            .into_iter()
            .take(3)
            .map(|argument| {
                let entities: Vec<u32> =
                    train.iter().map(|&id| self.problem.examples().arguments(id)[argument].raw()).collect();
                let path = [5, self.split.run_idx as u64, argument as u64];
                let mut rng = stream(self.known.rng_seed, Purpose::Folds, &path);
                grouped_folds(&classes, &entities, n_folds, &mut rng).expect("an entity for each class")
            })
            .collect();
        for (at, &id) in train.iter().enumerate() {
            parts.entry(folds.iter().map(|folds| folds[at]).collect()).or_default().push(id);
        }
        parts.into_values().collect()
    }

    fn classes(&self, ids: &[ExampleId]) -> Vec<bool> {
        ids.iter().map(|&id| self.problem.examples().is_positive(id)).collect()
    }
}

/// The known links of each world: given facts and positives of train.
fn links(problem: &Problem, split: &Split) -> Vec<Links> {
    let hidden = hidden(problem, split);
    let mut links: Vec<Links> = problem
        .worlds()
        .iter()
        .map(|world| {
            tuples(problem, world).into_iter().filter(|tuple| !hidden.contains(&tuple[..])).collect()
        })
        .collect();
    for &id in split.train.iter().filter(|&&id| problem.examples().is_positive(id)) {
        links[problem.examples().world(id).index()].insert(problem.examples().arguments(id).to_vec());
    }
    links
}

/// The facts of the target in a world.
fn tuples(problem: &Problem, world: &Background) -> Vec<Vec<ConstantId>> {
    let relation = world.relation(problem.examples().target());
    let tuple =
        |row: usize| (0..problem.examples().arity()).map(|column| relation.value(row, column)).collect();
    (0..relation.n_rows()).map(tuple).collect()
}

/// A world whose target holds of these.
fn with_target(
    problem: &Problem,
    world: &Background,
    known: impl Iterator<Item = Vec<ConstantId>>,
) -> Background {
    let distinct: BTreeSet<Vec<ConstantId>> = known.collect();
    let mut rows = Rows::new(problem.examples().arity());
    distinct.iter().for_each(|tuple| rows.push(tuple));
    let relation = Relation::renumbered(&rows, |constant| constant);
    world.with_relation(problem.examples().target(), Arc::new(relation))
}

/// The links that a run's model knows, as facts of the target.
pub fn known_facts(problem: &Problem, split: &Split) -> Vec<String> {
    if problem.known_target().is_none() {
        return Vec::new();
    }
    let positives = split.train.iter().filter(|&&id| problem.examples().is_positive(id));
    let facts: BTreeSet<String> = positives.map(|&id| problem.example_text(id)).collect();
    facts.into_iter().collect()
}

/// Warns of arguments of the target whose entities are new in some test, so that no example sees its own entity's known
/// links.
pub fn new_entities_warning(problem: &Problem, splits: &[Split]) -> Option<Diagnostic> {
    let ends = splits.iter().flat_map(|split| withheld(problem, split).ends);
    let arguments: BTreeSet<String> = ends.map(|end| (end.of_example + 1).to_string()).collect();
    let named: Vec<String> = arguments.into_iter().collect();
    let which = match &named[..] {
        [] => return None,
        [one] => format!("argument {one}"),
        [before @ .., last] => format!("arguments {} and {last}", before.join(", ")),
    };
    let message = format!(
        "{which} of {}: the entities of test have no known links, those of train have some",
        problem.target()
    );
    let help =
        "no example is proved from the known links of its own entity there: such links would mislead in test";
    Some(Diagnostic::warning(codes::NEW_ENTITIES, message).with_help(help))
}

/// The problem as a model that knows these links scores it. An example is proved without the withheld links, as in
/// training.
///
/// Where folds have facts of their own, the problem stays unchanged: a tested fold has no links to use in training
/// either.
///
/// **Cost**: for each example that has such a link, up to 2,000 of them, the known links.
pub fn knowing(problem: Problem, links: &[Vec<ConstantId>], withheld: &Withheld) -> Problem {
    let [base] = problem.worlds() else { return problem };
    let all: Links = tuples(&problem, base).into_iter().chain(links.iter().cloned()).collect();
    let known = Known::new(&all);
    let examples = problem.examples();
    let lost = |id: ExampleId| known.lost(withheld, examples.arguments(id), true);
    let mut worlds = vec![with_target(&problem, base, all.iter().cloned())];
    let mut of_example = vec![WorldId::new(0); examples.len()];
    let ids: Vec<ExampleId> = examples.ids().collect();
    for part in in_parts(&alike(&ids, lost)) {
        let lost = part.iter().map(|&id| lost(id)).collect();
        part.iter().for_each(|id| of_example[id.index()] = WorldId::new(worlds.len()));
        worlds.push(with_target(&problem, base, known.without(lost)));
    }
    problem.seeing(worlds, examples.with_worlds(&of_example))
}
