//! The stretch of a precision-recall curve between two operating points, in closed form.
//!
//! With `A`, `B` the ends, `s = (FP_B - FP_A) / (TP_B - TP_A)` the local skew and `x` the true
//! positives, precision is `x / (x + FP_A + s (x - TP_A))`. Its antiderivative is usually written
//! with `a = 1 + s` and `c = FP_A - s TP_A` as `x/a - c/a² ln(a x + c)`, which subtracts two near
//! numbers when `a` or `c` is small. Here the same integral runs over `u = (x - TP_A) / d` with
//! `d = TP_B - TP_A`, `q = TP + FP` and `z = (q_B - q_A) / q_A = a d / q_A`:
//!
//! ```text
//! d ∫ (TP_A + d u) / (q_A (1 + z u)) du  =  d/q_A (TP_A f(z) + d g(z))     u from 0 to 1
//! f(z) = ln(1+z)/z      g(z) = (1 - f(z))/z      (1 and 1/2 at z = 0)
//! ```
//!
//! Both terms are at least 0, so they do not cancel. A small `c` is no special case any more. `a` near 0 means `z` near
//! 0, where a series replaces the differences. A negative `s` only makes `z` negative. Where `z` overflows, `q_A` is
//! negligible and the area is `d/a`.

use super::operating_points::OperatingPoint;

/// Below this `|z|` the series is used; above it `1 - f(z)` loses at most a factor of 20, as
/// `1 - ln(1.1)/0.1 = 0.047`.
const SERIES_BELOW: f64 = 0.1;

/// Terms of the series: the first one left out is below `0.1^16 / 16`.
const N_TERMS: i32 = 16;

/// `∫ precision dTP` from `start` to `end`: the area in units of positives, between 0 and
/// `TP_end - TP_start`, to a few units in the 15th digit. Cost: `O(1)`. Source: `[GLEANER §2.2.3]`.
pub(super) fn area(start: OperatingPoint, end: OperatingPoint) -> f64 {
    let width = end.true_positives - start.true_positives;
    if width <= 0.0 {
        return 0.0;
    }
    // This is c times the width; at exactly 0 the precision is constant, also from TP = FP = 0.
    let bend = start.false_positives * end.true_positives - end.false_positives * start.true_positives;
    if bend == 0.0 {
        return width * end.true_positives / end.n_covered();
    }
    let covered = start.n_covered();
    let growth = width + (end.false_positives - start.false_positives);
    let z = growth / covered;
    if z.is_infinite() {
        // The start covers weights near 0, which are negligible against those that the segment adds.
        return width * (width / growth);
    }
    let (f, g) = if z.abs() < SERIES_BELOW {
        let g = (0..N_TERMS).rev().fold(0.0, |sum, k| 1.0 / f64::from(k + 2) - z * sum);
        (1.0 - z * g, g)
    } else {
        let f = (end.n_covered() / covered).ln() / z;
        (f, (1.0 - f) / z)
    };
    width / covered * (start.true_positives * f + width * g)
}

/// The point of the segment at `true_positives`, a number between its ends, which differ in TP.
pub(super) fn at(start: OperatingPoint, end: OperatingPoint, true_positives: f64) -> OperatingPoint {
    let width = end.true_positives - start.true_positives;
    let share = (true_positives - start.true_positives) / width;
    let false_positives =
        start.false_positives + (end.false_positives - start.false_positives) * share.clamp(0.0, 1.0);
    OperatingPoint { true_positives, false_positives, origin: None }
}

#[cfg(test)]
mod tests;
