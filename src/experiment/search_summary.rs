//! What a run's search did, in numbers.

use crate::base::StopReason;
use crate::bias::LimitCut;
use crate::learn::boost::BoostingEnd;
use crate::learn::covering::GrownTheory;
use crate::learn::{Found, NetworkWork, SeedSearch};
use crate::problem::Problem;
use crate::search::Funnel;

/// What was searched.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SearchSummary {
    /// Seed examples searched from.
    pub n_seeds: usize,
    /// Literals of the smallest, median and largest bottom clause.
    pub bottom_literals: [usize; 3],
    /// Bottom clauses that a limit cut.
    pub n_cut_bottoms: usize,
    /// The limits that cut.
    pub cuts: Vec<LimitCut>,
    /// Seeds that ended for each reason; a stop between two seeds counts as one.
    pub stops: Vec<(StopReason, usize)>,
    /// Where the candidates went.
    pub funnel: Funnel,
    /// What the networks of a directed search did.
    #[serde(skip_serializing_if = "NetworkWork::is_none")]
    pub networks: NetworkWork,
    /// Each seed, in the order drawn; of an ensemble those of its first theory.
    pub seeds: Vec<SeedSummary>,
    /// Each covering theory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub theories: Vec<TheorySummary>,
    /// The rounds of boosting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boosting: Option<BoostingSummary>,
    /// Each of Gleaner's bins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bins: Vec<BinSummary>,
}

/// What boosting came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct BoostingSummary {
    /// Rounds learnt from train.
    pub rounds: usize,
    /// Why there are no more.
    pub end: Option<BoostingEnd>,
    /// Seeds of rounds in which nothing was found that ranks.
    pub fruitless_seeds: usize,
    /// Rounds learnt again from train and tune: those of the model.
    pub refitted_rounds: Option<usize>,
}

/// A covering theory as it grew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TheorySummary {
    /// Its clauses.
    pub clauses: usize,
    /// Seed examples searched from.
    pub seeds: usize,
    /// Of these, without an acceptable clause.
    pub singletons: usize,
    /// Clauses evaluated.
    pub evaluated: u64,
}

/// How diverse the clauses of a bin are. [GLEANER §6.1]
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct BinSummary {
    /// The bin, from 1.
    pub bin: usize,
    /// Clauses kept over all seeds.
    pub kept: usize,
    /// How many train coverages they have.
    pub distinct: usize,
    /// Distinct over kept; `None` for an empty bin.
    pub unique_fraction: Option<f64>,
}

/// What was searched from one seed example.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SeedSummary {
    /// The seed example, as an atom.
    pub example: String,
    /// Literals of its bottom clause.
    pub bottom_literals: usize,
    /// Where its candidates went.
    pub funnel: Funnel,
}

impl SearchSummary {
    /// The outer stop that a seed's search met, if one did.
    #[must_use]
    pub fn outer_stop(&self) -> Option<StopReason> {
        self.stops.iter().map(|(reason, _)| *reason).find(|reason| reason.is_outer())
    }
}

impl SearchSummary {
    /// What a search did.
    #[must_use]
    pub fn of(problem: &Problem, found: &Found) -> Self {
        let searches = found.searches();
        let mut sizes: Vec<usize> = searches.iter().map(|seed| seed.n_bottom_literals).collect();
        sizes.sort_unstable();
        let at = |position: usize| sizes.get(position).copied().unwrap_or(0);
        let mut cuts: Vec<LimitCut> = searches.iter().flat_map(|seed| seed.cuts.iter().copied()).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut stops: Vec<StopReason> = searches.iter().map(|seed| seed.stop).collect();
        stops.extend(found.stop_between_seeds());
        stops.sort_unstable();
        let counted = |chunk: &[StopReason]| (chunk[0], chunk.len());
        Self {
            n_seeds: searches.len(),
            bottom_literals: [at(0), at(sizes.len() / 2), at(sizes.len().saturating_sub(1))],
            n_cut_bottoms: searches.iter().filter(|seed| !seed.cuts.is_empty()).count(),
            cuts,
            stops: stops.chunk_by(|left, right| left == right).map(counted).collect(),
            funnel: found.funnel(),
            networks: searches.iter().fold(NetworkWork::default(), |sum, seed| sum.plus(seed.networks)),
            seeds: shown_seeds(found).iter().map(|seed| SeedSummary::of(problem, seed)).collect(),
            theories: theories(found),
            boosting: boosting(found),
            bins: bins(found),
        }
    }
}

impl SeedSummary {
    fn of(problem: &Problem, seed: &SeedSearch) -> Self {
        Self {
            example: problem.example_text(seed.seed_example),
            bottom_literals: seed.n_bottom_literals,
            funnel: seed.funnel,
        }
    }
}

/// All seeds; of an ensemble, which has thousands, those of its first theory.
fn shown_seeds(found: &Found) -> Vec<&SeedSearch> {
    match found {
        Found::Gathering(_) | Found::Boosting(_) => found.searches(),
        Found::Growth(growth) => growth.theories.iter().take(1).flat_map(|theory| &theory.searches).collect(),
    }
}

fn boosting(found: &Found) -> Option<BoostingSummary> {
    let Found::Boosting(boosting) = found else { return None };
    Some(BoostingSummary {
        rounds: boosting.rounds.len(),
        end: boosting.end,
        fruitless_seeds: boosting.n_failed_draws,
        refitted_rounds: boosting.refitted.as_ref().map(Vec::len),
    })
}

fn theories(found: &Found) -> Vec<TheorySummary> {
    let Found::Growth(growth) = found else { return Vec::new() };
    let summary = |theory: &GrownTheory| TheorySummary {
        clauses: theory.clauses.len(),
        seeds: theory.searches.len(),
        singletons: theory.n_singletons,
        evaluated: theory.n_evaluated,
    };
    growth.theories.iter().map(summary).collect()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of clauses are far below 2^53")]
fn bins(found: &Found) -> Vec<BinSummary> {
    let Found::Gathering(gathering) = found else { return Vec::new() };
    let diversity = gathering.diversity();
    let summary = |(bin_idx, (kept, distinct)): (usize, (usize, usize))| BinSummary {
        bin: bin_idx + 1,
        kept,
        distinct,
        unique_fraction: (kept > 0).then(|| distinct as f64 / kept as f64),
    };
    diversity.into_iter().enumerate().map(summary).collect()
}
