//! The probability of a candidate, and of its neighbours by the factors that differ. [DIRECTED §2.2, Figure 4]
//!
//! Natural logarithms and powers of e, made of additions, multiplications and divisions only.
//!
//! IEEE 754 fixes these operations to the last bit, but not `ln` and `exp`, which differ between mathematical
//! libraries. The last bit may decide which of two clauses weighs more, and so the whole search. The relative error
//! of the functions here is below 1e-12, far more exact than a guide needs.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

use crate::bias::Candidate;

use super::network::Network;
use super::parameters::{LEAST_FACTOR, Parameters};

/// The least value of a product of `q` over the parents of a node; smaller products are raised to it.
const LEAST_MISSED: f64 = 1e-100;

/// The probability of a legal candidate, and the changes that an addition makes to it.
///
/// With `q(R, n) = P(n = false | R = true)` and `M(n)` the product of it over the true parents of a node
/// with one open input, that node's factor is `M(n)` where it is absent. So
///
/// ```text
/// ln P = ln P(no head-enabled literal) + sum over literals n of the clause of
///        [ sum over simple children c of n of ln q(n, c) ]
///      + [ ln odds(n)                    if the head enables n
///        | ln max(1 - M(n), 1e-6) - ln M(n)   if n is simple
///        | ln max(P(n), 1e-6)            if n is compound ]
///      + sum over absent compound nodes c of ln(1 - P(c))
/// ```
///
/// where the first bracket is known for each node, so that the many simple children of a literal cost nothing. An
/// addition `a` adds its own brackets. It changes `M` of those simple literals of the clause of which `a` is a parent
/// (`gains`, found from the side of the clause, which is short), and `P` of its compound children.
///
/// **Cost**: to move to a candidate, `O(arcs from and into the clause's literals)`; an addition, one logarithm and
/// `O(arcs from it to compound children)`.
#[derive(Clone, Debug)]
pub(super) struct CandidateProbability {
    ln_p: f64,
    /// By open input: the product of `q` over the true parents that output it; exactly 1 without one.
    missed: Vec<f64>,
    touched_inputs: Vec<u32>,
    /// By compound node: `P(n = true | parents)`.
    compound: Vec<f64>,
    touched_compound: Vec<u16>,
    /// By node: the ratio of the factors of the clause's simple literals after its addition to those before, without
    /// the part that `absent_children` counts for them.
    gains: Vec<LnProduct>,
    touched_gains: Vec<u16>,
}

impl CandidateProbability {
    pub(super) fn new(network: &Network) -> Self {
        Self {
            ln_p: 0.0,
            missed: vec![1.0; network.n_inputs()],
            touched_inputs: Vec::new(),
            compound: vec![0.0; network.n_nodes()],
            touched_compound: Vec::new(),
            gains: vec![LnProduct::ONE; network.n_nodes()],
            touched_gains: Vec::new(),
        }
    }

    /// The logarithm of the candidate's probability.
    pub(super) const fn ln_probability(&self) -> f64 {
        self.ln_p
    }

    /// Moves to a legal candidate; `is_in` says by node whether the candidate has it. Parameters must be refreshed
    /// before.
    pub(super) fn move_to(
        &mut self,
        network: &Network,
        parameters: &Parameters,
        candidate: &Candidate,
        is_in: &[bool],
    ) {
        self.leave();
        for &parent in candidate.positions() {
            for arc in network.arcs_from(parent) {
                self.miss(network, parameters, arc);
            }
        }
        let mut sum = LnProduct::ONE;
        self.find_compound(network, is_in, &mut sum);
        let mut ln_p = parameters.empty();
        for &position in candidate.positions() {
            ln_p += parameters.absent_children(position);
            if network.is_head_enabled(position) {
                ln_p += parameters.odds(position);
            } else if network.is_simple(position) {
                sum.multiply(self.odds_of_simple(network, position));
            } else {
                sum.multiply(self.compound[usize::from(position)].max(LEAST_FACTOR));
            }
        }
        self.ln_p = ln_p + sum.ln();
    }

    /// Resets the values that the last candidate set.
    fn leave(&mut self) {
        self.touched_inputs.drain(..).for_each(|input| self.missed[input as usize] = 1.0);
        self.touched_compound.drain(..).for_each(|node| self.compound[usize::from(node)] = 0.0);
        self.touched_gains.drain(..).for_each(|node| self.gains[usize::from(node)] = LnProduct::ONE);
    }

