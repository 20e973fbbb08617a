//! Which search, with its settings.

use std::sync::{Arc, Mutex, PoisonError};

use rand_pcg::Pcg64;

use crate::base::StopReason;
use crate::program::settings::{LengthsText, Settings, parse_lengths, parse_shares};

use super::directed::{DirectedRestart, Scale, Transfer};
use super::{
    Beam, BestFirst, BreadthFirst, Evaluations, GeneralFirst, HillClimbing, IterativeDeepening, Lengths,
    LocalMoves, RapidRandomRestart, Score, SearchLimits, StochasticClauseSelection, Strategy,
};

/// A kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchKind {
    /// Rapid random restarts.
    Rrr,
    /// Rapid random restarts directed by two Bayesian networks.
    Directed,
    /// Stochastic clause selection.
    Scs,
    /// Random moves that improve.
    Gsat,
    /// Random moves, some that do not improve.
    Walksat,
    /// Hill climbing with random restarts.
    HillClimbing,
    /// By length.
    BreadthFirst,
    /// The best known clause is refined next.
    BestFirst,
    /// The best of each length are refined.
    Beam,
    /// Depth-first to growing depths.
    IterativeDeepening,
}

impl SearchKind {
    /// Every kind with its name on the command line.
    pub const NAMES: [(&'static str, Self); 10] = [
        ("rrr", Self::Rrr),
        ("directed", Self::Directed),
        ("scs", Self::Scs),
        ("gsat", Self::Gsat),
        ("walksat", Self::Walksat),
        ("hill-climbing", Self::HillClimbing),
        ("breadth-first", Self::BreadthFirst),
        ("best-first", Self::BestFirst),
        ("beam", Self::Beam),
        ("iterative-deepening", Self::IterativeDeepening),
    ];

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }
}

/// A search with its settings; those of other kinds have no effect.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchConfig {
    /// The kind.
    pub kind: SearchKind,
    /// How random clauses are drawn.
    pub lengths: Lengths,
    /// Evaluations, or moves looked at, before a restart.
    pub restart_evaluations: u64,
    /// The probability of WalkSAT's moves that do not improve.
    pub walk: f64,
    /// Clauses of each length that the beam refines.
    pub beam_width: usize,
    /// Clauses evaluated breadth-first before the search.
    pub general_clauses: u64,
    /// Hill climbs for each start of the directed search.
    pub climbs: usize,
    /// Neighbours of a clause that the directed search evaluates.
    pub neighbours: usize,
    /// What the directed search draws its share of exploitation from.
    pub alphas: Vec<f64>,
    /// How probabilities enter the directed search's weights.
    pub scale: Scale,
    /// Whether seeds of the directed search begin with what those before them learnt.
    pub transfers: bool,
}

impl SearchConfig {
    /// The search that the settings name.
    ///
    /// # Panics
    ///
    /// When a setting holds a value outside the table's range, which its constructor rules out.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let size = |name: &str| settings.size(name).expect("the setting has a default");
        let count = |name: &str| settings.integer(name).expect("the setting has a default");
        let kind = SearchKind::named(&settings.word("search"));
        Self {
            kind: kind.expect("the table lists the searches that exist"),
            lengths: match parse_lengths(&settings.word("lengths")) {
                Some(LengthsText::Exact) => Lengths::Exact,
                Some(LengthsText::Weighted(weights)) => Lengths::Weighted(weights),
                _ => Lengths::Uniform,
            },
            restart_evaluations: count("restart-evaluations"),
            walk: settings.real("walk"),
            beam_width: size("beam-width"),
            general_clauses: count("general-clauses"),
            climbs: size("climbs"),
            neighbours: size("neighbours"),
            alphas: parse_shares(&settings.word("alphas")).expect("checked when it was set"),
            scale: if settings.word("weight-scale") == "product" {
                Scale::Product
            } else {
                Scale::GeometricMean
            },
            transfers: settings.word("transfer") == "seeds",
        }
    }

    /// What seeds carry on, where they do: they must then be searched one after another.
    #[must_use]
    pub fn transfer(&self) -> Option<Arc<Mutex<Transfer>>> {
        (self.kind == SearchKind::Directed && self.transfers).then(Arc::default)
    }

    /// The strategy that the settings name; the directed search begins with what is in `transfer`, and adds
    /// to it.
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
            SearchKind::BestFirst => Box::new(BestFirst),
            SearchKind::Beam => Box::new(Beam { width: self.beam_width }),
            SearchKind::IterativeDeepening => Box::new(IterativeDeepening),
        }
    }
}

impl SearchLimits {
    /// The limits of one search that the settings name.
    ///
    /// # Panics
    ///
    /// When a setting holds a value outside the table's range, which its constructor rules out.
    #[must_use]
    pub fn of(settings: &Settings, min_positives: usize) -> Self {
        Self {
            clauses: settings.integer("clauses").expect("the setting has a default"),
            min_positives,
            min_precision: settings.real("min-precision"),
            score: Score::parse(&settings.word("score")).expect("checked when it was set"),
        }
    }
}

/// The directed search with what other seeds taught.
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
