//! What bodies may know of the target: the links of train, but never the example itself.
//!
//! A body literal of the target is true of the train positives and of the target's given facts, never of positives of tune
//! or test, and never of the example that is proved. Each example is proved from the facts of its world, so a run gets worlds that
//! differ in the target's relation alone: an engine need not know of it, and the reference is as exact as the others.
//!
//! - *Leave one out*: each train positive has a world of its own, without its own atom. Only positives lose something, so what
//!   asks for the *absence* of links could tell train's classes apart: learners that weigh clauses against the class are
//!   refused, and literals of the target are never proposed under a negation.
//! - *Folds*: the train examples of both classes are dealt to ten inner folds, and each sees the links of the other nine.
//!
//! Tune and test examples see all train positives.
//!
//! Of a symmetric relation the known link `r(b, a)` says all of the example `r(a, b)`. With [`OwnLinks::ItselfAndInverse`] no example
//! of any set sees it: what is learnt is then what the other links tell.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::Arc;

use crate::base::random::{Purpose, stream};
use crate::base::{ConstantId, ExampleId, FixedSet, WorldId};
use crate::datalog::Background;
use crate::eval::stratified_folds;
use crate::problem::{KnownTarget, OwnLinks, Problem, TargetInBody};
use crate::program::Rows;
use crate::relation::Relation;

use super::split::Split;

/// Inner folds.
const N_FOLDS: NonZeroU32 = NonZeroU32::new(10).expect("above 0");

/// Each train positive has a world, with a relation that holds all others: so many at most.
pub const MOST_LEFT_OUT: usize = 2_000;

type Tuple<'p> = &'p [ConstantId];

/// Known links.
type Links = BTreeSet<Vec<ConstantId>>;

/// The problem as a run sees it, where bodies may know the target; `None` where they may not.
///
/// **Cost**: by folds ten times the known links, by leave-one-out their square; without inverses, the known links once more for each
/// example of tune and test that has one, up to 2,000 of them. Of more some are proved without each other's, too.
#[must_use]
pub fn with_known_target(problem: &Problem, split: &Split) -> Option<Problem> {
    let known = problem.known_target?;
    let knowing = Knowing { problem, split, known, hidden: hidden(problem, split) };
    let links: Vec<Links> = (0..problem.worlds.len()).map(|world| knowing.links(world)).collect();
    let mut worlds: Vec<Background> = problem
        .worlds
        .iter()
        .zip(&links)
        .map(|(world, links)| with_target(problem, world, links.iter().cloned()))
        .collect();
    let mut of_example: Vec<WorldId> = problem.examples.ids().map(|id| problem.examples.world(id)).collect();
    for (world, links) in links.iter().enumerate() {
        for part in knowing.parts(WorldId::new(world), links) {
            let without: FixedSet<Vec<ConstantId>> =
                part.iter().flat_map(|&id| knowing.without(id)).collect();
            let own = WorldId::new(worlds.len());
            let seen = links.iter().filter(|tuple| !without.contains(*tuple)).cloned();
            worlds.push(with_target(problem, &problem.worlds[world], seen));
            part.iter().for_each(|id| of_example[id.index()] = own);
        }
    }
    let examples = problem.examples.with_worlds(&of_example);
    Some(Problem { worlds, examples: Arc::new(examples), ..problem.clone() })
}

/// As many parts as there are items, but at most 2,000: each gets a world that holds all known links, so that more would take the
/// square of their number.
fn in_parts(ids: &[ExampleId]) -> Vec<Vec<ExampleId>> {
    let n_together = ids.len().div_ceil(MOST_LEFT_OUT).max(1);
    ids.chunks(n_together).map(<[ExampleId]>::to_vec).collect()
}

/// The links that say too much of an example.
fn own_links(own_links: OwnLinks, tuple: Tuple<'_>) -> impl Iterator<Item = Vec<ConstantId>> {
    let inverse = own_links.has_inverse().then(|| tuple.iter().rev().copied().collect::<Vec<ConstantId>>());
    std::iter::once(tuple.to_vec()).chain(inverse)
}

/// What no body may know: positives of tune and test, unless they are positives of train as well.
fn hidden<'p>(problem: &'p Problem, split: &Split) -> FixedSet<Tuple<'p>> {
    let positives = |ids: &[ExampleId]| -> FixedSet<Tuple<'p>> {
        let positive = ids.iter().filter(|&&id| problem.examples.is_positive(id));
        positive.map(|&id| problem.examples.arguments(id)).collect()
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
    hidden: FixedSet<Tuple<'p>>,
}

