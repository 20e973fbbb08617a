//! Covering theories and ensembles as Prolog programs.

use crate::Model;
use crate::log_odds_program::{sum, tree_augmented, value_rows};
use crate::prolog::{Program, number};

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
            sum(&mut program, 0.0, &numbers, values);
        }
        Scorer::Ratio(values) => {
            program.table("gleaner_ratio", 3);
            for (clause, (above, below)) in numbers.iter().zip(values) {
                program.row("gleaner_ratio", &[clause.to_string(), number(*above), number(*below)]);
            }
            program.rules(RATIO);
        }
        Scorer::NaiveBayes(bayes) => {
            sum(&mut program, bayes.base, &numbers, &bayes.added);
        }
        Scorer::Tan(tree) => tree_augmented(&mut program, tree, &numbers),
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
