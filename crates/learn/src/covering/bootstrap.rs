//! Bootstrap samples of the train examples, one for each theory. [GLEANER §2.4]

use rand::RngExt;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{ExampleId, ExampleSet};
use gleaner_engine::coverage::Universe;

/// The examples that a bootstrap draws from train: of each class as many draws as it has examples, with replacement, each
/// drawn example once. About `1 - 1/e`, 63.2 %, of each class; a class with examples keeps at least one. Negatives keep
/// their weight.
///
/// The path names the sample: the same path and seed give the same sample.
///
/// DIVERGENCE: in bagging (Breiman, 1996) an example counts as often as it was drawn. Covers are sets here, so each drawn
/// example counts once, and limits such as the fewest positives of a clause count distinct examples. The thesis asks for
/// "different subsamples".
///
/// **Cost**: linear in the examples.
pub fn bootstrap(train: &Universe, path: &[u64], rng_seed: u64) -> Universe {
    let mut rng = stream(rng_seed, Purpose::Resample, path);
    let (positives, negatives): (Vec<ExampleId>, Vec<ExampleId>) =
        train.iter().map(|(_, id)| id).partition(|&id| train.examples().is_positive(id));
    let mut chosen = Vec::with_capacity(train.len());
    for class in [positives, negatives] {
        let mut drawn = ExampleSet::empty(class.len());
        for _ in 0..class.len() {
            drawn.insert(rng.random_range(0..class.len()));
        }
        chosen.extend(drawn.iter().map(|position| class[position]));
    }
    let examples = std::sync::Arc::clone(train.examples());
    Universe::new(examples, &chosen).with_negative_weight(train.negative_weight())
}
