//! Models as Prolog programs, which SWI-Prolog runs to the same scores and decisions.
//!
//! A program has the model's clauses, each once with its number, as `gleaner_clause(Number, Example) :- body`. An
//! example is the list of the target's arguments. Then come the learner's tables as facts, and rules that define
//! `gleaner_score_of(Example, Score)` and `gleaner_decides(Example)` by them. `report` writes the parts that all
//! programs share.
//!
//! How a model makes a score of the clauses that cover an example, as a formula: for forms that compute it elsewhere.
//!
//! Sums keep their order: that of sums of floats matters. A formula is a tree, so what several parts share is a *step*
//! with a name, which later formulas refer to.

use std::collections::BTreeMap;
use std::fmt::Write;

use gleaner_lang::program::Clause;
use gleaner_stats::ml::tree_augmented::TreeAugmented;

const SUM: &str = "\
% The score is the sum of the values of the covering clauses, from this on.
gleaner_score_of(Example, Score) :-
    findall(Value, ( gleaner_value(Clause, Value), gleaner_covers(Clause, Example) ), Values),
    gleaner_base(Base),
    gleaner_sum(Values, Base, Score).

";

const TAN: &str = "\
% The score is the log-odds: of each clause by whether it covers the example, and whether its parent does. Parent 0
% stands for none.
gleaner_score_of(Example, Score) :-
    findall(Odds, gleaner_odds(Example, Odds), All),
    gleaner_base(Base),
    gleaner_sum(All, Base, Score).

gleaner_odds(Example, Odds) :-
    gleaner_branch(Clause, Parent, Neither, Alone, ParentAlone, Both),
    (   Parent > 0, gleaner_covers(Parent, Example)
    ->  ( gleaner_covers(Clause, Example) -> Odds = Both ; Odds = ParentAlone )
    ;   ( gleaner_covers(Clause, Example) -> Odds = Alone ; Odds = Neither )
    ).

";

/// A model as a Prolog program, without the parts that all programs share.
#[derive(Clone, Debug, Default)]
pub struct Program<'m> {
    /// The distinct clauses; the first has number 1.
    pub clauses: Vec<&'m Clause>,
    numbers: BTreeMap<&'m Clause, usize>,
    /// The tables' names with their arities.
    pub tables: Vec<(&'static str, usize)>,
    /// The tables' rows as facts, in order.
    pub facts: String,
    /// The rules that score and decide.
    pub rules: String,
    /// The same as a formula.
    pub scoring: Scoring,
}

impl<'m> Program<'m> {
    /// The number of a clause, from 1; equal clauses share one.
    pub fn clause(&mut self, clause: &'m Clause) -> usize {
        let next = self.clauses.len() + 1;
        let number = *self.numbers.entry(clause).or_insert(next);
        if number == next {
            self.clauses.push(clause);
        }
        number
    }

    /// A table, which is thus known even if it has no rows.
    pub fn table(&mut self, name: &'static str, arity: usize) {
        self.tables.push((name, arity));
    }

    /// A row of a table; numbers are written by [`number`].
    pub fn row(&mut self, table: &str, cells: &[String]) {
        let _ = writeln!(self.facts, "{table}({}).", cells.join(", "));
    }

    /// Rules, as they stand.
    pub fn rules(&mut self, text: &str) {
        self.rules.push_str(text);
    }

    /// The numbers of clauses, in their order.
    pub fn numbers(&mut self, clauses: impl IntoIterator<Item = &'m Clause>) -> Vec<usize> {
        clauses.into_iter().map(|clause| self.clause(clause)).collect()
    }

    /// The number that scores begin with, as a table of one row.
    pub fn base(&mut self, base: f64) {
        self.table("gleaner_base", 1);
        self.row("gleaner_base", &[number(base)]);
    }

    /// The table of the value of each clause, in order.
    pub fn values(&mut self, numbers: &[usize], values: &[f64]) {
        self.table("gleaner_value", 2);
        for (clause, value) in numbers.iter().zip(values) {
            self.row("gleaner_value", &[clause.to_string(), number(*value)]);
        }
    }

