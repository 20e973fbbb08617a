//! Adding sets to planes of counts through full adders.
//!
//! A full adder takes three bits of one weight and gives their sum, of that weight, and a carry, of
//! twice the weight. So two sets go into the lowest plane in one pass, and of every two carries that reach a higher
//! plane one waits for the other. As in a binary counter, a plane is visited for every second carry of the plane
//! below, so K sets take about K passes in all. Passes go over blocks of words, so that planes and carries stay in the
//! first cache while the sets stream by.

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
