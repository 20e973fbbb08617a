//! How many positions have each number of votes.
//!
//! The positions of a block are split by the highest plane, each part by the next plane, and so on; in the end all
//! positions of a part have one number of votes. Only one side of a split needs to be counted, and an empty part is
//! not split further. So a block takes at most `2^n_planes` passes, and at most `n_planes` for each number of votes
//! that occurs in it.

use std::ops::Range;

use gleaner_base::kernels;

/// Words in a block: planes and parts of a hundred sets take 14 KB, and no part is split into more than
/// 8,192.
const BLOCK: usize = 128;

/// By number of votes: how many positions of these words have it; padding counts at 0.
///
/// **Shape**: `2^n_planes` entries.
pub(super) fn exactly(planes: &[Vec<u64>], words: Range<usize>) -> Vec<usize> {
    let mut splitter = Splitter { planes, words: 0..0, numbers: vec![0; 1 << planes.len()] };
    let mut parts = vec![[0; BLOCK]; planes.len() + 1];
    for start in words.clone().step_by(BLOCK) {
        splitter.words = start..words.end.min(start + BLOCK);
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
    fn split(&mut self, parts: &mut [[u64; BLOCK]], n_positions: usize, votes: usize) {
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