    /// Scores are the base and the values of the covering clauses, by the clauses' numbers.
    pub fn sum(&mut self, base: f64, numbers: &[usize], values: &[f64]) {
        self.base(base);
        self.values(numbers, values);
        self.rules(SUM);
        let values = numbers.iter().copied().zip(values.iter().copied());
        self.scoring.score = Some(Formula::sum(base, values));
    }

    /// Scores are the log-odds of a tree over the clauses of these numbers.
    pub fn tree_augmented(&mut self, tree: &TreeAugmented, numbers: &[usize]) {
        self.base(tree.prior);
        self.table("gleaner_branch", 6);
        let mut parts = vec![Formula::Number(tree.prior)];
        for (clause, branch) in numbers.iter().zip(&tree.branches) {
            let parent = branch.parent.map_or(0, |parent| numbers[parent]);
            let odds = branch.odds.iter().flatten().map(|&odds| number(odds));
            let cells: Vec<String> =
                [clause.to_string(), parent.to_string()].into_iter().chain(odds).collect();
            self.row("gleaner_branch", &cells);
            let [without, with] = branch
                .odds
                .map(|odds| Formula::choice(*clause, Formula::Number(odds[1]), Formula::Number(odds[0])));
            parts.push(match parent {
                0 => without,
                _ => Formula::choice(parent, with, without),
            });
        }
        self.scoring.score = Some(Formula::Sum(parts));
        self.rules(TAN);
    }

    /// Calls scores of at least so much positive; none where nothing is.
    pub fn decide_by_score(&mut self, least: Option<f64>) {
        self.table("gleaner_least", 1);
        self.scoring.decision = least.map_or(DecisionRule::Never, DecisionRule::Score);
        if let Some(least) = least {
            self.row("gleaner_least", &[number(least)]);
        }
        self.rules(
            "% Scores of at least so much are called positive.\n\
             gleaner_decides(Example) :-\n    gleaner_least(Least),\n    gleaner_score_of(Example, Score),\n    \
             Score >= Least.\n",
        );
    }
}

/// A finite number as Prolog reads it: the shortest text that reads back as the same, with a point.
pub fn number(value: f64) -> String {
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}

/// A number made of the clauses that cover an example. Clauses have numbers from 1.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A number.
    Number(f64),
    /// The value of an earlier step.
    Step(usize),
    /// One value where a clause covers the example, another where it does not.
    If {
        /// The clause's number.
        clause: usize,
        /// The value of covered examples.
        covered: Box<Self>,
        /// The value of the others.
        other: Box<Self>,
    },
    /// The sum, from left to right.
    Sum(Vec<Self>),
    /// The product of a formula and a number.
    Product(Box<Self>, f64),
    /// One formula over another; 0 for 0/0.
    Ratio(Box<Self>, Box<Self>),
    /// The greatest value; at least 0.
    Greatest(Vec<Self>),
    /// A number where a formula is at least another number, else 0.
    AtLeast {
        /// The formula.
        value: Box<Self>,
        /// The least value.
        least: f64,
        /// The number.
        then: f64,
    },
    /// A formula, but no less than one number and no more than another.
    Clamped {
        /// The formula.
        value: Box<Self>,
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// The exponential function.
    Exponential(Box<Self>),
    /// The log-odds `c + a ln s - b ln(1 - s)` of a share `s`, which is first held away from 0 and 1.
    Beta {
        /// The share.
        share: Box<Self>,
        /// `a`, `b` and `c`.
        parameters: [f64; 3],
        /// The distance that the share keeps from 0 and 1.
        edge: f64,
    },
}

/// How a model decides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum DecisionRule {
    /// It calls nothing positive.
    #[default]
    Never,
    /// It calls scores of at least so much positive.
    Score(f64),
    /// It calls examples positive whose value of a step is at least so much.
    Step {
        /// The step.
        step: usize,
        /// The least value.
        least: f64,
    },
}

