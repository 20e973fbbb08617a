//! Weighted clauses as a Prolog program.

use crate::learn::log_odds_program::sum;
use crate::learn::prolog::Program;

use super::model::SrlModel;

pub(super) fn program(model: &SrlModel) -> Program<'_> {
    let mut program = Program::default();
    let numbers: Vec<usize> = model.clauses.iter().map(|weighted| program.clause(&weighted.clause)).collect();
    let weights: Vec<f64> = model.clauses.iter().map(|weighted| weighted.weight).collect();
    sum(&mut program, model.intercept, &numbers, &weights);
    program.decide_by_score(model.threshold.map(|(least, _)| least));
    program
}
