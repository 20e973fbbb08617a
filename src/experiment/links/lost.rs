//! The known links that an example is proved without: its own, and those of entities that are new in test.
//!
//! Folds may keep all examples of an entity together. A test fold then asks for students without known links, while
//! most students of train have one. So a body's use of known links is judged on train as it is used on test: without
//! the links of the example's own student.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_base::{ConstantId, ExampleId, FixedMap, FixedSet, FoldId};
use gleaner_data::{Division, Problem};
use gleaner_lang::program::{OwnLinks, SharedEnd, Withheld};

use crate::experiment::runs::split::Split;

/// The most parts of examples that get a world of their own, with all known links but those they lose.
pub(crate) const MOST_PARTS: usize = 2_000;

/// An entity as an argument of links.
pub(crate) type End = (usize, ConstantId);

/// The known links of one world, and the entities at their ends.
pub(crate) struct Known<'a> {
    links: &'a BTreeSet<Vec<ConstantId>>,
    ends: FixedSet<End>,
}

/// Links that an example loses: single links, and all links of an entity. Both lists ascend and hold known links alone,
/// so that two examples that lose the same links are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Lost {
    links: Vec<Vec<ConstantId>>,
    ends: Vec<End>,
}

/// The union of the links that the examples of a part lose.
#[derive(Default)]
pub(crate) struct LostTogether {
    links: FixedSet<Vec<ConstantId>>,
    ends: FixedSet<End>,
}

impl Lost {
    fn is_empty(&self) -> bool {
        self.links.is_empty() && self.ends.is_empty()
    }
}

impl FromIterator<Lost> for LostTogether {
    fn from_iter<I: IntoIterator<Item = Lost>>(lost: I) -> Self {
        let mut together = Self::default();
        for Lost { links, ends } in lost {
            together.links.extend(links);
            together.ends.extend(ends);
        }
        together
    }
}

impl<'a> Known<'a> {
    /// **Cost**: a pass over the links.
    pub(crate) fn new(links: &'a BTreeSet<Vec<ConstantId>>) -> Self {
        let ends = links.iter().flat_map(|link| link.iter().copied().enumerate()).collect();
        Self { links, ends }
    }

    /// The links that an example of these arguments loses; its own atom only if `loses_itself`.
    pub(crate) fn lost(&self, withheld: &Withheld, tuple: &[ConstantId], loses_itself: bool) -> Lost {
        let end = |end: &SharedEnd| Some((end.of_link, *tuple.get(end.of_example)?));
        let mut ends: Vec<End> =
            withheld.ends.iter().filter_map(end).filter(|end| self.ends.contains(end)).collect();
        ends.sort_unstable();
        ends.dedup();
        let is_lost_by_end =
            |link: &Vec<ConstantId>| link.iter().copied().enumerate().any(|end| ends.contains(&end));
        let mut links: Vec<Vec<ConstantId>> = own_links(withheld.own_links, tuple)
            .skip(usize::from(!loses_itself))
            .filter(|link| self.links.contains(link) && !is_lost_by_end(link))
            .collect();
        links.sort_unstable();
        links.dedup();
        Lost { links, ends }
    }

    /// All links but those that are lost.
    pub(crate) fn without(&self, lost: LostTogether) -> impl Iterator<Item = Vec<ConstantId>> {
        let LostTogether { links, ends } = lost;
        let is_seen = move |link: &&Vec<ConstantId>| {
            !links.contains(*link) && !link.iter().copied().enumerate().any(|end| ends.contains(&end))
        };
        self.links.iter().filter(is_seen).cloned()
    }
}

/// The links that give an example away: itself first.
pub(crate) fn own_links(own: OwnLinks, tuple: &[ConstantId]) -> impl Iterator<Item = Vec<ConstantId>> {
    let inverse = own.has_inverse().then(|| tuple.iter().rev().copied().collect::<Vec<ConstantId>>());
    std::iter::once(tuple.to_vec()).chain(inverse)
}

/// The examples that lose something, those that lose the same together, in the order of the first of each.
pub(crate) fn alike(ids: &[ExampleId], lost: impl Fn(ExampleId) -> Lost) -> Vec<Vec<ExampleId>> {
    let mut places: FixedMap<Lost, usize> = FixedMap::default();
    let mut parts: Vec<Vec<ExampleId>> = Vec::new();
    for &id in ids {
        let lost = lost(id);
        if !lost.is_empty() {
            let place = *places.entry(lost).or_insert(parts.len());
            if place == parts.len() {
                parts.push(Vec::new());
            }
            parts[place].push(id);
        }
    }
    parts
}

/// Joins the parts into at most 2,000. Each part gets a world that holds all known links, so that more parts would take
/// the square of their number.
pub(crate) fn in_parts(parts: &[Vec<ExampleId>]) -> Vec<Vec<ExampleId>> {
    let n_together = parts.len().div_ceil(MOST_PARTS).max(1);
    parts.chunks(n_together).map(<[Vec<ExampleId>]>::concat).collect()
}

