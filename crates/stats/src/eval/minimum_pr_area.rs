//! The smallest area under a PR curve that a prevalence allows.

/// Below this prevalence the series is used: the closed form loses all digits as `π` goes to 0.
const SERIES_BELOW: f64 = 0.1;

/// `1 + (1 - π) ln(1 - π) / π`, the area of the worst ranking: all negatives, then all positives.
///
/// Areas at different prevalences have different scales, and this area is the lower end of each scale. It grows with
/// the prevalence, from about `π/2` to 1. `None` unless `0 < prevalence < 1`, as a class is missing otherwise.
/// Cost: `O(1)`. Source: Boyd, Santos Costa, Davis, Page, *Unachievable region in precision-recall
/// space and its effect on empirical evaluation*, ICML 2012.
///
/// # Example
///
/// ```
/// let half = gleaner_stats::eval::minimum_pr_area(0.5).expect("between 0 and 1");
/// assert!((half - (1.0 - 2.0_f64.ln())).abs() < 1e-15);
/// ```
#[must_use]
pub fn minimum_pr_area(prevalence: f64) -> Option<f64> {
    if !(prevalence > 0.0 && prevalence < 1.0) {
        return None;
    }
    Some(if prevalence < SERIES_BELOW {
        // Σ π^k / (k (k + 1)) from k = 1: the expansion of the logarithm, multiplied out.
        (1..=16).rev().fold(0.0, |sum, k| prevalence * (sum + 1.0 / f64::from(k * (k + 1))))
    } else {
        1.0 + (1.0 - prevalence) * (-prevalence).ln_1p() / prevalence
    })
}

#[cfg(test)]
mod tests;
