//! Negatives drawn for one set of examples. [GLEANER §4.1.2]

use rand::seq::SliceRandom;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ExampleId, FixedSet, NegativeWeight};
use gleaner_data::Negatives;
use gleaner_lang::program::Examples;

/// The negatives wanted, and the random stream that draws them.
pub(super) struct Drawing {
    pub(super) wanted: Negatives,
    pub(super) rng_seed: u64,
    pub(super) path: [u64; 2],
}

/// Keeps a uniform sample of the negatives among these examples. Returns the number that each negative stands for.
pub(super) fn draw(examples: &Examples, ids: &mut Vec<ExampleId>, drawing: &Drawing) -> NegativeWeight {
    if drawing.wanted == Negatives::All {
        return NegativeWeight::ONE;
    }
    let is_negative = |id: &ExampleId| !examples.is_positive(*id) && examples.is_labelled(*id);
    let mut negatives: Vec<ExampleId> = ids.iter().copied().filter(is_negative).collect();
    let n_positives = ids.iter().filter(|&&id| examples.is_positive(id)).count() as u64;
    let population = negatives.len() as u64;
    let n_wanted = drawing.wanted.of(population, n_positives);
    if n_wanted == population {
        return NegativeWeight::ONE;
    }
    let mut rng = stream(drawing.rng_seed, Purpose::Negatives, &drawing.path);
    let n_drawn = usize::try_from(n_wanted).unwrap_or(usize::MAX);
    let (drawn, _) = negatives.partial_shuffle(&mut rng, n_drawn);
    let drawn: FixedSet<ExampleId> = drawn.iter().copied().collect();
    ids.retain(|id| !is_negative(id) || drawn.contains(id));
    NegativeWeight::new(population, n_wanted)
}
