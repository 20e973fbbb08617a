//! Thresholds of values that split examples, by the gradients of a loss.
//!
//! The gain of a split is that of gradient-boosted trees: `G²/(H + λ)` of both sides, less that of all. `G` and `H` are sums of the
//! first and second derivatives of the loss by the score.

use std::cmp::Ordering;

/// What a side's loss is regularised by.
const LAMBDA: f64 = 1.0;

/// The fewest examples on each side of a threshold.
const FEWEST_EXAMPLES: usize = 2;

/// The greatest step of a leaf.
const MOST_STEP: f64 = 4.0;

/// So many values are thresholds where a gain is only to be about right.
const N_SAMPLED: usize = 48;

/// Stands for all examples that have no rows.
const REST: u32 = u32::MAX;

/// The half of examples that are left out.
const OUTSIDE: u8 = 2;

/// Derivatives of a loss by example, and the half of the examples that each is in.
#[derive(Clone, Debug)]
pub(super) struct Gradients {
    /// The first derivative and the second, times the example's weight.
    pub of: Vec<[f64; 2]>,
    /// The half, 0 or 1; [`OUTSIDE`] of those that are left out.
    pub halves: Vec<u8>,
}

/// Which examples of each half are looked at for proposals, where all would take too long.
#[derive(Clone, Debug)]
pub(super) struct Thinned {
    /// The examples.
    pub is_kept: Vec<bool>,
    /// The gradients of those that are kept stand for the others, too.
    pub gradients: Gradients,
}

impl Gradients {
    /// Those of some examples alone.
    pub(super) fn within(&self, is_in: &dyn Fn(usize) -> bool) -> Self {
        let mut within = self.clone();
        for (example, (of, half)) in within.of.iter_mut().zip(&mut within.halves).enumerate() {
            if !is_in(example) {
                (*of, *half) = ([0.0, 0.0], OUTSIDE);
            }
        }
        within
    }

    /// About so many examples: where possible as many of each sign of the first derivative.
    pub(super) fn thinned(&self, n_kept: usize) -> Thinned {
        let is_pushed = |of: &[f64; 2]| of[0] < 0.0;
        let n_pushed = self.of.iter().filter(|of| is_pushed(of)).count();
        let (small, large) = (n_pushed.min(self.of.len() - n_pushed), n_pushed.max(self.of.len() - n_pushed));
        let n_small = small.min(n_kept.div_ceil(2)).max(1);
        let n_large = n_kept.saturating_sub(n_small).max(1);
        let strides = [small.div_ceil(n_small).max(1), large.div_ceil(n_large).max(1)];
        let is_small_pushed = n_pushed == small;
        let mut counts = [[0_usize; 3]; 2];
        let mut gradients = self.clone();
        let mut is_kept = vec![false; self.of.len()];
        for (at, of) in gradients.of.iter_mut().enumerate() {
            let kind = usize::from(is_pushed(of) != is_small_pushed);
            let count = &mut counts[kind][usize::from(self.halves[at])];
            is_kept[at] = *count % strides[kind] == 0;
            *count += 1;
            *of = if is_kept[at] { of.map(|it| it * strides[kind] as f64) } else { [0.0, 0.0] };
        }
        Thinned { is_kept, gradients }
    }
}

/// The examples that a split is found or tested on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subset {
    /// Those of this half.
    Half(u8),
    /// All that are not left out.
    All,
}

/// Sums of gradients over some examples.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    first: f64,
    second: f64,
    n: usize,
}

/// A threshold of a value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Split {
    /// How much it lowers the loss.
    pub gain: f64,
    bound: f64,
    is_at_least: bool,
    /// The steps of the examples that pass, and of the others.
    steps: [f64; 2],
}

impl Totals {
    fn add(&mut self, [first, second]: [f64; 2]) {
        self.first += first;
        self.second += second;
        self.n += 1;
    }

    fn and(self, other: Self) -> Self {
        Self { first: self.first + other.first, second: self.second + other.second, n: self.n + other.n }
    }

    fn without(self, other: Self) -> Self {
        Self { first: self.first - other.first, second: self.second - other.second, n: self.n - other.n }
    }

    fn loss(self) -> f64 {
        self.first * self.first / (self.second + LAMBDA)
    }

    fn step(self) -> f64 {
        (-self.first / (self.second + LAMBDA)).clamp(-MOST_STEP, MOST_STEP)
    }
}

