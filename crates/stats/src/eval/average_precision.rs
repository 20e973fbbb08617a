//! Uninterpolated average precision.

use super::{operating_points::OperatingPoints, ranking::Ranking};
use gleaner_base::statistics::compensated_sum;

/// `Σ (R_n - R_{n-1}) P_n` over the distinct scores from the highest, with `R_n`, `P_n` recall and
/// precision at the n-th: the mean, over positives, of the precision at their own threshold.
///
/// Equal scores enter together, so the order of ties is without effect. In `(0, 1]`; `None` when a
/// class is missing. **Cost**: `O(n_groups)`. Source: `[GLEANER §9.5]`, where it is called UAP.
#[must_use]
pub fn average_precision(ranking: &Ranking) -> Option<f64> {
    let points = OperatingPoints::from_ranking(ranking);
    let steps = points.segments().map(|(start, end)| {
        (end.true_positives - start.true_positives) * end.true_positives / end.n_covered()
    });
    (!points.is_empty()).then(|| (compensated_sum(steps) / points.n_positives()).min(1.0))
}

#[cfg(test)]
mod tests;
