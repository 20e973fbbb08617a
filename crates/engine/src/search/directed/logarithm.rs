//! Natural logarithms and powers of e, made of additions, multiplications and divisions only.
//!
//! IEEE 754 fixes these operations to the last bit, but not `ln` and `exp`, which differ between mathematical
//! libraries. The last bit may decide which of two clauses weighs more, and so the whole search. The relative error
//! of the functions here is below 1e-12, far more exact than a guide needs.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// Bits of a double's fraction, and the number that its exponent is stored with.
const FRACTION_BITS: u32 = 52;
const EXPONENT_BIAS: u64 = 1023;
const FRACTION: u64 = (1 << FRACTION_BITS) - 1;

/// `ln 2` in two parts; the first has so few bits that its multiples are exact.
const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// The logarithm of a positive normal number.
///
/// `x = 2^k * m` with `m` in `[sqrt 1/2, sqrt 2)`, and `ln m = 2 artanh s` with `s = (m - 1) / (m + 1)`,
/// `|s| < 0.172`, by eight terms of its series.
#[expect(clippy::cast_precision_loss, reason = "exponents are below 2^11")]
pub(super) fn ln(x: f64) -> f64 {
    debug_assert!(x.is_normal() && x > 0.0, "{x}");
    let bits = x.to_bits();
    let fraction = f64::from_bits((bits & FRACTION) | (EXPONENT_BIAS << FRACTION_BITS));
    let is_high = fraction > SQRT_2;
    let m = if is_high { fraction * 0.5 } else { fraction };
    let k = (bits >> FRACTION_BITS) as f64 - EXPONENT_BIAS as f64 + f64::from(u8::from(is_high));
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let z2 = z * z;
    // The terms are summed in pairs and pairs of pairs, which the processor computes side by side.
    let low = (1.0 + z * (1.0 / 3.0)) + z2 * (1.0 / 5.0 + z * (1.0 / 7.0));
    let high = (1.0 / 9.0 + z * (1.0 / 11.0)) + z2 * (1.0 / 13.0 + z * (1.0 / 15.0));
    k * LN_2 + 2.0 * s * (low + z2 * z2 * high)
}

/// `e^x` for `x` up to 700; 0 below -700.
///
/// `x = k ln 2 + r` with `|r| <= ln 2 / 2`, and `e^r` by twelve terms of its series.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "|k| is at most 1,010")]
pub(super) fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let k = (x.min(700.0) * LOG2_E).round();
    let r = (x.min(700.0) - k * LN_2_HIGH) - k * LN_2_LOW;
    let r2 = r * r;
    let r4 = r2 * r2;
    let low = (1.0 + r) + r2 * (1.0 / 2.0 + r * (1.0 / 6.0));
    let middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0 + r * (1.0 / 5_040.0));
    let high = (1.0 / 40_320.0 + r * (1.0 / 362_880.0)) + r2 * (1.0 / 3_628_800.0 + r * (1.0 / 39_916_800.0));
    let power = f64::from_bits(((k as i64 + 1023) as u64) << FRACTION_BITS);
    (low + r4 * (middle + r4 * high)) * power
}

/// The logarithm of a product of positive numbers, most of which are near 1: one logarithm for many.
#[derive(Clone, Copy, Debug)]
pub(super) struct LnProduct {
    ln: f64,
    product: f64,
}

/// Factors lie within `1e-20` and `1e20`, so that a product within these bounds stays a normal number
/// with one more.
const LEAST_PRODUCT: f64 = 1e-200;
const MOST_PRODUCT: f64 = 1e200;

impl LnProduct {
    pub(super) const ONE: Self = Self { ln: 0.0, product: 1.0 };

    pub(super) fn multiply(&mut self, factor: f64) {
        self.product *= factor;
        if !(LEAST_PRODUCT..MOST_PRODUCT).contains(&self.product) {
            self.ln += ln(self.product);
            self.product = 1.0;
        }
    }

    pub(super) fn ln(self) -> f64 {
        self.ln + ln(self.product)
    }
}

#[cfg(test)]
mod tests {
    use super::{LnProduct, exp, ln};

    #[test]
    fn agrees_with_the_platform() {
        for step in 1..40_000 {
            let x = f64::from(step) * 0.000_1;
            for x in [x, x * 1e-200, x * 1e150] {
                assert!((ln(x) - x.ln()).abs() <= 1e-12 * x.ln().abs().max(1e-3), "ln {x}");
            }
            for x in [x, -x, -150.0 * x] {
                assert!((exp(x) - x.exp()).abs() <= 1e-12 * x.exp(), "exp {x}");
            }
        }
        assert!(ln(1.0).abs() < f64::MIN_POSITIVE && (exp(0.0) - 1.0).abs() < f64::MIN_POSITIVE);
        assert!(exp(-1e300).abs() < f64::MIN_POSITIVE);
    }

    #[test]
    fn long_products_do_not_underflow() {
        let mut product = LnProduct::ONE;
        (0..1_000).for_each(|_| product.multiply(1e-6));
        assert!((product.ln() + 6_000.0 * 10.0_f64.ln()).abs() < 1e-8);
    }
}
