//! Linear classifiers over sparse features: support vector machines and logistic regression, with weighted rows.
//!
//! A classifier minimises `penalty(w) + C * sum_i weight_i * loss(y_i (w·x_i + b))` over the weights `w` of columns and the
//! intercept `b`, which no penalty holds. [`fit_primal`] takes the squared hinge and the logistic loss, under either penalty, a
//! column at a time; [`fit_hinge`] takes the hinge itself, a row at a time in the dual.

mod design;
mod dual;
mod primal;

pub use design::{Design, DesignRow};
pub use dual::fit_hinge;
pub use primal::{Descent, Loss, Penalty, Problem, fit_primal};

/// A linear classifier: `w·x + b`, above 0 for positives.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LinearModel {
    /// `w`: a weight for each column.
    pub weights: Vec<f64>,
    /// `b`.
    pub intercept: f64,
}

impl LinearModel {
    /// The classifier with weights of 0 for `n_columns` columns.
    #[must_use]
    pub fn zero(n_columns: usize) -> Self {
        Self { weights: vec![0.0; n_columns], intercept: 0.0 }
    }

    /// `w·x + b` of every row, in order.
    #[must_use]
    pub fn scores(&self, design: &Design) -> Vec<f64> {
        let mut scores = vec![self.intercept; design.n_rows()];
        for (column, &weight) in self.weights.iter().enumerate() {
            if weight != 0.0 {
                design.column(column).for_each(|(row, value)| scores[row] += weight * value);
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests;
