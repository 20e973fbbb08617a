//! Thresholds: comparisons of a variable with a number, whose number a search may choose.
//!
//! A mode `+t >= #t` or `+t =< #t` asks for a threshold. Where it is *open*, the literal of a bottom clause has the
//! seed's own value, and each clause that has the literal takes the best number for itself. Such clauses have literals
//! that the bottom clause lacks; [`FixedThresholds`] numbers these on from its own.
//!
//! Round numbers for thresholds: `V >= 900` in the place of `V >= 897.31`, where no example has a number between them.
//!
//! A threshold is a constant, so a round number must be one, too. Where modes ask for thresholds the constants of a
//! problem have all numbers of up to three digits that are as large as some number of the problem, after all others.
//! Which of them lies between two numbers of the problem depends on these two alone.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::{PoisonError, RwLock};

use gleaner_base::{ConstantId, FixedMap, VariableId};

use super::arithmetic::{ComparisonOperator, Number};
use super::atom::Term;
use super::literal::Literal;
use super::settings::{LARGE, Setting, words};

words! {
    /// Where the numbers of thresholds come from.
    pub enum Thresholds {
        /// From quantiles of the examples: each clause and each test takes the best for itself.
        Open = "open",
        /// From all examples: each clause and each test takes the best for itself.
        Exact = "exact",
        /// From the seed: a threshold is the seed's own value.
        Seed = "seed",
    }
}

/// Where the numbers of thresholds come from.
pub static THRESHOLDS: Setting<Thresholds> = Setting::new("number-thresholds", "open")
    .help(
        "Numbers of `+t >= #t` and `+t =< #t`: open, the best of some quantiles for each clause; \
         exact, the best of all values; seed, the seed's own value",
    )
    .source("open: our own, as trees of numbers choose them; seed: Aleph")
    .recorded_where_changed();

/// The most thresholds of a clause.
pub static MAX_THRESHOLDS: Setting<usize> = Setting::auto("max-thresholds", 0..=LARGE, |_| usize::MAX)
    .unit("thresholds")
    .help("Most literals `V >= c` or `V =< c` of a clause, and on a way down a tree; auto: any number")
    .source("our own")
    .recorded_where_changed();

/// A comparison of a variable with a constant that holds for all greater values, or for all smaller ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The variable.
    pub variable: VariableId,
    /// The constant.
    pub constant: ConstantId,
    /// Whether the variable must be at least the constant; else it must be at most the constant.
    pub is_least: bool,
}

impl Threshold {
    /// The threshold that a literal is. `V > c` and `V < c` are none.
    pub fn of(literal: &Literal) -> Option<Self> {
        let comparison = literal.comparison()?;
        let is_greater = match comparison.operator {
            ComparisonOperator::GreaterOrEqual => true,
            ComparisonOperator::LessOrEqual => false,
            _ => return None,
        };
        match comparison.plain_sides()? {
            [Term::Variable(variable), Term::Constant(constant)] => {
                Some(Self { variable, constant, is_least: is_greater })
            }
            [Term::Constant(constant), Term::Variable(variable)] => {
                Some(Self { variable, constant, is_least: !is_greater })
            }
            _ => None,
        }
    }

    /// A literal that is a threshold, with another constant.
    pub fn moved(literal: &Literal, constant: ConstantId) -> Literal {
        literal.map_terms(&mut |term| match term {
            Term::Constant(_) => Term::Constant(constant),
            other @ (Term::Variable(_) | Term::Any) => other,
        })
    }
}

/// The thresholds that searches from one seed fixed: literals, numbered on from those of the bottom clause.
///
/// Positions are stable: a literal keeps its position, and one literal has one position. All engines, observers and
/// spaces of a seed share the table.
#[derive(Debug)]
pub struct FixedThresholds {
    /// How many literals the bottom clause has.
    n_before: u16,
    source: Thresholds,
    fixed: RwLock<Fixed>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Fixed {
    /// The literals, each with the position of the bottom literal that it was made of.
    literals: Vec<(u16, Literal)>,
    positions: FixedMap<(u16, ConstantId), u16>,
}

impl PartialEq for FixedThresholds {
    fn eq(&self, other: &Self) -> bool {
        (self.n_before, self.source) == (other.n_before, other.source)
            && self.fixed(Fixed::clone) == other.fixed(Fixed::clone)
    }
}

impl Eq for FixedThresholds {}

impl FixedThresholds {
    /// No thresholds beside a bottom clause of so many literals; `source` says which numbers are tried.
    pub fn new(n_before: u16, source: Thresholds) -> Self {
        Self { n_before, source, fixed: RwLock::default() }
    }

