//! How many negatives are used.

use gleaner_base::{NegativeWeight, real_number, whole_number};

/// The number of negatives, of all or of a set of a run. They come from the listed ones; if none are listed, from all
/// tuples of constants of the target's types that are no positive example.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Negatives {
    /// All.
    #[default]
    All,
    /// This number, sampled uniformly.
    Number(u64),
    /// This number for each positive, sampled uniformly.
    Ratio(f64),
}

/// The negatives that each set of a run draws from the problem's negatives in that set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SetNegatives {
    /// The negatives of train.
    pub train: Negatives,
    /// The negatives of tune and of test.
    pub test: Negatives,
    /// The number of negatives that each negative of the train part stands for, before sets draw theirs. If tune and
    /// test list theirs, those of train may be a sample that loading made.
    pub train_stands_for: NegativeWeight,
}

impl Negatives {
    /// The number of negatives to take from a population.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded, and at most the population"
    )]
    #[must_use]
    pub fn of(self, population: u64, n_positives: u64) -> u64 {
        let wanted = match self {
            Self::All => population,
            Self::Number(number) => number,
            Self::Ratio(ratio) => (n_positives as f64 * ratio).ceil() as u64,
        };
        wanted.min(population).max(u64::from(population > 0))
    }
}

impl std::fmt::Display for Negatives {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Ratio(ratio) => write!(f, "ratio:{ratio}"),
        }
    }
}

impl std::str::FromStr for Negatives {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refusal = || format!("`{text}` is neither `all`, a number, nor `ratio:K`, as ratio:20");
        if text == "all" {
            return Ok(Self::All);
        }
        match text.strip_prefix("ratio:") {
            Some(ratio) => {
                let ratio = real_number(ratio).ok_or_else(refusal)?;
                Some(ratio).filter(|ratio: &f64| ratio.is_finite() && *ratio > 0.0).map(Self::Ratio)
            }
            None => whole_number(text).filter(|&number| number > 0).map(Self::Number),
        }
        .ok_or_else(refusal)
    }
}
