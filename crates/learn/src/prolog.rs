//! Models as Prolog programs, which SWI-Prolog runs to the same scores and decisions.
//!
//! A program has the model's clauses, each once with its number, as `gleaner_clause(Number, Example) :- body`. An
//! example is the list of the target's arguments. Then come the learner's tables as facts, and rules that define
//! `gleaner_score_of(Example, Score)` and `gleaner_decides(Example)` by them. `report` writes the parts that all
//! programs share.

use std::collections::BTreeMap;
use std::fmt::Write;

use gleaner_lang::program::Clause;
use gleaner_stats::ml::tree_augmented::TreeAugmented;

use crate::formula::{DecisionRule, Formula, Scoring};

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

#[cfg(test)]
mod tests {
    use super::number;

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
}
