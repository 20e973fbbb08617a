//! Scores that a learner gives for calibration and decisions.

use gleaner_engine::coverage::Universe;

/// Examples of train and tune, each scored by a model that did not learn from it, as inner folds give them.
///
/// **Invariant**: scores are finite, and mean what those of the learnt model mean; weights are above 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOut {
    /// The examples, in any order.
    pub examples: Vec<HeldOutScore>,
}

impl HeldOut {
    /// The scores of train by position, if all of its examples are here.
    pub fn of_train(&self, train: &Universe) -> Option<Vec<f64>> {
        self.of_set(train, false)
    }

    /// The scores of tune by position, if all of its examples are here.
    pub fn of_tune(&self, tune: &Universe) -> Option<Vec<f64>> {
        self.of_set(tune, true)
    }

    fn of_set(&self, set: &Universe, is_tune: bool) -> Option<Vec<f64>> {
        let mut scores = vec![f64::NAN; set.len()];
        for of in self.examples.iter().filter(|of| of.is_tune == is_tune) {
            *scores.get_mut(of.position)? = of.score;
        }
        let is_known = set.iter().all(|(position, _)| !scores[position].is_nan());
        scores.iter_mut().filter(|score| score.is_nan()).for_each(|score| *score = 0.0);
        is_known.then_some(scores)
    }
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOutScore {
    /// Whether it is of tune.
    pub is_tune: bool,
    /// Its position in train or in tune.
    pub position: usize,
    /// Its score.
    pub score: f64,
    /// Its class.
    pub is_positive: bool,
    /// How many examples of the population it stands for: 1, or of a negative the weight of its universe's negatives.
    pub weight: f64,
}
