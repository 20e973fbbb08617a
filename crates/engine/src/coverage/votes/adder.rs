//! Adding sets to planes of counts through full adders, and reading the planes: how many positions have each number
//! of votes.
//!
//! A full adder takes three bits of one weight and gives their sum, of that weight, and a carry, of twice the weight.
//! So two sets go into the lowest plane in one pass, and of every two carries that reach a higher plane one waits for
//! the other. As in a binary counter, a plane is visited for every second carry of the plane below, so K sets take
//! about K passes in all. Passes go over blocks of words, so that planes and carries stay in the first cache while
//! the sets stream by.
//!
//! To read the planes, the positions of a block are split by the highest plane, each part by the next plane, and so
//! on; in the end all positions of a part have one number of votes. Only one side of a split needs to be counted, and
//! an empty part is not split further. So a block takes at most `2^n_planes` passes, and at most `n_planes` for each
//! number of votes that occurs in it.

use std::ops::Range;

use gleaner_base::{ExampleSet, kernels};

/// Words in a block: with 2 KB, planes and carries of a hundred sets take 30 KB. Larger blocks leave
/// the first cache, smaller ones start passes more often.
const BLOCK: usize = 256;

/// Adds a vote for each position of each set. The planes must hold the result: `2^n_planes` is more
/// than any count.
pub(super) fn add(planes: &mut [Vec<u64>], sets: &[&ExampleSet]) {
    let n_words = planes.first().map_or(0, Vec::len);
    let mut adder = Adder {
        waiting: vec![[0; BLOCK]; planes.len()],
        does_wait: vec![false; planes.len()],
        carry: [0; BLOCK],
        spare: [0; BLOCK],
    };
    for start in (0..n_words).step_by(BLOCK) {
        adder.add_block(planes, sets, start..n_words.min(start + BLOCK));
    }
}

/// The carries that are not yet added to a plane.
struct Adder {
    /// For each plane the carries that wait to be added to it, if `does_wait`.
    waiting: Vec<[u64; BLOCK]>,
    does_wait: Vec<bool>,
    /// The carries that go up now.
    carry: [u64; BLOCK],
    /// The buffer into which the next carries are written.
    spare: [u64; BLOCK],
}

impl Adder {
    fn add_block(&mut self, planes: &mut [Vec<u64>], sets: &[&ExampleSet], words: Range<usize>) {
        let (pairs, odd) = sets.as_chunks::<2>();
        let n_words = words.len();
        for [left, right] in pairs {
            let (left, right) = (&left.words()[words.clone()], &right.words()[words.clone()]);
            let carry = &mut self.carry[..n_words];
            if kernels::add_two(&mut planes[0][words.clone()], left, right, carry) {
                self.carry_up(planes, &words);
            }
        }
        if let [odd] = odd {
            self.waiting[0][..n_words].copy_from_slice(&odd.words()[words.clone()]);
            self.does_wait[0] = true;
        }
        self.finish(planes, &words);
    }

    /// Adds a carry from the lowest plane to the plane above, if another one waits there, and so on.
    fn carry_up(&mut self, planes: &mut [Vec<u64>], words: &Range<usize>) {
        let n_words = words.len();
        for (level, plane) in planes.iter_mut().enumerate().skip(1) {
            if !self.does_wait[level] {
                std::mem::swap(&mut self.waiting[level], &mut self.carry);
                self.does_wait[level] = true;
                return;
            }
            self.does_wait[level] = false;
            let (waiting, carry) = (&self.waiting[level][..n_words], &self.carry[..n_words]);
            if !kernels::add_two(&mut plane[words.clone()], waiting, carry, &mut self.spare[..n_words]) {
                return;
            }
            std::mem::swap(&mut self.carry, &mut self.spare);
        }
    }

    /// Adds the waiting carries, from the lowest plane up, with the new carries that this makes.
    fn finish(&mut self, planes: &mut [Vec<u64>], words: &Range<usize>) {
        let n_words = words.len();
        let mut is_carried = false;
        for (level, plane) in planes.iter_mut().enumerate() {
            let plane = &mut plane[words.clone()];
            let waiting = &mut self.waiting[level][..n_words];
            let carry = &mut self.carry[..n_words];
            is_carried = match (std::mem::take(&mut self.does_wait[level]), is_carried) {
                (false, false) => false,
                (false, true) => kernels::add_one(plane, carry),
                (true, false) => {
                    carry.copy_from_slice(waiting);
                    kernels::add_one(plane, carry)
                }
                (true, true) => {
                    let is_carried = kernels::add_two(plane, waiting, carry, &mut self.spare[..n_words]);
                    std::mem::swap(&mut self.carry, &mut self.spare);
                    is_carried
                }
            };
        }
    }
}

/// Words in a block: planes and parts of a hundred sets take 14 KB, and no part is split into more than
/// 8,192.
const TALLY_BLOCK: usize = 128;

/// By number of votes: how many positions of these words have it; padding counts at 0.
///
/// **Shape**: `2^n_planes` entries.
pub(super) fn exactly(planes: &[Vec<u64>], words: Range<usize>) -> Vec<usize> {
    let mut splitter = Splitter { planes, words: 0..0, numbers: vec![0; 1 << planes.len()] };
    let mut parts = vec![[0; TALLY_BLOCK]; planes.len() + 1];
    for start in words.clone().step_by(TALLY_BLOCK) {
        splitter.words = start..words.end.min(start + TALLY_BLOCK);
        let n_words = splitter.words.len();
        let Some(whole) = parts.last_mut() else { break };
        whole[..n_words].fill(!0);
        splitter.split(&mut parts, n_words * 64, 0);
    }
    splitter.numbers
}

struct Splitter<'planes> {
    planes: &'planes [Vec<u64>],
    /// The words of the block.
    words: Range<usize>,
    numbers: Vec<usize>,
}

impl Splitter<'_> {
    /// Counts the `n_positions` positions of the last part. From plane `parts.len() - 1` on, all of them have the
    /// same bits of votes, given as `votes`. The parts are overwritten.
    fn split(&mut self, parts: &mut [[u64; TALLY_BLOCK]], n_positions: usize, votes: usize) {
        let Some((part, below)) = parts.split_last_mut() else { return };
        let bit = below.len();
        if n_positions == 0 {
            return;
        }
        let Some(lower) = bit.checked_sub(1) else {
            self.numbers[votes] += n_positions;
            return;
        };
        let n_words = self.words.len();
        let plane = &self.planes[lower][self.words.clone()];
        let part = &mut part[..n_words];
        if lower == 0 {
            let n_set = kernels::count_both(part, plane);
            self.numbers[votes | 1] += n_set;
            self.numbers[votes] += n_positions - n_set;
            return;
        }
        let n_set = kernels::intersect_into(&mut below[lower][..n_words], part, plane);
        self.split(below, n_set, votes | 1 << lower);
        if n_set < n_positions {
            kernels::subtract(part, plane);
            below[lower][..n_words].copy_from_slice(part);
            self.split(below, n_positions - n_set, votes);
        }
    }
}
