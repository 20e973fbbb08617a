//! Decides which negatives loading makes or samples, and which are drawn later: after a restriction is applied, or sets
//! are divided.

use gleaner_base::NegativeWeight;
use gleaner_lang::syntax::Diagnostic;

use crate::Division;
use crate::closed_world::{TuplesFrom, lists_all_but_train, take_negatives, take_train_negatives};
use crate::faults::sets_draw_negatives;
use crate::gather::RawExamples;
use crate::negatives::{Negatives, SetNegatives};
use crate::request::NegativesRequest;

/// The most negatives to keep for a restriction or for division into sets, before samples are drawn from them. If there
/// are more, a uniform sample of this size is kept.
const MOST_TO_DRAW_FROM: u64 = 5_000_000;

/// The negatives that were made or sampled, and the samples still to draw.
#[derive(Debug, Default)]
pub(super) struct MadeNegatives {
    /// The number of negatives that each one stands for.
    pub(super) weight: NegativeWeight,
    /// The sample to draw once the restriction is applied.
    pub(super) to_sample: Option<Negatives>,
    /// The samples that the sets will draw.
    pub(super) of_sets: SetNegatives,
    /// Warnings about the negatives.
    pub(super) warnings: Vec<Diagnostic>,
}

impl MadeNegatives {
    /// All listed negatives; train keeps all of its own.
    pub(super) fn of_listed(request: NegativesRequest) -> Self {
        let of_sets = SetNegatives { test: request.test, ..SetNegatives::default() };
        Self { of_sets, ..Self::default() }.with_warning_of_sets(request)
    }

    /// The same, with a warning if sets draw samples.
    fn with_warning_of_sets(mut self, request: NegativesRequest) -> Self {
        self.warnings.extend(sets_draw_negatives(self.of_sets, request.is_scoring));
        self
    }
}

/// Makes or samples the requested negatives.
///
/// # Errors
///
/// There are no negatives, or too many.
pub(super) fn make_negatives(
    wanted: Negatives,
    request: NegativesRequest,
    from: &TuplesFrom<'_>,
    examples: &mut RawExamples,
) -> Result<MadeNegatives, Diagnostic> {
    if lists_all_but_train(from.target, examples) {
        return beside_listed(wanted, request, from, examples);
    }
    let (wanted, mut made) = at_first(wanted, request);
    let (weight, warning) = take_negatives(wanted, request.rng_seed, from, examples)?;
    made.weight = weight;
    made.warnings.extend(warning.filter(|_| made.to_sample.is_none()));
    Ok(made.with_warning_of_sets(request))
}

/// Makes the negatives of train when tune and test list theirs. If nothing takes examples out of train later, these are
/// the requested ones; else they are those that train draws from. Scoring uses only the listed examples.
fn beside_listed(
    wanted: Negatives,
    request: NegativesRequest,
    from: &TuplesFrom<'_>,
    examples: &mut RawExamples,
) -> Result<MadeNegatives, Diagnostic> {
    let mut made = MadeNegatives::of_listed(request);
    if request.is_scoring {
        return Ok(made);
    }
    let is_final = examples.division == Division::TrainTuneTest && !request.is_restricted;
    let at_first = if is_final || wanted == Negatives::All {
        wanted
    } else {
        made.of_sets.train = wanted;
        Negatives::Number(MOST_TO_DRAW_FROM)
    };
    let (weight, warning) = take_train_negatives(at_first, request.rng_seed, from, examples)?;
    made.of_sets.train_stands_for = weight;
    made.warnings = vec![warning];
    Ok(made.with_warning_of_sets(request))
}

/// The negatives to take before a restriction is applied and sets are divided, and the samples to draw from them later.
fn at_first(train: Negatives, request: NegativesRequest) -> (Negatives, MadeNegatives) {
    let of_sets = SetNegatives { train, test: request.test, ..SetNegatives::default() };
    let many = Negatives::Number(MOST_TO_DRAW_FROM);
    if train != of_sets.test {
        let is_whole = [train, of_sets.test].contains(&Negatives::All);
        let made = MadeNegatives { of_sets, ..MadeNegatives::default() };
        return (if is_whole { Negatives::All } else { many }, made);
    }
    // The sets share one sample. Only the frozen problem shows which negatives satisfy a restriction.
    let to_sample = Some(train).filter(|_| request.is_restricted && train != Negatives::All);
    let wanted = if to_sample.is_some() { many } else { train };
    (wanted, MadeNegatives { to_sample, ..MadeNegatives::default() })
}
