//! Settings that several learners share.

use crate::program::settings::{LARGE, Setting};
use crate::search::MANY_POSITIVES;

use super::deciding::OperatingPoint;

/// Seed examples that clauses are searched from.
pub static SEEDS: Setting<usize> = Setting::within("seeds", 1..=1_000_000, "50")
    .unit("seed examples")
    .help("Seed examples searched from (K)")
    .source("[GLEANER §5.6]");

/// Fewest tune positives of a clause that votes: the thesis's 2 where there are many train positives, else 0.
pub static MIN_TUNE_POSITIVES: Setting<usize> =
    Setting::auto(
        "min-tune-pos",
        0..=LARGE,
        |given| {
            if given.n_train_positives >= MANY_POSITIVES { 2 } else { 0 }
        },
    )
    .unit("examples")
    .help("Fewest tune positives of a clause that votes; auto: 2 from 500 train positives on, else 0")
    .source("[GLEANER §3.2]");

/// What `predict` decides by.
pub static OPERATING_POINT: Setting<OperatingPoint> = Setting::new("operating-point", "best-f1")
    .help("What predict decides by, on tune: best-f1, recall=R, precision=P, f-beta=B, accuracy, cost=FP:FN")
    .source("[GLEANER §5.4]");
