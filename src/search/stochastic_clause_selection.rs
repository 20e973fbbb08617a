//! Stochastic clause selection (SCS): random clauses, no local moves. [GLEANER §3.1.1]

use rand::RngExt;
use rand_pcg::Pcg64;

use crate::base::StopReason;
use crate::bias::Candidate;

use super::{Evaluations, Outcome, Strategy};

/// Draws in a row that may all repeat known candidates before the space counts as exhausted.
const MAX_IDLE_DRAWS: u32 = 2_000;

/// Draws a length uniformly, grows a clause of that length, and starts again.
#[derive(Clone, Copy, Debug, Default)]
pub struct StochasticClauseSelection;

impl Strategy for StochasticClauseSelection {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        loop {
            if let Err(reason) = draw_new(evaluations, rng) {
                return reason;
            }
        }
    }
}

/// Draws and evaluates candidates until one is new.
pub(super) fn draw_new(
    evaluations: &mut Evaluations<'_, '_>,
    rng: &mut Pcg64,
) -> Result<(Candidate, Outcome), StopReason> {
    let max_body = evaluations.space().max_literals().saturating_sub(1);
    if max_body == 0 || evaluations.space().bottom().literals.is_empty() {
        return Err(StopReason::SpaceExhausted);
    }
    for _ in 0..MAX_IDLE_DRAWS {
        let n_body = rng.random_range(1..=max_body);
        let candidate = evaluations.space().draw(n_body, rng);
        match evaluations.evaluate(&candidate) {
            Outcome::Repeated => {}
            Outcome::Stop(reason) => return Err(reason),
            outcome => return Ok((candidate, outcome)),
        }
    }
    Err(StopReason::SpaceExhausted)
}
