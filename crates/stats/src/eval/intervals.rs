//! Intervals for predicted numbers, from the errors of predictions for examples that were held out.
//!
//! Split conformal prediction. There are `n` held-out errors, sorted, and the error of a new example; all are exchangeable.
//! With a chance of at least `1 - a`, the new error lies between two of the others: the `floor((n + 1) a / 2)`-th and the
//! `ceil((n + 1)(1 - a / 2))`-th.
//! Source: Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World (2005), section 2.3.

use serde::{Deserialize, Serialize};

/// An interval about a prediction: what is added to it, in units of the error's scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorInterval {
    /// The chance that the interval holds the true number: 0.8, say.
    pub level: f64,
    /// The lower end, mostly below 0.
    pub low: f64,
    /// The upper end; at least `low`.
    pub high: f64,
}

/// The interval of a level from errors, true number less prediction. `None` if there are too few errors for a finite
/// interval: fewer than `2 / (1 - level) - 1`.
///
/// **Cost**: a sort.
pub fn error_interval(errors: &[f64], level: f64) -> Option<ErrorInterval> {
    let mut ascending = errors.to_vec();
    ascending.sort_by(f64::total_cmp);
    let n = ascending.len();
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of fewer than 2^52 numbers"
    )]
    // The tail's errors, of n + 1; a product as 0.1 * 10 is 1 but for rounding.
    let outside = ((n + 1) as f64 * (1.0 - level) / 2.0 + 1e-9).floor() as usize;
    let low = *ascending.get(outside.checked_sub(1)?)?;
    let high = *ascending.get(n.checked_sub(outside)?)?;
    Some(ErrorInterval { level, low, high })
}

#[cfg(test)]
mod tests {
    use super::error_interval;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    /// Of 19 errors and a new one, 20 ranks: at 0.9 one lies below the first and one above the last with a chance of
    /// 1/20 each.
    #[test]
    fn ends_by_hand() {
        let errors: Vec<f64> = (0..19).rev().map(f64::from).collect();
        let found = error_interval(&errors, 0.9).map(|of| (of.low, of.high));
        assert_eq!(found, Some((0.0, 18.0)));
        let found = error_interval(&errors, 0.8).map(|of| (of.low, of.high));
        assert_eq!(found, Some((1.0, 17.0)));
        assert_eq!(error_interval(&errors[..18], 0.9), None, "19 ranks are too few for a tail of 1/20");
        assert_eq!(error_interval(&[], 0.5), None);
    }

    proptest! {
        /// Among n + 1 exchangeable errors each rank is as likely, so the interval of the others holds at least the
        /// level's share of them, and misses no more than two ranks' worth.
        #[test]
        fn it_holds_its_share_of_exchangeable_errors(n in 19_usize..60, level in 0.5..0.9) {
            let all: Vec<f64> = (0..=n).map(|error| f64::from(u32::try_from(error).expect("small"))).collect();
            let is_held = |at: &usize| {
                let mut others = all.clone();
                let own = others.remove(*at);
                let of = error_interval(&others, level).expect("there are enough");
                (of.low..=of.high).contains(&own)
            };
            let share = (0..=n).filter(is_held).count();
            let total = f64::from(u32::try_from(n + 1).expect("small"));
            let share = f64::from(u32::try_from(share).expect("small")) / total;
            prop_assert!(share >= level - 1e-9, "{share} of {level}");
            prop_assert!(share <= level + 2.0 / total + 1e-9, "{share} of {level}");
            prop_assert_eq!(error_interval(&all, 1.0), None);
        }
    }
}
