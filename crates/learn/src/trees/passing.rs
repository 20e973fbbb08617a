//! The examples that pass a test.

/// Sums over the examples that pass a test.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Passing {
    /// Their number.
    pub(super) n: usize,
    /// The number of the positives among them.
    pub(super) n_positives: usize,
    /// The sum of their gradients.
    pub(super) gradient: f64,
    /// The number that they stand for.
    pub(super) weight: f64,
}

impl Passing {
    /// Adds the sums over other examples.
    pub(super) fn add(&mut self, other: &Self) {
        self.n += other.n;
        self.n_positives += other.n_positives;
        self.gradient += other.gradient;
        self.weight += other.weight;
    }
}
