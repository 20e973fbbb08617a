//! The choice of a search, and its settings.
//!
//! Limits of one search: how many clauses and literals it may evaluate, and which clauses it accepts; and counts of its candidates, by
//! outcome.

use std::sync::{Arc, Mutex, PoisonError};

use rand_pcg::Pcg64;

use gleaner_base::{Counts, NegativeWeight, StopReason};
use gleaner_lang::program::settings::{LARGE, Setting, settings, words};

use super::directed::{DirectedRestart, Scale, Transfer};
use super::evaluations::{REDUNDANT_CLAUSES, RedundantClauses};
use super::{
    Beam, BestFirst, BreadthFirst, DepthFirst, Evaluations, GeneralFirst, HillClimbing, IteratedBeam,
    IterativeDeepening, Lengths, LocalMoves, RapidRandomRestart, Score, StochasticClauseSelection, Strategy,
};

/// Most literals of a clause.
pub static MAX_LITERALS: Setting<usize> = Setting::within("max-literals", 2..=100, "10")
    .aleph("clauselength")
    .unit("literals")
    .help("Most literals of a clause, head included")
    .source("[GLEANER §3.2]");

/// The name of the setting that chooses the search; settings of single searches depend on it.
pub const SEARCH: &str = "search";

words! {
    /// A kind of search.
    pub enum SearchKind {
        /// Rapid random restarts.
        Rrr = "rrr",
        /// Rapid random restarts directed by two Bayesian networks.
        Directed = "directed",
        /// Stochastic clause selection.
        Scs = "scs",
        /// Random moves that improve.
        Gsat = "gsat",
        /// Random moves, some that do not improve.
        Walksat = "walksat",
        /// Hill climbing with random restarts.
        HillClimbing = "hill-climbing",
        /// By length.
        BreadthFirst = "breadth-first" or "bf",
        /// The longest known clause is refined next.
        DepthFirst = "depth-first" or "df",
        /// The best known clause is refined next.
        BestFirst = "best-first" or "heuristic",
        /// The best of each length are refined.
        Beam = "beam",
        /// Beams of growing width.
        IteratedBeam = "iterated-beam" or "ibs",
        /// Depth-first to growing depths.
        IterativeDeepening = "iterative-deepening" or "id",
    }
}

/// The word of the directed search, which has settings of its own.
pub const DIRECTED: &[&str] = &[SearchKind::Directed.word()];

settings! {
    /// A search with its settings; those of other kinds have no effect.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SearchConfig {
        /// The kind.
        pub kind: SearchKind = Setting::new(SEARCH, "rrr")
            .aleph("search")
            .help("The search for clauses: rapid random restarts, stochastic clause selection, ...")
            .source("[GLEANER §3.1.1]"),
        /// Evaluations, or moves considered, before a restart.
        pub restart_evaluations: u64 = Setting::within("restart-evaluations", 1..=LARGE, "1000")
            .only(SEARCH, const { &[
                SearchKind::Rrr.word(),
                SearchKind::Directed.word(),
                SearchKind::Gsat.word(),
                SearchKind::Walksat.word(),
            ] })
            .unit("clauses")
            .help("Clauses evaluated around one random start")
            .source("[GLEANER §5.2]"),
        /// How random clauses are drawn.
        pub lengths: Lengths = Setting::new("lengths", "uniform")
            .only(SEARCH, const { &[
                SearchKind::Rrr.word(),
                SearchKind::Directed.word(),
                SearchKind::Scs.word(),
                SearchKind::Gsat.word(),
                SearchKind::Walksat.word(),
                SearchKind::HillClimbing.word(),
            ] })
            .help(
                "Lengths of random clauses: uniform, weights for 1, 2, ... body literals, or exact: \
                 each candidate is equally likely, in spaces of up to 50,000",
            )
            .source("[GLEANER §3.1.1]"),
        /// The probability of WalkSAT's moves that do not improve.
        pub walk: f64 = Setting::within("walk", 0.0..=1.0, "0.2")
            .only(SEARCH, const { &[SearchKind::Walksat.word()] })
            .unit("probability")
            .help("The probability of a move that does not improve, for ⁅search=walksat⁆")
            .source("our own; [GLEANER §3.1.1]: a certain percent"),
        /// Clauses of each length that the beam refines.
        pub beam_width: usize = Setting::within("beam-width", 1..=1_000_000, "10")
            .aleph("openlist")
            .only(SEARCH, const { &[SearchKind::Beam.word()] })
            .unit("clauses")
            .help("Clauses of each length that ⁅search=beam⁆ refines")
            .source("our own; Aleph's openlist has no limit"),
        /// Clauses evaluated breadth-first before the search.
        pub general_clauses: u64 = Setting::within("general-clauses", 0..=LARGE, "0")
            .unit("clauses")
            .help("Clauses evaluated breadth-first before the search, for the bins of high recall")
            .source("[GLEANER §10.2]"),
        /// Hill climbs for each start of the directed search.
        pub climbs: usize = Setting::within("climbs", 1..=100_000, "10")
            .only(SEARCH, DIRECTED)
            .unit("hill climbs")
            .help("Climbs in the networks for each start of ⁅search=directed⁆ (K)")
            .source("[DIRECTED §3]"),
        /// Neighbours of a clause that the directed search evaluates.
        pub neighbours: usize = Setting::within("neighbours", 1..=1_000_000, "20")
            .only(SEARCH, DIRECTED)
            .unit("clauses")
            .help("Neighbours of a clause that ⁅search=directed⁆ evaluates (L)")
            .source("[DIRECTED §3]"),
        /// What the directed search draws its share of exploitation from.
        pub alphas: Vec<f64> = Setting::within("alphas", 0.0..=1.0, "0.01,0.25,0.5,0.75")
            .only(SEARCH, DIRECTED)
            .unit("shares")
            .help("Shares of exploitation that ⁅search=directed⁆ draws from; the rest is exploration")
            .source("[DIRECTED §3]: between 0.01 and 0.75"),
        /// How probabilities enter the directed search's weights.
        pub scale: Scale = Setting::new("weight-scale", "product")
            .only(SEARCH, DIRECTED)
            .help("How the networks' probabilities enter the weights of ⁅search=directed⁆")
            .source("[DIRECTED §2.3], and by experiment"),
    }
}

