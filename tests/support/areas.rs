//! Areas under precision-recall curves by quadrature, apart from how gleaner finds them.

/// The area under the curve through points `(FP, TP)`, which ascend from recall 0 to that of everything, by Simpson's
/// rule: between two points both counts are linear. [PRCURVE, section 4]
pub(crate) fn area_through(points: &[(f64, f64)]) -> f64 {
    const N_STEPS: usize = 2_000;
    let mut start = (0.0, 0.0);
    let mut area = 0.0;
    for &end in points {
        let (width, rise) = (end.1 - start.1, end.0 - start.0);
        if width > 0.0 {
            // At the start itself nothing may be covered: the limit is the precision of what comes.
            let precision = |share: f64| {
                let (tp, fp) = (start.1 + width * share, start.0 + rise * share);
                if tp + fp > 0.0 { tp / (tp + fp) } else { width / (width + rise) }
            };
            let weight = |step: usize| if step % 2 == 1 { 4.0 } else { 2.0 };
            let inner = (1..N_STEPS).map(|step| weight(step) * precision(step as f64 / N_STEPS as f64));
            let sum = precision(0.0) + precision(1.0) + inner.sum::<f64>();
            area += width * sum / (3.0 * N_STEPS as f64);
        }
        start = end;
    }
    area / start.1
}
