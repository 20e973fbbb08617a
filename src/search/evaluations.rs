//! The evaluation of candidates for one seed: once each, counted, limited, and observed.

use crate::base::{FixedSet, StopReason};
use crate::bias::{Candidate, RefinementSpace};
use crate::coverage::{ComponentEngine, Counts, Universe};

use super::score::{Score, Totals};

/// Limits of one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchLimits {
    /// Clauses evaluated from one seed example.
    pub clauses: u64,
    /// Fewest positives of an acceptable clause.
    pub min_positives: usize,
    /// Least precision of an acceptable clause, 0 to 1.
    pub min_precision: f64,
    /// What the strategy maximises.
    pub score: Score,
}

/// A clause as the observer sees it.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated<'a> {
    /// Which literals of the bottom clause.
    pub candidate: &'a Candidate,
    /// Its counts on the training examples.
    pub counts: Counts,
    /// How many clauses were evaluated from this seed, this one included.
    pub n_evaluated: u64,
    /// Which start of the search it belongs to, from 1; 0 for a search without restarts.
    pub start: u64,
}

/// Sees the clauses that a search evaluates, in order.
pub trait Observer {
    /// Called once for each acceptable clause.
    fn observe(&mut self, evaluated: &Evaluated<'_>);

    /// Called once for each clause before it is evaluated, acceptable or not.
    fn begin(&mut self, _candidate: &Candidate) {}
}

/// Where the candidates went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Funnel {
    /// Candidates that a strategy proposed.
    pub generated: u64,
    /// Of these, proposed before and not evaluated again.
    pub repeated: u64,
    /// Evaluated, with fewer positives than the minimum.
    pub below_min_positives: u64,
    /// Evaluated, with enough positives and too little precision.
    pub below_min_precision: u64,
    /// Evaluated and acceptable.
    pub acceptable: u64,
}

impl Funnel {
    /// Adds another search's counts.
    pub const fn add(&mut self, other: &Self) {
        self.generated += other.generated;
        self.repeated += other.repeated;
        self.below_min_positives += other.below_min_positives;
        self.below_min_precision += other.below_min_precision;
        self.acceptable += other.acceptable;
    }

    /// Clauses evaluated.
    #[must_use]
    pub const fn evaluated(&self) -> u64 {
        self.below_min_positives + self.below_min_precision + self.acceptable
    }
}

/// What became of a proposed candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It was evaluated before.
    Repeated,
    /// It covers fewer positives than the minimum, and so does every specialisation of it.
    TooFewPositives,
    /// It was evaluated; the score is `None` where undefined.
    Scored(Option<f64>),
    /// The search must end.
    Stop(StopReason),
}

/// The evaluations of one search from one seed.
pub struct Evaluations<'a, 'e> {
    space: &'a RefinementSpace<'a>,
    engine: &'a mut ComponentEngine<'e>,
    totals: Totals,
    limits: SearchLimits,
    observer: &'a mut dyn Observer,
    seen: FixedSet<Candidate>,
    funnel: Funnel,
    n_starts: u64,
}

impl std::fmt::Debug for Evaluations<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluations")
            .field("limits", &self.limits)
            .field("funnel", &self.funnel)
            .finish_non_exhaustive()
    }
}

impl<'a, 'e> Evaluations<'a, 'e> {
    /// Evaluations over `space`, counted on `universe`.
    #[must_use]
    pub fn new(
        space: &'a RefinementSpace<'a>,
        engine: &'a mut ComponentEngine<'e>,
        universe: &'a Universe,
        limits: SearchLimits,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Self {
            space,
            engine,
            totals: Totals::of(universe),
            limits,
            observer,
            seen: FixedSet::default(),
            funnel: Funnel::default(),
            n_starts: 0,
        }
    }

    /// Notes that the search jumps to a new start.
    pub const fn begin_start(&mut self) {
        self.n_starts += 1;
    }

    /// The space that is searched.
    #[must_use]
    pub const fn space(&self) -> &'a RefinementSpace<'a> {
        self.space
    }

    /// How many clauses were evaluated.
    #[must_use]
    pub const fn n_evaluated(&self) -> u64 {
        self.funnel.evaluated()
    }

    /// Where the candidates went so far.
    #[must_use]
    pub const fn funnel(&self) -> Funnel {
        self.funnel
    }

    /// Evaluates a candidate unless it was before, and shows it to the observer when acceptable.
    pub fn evaluate(&mut self, candidate: &Candidate) -> Outcome {
        if self.n_evaluated() >= self.limits.clauses {
            return Outcome::Stop(StopReason::ClausesEvaluated);
        }
        self.funnel.generated += 1;
        if self.seen.contains(candidate) {
            self.funnel.repeated += 1;
            return Outcome::Repeated;
        }
        self.observer.begin(candidate);
        let counts = match self.engine.count(candidate.positions(), self.limits.min_positives) {
            Ok(counts) => counts,
            Err(interrupted) => return Outcome::Stop(interrupted.0),
        };
        self.seen.insert(candidate.clone());
        let Some(counts) = counts else {
            self.funnel.below_min_positives += 1;
            return Outcome::TooFewPositives;
        };
        self.show(candidate, counts);
        Outcome::Scored(self.limits.score.of(counts, self.totals, candidate.n_literals()))
    }

    fn show(&mut self, candidate: &Candidate, counts: Counts) {
        let precision = Score::Precision.of(counts, self.totals, 0);
        if precision.is_none_or(|precision| precision < self.limits.min_precision) {
            self.funnel.below_min_precision += 1;
            return;
        }
        self.funnel.acceptable += 1;
        let n_evaluated = self.n_evaluated();
        self.observer.observe(&Evaluated { candidate, counts, n_evaluated, start: self.n_starts });
    }
}
