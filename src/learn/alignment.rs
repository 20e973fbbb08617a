//! Scores of one classifier on the scale of another.

/// What turns the scores of one classifier into those of another: the function that never falls and misses these least, in
/// squares, over weighted rows. Between scores of rows it is a line; beyond them it adds what it adds to the last.
///
/// Classifiers of a row more or less have other intercepts and other spreads. What is fitted to the scores of several, as a
/// calibration or a threshold is, would take that for evidence: most examples may lie a hair above or below a step.
#[derive(Clone, Debug)]
pub struct Alignment {
    /// Ascending, in scores and in means.
    pools: Vec<Pool>,
}

/// Rows of one aligned score.
#[derive(Clone, Copy, Debug)]
struct Pool {
    least: f64,
    greatest: f64,
    /// Of the other's scores, weighted.
    sum: f64,
    weight: f64,
}

impl Pool {
    fn mean(&self) -> f64 {
        self.sum / self.weight
    }
}

impl Alignment {
    /// The alignment over rows that weigh something. **Cost**: a sort.
    #[must_use]
    pub fn fit(scores: &[f64], others: &[f64], weights: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..scores.len()).filter(|&row| weights[row] > 0.0).collect();
        order.sort_by(|&left, &right| scores[left].total_cmp(&scores[right]).then(left.cmp(&right)));
        let mut pools: Vec<Pool> = Vec::new();
        for row in order {
            let (score, weight) = (scores[row], weights[row]);
            let mut pool = Pool { least: score, greatest: score, sum: weight * others[row], weight };
            while let Some(before) =
                pools.pop_if(|before| before.greatest >= pool.least || before.mean() >= pool.mean())
            {
                pool = Pool {
                    least: before.least,
                    sum: before.sum + pool.sum,
                    weight: before.weight + pool.weight,
                    ..pool
                };
            }
            pools.push(pool);
        }
        Self { pools }
    }

    /// A score of the one on the scale of the other; as it is where no row was there.
    #[must_use]
    pub fn at(&self, score: f64) -> f64 {
        let above = self.pools.partition_point(|pool| pool.least <= score);
        let lower = above.checked_sub(1).map(|at| self.pools[at]);
        match (lower, self.pools.get(above)) {
            (Some(lower), _) if score <= lower.greatest => lower.mean(),
            (Some(lower), Some(upper)) => {
                let share = (score - lower.greatest) / (upper.least - lower.greatest);
                lower.mean() + share * (upper.mean() - lower.mean())
            }
            (Some(lower), None) => score + (lower.mean() - lower.greatest),
            (None, Some(upper)) => score + (upper.mean() - upper.least),
            (None, None) => score,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Alignment;

    fn assert_close(found: &[f64], expected: &[f64]) {
        let is_close = found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12);
        assert!(is_close, "{found:?}, not {expected:?}");
    }

    /// The second and third row are the other way round: `(1 * 5 + 3 * 1) / 4 = 2`. Rows of equal scores have one. The last row
    /// weighs nothing.
    #[test]
    fn alignment_by_hand() {
        let scores = [0.0, 1.0, 2.0, 4.0, 4.0, 9.0];
        let others = [-7.0, 5.0, 1.0, 6.0, 8.0, 0.0];
        let alignment = Alignment::fit(&scores, &others, &[1.0, 1.0, 3.0, 1.0, 1.0, 0.0]);
        let found = [-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0].map(|score| alignment.at(score));
        assert_close(&found, &[-8.0, -7.0, -2.5, 2.0, 2.0, 2.0, 4.5, 7.0, 8.0]);
    }

    #[test]
    fn scores_of_one_order_become_the_others() {
        let alignment = Alignment::fit(&[3.0, 1.0, 2.0], &[0.9, -0.5, 0.1], &[1.0; 3]);
        assert_close(&[1.0, 2.0, 3.0].map(|score| alignment.at(score)), &[-0.5, 0.1, 0.9]);
    }

    #[test]
    fn without_rows_scores_stay() {
        assert_close(&[Alignment::fit(&[], &[], &[]).at(0.25)], &[0.25]);
    }
}
