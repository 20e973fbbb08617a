//! The intercept of the smallest loss, computed exactly.

/// The `t` that minimises `sum_i weights_i max(0, 1 - classes_i (scores_i + t))`: the middle of the interval if many
/// do, and 0 without rows. **Cost**: a sort.
pub(super) fn best_intercept(scores: &[f64], classes: &[f64], weights: &[f64]) -> f64 {
    // A positive loses below its place, a negative above.
    let mut places: Vec<(f64, f64)> = scores
        .iter()
        .zip(classes)
        .zip(weights)
        .filter(|&(_, &weight)| weight > 0.0)
        .map(|((score, class), &weight)| (class - score, weight))
        .collect();
    places.sort_by(|left, right| left.0.total_cmp(&right.0));
    let below: f64 =
        classes.iter().zip(weights).filter(|&(&class, _)| class > 0.0).map(|(_, weight)| weight).sum();
    let mut slope = -below;
    // Sums of weights in another order may miss 0 by rounding.
    let nothing = 1e-12 * below;
    for (at, &(place, weight)) in places.iter().enumerate() {
        slope += weight;
        if slope > nothing {
            return place;
        }
        if slope >= -nothing {
            return places.get(at + 1).map_or(place, |next| f64::midpoint(place, next.0));
        }
    }
    0.0
}
