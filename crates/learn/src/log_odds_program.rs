//! Prolog rules for scores that are sums over clauses: naive Bayes, its tree-augmented form, and other sums.

use gleaner_stats::ml::tree_augmented::TreeAugmented;

use super::prolog::{Program, number};

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

/// Scores are the base and the values of the covering clauses, by the clauses' numbers.
pub fn sum(program: &mut Program<'_>, base: f64, numbers: &[usize], values: &[f64]) {
    base_and_values(program, base, numbers, values);
    program.rules(SUM);
}

/// The tables of a base and of the clauses' values.
pub fn base_and_values(program: &mut Program<'_>, base: f64, numbers: &[usize], values: &[f64]) {
    base_row(base, program);
    value_rows(numbers, values, program);
}

/// Scores are the log-odds of a tree over the clauses of these numbers.
pub fn tree_augmented(program: &mut Program<'_>, tree: &TreeAugmented, numbers: &[usize]) {
    base_row(tree.prior, program);
    program.table("gleaner_branch", 6);
    for (clause, branch) in numbers.iter().zip(&tree.branches) {
        let parent = branch.parent.map_or(0, |parent| numbers[parent]);
        let odds = branch.odds.iter().flatten().map(|&odds| number(odds));
        let cells: Vec<String> = [clause.to_string(), parent.to_string()].into_iter().chain(odds).collect();
        program.row("gleaner_branch", &cells);
    }
    program.rules(TAN);
}

fn base_row(value: f64, program: &mut Program<'_>) {
    program.table("gleaner_base", 1);
    program.row("gleaner_base", &[number(value)]);
}

/// The value of each clause, in order.
pub fn value_rows(numbers: &[usize], values: &[f64], program: &mut Program<'_>) {
    program.table("gleaner_value", 2);
    for (clause, value) in numbers.iter().zip(values) {
        program.row("gleaner_value", &[clause.to_string(), number(*value)]);
    }
}
