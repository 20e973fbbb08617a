//! The kernels by name.

use std::fmt;

/// The similarity of two rows, as a sum over features or a function of such a sum. `[GLEANERSRL, Table 1]`
///
/// The products take a Boolean value as 0 or 1 and a real one as it is; `Info` and `Hamming` ask only whether a value is 0.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kernel {
    /// The product of the values: how many features hold in both.
    Dot,
    /// The product of the values times the feature's precision.
    Precision,
    /// The product of the values times `1 - recall`: a feature of few positives says more.
    Recall,
    /// The product of the values times the squared precision: the probability that both rows are positive, given that the
    /// feature holds in both.
    BothPos,
    /// The information, in bits, of the rows' agreement or difference in each feature. It is `-2 log2 q` where the
    /// feature holds in both rows, `-log2(2q(1-q))` in one, and `-2 log2(1-q)` in none. `q` is the share of training
    /// examples that have the feature.
    ///
    /// DIVERGENCE: a feature of no training example (`q = 0`) or of all (`q = 1`) adds 0, as it does on training rows.
    /// By the formula, a new row with another value would be infinitely similar to some rows.
    Info,
    /// The number of features on which the rows agree.
    Hamming,
    /// `exp(-width * |x - z|^2)`; for Boolean rows, the squared distance is the number of features on which they
    /// differ.
    Gaussian {
        /// Above 0; [`Kernel::default_width`] if nothing is known.
        width: f64,
    },
}

impl Kernel {
    /// The width of a Gaussian over `n_features` features: 1 divided by their number, so that the exponent is the share of
    /// features that differ.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "features are fewer than 2^53")]
    pub fn default_width(n_features: usize) -> f64 {
        1.0 / n_features.max(1) as f64
    }

    /// Whether no table of rows gives a matrix with a negative eigenvalue.
    ///
    /// Products with weights of at least 0 are positive semi-definite, and Hamming is `(n + (2x-1)·(2z-1)) / 2`. Info is not: of
    /// one feature of `q = 1/8`, a row with it and one without it have the matrix `[[6, 2.19], [2.19, 0.39]]`, whose
    /// determinant is below 0.
    #[must_use]
    pub const fn is_positive_semi_definite(self) -> bool {
        match self {
            Self::Dot
            | Self::Precision
            | Self::Recall
            | Self::BothPos
            | Self::Hamming
            | Self::Gaussian { .. } => true,
            Self::Info => false,
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Dot => "dot",
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::BothPos => "both-pos",
            Self::Info => "info",
            Self::Hamming => "hamming",
            Self::Gaussian { .. } => "gaussian",
        })
    }
}
