//! Why a problem could not be generated.

/// A setting out of its range, or rules that find no place in the requested world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct GenerateError(Kind);

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum Kind {
    #[error("`{setting}` is {value}, but must lie between {low} and {high}")]
    Count { setting: &'static str, value: usize, low: usize, high: usize },
    #[error("`{setting}` is {value}, but must lie between {low} and {high}")]
    Fraction { setting: &'static str, value: f64, low: f64, high: f64 },
    #[error(
        "planted rule {rule} should cover {wanted} examples, but found room for {planted} only: \
         ask for fewer positives, less noise or more sentences"
    )]
    CannotPlant { rule: usize, wanted: usize, planted: usize },
}

impl GenerateError {
    /// Fails unless a count lies in `low..=high`.
    pub(super) fn check_count(
        setting: &'static str,
        value: usize,
        low: usize,
        high: usize,
    ) -> Result<(), Self> {
        if (low..=high).contains(&value) {
            return Ok(());
        }
        Err(Self(Kind::Count { setting, value, low, high }))
    }

    /// Fails unless a number lies in `low..=high`; `NaN` always fails.
    pub(super) fn check_fraction(setting: &'static str, value: f64, low: f64, high: f64) -> Result<(), Self> {
        if (low..=high).contains(&value) {
            return Ok(());
        }
        Err(Self(Kind::Fraction { setting, value, low, high }))
    }

    /// The fault of rule number `rule`, from 1, which covers `planted` pairs and finds no place for more.
    pub(super) fn cannot_plant(rule: usize, wanted: usize, planted: usize) -> Self {
        Self(Kind::CannotPlant { rule, wanted, planted })
    }

    /// The setting that is out of range, if that is the fault.
    #[must_use]
    pub fn setting(&self) -> Option<&'static str> {
        match self.0 {
            Kind::Count { setting, .. } | Kind::Fraction { setting, .. } => Some(setting),
            Kind::CannotPlant { .. } => None,
        }
    }
}
