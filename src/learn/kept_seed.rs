//! Seeds that were searched for long, kept before the run that they belong to is finished.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::budget::Stopwatch;

use super::{RunContext, SeedSearch};

/// What came of one seed's search, which depends on no other seed.
pub trait SearchedSeed: Serialize + DeserializeOwned + PartialEq {
    /// What was searched.
    fn search(&self) -> &SeedSearch;
}

/// What was kept of the seed of this number in the order drawn, or else what `search` finds. It is kept where the search
/// took so long that the keeper wants it, no outer stop cut it short, and it reads back equal.
pub fn kept_or_searched<S: SearchedSeed>(
    seed_idx: usize,
    context: &RunContext<'_>,
    search: impl FnOnce() -> S,
) -> S {
    let (keeper, name) = (context.keeper, (seed_idx + 1).to_string());
    if let Some(text) = keeper.kept(&name) {
        match serde_json::from_str(&text) {
            Ok(seed) => {
                context.monitor.seeds_kept(1);
                return seed;
            }
            Err(error) => keeper.reject(&name, &error.to_string()),
        }
    }
    let watch = Stopwatch::start();
    let seed = search();
    // After the search its clauses are made, which a stop would cut short too.
    let is_finished = !seed.search().stop.is_outer() && context.budget.stop().is_none();
    if is_finished
        && keeper.is_worth(watch.seconds())
        && let Ok(text) = serde_json::to_string(&seed)
        && serde_json::from_str::<S>(&text).is_ok_and(|read| read == seed)
    {
        keeper.keep(&name, &text);
    }
    seed
}