    fn fixed<T>(&self, look: impl FnOnce(&Fixed) -> T) -> T {
        look(&self.fixed.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The position of the open literal at `open` with its number fixed. `None`: positions of 16 bits are used up.
    pub fn fix(&self, open: u16, literal: &Literal, constant: ConstantId) -> Option<u16> {
        let mut fixed = self.fixed.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = fixed.positions.get(&(open, constant)) {
            return Some(known);
        }
        let position = u16::try_from(usize::from(self.n_before) + fixed.literals.len()).ok()?;
        fixed.literals.push((open, Threshold::moved(literal, constant)));
        fixed.positions.insert((open, constant), position);
        Some(position)
    }

    /// Whether `fix` has a position for this number of the literal at `open`.
    pub fn can_fix(&self, open: u16, constant: ConstantId) -> bool {
        self.fixed(|fixed| {
            usize::from(self.n_before) + fixed.literals.len() <= usize::from(u16::MAX)
                || fixed.positions.contains_key(&(open, constant))
        })
    }

    /// The fixed literal at a position; `None` where the position is one of the bottom clause.
    pub fn literal(&self, position: u16) -> Option<Literal> {
        let at = position.checked_sub(self.n_before)?;
        self.fixed(|fixed| fixed.literals.get(usize::from(at)).map(|(_, literal)| literal.clone()))
    }

    /// The position in the bottom clause of a literal: its own, or that of the open literal that it was made of.
    #[inline]
    pub fn in_bottom(&self, position: u16) -> u16 {
        match position.checked_sub(self.n_before) {
            None => position,
            Some(at) => self.opened(at).unwrap_or(position),
        }
    }

    /// The open literal that a fixed one was made of.
    fn opened(&self, at: u16) -> Option<u16> {
        self.fixed(|fixed| fixed.literals.get(usize::from(at)).map(|&(open, _)| open))
    }

    /// Which numbers are tried for open thresholds.
    pub const fn source(&self) -> Thresholds {
        self.source
    }

    /// How many literals the bottom clause has.
    #[inline]
    pub const fn n_before(&self) -> u16 {
        self.n_before
    }
}

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
    use crate::program::{ComparisonOperator, Literal, Term};
    use gleaner_base::{ConstantId, VariableId};

    use super::{FixedThresholds, Threshold, Thresholds, *};

    fn literal(left: Term, operator: ComparisonOperator, right: Term) -> Literal {
        Literal::compared(left, operator, right)
    }

    #[test]
    fn a_threshold_is_known_from_both_sides() {
        let (variable, constant) = (VariableId::new(3), ConstantId::new(7));
        let [v, c] = [Term::Variable(variable), Term::Constant(constant)];
        let least = Some(Threshold { variable, constant, is_least: true });
        let most = Some(Threshold { variable, constant, is_least: false });
        let of = |left, operator, right| Threshold::of(&literal(left, operator, right));
        assert_eq!(of(v, ComparisonOperator::GreaterOrEqual, c), least);
        assert_eq!(of(c, ComparisonOperator::LessOrEqual, v), least);
        assert_eq!(of(v, ComparisonOperator::LessOrEqual, c), most);
        assert_eq!(of(c, ComparisonOperator::GreaterOrEqual, v), most);
        assert_eq!(of(v, ComparisonOperator::Greater, c), None);
        assert_eq!(of(v, ComparisonOperator::GreaterOrEqual, v), None);
    }

    #[test]
    fn fixed_literals_are_numbered_on() {
        let [v, c] = [Term::Variable(VariableId::new(0)), Term::Constant(ConstantId::new(7))];
        let open = literal(v, ComparisonOperator::GreaterOrEqual, c);
        let table = FixedThresholds::new(5, Thresholds::Open);
        assert_eq!(table.fix(2, &open, ConstantId::new(4)), Some(5));
        assert_eq!(table.fix(3, &open, ConstantId::new(4)), Some(6));
        assert_eq!(table.fix(2, &open, ConstantId::new(4)), Some(5));
        let fixed = literal(v, ComparisonOperator::GreaterOrEqual, Term::Constant(ConstantId::new(4)));
        assert_eq!((table.literal(5), table.literal(4), table.literal(7)), (Some(fixed), None, None));
        assert_eq!([4, 5, 6].map(|position| table.in_bottom(position)), [4, 2, 3]);
    }

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
