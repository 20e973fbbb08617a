//! Settings of the best clause.

use crate::reduced_clauses::{REDUCE_CLAUSES, ReduceClauses};
use crate::shared_config::SEEDS;
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::search::{MAX_LITERALS, SearchConfig, SearchLimits};
use gleaner_lang::program::order::{MONOTONE, MonotoneNumbers};
use gleaner_lang::program::settings::{Group, Setting, settings};

settings! {
    /// Settings of the best clause.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BestClauseConfig {
        /// Clauses of each seed that tune chooses from.
        pub n_finalists: usize = Setting::within("finalists", 1..=10_000, "10")
            .unit("clauses")
            .help(
                "Clauses that each seed keeps, the best by F1 on train; ⁅learner=best-clause⁆ takes the best of all \
                 on tune",
            )
            .source("our own"),
        /// Seed examples searched from.
        pub n_seeds: usize = &SEEDS,
        /// Limits of each seed's search.
        pub limits: SearchLimits = Group,
        /// The search.
        pub search: SearchConfig = Group,
        /// Limits of saturation.
        pub saturation: SaturationConfig = Group,
        /// The numbers by which scores keep an order.
        pub monotone: MonotoneNumbers = &MONOTONE,
        /// Most literals of a clause, head included.
        pub max_literals: usize = &MAX_LITERALS,
        /// Whether the clause is reduced.
        pub reduce_clauses: ReduceClauses = &REDUCE_CLAUSES,
    }
}

impl BestClauseConfig {
    /// Whether these settings find the same as the other settings: they differ at most in whether the clause is
    /// reduced.
    pub fn same_search(&self, other: &Self) -> bool {
        *self == Self { reduce_clauses: self.reduce_clauses, ..other.clone() }
    }
}
