//! Uninterpolated average precision.

use super::{operating_points::OperatingPoints, ranking::Ranking};
use gleaner_base::statistics::compensated_sum;

/// `Σ (R_n - R_{n-1}) P_n` over the distinct scores from the highest, with recall `R_n` and precision `P_n` at the
/// n-th. It is the mean, over positives, of the precision at the positive's score.
///
/// Equal scores enter together, so the order of ties has no effect. In `(0, 1]`; `None` when a class is missing.
/// **Cost**: `O(n_groups)`. Source: `[GLEANER §9.5]`, under the name UAP.
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