impl SearchConfig {
    /// The strategy that the settings name. The directed search begins with the counts in `transfer`, and adds its own.
    pub fn strategy(&self, transfer: Option<&Arc<Mutex<Transfer>>>) -> Box<dyn Strategy> {
        let main = self.main(transfer);
        if self.general_clauses == 0 {
            return main;
        }
        Box::new(GeneralFirst { n_clauses: self.general_clauses, then: main })
    }

    fn main(&self, transfer: Option<&Arc<Mutex<Transfer>>>) -> Box<dyn Strategy> {
        let lengths = self.lengths.clone();
        let moves = |walk: f64| LocalMoves {
            lengths: self.lengths.clone(),
            restart_moves: self.restart_evaluations,
            walk,
        };
        match self.kind {
            SearchKind::Rrr => {
                Box::new(RapidRandomRestart { lengths, restart_evaluations: self.restart_evaluations })
            }
            SearchKind::Directed => Box::new(Directed {
                restart: DirectedRestart {
                    lengths,
                    restart_evaluations: self.restart_evaluations,
                    climbs: self.climbs,
                    neighbours: self.neighbours,
                    alphas: self.alphas.clone(),
                    scale: self.scale,
                },
                transfer: transfer.cloned(),
            }),
            SearchKind::Scs => Box::new(StochasticClauseSelection { lengths }),
            SearchKind::Gsat => Box::new(moves(0.0)),
            SearchKind::Walksat => Box::new(moves(self.walk)),
            SearchKind::HillClimbing => Box::new(HillClimbing { lengths }),
            SearchKind::BreadthFirst => Box::new(BreadthFirst),
            SearchKind::DepthFirst => Box::new(DepthFirst),
            SearchKind::BestFirst => Box::new(BestFirst),
            SearchKind::Beam => Box::new(Beam { width: self.beam_width }),
            SearchKind::IteratedBeam => Box::new(IteratedBeam),
            SearchKind::IterativeDeepening => Box::new(IterativeDeepening),
        }
    }
}

/// The directed search with the counts of other seeds.
#[derive(Debug)]
struct Directed {
    restart: DirectedRestart,
    transfer: Option<Arc<Mutex<Transfer>>>,
}

impl Strategy for Directed {
    fn run(&self, evaluations: &mut Evaluations<'_, '_>, rng: &mut Pcg64) -> StopReason {
        let mut transfer =
            self.transfer.as_ref().map(|transfer| transfer.lock().unwrap_or_else(PoisonError::into_inner));
        let (reason, cost) = self.restart.run_with(evaluations, rng, transfer.as_deref_mut());
        evaluations.note_network_cost(cost);
        reason
    }
}

/// The positives from which on the thesis's minimum of 7 train and 2 tune positives is the default.
pub const MANY_POSITIVES: usize = 500;

/// Clauses evaluated from one seed example.
pub static CLAUSES: Setting<u64> = Setting::within("clauses", 1..=LARGE, "10000")
    .aleph("nodes")
    .unit("clauses")
    .help("Clauses evaluated from each seed (N)")
    .source("[GLEANER §5.2]: 1,000 to 500,000");

