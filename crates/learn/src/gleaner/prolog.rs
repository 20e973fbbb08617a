//! Gleaner's theories as a Prolog program.

use std::collections::BTreeSet;

use crate::prolog::{Program, number};

use super::model::GleanerModel;

const RULES: &str = "\
% The score is the highest precision of the decisions that cover the example, else 0.0.
gleaner_score_of(Example, Score) :-
    findall(Precision, gleaner_reaches(Example, Precision), Precisions),
    gleaner_greatest(Precisions, 0.0, Score).

gleaner_reaches(Example, Precision) :-
    gleaner_theory(Theory),
    gleaner_votes(Theory, Example, Votes),
    gleaner_threshold(Theory, Least, Precision),
    Votes >= Least.

% The votes of a theory are the weights of its clauses that cover the example, summed in order. A clause of a weight
% below 0 votes, with its size, for what it does not cover.
gleaner_votes(Theory, Example, Votes) :-
    findall(Weight, gleaner_voter(Theory, Example, Weight), Weights),
    gleaner_sum(Weights, 0.0, Votes).

gleaner_voter(Theory, Example, Weight) :-
    gleaner_vote(Theory, Clause, Given),
    (   Given < 0.0
    ->  \\+ gleaner_covers(Clause, Example),
        Weight is -Given
    ;   gleaner_covers(Clause, Example),
        Weight = Given
    ).

% What is called positive has so many votes of this theory.
gleaner_decides(Example) :-
    gleaner_deciding(Theory, Least),
    gleaner_votes(Theory, Example, Votes),
    Votes >= Least.
";

pub(super) fn program(model: &GleanerModel) -> Program<'_> {
    let mut program = Program::default();
    for (name, arity) in
        [("gleaner_theory", 1), ("gleaner_vote", 3), ("gleaner_threshold", 3), ("gleaner_deciding", 2)]
    {
        program.table(name, arity);
    }
    // Only theories that a decision uses are evaluated.
    let used: BTreeSet<usize> = model.decisions.iter().map(|decision| decision.theory_bin).collect();
    for &theory in &used {
        program.row("gleaner_theory", &[theory.to_string()]);
    }
    for &bin in &used {
        let theory = &model.theories[bin - 1];
        for (clause, weight) in theory.clauses.iter().zip(theory.weights(&model.rule)) {
            let clause = program.clause(&clause.clause).to_string();
            program.row("gleaner_vote", &[bin.to_string(), clause, number(weight)]);
        }
    }
    for decision in &model.decisions {
        let precision = decision.chosen_precision(model.rule.pooling()).unwrap_or(0.0);
        let cells = [decision.theory_bin.to_string(), number(decision.threshold), number(precision)];
        program.row("gleaner_threshold", &cells);
    }
    if let Some(decision) = model.operating_decision.and_then(|at| model.decisions.get(at)) {
        program.row("gleaner_deciding", &[decision.theory_bin.to_string(), number(decision.threshold)]);
    }
    program.rules(RULES);
    program
}
