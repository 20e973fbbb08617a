//! Beam searches of growing width, as Aleph's `ibs`.

use rand_pcg::Pcg64;

use crate::bias::Candidate;
use gleaner_base::{FixedMap, FixedSet, StopReason};

use super::open_clause::OpenClause;
use super::top_down::keep_best;
use super::{Evaluations, Outcome, Strategy};

/// Beams of width 1, 2, 4 and so on, until one refines every clause that may be wanted. A clause that a narrower
/// beam met takes its place in a wider one, but is not evaluated again. [Quinlan and Cameron-Jones 1995]
///
/// Aleph stops earlier: at a width of 512, or where the estimated error of the best clause no longer falls. Here
/// every evaluated clause may be wanted, so only the limits of the search end it.
#[derive(Clone, Copy, Debug, Default)]
pub struct IteratedBeam;

impl Strategy for IteratedBeam {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, _rng: &mut Pcg64) -> StopReason {
        let mut rounds = Rounds::default();
        let mut width = 1_usize;
        loop {
            match rounds.search(width, evaluations) {
                Err(reason) => return reason,
                Ok(BeamEnd::Complete) => return StopReason::SpaceExhausted,
                Ok(BeamEnd::Cut) => width = width.saturating_mul(2),
            }
        }
    }
}

/// Whether a beam left clauses unrefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BeamEnd {
    /// It refined every clause.
    Complete,
    /// It left clauses unrefined.
    Cut,
}

#[derive(Debug, Default)]
struct Rounds {
    /// The scores of all clauses with a specialisation that may be wanted.
    growing: FixedMap<Candidate, f64>,
}

impl Rounds {
    /// One beam search of this width.
    fn search(&mut self, width: usize, evaluations: &mut Evaluations<'_, '_>) -> Result<BeamEnd, StopReason> {
        let mut end = BeamEnd::Complete;
        let mut level = vec![OpenClause::most_general()];
        while !level.is_empty() {
            level = self.next_level(&level, evaluations)?;
            if keep_best(&mut level, width) {
                end = BeamEnd::Cut;
            }
        }
        Ok(end)
    }

    /// The specialisations of clauses, each once, that may be refined further.
    fn next_level(
        &mut self,
        level: &[OpenClause],
        evaluations: &mut Evaluations<'_, '_>,
    ) -> Result<Vec<OpenClause>, StopReason> {
        let (mut next, mut met) = (Vec::new(), FixedSet::default());
        for clause in level {
            // Many known clauses may come between two new ones, and only an evaluation looks at the budget.
            evaluations.budget().check()?;
            for candidate in clause.specialisations(evaluations.space()) {
                if met.insert(candidate.clone()) {
                    next.extend(self.visit(candidate, evaluations)?);
                }
            }
        }
        Ok(next)
    }

    /// Evaluates a candidate that no narrower beam met; `None` where its specialisations are not wanted.
    fn visit(
        &mut self,
        candidate: Candidate,
        evaluations: &mut Evaluations<'_, '_>,
    ) -> Result<Option<OpenClause>, StopReason> {
        if let Some(&score) = self.growing.get(&candidate) {
            return Ok(Some(OpenClause { score, may_grow: true, candidate }));
        }
        match evaluations.evaluate_refined(&candidate) {
            Outcome::Stop(reason) => Err(reason),
            outcome => {
                let found = OpenClause::new(candidate, outcome).filter(|found| found.may_grow);
                self.growing.extend(found.iter().map(|found| (found.candidate.clone(), found.score)));
                Ok(found)
            }
        }
    }
}