impl Knowing<'_> {
    /// The examples of a world in parts that lose the same links.
    fn parts(&self, world: WorldId, links: &Links) -> Vec<Vec<ExampleId>> {
        let examples = &self.problem.examples;
        let of_world = |ids: &[ExampleId]| -> Vec<ExampleId> {
            ids.iter().copied().filter(|&id| examples.world(id) == world).collect()
        };
        let loses = |&id: &ExampleId| self.without(id).any(|tuple| links.contains(&tuple));
        let train = of_world(&self.split.train);
        let mut parts = match self.known.way {
            TargetInBody::LeaveOneOut => train.into_iter().filter(loses).map(|id| vec![id]).collect(),
            TargetInBody::Folds => self.folds(&train, self.known.rng_seed),
        };
        let kept_back = [&self.split.tune, &self.split.test].map(|ids| of_world(ids));
        parts.extend(in_parts(&kept_back.concat().into_iter().filter(loses).collect::<Vec<_>>()));
        parts
    }

    /// What an example is proved without. A negative's own atom stays, should the data give it as a fact.
    fn without(&self, id: ExampleId) -> impl Iterator<Item = Vec<ConstantId>> {
        let examples = &self.problem.examples;
        let loses_itself = examples.is_positive(id);
        own_links(self.known.own_links, examples.arguments(id)).skip(usize::from(!loses_itself))
    }

    /// The known links of a world.
    fn links(&self, world: usize) -> Links {
        let Self { problem, split, hidden, .. } = self;
        let of_world = split
            .train
            .iter()
            .filter(|&&id| problem.examples.is_positive(id) && problem.examples.world(id).index() == world);
        let train = of_world.map(|&id| problem.examples.arguments(id).to_vec());
        let known = tuples(problem, &problem.worlds[world]).into_iter().chain(train);
        known.filter(|tuple| !hidden.contains(&tuple[..])).collect()
    }

    /// The train examples of one world in inner folds, each class dealt by itself.
    fn folds(&self, train: &[ExampleId], rng_seed: u64) -> Vec<Vec<ExampleId>> {
        let classes: Vec<bool> = train.iter().map(|&id| self.problem.examples.is_positive(id)).collect();
        let mut rng = stream(rng_seed, Purpose::Folds, &[4, self.split.run_idx as u64]);
        let folds = stratified_folds(&classes, N_FOLDS, &mut rng);
        let of_fold = |fold: u32| -> Vec<ExampleId> {
            train.iter().zip(&folds).filter(|&(_, &of)| of == fold).map(|(&id, _)| id).collect()
        };
        (0..N_FOLDS.get()).map(of_fold).filter(|part| !part.is_empty()).collect()
    }
}

/// The facts of the target in a world.
fn tuples(problem: &Problem, world: &Background) -> Vec<Vec<ConstantId>> {
    let relation = world.relation(problem.examples.target());
    let tuple =
        |row: usize| (0..problem.examples.arity()).map(|column| relation.value(row, column)).collect();
    (0..relation.n_rows()).map(tuple).collect()
}

/// A world whose target holds of these.
fn with_target(
    problem: &Problem,
    world: &Background,
    known: impl Iterator<Item = Vec<ConstantId>>,
) -> Background {
    let distinct: BTreeSet<Vec<ConstantId>> = known.collect();
    let mut rows = Rows::new(problem.examples.arity());
    distinct.iter().for_each(|tuple| rows.push(tuple));
    let relation = Relation::renumbered(&rows, |constant| constant);
    world.with_relation(problem.examples.target(), Arc::new(relation))
}

/// The links that a run's model knows, as facts of the target.
#[must_use]
pub fn known_facts(problem: &Problem, split: &Split) -> Vec<String> {
    if problem.known_target.is_none() {
        return Vec::new();
    }
    let positives = split.train.iter().filter(|&&id| problem.examples.is_positive(id));
    let facts: BTreeSet<String> = positives.map(|&id| problem.example_text(id)).collect();
    facts.into_iter().collect()
}

/// A problem that is scored by a model that knows these links. An example is proved without those of its own, as in training.
///
/// Where folds have facts of their own the problem stays as it is: a fold that is tested has no links to use in training either.
///
/// **Cost**: for each example that has such a link, up to 2,000 of them, the known links.
#[must_use]
pub fn knowing(problem: Problem, known: &[Vec<ConstantId>], own: OwnLinks) -> Problem {
    let [base] = &problem.worlds[..] else { return problem };
    let all: Links = tuples(&problem, base).into_iter().chain(known.iter().cloned()).collect();
    let examples = &problem.examples;
    let without = |id: ExampleId| own_links(own, examples.arguments(id));
    let mut worlds = vec![with_target(&problem, base, all.iter().cloned())];
    let mut of_example = vec![WorldId::new(0); examples.len()];
    let lose: Vec<ExampleId> =
        examples.ids().filter(|&id| without(id).any(|tuple| all.contains(&tuple))).collect();
    for part in in_parts(&lose) {
        let without: FixedSet<Vec<ConstantId>> = part.iter().flat_map(|&id| without(id)).collect();
        part.iter().for_each(|id| of_example[id.index()] = WorldId::new(worlds.len()));
        worlds.push(with_target(
            &problem,
            base,
            all.iter().filter(|tuple| !without.contains(*tuple)).cloned(),
        ));
    }
    let examples = Arc::new(examples.with_worlds(&of_example));
    Problem { worlds, examples, ..problem }
}
