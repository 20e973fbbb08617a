//! The best clause as a Prolog program.

use crate::prolog::Program;

use super::model::BestClauseModel;

const RULES: &str = "\
% The score is 1.0 for what the clause covers, else 0.0.
gleaner_score_of(Example, Score) :-
    ( gleaner_covers(1, Example) -> Score = 1.0 ; Score = 0.0 ).

";

pub(super) fn program(model: &BestClauseModel) -> Program<'_> {
    let mut program = Program::default();
    if let Some(best) = &model.best {
        program.clause(&best.clause);
    }
    program.rules(RULES);
    program.decide_by_score(Some(1.0));
    program
}
