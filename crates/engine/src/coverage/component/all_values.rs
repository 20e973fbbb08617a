//! Covers of parts that are found for all examples at once.

use std::sync::Arc;

use crate::coverage::groups::Groups;
use crate::coverage::pairs::Pairs;
use crate::relation::LinkWord;
use gleaner_base::ExampleSet;

use super::link::FoundWord;
use super::on_examples::{GROUPS_PER_BATCH, WorldGroups, by_world};
use super::pair_values::PairValues;
use super::semi_join;
use super::store::Cover;
use super::{ComponentEngine, Interrupted};

impl ComponentEngine<'_> {
    /// The cover of a part, where all values of its interface can be found at once; else `None`.
    pub(super) fn covered_by_values(&mut self, cover: &Cover) -> Result<Option<ExampleSet>, Interrupted> {
        let universe = self.store.universe;
        if !cover.part.is_tree && cover.part.values.get().is_none() {
            return Ok(None);
        }
        let sets = self.prover.find_values(&cover.part, self.store.worlds);
        self.check_stop()?;
        Ok(sets.map(|sets| semi_join::cover(&universe.groups(cover.argument_mask), sets, universe.len())))
    }

    /// The cover of a part on several head variables, where the values of one of them can be found from those of the
    /// others; else `None`. Examples that are ruled out are skipped.
    pub(super) fn covered_by_pairs(
        &mut self,
        part: usize,
        ruled_out: &ExampleSet,
    ) -> Result<Option<ExampleSet>, Interrupted> {
        let universe = self.store.universe;
        // A cover is kept for all heads, but a head that matches few examples needs only a small part of it.
        if self.n_matching * 2 < universe.n_positives() + universe.n_negatives() {
            return Ok(None);
        }
        let Some((targets, pairs)) = self.pair_values_of(part) else { return Ok(None) };
        let mut covered = ExampleSet::empty(universe.len());
        covered.union_with_difference(universe.all(), ruled_out);
        let sources = groups_of(&covered, pairs.sources());
        let mut slots = vec![0; pairs.n_slots()];
        let items: Vec<u32> = (0..).take(GROUPS_PER_BATCH).collect();
        let mut found = Vec::new();
        for batch in sources.chunks(GROUPS_PER_BATCH) {
            for WorldGroups { of_groups, columns, world } in
                by_world(self.store.worlds, pairs.sources(), batch)
            {
                let items = &items[..of_groups.len()];
                targets.find(&columns, items, world, &mut self.prover, &mut found);
                for FoundWord { item, word, bits } in found.drain(..) {
                    pairs.add(of_groups[item as usize], LinkWord { word, bits }, &mut slots);
                }
            }
            self.check_stop()?;
        }
        pairs.retain(&mut covered, &slots);
        Ok(Some(covered))
    }

    /// The compiled search for the head variable whose values are best found from those of the others.
    fn pair_values_of(&self, part: usize) -> Option<(PairValues, Arc<Pairs>)> {
        let cover = &self.parts[part].cover;
        let (universe, mask) = (self.store.universe, cover.argument_mask);
        if mask.count_ones() < 2 || !cover.part.is_safe {
            return None;
        }
        let literals = self.literals_at(&self.parts[part].literals);
        let (interface, _) = self.interface(&literals);
        let n_groups = universe.groups(mask).len();
        let arguments = (0..u64::BITS as usize).filter(|argument| mask >> argument & 1 == 1);
        let mut targets: Vec<(f64, usize, PairValues)> = Vec::new();
        for (position, argument) in arguments.enumerate() {
            let n_sources = universe.groups(mask & !(1 << argument)).len();
            let mut others = interface.clone();
            let target = others.remove(position);
            if n_sources * 2 > n_groups {
                continue;
            }
            let compiled =
                PairValues::compile(&others, &literals, target, self.store.worlds, &mut |of, literals| {
                    self.store.part(of, literals)
                });
            targets
                .extend(compiled.map(|targets| (f64_of(n_sources) * targets.n_lookups(), argument, targets)));
        }
        let (n_lookups, argument, targets) =
            targets.into_iter().min_by(|left, right| left.0.total_cmp(&right.0))?;
        if n_lookups > f64_of(n_groups) * cover.part.n_lookups {
            return None;
        }
        Some((targets, universe.pairs(mask & !(1 << argument), argument)?))
    }
}

/// The groups of some positions, ascending.
fn groups_of(positions: &ExampleSet, groups: &Groups) -> Vec<usize> {
    let mut found = ExampleSet::empty(groups.len());
    // Neighbours are often of one group.
    let mut last = usize::MAX;
    for position in positions.iter() {
        let group = groups.group_at(position);
        if group != last {
            found.insert(group);
            last = group;
        }
    }
    found.iter().collect()
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
const fn f64_of(n: usize) -> f64 {
    n as f64
}