/// A part of a score that has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The name: letters, digits and `_`.
    pub name: String,
    /// Its value; the steps that it refers to stand before it.
    pub formula: Formula,
}

/// How a model scores and decides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scoring {
    /// The named parts of the score.
    pub steps: Vec<Step>,
    /// The score; none for a model that has no formula.
    pub score: Option<Formula>,
    /// The number that the score predicts, where the target is a number.
    pub prediction: Option<Formula>,
    /// The decision.
    pub decision: DecisionRule,
}

impl Formula {
    /// A value where a clause covers the example, else 0.
    pub fn value_of(clause: usize, value: f64) -> Self {
        Self::choice(clause, Self::Number(value), Self::Number(0.0))
    }

    /// One formula where a clause covers the example, else another.
    pub fn choice(clause: usize, covered: Self, other: Self) -> Self {
        Self::If { clause, covered: Box::new(covered), other: Box::new(other) }
    }

    /// The value of the first of these clauses that covers the example; 0 where none does.
    pub fn first(values: &[(usize, f64)]) -> Self {
        values.iter().rev().fold(Self::Number(0.0), |other, &(clause, value)| {
            Self::choice(clause, Self::Number(value), other)
        })
    }

    /// A base with the values of the clauses that cover the example, from left to right.
    pub fn sum(base: f64, values: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let values = values.into_iter().map(|(clause, value)| Self::value_of(clause, value));
        Self::Sum(std::iter::once(Self::Number(base)).chain(values).collect())
    }

    /// The same formula with other numbers of its clauses, after so many other steps.
    pub fn renumbered(self, clause_of: &dyn Fn(usize) -> usize, n_steps: usize) -> Self {
        let boxed = |inner: Box<Self>| Box::new(inner.renumbered(clause_of, n_steps));
        let all =
            |parts: Vec<Self>| parts.into_iter().map(|part| part.renumbered(clause_of, n_steps)).collect();
        match self {
            Self::Number(_) => self,
            Self::Step(step) => Self::Step(step + n_steps),
            Self::If { clause, covered, other } => {
                Self::If { clause: clause_of(clause), covered: boxed(covered), other: boxed(other) }
            }
            Self::Sum(parts) => Self::Sum(all(parts)),
            Self::Product(inner, factor) => Self::Product(boxed(inner), factor),
            Self::Ratio(above, below) => Self::Ratio(boxed(above), boxed(below)),
            Self::Greatest(parts) => Self::Greatest(all(parts)),
            Self::AtLeast { value, least, then } => Self::AtLeast { value: boxed(value), least, then },
            Self::Exponential(inner) => Self::Exponential(boxed(inner)),
            Self::Clamped { value, low, high } => Self::Clamped { value: boxed(value), low, high },
            Self::Beta { share, parameters, edge } => Self::Beta { share: boxed(share), parameters, edge },
        }
    }

    /// Its value for an example, by whether each clause covers it, from the first on, and the values of the steps.
    ///
    /// # Panics
    ///
    /// When there are fewer clauses or steps than it has.
    pub fn value(&self, covers: &[bool], steps: &[f64]) -> f64 {
        let of = |inner: &Self| inner.value(covers, steps);
        match self {
            Self::Number(number) => *number,
            Self::Step(step) => steps[*step],
            Self::If { clause, covered, other } => of(if covers[*clause - 1] { covered } else { other }),
            Self::Sum(parts) => parts.iter().map(of).reduce(|sum, part| sum + part).unwrap_or(0.0),
            Self::Product(inner, factor) => of(inner) * factor,
            Self::Ratio(above, below) => {
                let (above, below) = (of(above), of(below));
                if below == 0.0 { 0.0 } else { above / below }
            }
            Self::Greatest(parts) => parts.iter().map(of).fold(0.0, f64::max),
            Self::AtLeast { value, least, then } => {
                if of(value) >= *least {
                    *then
                } else {
                    0.0
                }
            }
            Self::Exponential(inner) => of(inner).exp(),
            Self::Clamped { value, low, high } => of(value).clamp(*low, *high),
            Self::Beta { share, parameters: [a, b, c], edge } => {
                let share = of(share).clamp(*edge, 1.0 - edge);
                a * share.ln() - b * (-share).ln_1p() + c
            }
        }
    }
}

