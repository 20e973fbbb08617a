//! Proofs of parts for examples: one proof for all examples that agree in the arguments on which a part depends.

use std::ops::Range;
use std::sync::Arc;

use crate::coverage::groups::Groups;
use crate::datalog::Background;
use gleaner_base::{ConstantId, WeightSum};

use super::batched_proofs::are_true;
use super::prover::World;
use super::store::{Cover, PartialCover};
use super::{ComponentEngine, Interrupted, Mass, Weighed, Weighing};

/// Groups that are proved together: enough to wait for memory together, few enough for the nearest memory.
pub(super) const GROUPS_PER_BATCH: usize = 256;

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
pub(super) struct WorldGroups<'g> {
    pub(super) of_groups: &'g [usize],
    /// Their keys, by argument.
    pub(super) columns: Vec<Vec<ConstantId>>,
    pub(super) world: World<'g>,
}

/// Groups in batches: neighbours of one world form a batch.
pub(super) fn by_world<'g>(
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
