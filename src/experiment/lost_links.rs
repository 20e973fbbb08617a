//! The known links that an example is proved without.

use std::collections::BTreeSet;

use gleaner_base::{ConstantId, ExampleId, FixedMap, FixedSet};
use gleaner_lang::program::{OwnLinks, Withheld};

/// The most parts of examples that get a world of their own, with all known links but those they lose.
pub(super) const MOST_PARTS: usize = 2_000;

/// An entity as an argument of links.
pub(super) type End = (usize, ConstantId);

/// The known links of one world, and the entities at their ends.
pub(super) struct Known<'a> {
    links: &'a BTreeSet<Vec<ConstantId>>,
    ends: FixedSet<End>,
}

/// Links that an example loses: single links, and all links of an entity. Both lists ascend and hold known links alone,
/// so that two examples that lose the same links are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Lost {
    links: Vec<Vec<ConstantId>>,
    ends: Vec<End>,
}

/// The union of the links that the examples of a part lose.
#[derive(Default)]
pub(super) struct LostTogether {
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
    pub(super) fn new(links: &'a BTreeSet<Vec<ConstantId>>) -> Self {
        let ends = links.iter().flat_map(|link| link.iter().copied().enumerate()).collect();
        Self { links, ends }
    }

    /// The links that an example of these arguments loses; its own atom only if `loses_itself`.
    pub(super) fn lost(&self, withheld: &Withheld, tuple: &[ConstantId], loses_itself: bool) -> Lost {
        let end = |end: &gleaner_lang::program::SharedEnd| Some((end.of_link, *tuple.get(end.of_example)?));
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
    pub(super) fn without(&self, lost: LostTogether) -> impl Iterator<Item = Vec<ConstantId>> {
        let LostTogether { links, ends } = lost;
        let is_seen = move |link: &&Vec<ConstantId>| {
            !links.contains(*link) && !link.iter().copied().enumerate().any(|end| ends.contains(&end))
        };
        self.links.iter().filter(is_seen).cloned()
    }
}

/// The links that give an example away: itself first.
pub(super) fn own_links(own: OwnLinks, tuple: &[ConstantId]) -> impl Iterator<Item = Vec<ConstantId>> {
    let inverse = own.has_inverse().then(|| tuple.iter().rev().copied().collect::<Vec<ConstantId>>());
    std::iter::once(tuple.to_vec()).chain(inverse)
}

/// The examples that lose something, those that lose the same together, in the order of the first of each.
pub(super) fn alike(ids: &[ExampleId], lost: impl Fn(ExampleId) -> Lost) -> Vec<Vec<ExampleId>> {
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
pub(super) fn in_parts(parts: &[Vec<ExampleId>]) -> Vec<Vec<ExampleId>> {
    let n_together = parts.len().div_ceil(MOST_PARTS).max(1);
    parts.chunks(n_together).map(<[Vec<ExampleId>]>::concat).collect()
}