impl Scoring {
    /// Adds a step. Gives the formula that refers to it.
    pub fn step(&mut self, name: String, formula: Formula) -> Formula {
        self.steps.push(Step { name, formula });
        Formula::Step(self.steps.len() - 1)
    }

    /// The score and the decision of an example, by whether each clause covers it; no score for a model without a
    /// formula.
    pub fn of(&self, covers: &[bool]) -> (Option<f64>, bool) {
        let mut steps = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            steps.push(step.formula.value(covers, &steps));
        }
        let score = self.score.as_ref().map(|score| score.value(covers, &steps));
        let decides = match self.decision {
            DecisionRule::Never => false,
            DecisionRule::Score(least) => score.is_some_and(|score| score >= least),
            DecisionRule::Step { step, least } => steps[step] >= least,
        };
        (score, decides)
    }
}

#[cfg(test)]
mod tests {
    use super::{DecisionRule, Formula, Scoring, number};

    #[test]
    fn numbers_have_points() {
        for (value, text) in [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e-7, "1.0e-7"),
            (1.5e300, "1.5e300"),
            (-2.5, "-2.5"),
            (1e16, "1.0e16"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    /// By hand: 0.5 and 2.0 of the second clause; of the ways the first covering clause speaks.
    #[test]
    #[expect(clippy::float_cmp, reason = "small sums are exact")]
    fn formulas_have_their_values() {
        let sum = Formula::sum(0.5, [(1, 1.0), (2, 2.0)]);
        assert_eq!(sum.value(&[false, true], &[]), 2.5);
        let first = Formula::first(&[(2, 7.0), (1, 3.0)]);
        for (covers, value) in
            [([true, true], 7.0), ([true, false], 3.0), ([false, true], 7.0), ([false, false], 0.0)]
        {
            assert_eq!(first.value(&covers, &[]), value, "{covers:?}");
        }
        let ratio = Formula::Ratio(Box::new(sum.clone()), Box::new(Formula::sum(0.0, [(1, 4.0)])));
        assert_eq!(ratio.value(&[true, false], &[]), 0.375);
        assert_eq!(ratio.value(&[false, false], &[]), 0.0, "nothing over nothing");
        assert_eq!(
            sum.renumbered(&|clause| clause + 1, 0).value(&[true, true, false], &[]),
            1.5,
            "the second and third clause"
        );
        let beta =
            Formula::Beta { share: Box::new(Formula::Number(0.5)), parameters: [2.0, 1.0, 3.0], edge: 1e-9 };
        assert!((beta.value(&[], &[]) - (3.0 + 0.5_f64.ln())).abs() < 1e-12, "3 + 2 ln 1/2 - ln 1/2");
    }

    #[test]
    fn steps_decide() {
        let mut scoring = Scoring::default();
        let votes = scoring.step("votes".to_owned(), Formula::sum(0.0, [(1, 1.0), (2, 1.0), (3, 1.0)]));
        let reaches = |least, then| Formula::AtLeast { value: Box::new(votes.clone()), least, then };
        scoring.score = Some(Formula::Greatest(vec![reaches(1.0, 0.25), reaches(2.0, 0.75)]));
        scoring.decision = DecisionRule::Step { step: 0, least: 2.0 };
        for (covers, score, decides) in [
            ([false, false, false], 0.0, false),
            ([false, true, false], 0.25, false),
            ([true, false, true], 0.75, true),
        ] {
            assert_eq!(scoring.of(&covers), (Some(score), decides), "{covers:?}");
        }
        assert_eq!(Scoring::default().of(&[]), (None, false));
    }
}
