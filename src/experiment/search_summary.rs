//! Statistics of a run's search.

use gleaner_base::StopReason;
use gleaner_data::Problem;
use gleaner_engine::bias::LimitCut;
use gleaner_engine::search::Funnel;
use gleaner_learn::record::{Own, SearchRecord};
use gleaner_learn::{NetworkWork, SeedSearch};

/// The statistics of a run's search.
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
    /// The work of the networks of a directed search.
    #[serde(skip_serializing_if = "NetworkWork::is_none")]
    pub networks: NetworkWork,
    /// Each seed, in the order drawn; of an ensemble those of its first theory.
    pub seeds: Vec<SeedSummary>,
    /// The part of the record that only this learner has.
    #[serde(flatten)]
    pub own: Own,
}

/// The statistics of the search from one seed example.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
    /// Notes an outer stop that came after the search; as one between two seeds it counts as one.
    pub(super) fn stop_after(&mut self, reason: StopReason) {
        match self.stops.binary_search_by_key(&reason, |&(known, _)| known) {
            Ok(_) => {}
            Err(at) => self.stops.insert(at, (reason, 1)),
        }
    }

    /// Summarises a search.
    #[must_use]
    pub fn of(problem: &Problem, record: &SearchRecord) -> Self {
        let searches = &record.searches;
        let begun = searches.iter().filter(|seed| seed.is_begun());
        let mut sizes: Vec<usize> = begun.map(|seed| seed.n_bottom_literals).collect();
        sizes.sort_unstable();
        let at = |position: usize| sizes.get(position).copied().unwrap_or(0);
        let mut cuts: Vec<LimitCut> = searches.iter().flat_map(|seed| seed.cuts.iter().copied()).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut stops: Vec<StopReason> = searches.iter().map(|seed| seed.stop).collect();
        stops.extend(record.stop);
        stops.sort_unstable();
        let counted = |chunk: &[StopReason]| (chunk[0], chunk.len());
        Self {
            n_seeds: searches.len(),
            bottom_literals: [at(0), at(sizes.len() / 2), at(sizes.len().saturating_sub(1))],
            n_cut_bottoms: searches.iter().filter(|seed| !seed.cuts.is_empty()).count(),
            cuts,
            stops: stops.chunk_by(|left, right| left == right).map(counted).collect(),
            funnel: record.funnel(),
            networks: searches.iter().fold(NetworkWork::default(), |sum, seed| sum.plus(seed.networks)),
            seeds: searches[..record.n_told].iter().map(|seed| SeedSummary::of(problem, seed)).collect(),
            own: record.own.clone(),
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
