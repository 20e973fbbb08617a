//! Covers of parts on the examples: found for all examples at once, or by one proof for all examples that agree in
//! the arguments on which a part depends.

use std::ops::Range;
use std::sync::Arc;

use crate::coverage::groups::{Groups, Pairs};
use crate::datalog::Background;
use crate::relation::LinkWord;
use gleaner_base::{ConstantId, ExampleSet, WeightSum};

use super::prover::World;
use super::semi_join::PairValues;
use super::store::{Cover, PartialCover};
use super::value_set::FoundWord;
use super::word_join::are_true;
use super::{ComponentEngine, Interrupted, Mass, Weighed, Weighing, semi_join};

/// Groups that are proved together: enough to wait for memory together, few enough for the nearest memory.
const GROUPS_PER_BATCH: usize = 256;

impl ComponentEngine<'_> {
    /// Makes a cover known on `current`, in a range of words. When the budget stops it, `partial` is invalid.
    pub(super) fn prove_unknown(
        &mut self,
        cover: &Cover,
        range: Range<usize>,
        partial: &mut PartialCover,
    ) -> Result<(), Interrupted> {
        let Some(first) = range.clone().find(|&word| self.open(word, partial) != 0) else { return Ok(()) };
        let groups = self.store.universe.groups(cover.argument_mask);
        let mut batch = Vec::with_capacity(GROUPS_PER_BATCH);
        for word in first..range.end {
            loop {
                let open = self.open(word, partial);
                if open == 0 {
                    break;
                }
                let group = groups.group_at(word * 64 + open.trailing_zeros() as usize);
                groups.insert_into(group, &mut partial.known);
                batch.push(group);
                if batch.len() == GROUPS_PER_BATCH {
                    self.add_covered(cover, &groups, &batch, partial)?;
                    batch.clear();
                }
            }
        }
        self.add_covered(cover, &groups, &batch, partial)
    }

    /// The positions of a word of `current` at which a cover is not known, as bits.
    fn open(&self, word: usize, partial: &PartialCover) -> u64 {
        self.current.words()[word] & !partial.known.words()[word]
    }

    fn add_covered(
        &mut self,
        cover: &Cover,
        groups: &Groups,
        batch: &[usize],
        partial: &mut PartialCover,
    ) -> Result<(), Interrupted> {
        let answers = self.are_true_of(cover, groups, batch)?;
        for (&group, _) in batch.iter().zip(answers).filter(|(_, is_true)| *is_true) {
            groups.insert_into(group, &mut partial.covered);
        }
        Ok(())
    }

    /// The number and weight of the examples in the intersection of a base and a part; no cover is kept. `None` when
    /// the positives are not wanted.
    pub(super) fn measure_by_proofs<W: Weighing>(
        &mut self,
        base: usize,
        part: usize,
        weighing: W,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Result<Option<Weighed>, Interrupted> {
        let cover = Arc::clone(&self.parts[part].cover);
        let groups = self.store.universe.groups(cover.argument_mask);
        let positives = self.bases.positives(base);
        let positives = self.measure_true(&cover, &groups, &positives, weighing)?;
        if !is_wanted(positives) {
            return Ok(None);
        }
        let negatives = self.bases.negatives(base);
        let negatives = self.measure_true(&cover, &groups, &negatives, weighing)?;
        Ok(Some(Weighed { positives, negatives }))
    }

    /// The number and the weight of those positions, ascending, at which a part is true.
    fn measure_true<W: Weighing>(
        &mut self,
        cover: &Cover,
        groups: &Groups,
        positions: &[usize],
        weighing: W,
    ) -> Result<Mass, Interrupted> {
        let groups_at: Vec<usize> = positions.iter().map(|&position| groups.group_at(position)).collect();
        // Neighbouring positions are often of one group.
        let runs: Vec<&[usize]> = groups_at.chunk_by(|left, right| left == right).collect();
        let (mut n, mut sum, mut at) = (0, WeightSum::default(), 0);
        for runs in runs.chunks(GROUPS_PER_BATCH) {
            let batch: Vec<usize> = runs.iter().map(|run| run[0]).collect();
            let answers = self.are_true_of(cover, groups, &batch)?;
            for (run, is_true) in runs.iter().zip(answers) {
                let of_run = &positions[at..at + run.len()];
                at += run.len();
                if is_true {
                    n += run.len();
                    weighing.add(&mut sum, of_run);
                }
            }
        }
        Ok(Mass { n, weight: sum.total() })
    }

    /// Whether a part is true for the examples of each of some groups.
    fn are_true_of(
        &mut self,
        cover: &Cover,
        groups: &Groups,
        batch: &[usize],
    ) -> Result<Vec<bool>, Interrupted> {
        let mut answers = Vec::with_capacity(batch.len());
        for WorldGroups { of_groups, columns, world } in by_world(self.store.worlds, groups, batch) {
            answers.extend(are_true(&cover.part, &columns, of_groups.len(), world, &mut self.prover));
        }
        self.check_stop()?;
        Ok(answers)
    }
}

/// Groups of one world.
struct WorldGroups<'g> {
    pub(super) of_groups: &'g [usize],
    /// Their keys, by argument.
    pub(super) columns: Vec<Vec<ConstantId>>,
    pub(super) world: World<'g>,
}

/// Groups in batches: neighbours of one world form a batch.
fn by_world<'g>(
    worlds: &'g [Background],
    groups: &'g Groups,
    batch: &'g [usize],
) -> impl Iterator<Item = WorldGroups<'g>> {
    batch.chunk_by(|&left, &right| groups.world(left) == groups.world(right)).map(|of_groups| {
        let world = groups.world(of_groups[0]).index();
        let column = |argument: usize| of_groups.iter().map(|&group| groups.key(group)[argument]).collect();
        let columns = (0..groups.n_arguments()).map(column).collect();
        WorldGroups { of_groups, columns, world: World { idx: world, background: &worlds[world], worlds } }
    })
}

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
pub(super) fn groups_of(positions: &ExampleSet, groups: &Groups) -> Vec<usize> {
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