type Links = BTreeSet<Vec<ConstantId>>;

/// So many times as many entities of train have known links as of those that count as new.
const TIMES_FEWER: usize = 10;

/// How probable it may be, at most, that entities as those of train have no known links.
const MOST_CHANCE: f64 = 0.01;

/// The ends at which test's entities are new, ascending. At such an end, the entities of test's examples have no known
/// links, but entities of train have some.
///
/// An entity counts as linked if some example with it has such a link beside its own atom. Two conditions make entities
/// new. The share of linked ones is at most a tenth of that on train. As many entities of train would all lack links
/// with a chance of at most 1 in 100. Without a test set, given folds take its place in turn, or else tune. No ends are
/// new where folds have facts of their own.
///
/// **Cost**: a pass over links and examples for each pair of arguments; for given folds without a test set one for each.
pub(crate) fn new_ends(
    problem: &Problem,
    split: &Split,
    links: &[Links],
    own_links: OwnLinks,
) -> Vec<SharedEnd> {
    let [links] = links else { return Vec::new() };
    let asked = Asked::all(problem, split, links);
    let learnt = Asked { ids: split.train.clone(), links: links.iter().collect() };
    let arity = problem.examples().arity();
    let is_new = |&end: &SharedEnd| {
        let of_train = learnt.entities(problem, own_links, end);
        let of_test = asked.iter().map(|asked| asked.entities(problem, own_links, end));
        of_test.fold(Entities::default(), Entities::plus).are_new_beside(of_train)
    };
    let ends =
        (0..arity).flat_map(|of_example| (0..arity).map(move |of_link| SharedEnd { of_example, of_link }));
    ends.filter(is_new).collect()
}

/// Examples that are asked for, and the links that are known then.
struct Asked<'a> {
    ids: Vec<ExampleId>,
    links: BTreeSet<&'a Vec<ConstantId>>,
}

/// Entities at an argument of examples.
#[derive(Clone, Copy, Default)]
struct Entities {
    n: usize,
    n_linked: usize,
}

impl Entities {
    const fn plus(self, other: Self) -> Self {
        Self { n: self.n + other.n, n_linked: self.n_linked + other.n_linked }
    }

    fn are_new_beside(self, train: Self) -> bool {
        let unlinked = |n: usize| u32::try_from(n).map_or(f64::from(u32::MAX), f64::from);
        let share = unlinked(train.n - train.n_linked) / unlinked(train.n.max(1));
        self.n > 0
            && train.n_linked > 0
            && self.n_linked * train.n * TIMES_FEWER <= train.n_linked * self.n
            && share.powf(unlinked(self.n)) <= MOST_CHANCE
    }
}

impl<'a> Asked<'a> {
    /// The examples that may be scored after a run, with the links known then.
    fn all(problem: &Problem, split: &Split, links: &'a Links) -> Vec<Self> {
        let examples = problem.examples();
        let known = || links.iter().collect();
        if !split.test.is_empty() {
            return vec![Self { ids: split.test.clone(), links: known() }];
        }
        let mut folds: BTreeMap<Option<FoldId>, Vec<ExampleId>> = BTreeMap::new();
        for &id in split.train.iter().chain(&split.tune) {
            folds.entry(examples.fold(id)).or_default().push(id);
        }
        if problem.division() != Division::Folds || folds.len() < 2 {
            return vec![Self { ids: split.tune.clone(), links: known() }];
        }
        let of_fold = |ids: Vec<ExampleId>| {
            let own: BTreeSet<&[ConstantId]> = ids.iter().map(|&id| examples.arguments(id)).collect();
            let links = links.iter().filter(|link| !own.contains(&link[..])).collect();
            Self { ids, links }
        };
        folds.into_values().map(of_fold).collect()
    }

    /// The distinct entities at the end's argument of the examples, and how many of them have a known link.
    fn entities(&self, problem: &Problem, own: OwnLinks, end: SharedEnd) -> Entities {
        let mut n_links: FixedMap<ConstantId, usize> = FixedMap::default();
        for link in &self.links {
            *n_links.entry(link[end.of_link]).or_default() += 1;
        }
        let mut linked: FixedMap<ConstantId, bool> = FixedMap::default();
        for &id in &self.ids {
            let tuple = problem.examples().arguments(id);
            let entity = tuple[end.of_example];
            let itself: BTreeSet<Vec<ConstantId>> = own_links(own, tuple).collect();
            let is_own = |link: &Vec<ConstantId>| link[end.of_link] == entity && self.links.contains(link);
            let n_own = itself.iter().filter(|link| is_own(link)).count();
            *linked.entry(entity).or_default() |= n_links.get(&entity).is_some_and(|&n| n > n_own);
        }
        Entities { n: linked.len(), n_linked: linked.values().filter(|&&is_linked| is_linked).count() }
    }
}
