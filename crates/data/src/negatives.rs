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
    /// This share of the negatives, in percent, sampled uniformly; above 0 and below 100.
    Percent(f64),
}

/// The negatives from which some are taken.
#[derive(Clone, Copy, Debug)]
pub struct NegativeSource {
    /// How many there are to take from.
    pub n_held: u64,
    /// The number of negatives that each of them stands for, if they are a sample themselves. A share is one of all these.
    pub stands_for: NegativeWeight,
}

impl NegativeSource {
    /// Negatives that stand for themselves.
    pub const fn whole(n_held: u64) -> Self {
        Self { n_held, stands_for: NegativeWeight::ONE }
    }
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
    /// The number of negatives to take: at most those held, and at least one of them. A ratio is rounded up, a share to the
    /// nearest whole number.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded, and at most those held"
    )]
    pub fn of(self, source: NegativeSource, n_positives: u64) -> u64 {
        let NegativeSource { n_held, stands_for } = source;
        let wanted = match self {
            Self::All => n_held,
            Self::Number(number) => number,
            Self::Ratio(ratio) => (n_positives as f64 * ratio).ceil() as u64,
            Self::Percent(percent) => (n_held as f64 * stands_for.ratio() * percent / 100.0).round() as u64,
        };
        wanted.min(n_held).max(u64::from(n_held > 0))
    }
}

impl Negatives {
    /// The negatives that a percentage asks for; 100 means all. `None` for 0 or less and for more than 100.
    fn of_percent(percent: f64) -> Option<Self> {
        match percent {
            _ if percent <= 0.0 || percent > 100.0 || percent.is_nan() => None,
            _ if percent < 100.0 => Some(Self::Percent(percent)),
            _ => Some(Self::All),
        }
    }
}

impl std::fmt::Display for Negatives {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Ratio(ratio) => write!(f, "ratio:{ratio}"),
            Self::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

impl std::str::FromStr for Negatives {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refusal =
            || format!("`{text}` is neither `all`, a number, a share, as 25%, nor `ratio:K`, as ratio:20");
        if text == "all" {
            return Ok(Self::All);
        }
        if let Some(percent) = text.strip_suffix('%') {
            let percent = real_number(percent).ok_or_else(refusal)?;
            return Self::of_percent(percent).ok_or_else(|| {
                format!("`{text}` is no share of the negatives: it lies above 0% and is at most 100%")
            });
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

#[cfg(test)]
mod tests {
    use gleaner_base::NegativeWeight;

    use super::{NegativeSource, Negatives};

    #[test]
    fn shares_are_read_and_written() {
        for text in ["25%", "0.5%", "12.75%"] {
            assert_eq!(text.parse::<Negatives>().map(|read| read.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("2_5.0%".parse(), Ok(Negatives::Percent(25.0)));
        // No sample is drawn of all.
        assert_eq!("100%".parse(), Ok(Negatives::All));
        for text in ["0%", "-5%", "100.5%", "nan%", "inf%"] {
            let told = text.parse::<Negatives>().expect_err(text);
            assert!(told.starts_with(&format!("`{text}` is no share")) && told.contains("100%"), "{told}");
        }
        for text in ["%", "x%", "25 %", "25%%", "ratio:25%", "25"] {
            let is_refused = text.parse::<Negatives>().is_err_and(|told| told.contains("a share, as 25%"));
            assert_eq!(is_refused, text != "25", "{text}");
        }
    }

    /// By hand, of 1,674 negatives and of a sample.
    #[test]
    fn a_share_is_of_all_that_the_negatives_stand_for() {
        let of = |percent, source| Negatives::Percent(percent).of(source, 100);
        let whole = NegativeSource::whole(1_674);
        assert_eq!([25.0, 50.0, 0.01, 99.99].map(|percent| of(percent, whole)), [419, 837, 1, 1_674]);
        assert_eq!(of(7.0, NegativeSource::whole(100)), 7);
        assert_eq!(of(50.0, NegativeSource::whole(0)), 0);
        // 1,000 of 4,000 are held: 10 % of all are 400, and 50 % more than there are.
        let sample = NegativeSource { n_held: 1_000, stands_for: NegativeWeight::new(4, 1) };
        assert_eq!([10.0, 50.0].map(|percent| of(percent, sample)), [400, 1_000]);
    }
}
