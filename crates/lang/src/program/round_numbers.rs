//! Round numbers for thresholds: `V >= 900` in the place of `V >= 897.31`, where no example has a number between them.
//!
//! A threshold is a constant, so a round number must be one, too. Where modes ask for thresholds the constants of a
//! problem have all numbers of up to three digits that are as large as some number of the problem, after all others.
//! Which of them lies between two numbers of the problem depends on these two alone.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use gleaner_base::{ConstantId, FixedMap};

use super::arithmetic::Number;

/// The powers of ten of the first digits of round numbers.
const MAGNITUDES: RangeInclusive<i32> = -9..=14;

/// The digits of a round number, at most.
const N_DIGITS: i32 = 3;

/// A round number among the constants.
#[derive(Clone, Copy, Debug)]
struct Round {
    value: f64,
    /// The power of ten of its last digit that is not 0; greatest for 0.
    unit: i32,
    id: ConstantId,
}

/// The round numbers among the constants of a problem, ascending.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundNumbers(Vec<Round>);

/// A round number that may become a constant.
struct Candidate {
    text: String,
    number: Number,
    unit: i32,
}

impl Candidate {
    fn zero() -> Self {
        Self { text: "0".to_owned(), number: Number::Integer(0), unit: i32::MAX }
    }

    /// `digits` times the `unit`th power of ten; it does not end in 0.
    fn new(is_negative: bool, digits: u32, unit: i32) -> Option<Self> {
        let mut text = if is_negative { "-".to_owned() } else { String::new() };
        let digits = digits.to_string();
        let number = match usize::try_from(unit) {
            Ok(n_zeros) => {
                text.push_str(&digits);
                text.extend(std::iter::repeat_n('0', n_zeros));
                Number::Integer(text.parse().ok()?)
            }
            Err(_) => {
                let n_places = usize::try_from(unit.unsigned_abs()).ok()?;
                let padded = format!("{digits:0>width$}", width = n_places + 1);
                let (whole, fraction) = padded.split_at(padded.len() - n_places);
                text.push_str(&format!("{whole}.{fraction}"));
                Number::Float(text.parse().ok()?)
            }
        };
        Some(Self { text, number, unit })
    }

    /// All of one sign whose first digit stands for this power of ten.
    fn of_magnitude(is_negative: bool, magnitude: i32) -> impl Iterator<Item = Self> {
        let numbers = 10_u32.pow(N_DIGITS.unsigned_abs() - 1)..10_u32.pow(N_DIGITS.unsigned_abs());
        numbers.filter_map(move |mut digits| {
            let mut unit = magnitude + 1 - N_DIGITS;
            while digits % 10 == 0 {
                digits /= 10;
                unit += 1;
            }
            Self::new(is_negative, digits, unit)
        })
    }
}

impl RoundNumbers {
    /// The round numbers beside the numbers of a problem, given with their ids and texts; and the texts of those that are
    /// new, whose ids go on from `next_id`.
    ///
    /// **Cost**: a few looks at each number; at most 900 further constants for each power of ten and sign.
    pub(super) fn beside<'t>(
        numbers: impl Iterator<Item = (ConstantId, &'t str, Number)> + Clone,
        next_id: usize,
    ) -> (Self, Vec<(String, Option<Number>)>) {
        let mut magnitudes: BTreeSet<(bool, i32)> = BTreeSet::new();
        // Numbers of one domain ascend, so most have the magnitude of the one before.
        let mut last: Option<(bool, i32)> = None;
        for (_, _, number) in numbers.clone() {
            let value = number.as_f64();
            if last.is_none_or(|last| !has_magnitude(value, last)) {
                last = magnitude(value);
                magnitudes.extend(last);
            }
        }
        let of_magnitudes = magnitudes.into_iter().flat_map(|(sign, of)| Candidate::of_magnitude(sign, of));
        let mut known: FixedMap<String, (Candidate, Option<ConstantId>)> = of_magnitudes
            .chain([Candidate::zero()])
            .map(|candidate| (candidate.text.clone(), (candidate, None)))
            .collect();
        for (id, text, _) in numbers.filter(|(_, text, _)| may_be_round(text)) {
            if let Some((_, of_text)) = known.get_mut(text) {
                *of_text = Some(id);
            }
        }
        let mut candidates: Vec<(Candidate, Option<ConstantId>)> = known.into_values().collect();
        candidates.sort_by(|(one, _), (other, _)| one.number.table_order(other.number));
        let mut further = Vec::new();
        let rounds = candidates.into_iter().map(|(Candidate { text, number, unit }, id)| {
            let id = id.unwrap_or_else(|| {
                further.push((text, Some(number)));
                ConstantId::new(next_id + further.len() - 1)
            });
            Round { value: number.as_f64(), unit, id }
        });
        let rounds = Self(rounds.collect());
        (rounds, further)
    }

