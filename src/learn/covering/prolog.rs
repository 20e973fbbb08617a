//! Covering theories and ensembles as Prolog programs.

use crate::learn::Model;
use crate::learn::prolog::{Program, number};

use super::model::CoveringModel;
use super::weights::Scorer;

const THEORIES: &str = "\
% The score is the share of theories that have a clause which covers the example.
gleaner_score_of(Example, Score) :-
    findall(1.0, ( gleaner_theory(Theory), gleaner_backs(Theory, Example) ), Backing),
    gleaner_sum(Backing, 0.0, Sum),
    gleaner_theories(Number),
    Score is Sum / Number.

gleaner_backs(Theory, Example) :-
    gleaner_member(Theory, Clause),
    gleaner_covers(Clause, Example),
    !.

";

const GREATEST: &str = "\
% The score is the greatest value of a covering clause, else 0.0.
gleaner_score_of(Example, Score) :-
    findall(Value, ( gleaner_value(Clause, Value), gleaner_covers(Clause, Example) ), Values),
    gleaner_greatest(Values, 0.0, Score).

";

const SUM: &str = "\
% The score is the sum of the values of the covering clauses, from this on.
gleaner_score_of(Example, Score) :-
    findall(Value, ( gleaner_value(Clause, Value), gleaner_covers(Clause, Example) ), Values),
    gleaner_base(Base),
    gleaner_sum(Values, Base, Score).

";

const RATIO: &str = "\
% The score is the sum of the covering clauses' first values over the sum of their second; 0.0 for 0/0.
gleaner_score_of(Example, Score) :-
    findall(Above-Below, ( gleaner_ratio(Clause, Above, Below), gleaner_covers(Clause, Example) ), Pairs),
    findall(Above, lists:member(Above-_, Pairs), Aboves),
    findall(Below, lists:member(_-Below, Pairs), Belows),
    gleaner_sum(Aboves, 0.0, Over),
    gleaner_sum(Belows, 0.0, Under),
    ( Under =:= 0.0 -> Score = 0.0 ; Score is Over / Under ).

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

pub(super) fn program(model: &CoveringModel) -> Program<'_> {
    let mut program = Program::default();
    let numbers: Vec<usize> = model.clauses().into_iter().map(|clause| program.clause(clause)).collect();
    match &model.scorer {
        Scorer::Theories => theories(model, &numbers, &mut program),
        Scorer::Greatest(values) => {
            value_rows(&numbers, values, &mut program);
            program.rules(GREATEST);
        }
        Scorer::Sum(values) => {
            base(0.0, &mut program);
            value_rows(&numbers, values, &mut program);
            program.rules(SUM);
        }
        Scorer::Ratio(values) => {
            program.table("gleaner_ratio", 3);
            for (clause, (above, below)) in numbers.iter().zip(values) {
                program.row("gleaner_ratio", &[clause.to_string(), number(*above), number(*below)]);
            }
            program.rules(RATIO);
        }
        Scorer::NaiveBayes(bayes) => {
            base(bayes.base, &mut program);
            value_rows(&numbers, &bayes.added, &mut program);
            program.rules(SUM);
        }
        Scorer::Tan(tree) => {
            base(tree.prior, &mut program);
            program.table("gleaner_branch", 6);
            for (clause, branch) in numbers.iter().zip(&tree.branches) {
                let parent = branch.parent.map_or(0, |parent| numbers[parent]);
                let odds = branch.odds.iter().flatten().map(|&odds| number(odds));
                let cells: Vec<String> =
                    [clause.to_string(), parent.to_string()].into_iter().chain(odds).collect();
                program.row("gleaner_branch", &cells);
            }
            program.rules(TAN);
        }
    }
    program.decide_by_score(model.threshold.map(|(least, _)| least));
    program
}

fn theories(model: &CoveringModel, numbers: &[usize], program: &mut Program<'_>) {
    program.table("gleaner_theory", 1);
    program.table("gleaner_member", 2);
    program.table("gleaner_theories", 1);
    program.row("gleaner_theories", &[format!("{}.0", model.theories.len().max(1))]);
    for theory in 1..=model.theories.len() {
        program.row("gleaner_theory", &[theory.to_string()]);
    }
    let mut numbers = numbers.iter();
    for (at, theory) in model.theories.iter().enumerate() {
        for clause in numbers.by_ref().take(theory.len()) {
            program.row("gleaner_member", &[(at + 1).to_string(), clause.to_string()]);
        }
    }
    program.rules(THEORIES);
}

fn base(value: f64, program: &mut Program<'_>) {
    program.table("gleaner_base", 1);
    program.row("gleaner_base", &[number(value)]);
}

/// The value of each clause, in order.
fn value_rows(numbers: &[usize], values: &[f64], program: &mut Program<'_>) {
    program.table("gleaner_value", 2);
    for (clause, value) in numbers.iter().zip(values) {
        program.row("gleaner_value", &[clause.to_string(), number(*value)]);
    }
}
