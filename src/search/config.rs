//! Which search, with its settings.

use super::{
    Beam, BestFirst, BreadthFirst, GeneralFirst, HillClimbing, IterativeDeepening, Lengths, LocalMoves,
    RapidRandomRestart, StochasticClauseSelection, Strategy,
};

/// A kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchKind {
    /// Rapid random restarts.
    Rrr,
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
    pub const NAMES: [(&'static str, Self); 9] = [
        ("rrr", Self::Rrr),
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
}

impl SearchConfig {
    /// The strategy that the settings name.
    #[must_use]
    pub fn strategy(&self) -> Box<dyn Strategy> {
        let main = self.main();
        if self.general_clauses == 0 {
            return main;
        }
        Box::new(GeneralFirst { n_clauses: self.general_clauses, then: main })
    }

    fn main(&self) -> Box<dyn Strategy> {
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