    fn miss(&mut self, network: &Network, parameters: &Parameters, arc: usize) {
        let false_given = parameters.known_false_given(arc);
        for &input in network.arc_inputs(arc) {
            let missed = &mut self.missed[input as usize];
            if is_one(*missed) {
                self.touched_inputs.push(input);
            }
            *missed = (*missed * false_given).max(LEAST_MISSED);
        }
        let child = network.arc(arc).child;
        if !network.is_simple(child) {
            self.touched_compound.push(child);
        }
    }

    /// Finds the probabilities of compound nodes with a true parent, and multiplies `factors` by those of the absent
    /// ones.
    fn find_compound(&mut self, network: &Network, is_in: &[bool], factors: &mut LnProduct) {
        self.touched_compound.sort_unstable();
        self.touched_compound.dedup();
        for &node in &self.touched_compound {
            let p = network.best_alternative(node, |input| 1.0 - self.missed[input as usize]);
            self.compound[usize::from(node)] = p;
            if !is_in[usize::from(node)] {
                factors.multiply(1.0 - p);
            }
        }
    }

    /// The ratio of a simple literal's factor where it is true to its factor where it is absent.
    fn odds_of_simple(&self, network: &Network, position: u16) -> f64 {
        let missed = self.missed[network.inputs_of(position).start];
        (1.0 - missed).max(LEAST_FACTOR) / missed
    }

    /// Finds how each addition changes the factors of the clause's own simple literals (`gains`).
    pub(super) fn prepare_additions(
        &mut self,
        network: &Network,
        parameters: &Parameters,
        candidate: &Candidate,
        is_in: &[bool],
    ) {
        for &child in candidate.positions().iter().filter(|&&child| network.is_simple(child)) {
            let missed = self.missed[network.inputs_of(child).start];
            let factor = (1.0 - missed).max(LEAST_FACTOR);
            for &arc in network.arcs_into(child) {
                let parent = network.arc(arc as usize).parent;
                if is_in[usize::from(parent)] {
                    continue;
                }
                let false_given = parameters.known_false_given(arc as usize);
                let after = (1.0 - missed * false_given).max(LEAST_FACTOR);
                self.touched_gains.push(parent);
                self.gains[usize::from(parent)].multiply(after / (factor * false_given));
            }
        }
    }

    /// The logarithm of the probability of the candidate with one literal more.
    pub(super) fn after_adding(
        &self,
        network: &Network,
        parameters: &Parameters,
        position: u16,
        is_in: &[bool],
    ) -> f64 {
        let mut ln_p = self.ln_p + parameters.absent_children(position);
        let mut change = self.gains[usize::from(position)];
        if network.is_head_enabled(position) {
            ln_p += parameters.odds(position);
        } else if network.is_simple(position) {
            change.multiply(self.odds_of_simple(network, position));
        } else {
            let p = self.compound[usize::from(position)];
            change.multiply(p.max(LEAST_FACTOR) / (1.0 - p));
        }
        for arc in network.compound_arcs(position) {
            let child = network.arc(arc).child;
            let before = self.compound[usize::from(child)];
            let after = self.compound_after(network, parameters, arc);
            change.multiply(if is_in[usize::from(child)] {
                after.max(LEAST_FACTOR) / before.max(LEAST_FACTOR)
            } else {
                (1.0 - after) / (1.0 - before)
            });
        }
        ln_p + change.ln()
    }

    /// `P(child = true | parents)` of an arc's child once the arc's parent is true.
    fn compound_after(&self, network: &Network, parameters: &Parameters, arc: usize) -> f64 {
        let false_given = parameters.known_false_given(arc);
        let inputs = network.arc_inputs(arc);
        network.best_alternative(network.arc(arc).child, |input| {
            let missed = self.missed[input as usize];
            1.0 - if inputs.contains(&input) { missed * false_given } else { missed }
        })
    }
}

#[expect(clippy::float_cmp, reason = "1 is what no parent has touched; every factor is below it")]
fn is_one(missed: f64) -> bool {
    missed == 1.0
}

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
