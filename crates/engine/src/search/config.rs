//! The choice of a search, and its settings.

use std::sync::{Arc, Mutex, PoisonError};

use rand_pcg::Pcg64;

use gleaner_base::StopReason;
use gleaner_lang::program::settings::{LARGE, Setting, settings, words};

use super::directed::{DirectedRestart, Scale, Transfer};
use super::{
    Beam, BestFirst, BreadthFirst, DepthFirst, Evaluations, GeneralFirst, HillClimbing, IteratedBeam,
    IterativeDeepening, Lengths, LocalMoves, RapidRandomRestart, StochasticClauseSelection, Strategy,
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
    #[must_use]
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