impl Gradients {
    /// Whether an example is one of these.
    pub(super) fn is_in(&self, example: usize, subset: Subset) -> bool {
        match subset {
            Subset::Half(half) => self.halves[example] == half,
            Subset::All => self.halves[example] != OUTSIDE,
        }
    }

    /// The sums over these examples.
    pub(super) fn totals(&self, subset: Subset) -> Totals {
        let mut all = Totals::default();
        for (example, of) in self.of.iter().enumerate() {
            if self.is_in(example, subset) {
                all.add(*of);
            }
        }
        all
    }

    /// The best threshold over these values, each with its example; the other examples have the value 0, or none.
    ///
    /// **Cost**: a sort.
    pub(super) fn best_split(
        &self,
        points: &mut Vec<(f64, u32)>,
        is_zero_of_none: bool,
        all: Totals,
    ) -> Split {
        let mut known = Totals::default();
        for &(_, example) in points.iter() {
            known.add(self.of[example as usize]);
        }
        let rest = all.without(known);
        let known = if is_zero_of_none && rest.n > 0 {
            points.push((0.0, REST));
            all
        } else {
            known
        };
        points.sort_unstable_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        let mut best = Split::default();
        let mut take = |passing: Totals, bound: f64, is_at_least: bool| {
            let failing = all.without(passing);
            let gain = passing.loss() + failing.loss() - all.loss();
            if passing.n >= FEWEST_EXAMPLES && failing.n >= FEWEST_EXAMPLES && gain > best.gain {
                best = Split { gain, bound, is_at_least, steps: [passing.step(), failing.step()] };
            }
        };
        let mut below = Totals::default();
        for same in points.chunk_by(|left, right| left.0.total_cmp(&right.0) == Ordering::Equal) {
            take(known.without(below), same[0].0, true);
            for &(_, example) in same {
                if example == REST {
                    below = below.and(rest);
                } else {
                    below.add(self.of[example as usize]);
                }
            }
            take(below, same[0].0, false);
        }
        best
    }

    /// About the gain of the best threshold over these values: of those at a sample of them.
    ///
    /// **Cost**: a search among the thresholds for each value.
    pub(super) fn about_best_gain(&self, points: &[(f64, u32)], is_zero_of_none: bool, all: Totals) -> f64 {
        let stride = points.len().div_ceil(N_SAMPLED).max(1);
        let mut edges: Vec<f64> = points.iter().step_by(stride).map(|(value, _)| *value).collect();
        edges.sort_unstable_by(f64::total_cmp);
        edges.dedup();
        let mut bins = vec![Totals::default(); edges.len() + 1];
        let bin = |value: f64| edges.partition_point(|edge| *edge <= value);
        for &(value, example) in points {
            bins[bin(value)].add(self.of[example as usize]);
        }
        let known = bins.iter().fold(Totals::default(), |sum, of| sum.and(*of));
        let rest = all.without(known);
        let known = if is_zero_of_none && rest.n > 0 {
            let at = bin(0.0);
            bins[at] = bins[at].and(rest);
            all
        } else {
            known
        };
        let mut best = 0.0_f64;
        let mut take = |passing: Totals| {
            let failing = all.without(passing);
            if passing.n >= FEWEST_EXAMPLES && failing.n >= FEWEST_EXAMPLES {
                best = best.max(passing.loss() + failing.loss() - all.loss());
            }
        };
        let mut below = Totals::default();
        for of in &bins {
            below = below.and(*of);
            take(below);
            take(known.without(below));
        }
        best
    }

    /// How much a split that was found elsewhere lowers the loss of these examples, with the steps it was found with.
    pub(super) fn gain_of(&self, split: &Split, values: &[f64], subset: Subset) -> f64 {
        let mut gain = 0.0;
        for (example, value) in values.iter().enumerate() {
            if self.is_in(example, subset) {
                let [first, second] = self.of[example];
                let step = split.step(*value);
                gain -= 2.0 * first * step + second * step * step;
            }
        }
        gain
    }
}

impl Split {
    /// Whether a value passes; `NaN` is none, which passes nothing.
    pub(super) fn passes(&self, value: f64) -> bool {
        if self.is_at_least { value >= self.bound } else { value <= self.bound }
    }

    /// Whether the examples that pass have the greater step: they are fewer, and further from the mean.
    pub(super) fn is_rarer_passing(&self) -> bool {
        self.steps[0].abs() >= self.steps[1].abs()
    }

    /// The step of an example with this value.
    pub(super) fn step(&self, value: f64) -> f64 {
        self.steps[usize::from(!self.passes(value))]
    }
}
