//! Draws by weights.

use rand::{Rng, RngExt};

/// Positions, each drawn in proportion to its whole weight. Whole numbers give the same draws on every processor.
#[derive(Debug)]
pub(super) struct Weighted {
    /// The sums of the weights up to each position, that one too; ascending.
    ends: Vec<u64>,
}

impl Weighted {
    pub(super) fn with_capacity(len: usize) -> Self {
        Self { ends: Vec::with_capacity(len) }
    }

    /// Adds a position. At least one weight must be positive before the first draw.
    pub(super) fn push(&mut self, weight: u64) {
        self.ends.push(self.ends.last().copied().unwrap_or(0) + weight);
    }

    /// **Cost**: logarithmic in the positions.
    pub(super) fn draw(&self, rng: &mut impl Rng) -> usize {
        let total = self.ends.last().copied().unwrap_or(0);
        let at = rng.random_range(0..total);
        self.ends.partition_point(|&end| end <= at)
    }
}

#[cfg(test)]
mod tests {
    use gleaner_base::random::{Purpose, stream};

    use super::*;

    #[test]
    fn draws_follow_the_weights() {
        let mut weighted = Weighted::with_capacity(3);
        for weight in [1, 0, 3] {
            weighted.push(weight);
        }
        let mut rng = stream(1, Purpose::Generate, &[]);
        let mut n_drawn = [0_u32; 3];
        for _ in 0..4_000 {
            n_drawn[weighted.draw(&mut rng)] += 1;
        }
        // A share of 1/4 of 4,000 has the standard deviation 27.
        assert!((900..1_100).contains(&n_drawn[0]) && n_drawn[1] == 0, "{n_drawn:?}");
    }
}