/// Fewest positives of an acceptable clause: the thesis's 7 where there are many train positives, else 2.
pub static MIN_POSITIVES: Setting<usize> =
    Setting::auto(
        "min-pos",
        1..=LARGE,
        |given| {
            if given.data.n_train_positives >= MANY_POSITIVES { 7 } else { 2 }
        },
    )
    .aleph("minpos")
    .unit("examples")
    .help(
        "Fewest train positives that an acceptable clause covers; auto: 7 with at least 500 \
         train positives, else 2",
    )
    .source("[GLEANER §3.2]");

/// Most negatives of an acceptable clause, `None` for any number. A record has it only where it is set.
static MAX_NEGATIVES: Setting<Option<usize>> = Setting::auto("max-neg", 0..=LARGE, |_| None)
    .aleph("noise")
    .unit("examples")
    .help("Most train negatives that an acceptable clause covers; auto: any number")
    .source("[GLEANER §3.1]: none; Aleph's default for noise is 0")
    .recorded_where_changed();

/// Literals evaluated from one seed example, `None` for any number. A record has it only where it is set.
///
/// DIVERGENCE: the thesis counts calls of predicates in Prolog, one example after another. A literal is evaluated for all
/// examples at once here, and parts of clauses are shared, so calls have no number that is the same on every machine.
/// The literals of the evaluated clauses have one.
static EVALUATED_LITERALS: Setting<Option<u64>> = Setting::auto("evaluated-literals", 1..=LARGE, |_| None)
    .unit("literals")
    .help(
        "Body literals, counted again in each clause that has them, that are evaluated from each seed; the same on \
         every machine, as a time limit is not; auto: any number",
    )
    .source("[GLEANER §3.2]: 100 million calls of predicates")
    .recorded_where_changed();

settings! {
    /// Limits of one search.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SearchLimits {
        /// Clauses evaluated from one seed example.
        pub clauses: u64 = &CLAUSES,
        /// Body literals of the evaluated clauses together; `None` for any number.
        pub literals: Option<u64> = &EVALUATED_LITERALS,
        /// Fewest positives of an acceptable clause.
        pub min_positives: usize = &MIN_POSITIVES,
        /// What the strategy maximises.
        pub score: Score = Setting::new("score", "f1")
            .aleph("evalfn")
            .help("The score that the search maximises")
            .source("our own, by experiment; precision-recall: [GLEANER §3.1.1]"),
        /// Least precision of an acceptable clause, 0 to 1.
        pub min_precision: f64 = Setting::within("min-precision", 0.0..=1.0, "0")
            .aleph("minacc")
            .unit("share")
            .help("Least train precision of an acceptable clause")
            .source("[GLEANER §3.1]: none"),
        /// Most negatives of an acceptable clause, each counted for those it stands for.
        pub max_negatives: Option<usize> = &MAX_NEGATIVES,
        /// What becomes of clauses that facts make redundant.
        pub redundant: RedundantClauses = &REDUNDANT_CLAUSES,
    }
}

impl SearchLimits {
    /// Whether a clause of these counts covers no more negatives than it may.
    #[expect(clippy::cast_precision_loss, reason = "counts of examples are far below 2^53")]
    pub fn allows(&self, counts: Counts, negative_weight: NegativeWeight) -> bool {
        let n_negatives = counts.weighted(negative_weight).negatives;
        self.max_negatives.is_none_or(|most| n_negatives <= most as f64)
    }
}

/// Counts of a search's candidates, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Funnel {
    /// Candidates that a strategy proposed.
    pub generated: u64,
    /// Candidates proposed before, and not evaluated again.
    pub repeated: u64,
    /// Evaluated candidates with fewer positives than the minimum.
    pub below_min_positives: u64,
    /// Evaluated candidates with enough positives and too little precision.
    pub below_min_precision: u64,
    /// Evaluated candidates that are precise enough but cover too many negatives. Records before this bound lack it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub above_max_negatives: u64,
    /// Evaluated, acceptable candidates.
    pub acceptable: u64,
    /// Evaluated candidates whose counts were already known, from the clause without the literals that its others imply
    /// on train. Records before such clauses were inferred lack it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inferred: u64,
    /// Candidates redundant on train, and so neither evaluated nor refined. Records of other searches lack it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
    /// Numbers that were weighed for open thresholds. Records of searches without thresholds lack it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub thresholds: u64,
}

impl Funnel {
    /// Adds another search's counts.
    pub const fn add(&mut self, other: &Self) {
        self.generated += other.generated;
        self.repeated += other.repeated;
        self.below_min_positives += other.below_min_positives;
        self.below_min_precision += other.below_min_precision;
        self.above_max_negatives += other.above_max_negatives;
        self.acceptable += other.acceptable;
        self.inferred += other.inferred;
        self.left_out += other.left_out;
        self.thresholds += other.thresholds;
    }

    /// Clauses evaluated.
    pub const fn evaluated(&self) -> u64 {
        self.below_min_positives + self.below_min_precision + self.above_max_negatives + self.acceptable
    }
}

/// As serde asks, by reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}
