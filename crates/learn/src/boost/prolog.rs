//! Boosted rules as a Prolog program.

use crate::prolog::{Program, number};

use super::model::BoostModel;

const RULES: &str = "\
% The score is the sum over the rounds of the product of weight and value of the rule that speaks: the round's
% first here that covers the example.
gleaner_score_of(Example, Score) :-
    findall(Product, ( gleaner_round(Round), gleaner_says(Round, Example, Product) ), Products),
    gleaner_sum(Products, 0.0, Score).

gleaner_says(Round, Example, Product) :-
    gleaner_rule(Round, Clause, Weight, Value),
    gleaner_covers(Clause, Example),
    !,
    Product is Weight * Value.

";

pub(super) fn program(model: &BoostModel) -> Program<'_> {
    let mut program = Program::default();
    program.table("gleaner_round", 1);
    program.table("gleaner_rule", 4);
    for at in 1..=model.rounds.len() {
        program.row("gleaner_round", &[at.to_string()]);
    }
    for (at, round) in model.rounds.iter().enumerate() {
        // The last rule that covers an example speaks for the round.
        for rule in round.rules.iter().rev() {
            let clause = program.clause(&rule.clause).to_string();
            let cells = [(at + 1).to_string(), clause, number(round.alpha), number(rule.value)];
            program.row("gleaner_rule", &cells);
        }
    }
    program.rules(RULES);
    program.decide_by_score(model.threshold.map(|(least, _)| least));
    program
}
