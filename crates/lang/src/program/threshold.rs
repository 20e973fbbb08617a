//! Thresholds: comparisons of a variable with a number, whose number a search may choose.
//!
//! A mode `+t >= #t` or `+t =< #t` asks for a threshold. Where it is *open*, the literal of a bottom clause has the
//! seed's own value, and each clause that has the literal takes the best number for itself. Such clauses have literals
//! that the bottom clause lacks; [`FixedThresholds`] numbers these on from its own.

use std::sync::{PoisonError, RwLock};

use gleaner_base::{ConstantId, FixedMap, VariableId};

use super::arithmetic::ComparisonOperator;
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

#[cfg(test)]
mod tests {
    use super::{FixedThresholds, Threshold, Thresholds};
    use crate::program::{ComparisonOperator, Literal, Term};
    use gleaner_base::{ConstantId, VariableId};

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
}