    /// The roundest number that compares with `beyond` as `bound` does and is not beyond `bound`: of those whose last
    /// digit stands for the greatest power of ten, the one nearest to the middle. `None`: no round number lies there.
    pub(super) fn between(&self, bound: Number, beyond: Number) -> Option<ConstantId> {
        let (bound, beyond) = (bound.as_f64(), beyond.as_f64());
        let (from, to) = match beyond.partial_cmp(&bound)? {
            Ordering::Less => {
                (self.0.partition_point(|n| n.value <= beyond), self.0.partition_point(|n| n.value <= bound))
            }
            Ordering::Greater => {
                (self.0.partition_point(|n| n.value < bound), self.0.partition_point(|n| n.value < beyond))
            }
            Ordering::Equal => return None,
        };
        let middle = bound / 2.0 + beyond / 2.0;
        let distance = |round: &Round| (round.value - middle).abs();
        // Of two as near the lesser is taken. Ids must not decide: they depend on all numbers of the problem.
        let best = self.0.get(from..to)?.iter().rev().max_by(|one, other| {
            one.unit.cmp(&other.unit).then_with(|| distance(other).total_cmp(&distance(one)))
        });
        best.map(|round| round.id)
    }
}

/// The sign of a number and the power of ten of its first digit, if that is one of round numbers.
fn magnitude(value: f64) -> Option<(bool, i32)> {
    MAGNITUDES.map(|power| (value < 0.0, power)).find(|&of| has_magnitude(value, of))
}

fn has_magnitude(value: f64, (is_negative, power): (bool, i32)) -> bool {
    is_negative == (value < 0.0) && (10_f64.powi(power)..10_f64.powi(power + 1)).contains(&value.abs())
}

/// Whether a text has no digit but 0 after its first [`N_DIGITS`] from the first that is not 0: most numbers of large data
/// have, and need no look-up.
fn may_be_round(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).skip_while(|&digit| digit == b'0');
    let n_first = usize::try_from(N_DIGITS).unwrap_or_default();
    digits.skip(n_first).all(|digit| digit == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Number {
        text.parse().map_or_else(|_| Number::Float(text.parse().unwrap()), Number::Integer)
    }

    /// All texts by id, and the round numbers.
    fn rounds(texts: &[&str]) -> (RoundNumbers, Vec<String>) {
        let numbers = texts.iter().enumerate();
        let numbers = numbers.map(|(at, text)| (ConstantId::new(at), *text, read(text)));
        let (rounds, further) = RoundNumbers::beside(numbers, texts.len());
        let further = further.into_iter().map(|(text, number)| {
            assert_eq!(number, Some(read(&text)));
            text
        });
        let all = texts.iter().map(|&text| text.to_owned()).chain(further).collect();
        (rounds, all)
    }

    /// The round number for `V >= bound` where the next number is `beyond`.
    fn round(bound: &str, beyond: &str) -> Option<String> {
        let (rounds, texts) = rounds(&[bound, beyond]);
        Some(texts[rounds.between(read(bound), read(beyond))?.index()].clone())
    }

    #[test]
    fn the_roundest_number_in_the_gap_is_taken() {
        // Worked by hand: the greatest power of ten of which a multiple lies in the gap, and there the middle one.
        for (bound, beyond, expected) in [
            ("903.31", "871.2", "900"),
            ("897.31", "871.2", "880"),
            ("3", "2", "3"),
            ("7", "3", "5"),
            ("15", "7.5", "10"),
            ("0.05142", "0.0507", "0.051"),
            ("12.3", "-4.0", "0"),
            ("-3.9", "-7.2", "-6"),
            ("0.0", "-7.2", "0"),
            ("70", "0.05", "40"),
        ] {
            assert_eq!(round(bound, beyond).as_deref(), Some(expected), "{bound} down to {beyond}");
        }
    }

    #[test]
    fn at_most_holds_of_the_bound_and_not_of_what_is_beyond() {
        // `V =< 871.2` where the next number is 900: 900 itself would pass.
        assert_eq!(round("871.2", "900").as_deref(), Some("890"));
        assert_eq!(round("3", "4").as_deref(), Some("3"));
    }

    #[test]
    fn narrow_gaps_keep_their_number() {
        assert_eq!(round("1984.237", "1984.2"), None);
        assert_eq!(round("1.0", "1.0"), None);
    }

    #[test]
    fn each_text_stands_once() {
        let (rounds, texts) = rounds(&["900", "1.5", "0", "12", "7.0e30"]);
        let distinct: BTreeSet<&String> = texts.iter().collect();
        assert_eq!(distinct.len(), texts.len());
        // Three magnitudes of 900 numbers each, and 0; four of these were there, and 7.0e30 is too large.
        assert_eq!((rounds.0.len(), texts.len()), (3 * 900 + 1, 3 * 900 + 1 + 1));
        assert!(rounds.0.is_sorted_by(|one, other| one.value < other.value));
    }
}
