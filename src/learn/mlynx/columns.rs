//! What queries cover on train and tune, class by class.

use crate::base::{Counts, ExampleSet, FixedSet};
use crate::coverage::Universe;
use crate::coverage::component::Interrupted;
use crate::learn::learner::Fitting;
use crate::learn::pooled_sets::PooledExample;
use crate::ml::ClassBlock;
use crate::program::Clause;

/// The covers of queries that differ in them.
///
/// **Shape**: words of the positives of train, those of tune, then the negatives of both.
#[derive(Clone, Debug)]
pub struct QueryColumns<'c> {
    /// The queries, each the first of its cover.
    pub queries: Vec<&'c Clause>,
    /// What they cover on train.
    pub on_train: Vec<Counts>,
    /// Their covers.
    pub columns: Vec<ExampleSet>,
    /// The words of each class and set.
    pub blocks: Vec<ClassBlock>,
    /// The positions that hold an example.
    pub all: ExampleSet,
    /// Of train and of tune: how many words the positives have, and where those of each class begin.
    places: [Place; 2],
}

/// Where the words of a set are.
#[derive(Clone, Copy, Debug)]
struct Place {
    n_positive_words: usize,
    positives: usize,
    negatives: usize,
}

impl<'c> QueryColumns<'c> {
    /// The covers on both sets; a query that covers nothing, or all, is left out, and so is one with the cover of another
    /// before it.
    ///
    /// **Memory**: an eighth of a byte for each query and example.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn of(queries: &'c [Clause], fitting: &Fitting<'_>) -> Result<Self, Interrupted> {
        let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
        let [n_train, n_tune] = [train, tune].map(|set| set.len().div_ceil(64));
        let [p_train, p_tune] = [train, tune].map(Universe::n_positive_words);
        let n_positive_words = p_train + p_tune;
        let places = [
            Place { n_positive_words: p_train, positives: 0, negatives: n_positive_words },
            Place {
                n_positive_words: p_tune,
                positives: p_train,
                negatives: n_positive_words + n_train - p_train,
            },
        ];
        let n_words = n_train + n_tune;
        let block = |first: usize, n: usize, class: usize, weight: f64| ClassBlock {
            words: first..first + n,
            class,
            weight,
        };
        let blocks = vec![
            block(0, n_positive_words, 0, 1.0),
            block(places[0].negatives, n_train - p_train, 1, train.negative_weight().ratio()),
            block(places[1].negatives, n_tune - p_tune, 1, tune.negative_weight().ratio()),
        ];
        let mut columns = Self {
            queries: Vec::new(),
            on_train: Vec::new(),
            columns: Vec::new(),
            blocks,
            all: ExampleSet::empty(n_words * 64),
            places,
        };
        columns.all = columns.joined(train.all(), tune.all());
        let mut known: FixedSet<u128> = [&columns.all, &ExampleSet::empty(n_words * 64)]
            .map(ExampleSet::fingerprint)
            .into_iter()
            .collect();
        // A part at a time, so that covers on both sets are not held twice.
        for part in queries.chunks(QUERIES_AT_ONCE) {
            let refs: Vec<&Clause> = part.iter().collect();
            let on_train = fitting.train.all(&refs, fitting.budget)?;
            let on_tune = fitting.tune.all(&refs, fitting.budget)?;
            for ((query, on_train), on_tune) in part.iter().zip(&on_train).zip(&on_tune) {
                let column = columns.joined(on_train, on_tune);
                if known.insert(column.fingerprint()) {
                    columns.queries.push(query);
                    columns.on_train.push(train.counts(on_train));
                    columns.columns.push(column);
                }
            }
        }
        Ok(columns)
    }

    fn joined(&self, train: &ExampleSet, tune: &ExampleSet) -> ExampleSet {
        let mut joined = ExampleSet::empty(self.all.universe());
        for (place, set) in self.places.iter().zip([train, tune]) {
            for (word, &bits) in set.words().iter().enumerate() {
                joined.set_word(place.word(word), bits);
            }
        }
        joined
    }

    /// The position of an example.
    #[must_use]
    pub fn position(&self, example: PooledExample) -> usize {
        let place = self.places[usize::from(example.is_tune)];
        place.word(example.position / 64) * 64 + example.position % 64
    }
}

/// Queries whose covers are held twice.
const QUERIES_AT_ONCE: usize = 1_024;

impl Place {
    const fn word(self, word: usize) -> usize {
        if word < self.n_positive_words {
            self.positives + word
        } else {
            self.negatives + word - self.n_positive_words
        }
    }
}
