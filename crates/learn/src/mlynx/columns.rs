//! The covers of queries on train and tune, class by class.

use crate::learner::Fitting;
use crate::pooled_sets::PooledExample;
use gleaner_base::{ClassId, Counts, ExampleId, ExampleSet, FixedSet};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_stats::ml::ClassBlock;

/// Queries with distinct covers, and these covers.
///
/// **Shape**: words of the positives of train, those of tune, then the negatives of both. With many classes, the words
/// of each class, whichever class is learnt.
#[derive(Clone, Debug)]
pub struct QueryColumns<'c> {
    /// The queries, each the first of its cover.
    pub queries: Vec<&'c Clause>,
    /// The counts of each query on train.
    pub on_train: Vec<Counts>,
    /// Their covers.
    pub columns: Vec<ExampleSet>,
    /// The words of each class and set.
    pub blocks: Vec<ClassBlock>,
    /// The positions that hold an example.
    pub all: ExampleSet,
    /// How many classes there are.
    pub n_classes: usize,
    layout: Layout,
}

/// The places of the examples of train and of tune.
#[derive(Clone, Debug)]
enum Layout {
    /// The number of words of the positives, and the start of each class's words.
    Words([Place; 2]),
    /// The place of each position; of padding 0.
    Positions([Vec<usize>; 2]),
}

/// The place of a set's words.
#[derive(Clone, Copy, Debug)]
struct Place {
    n_positive_words: usize,
    positives: usize,
    negatives: usize,
}

impl<'c> QueryColumns<'c> {
    fn of_two_classes(train: &Universe, tune: &Universe) -> Self {
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
        Self::without_queries(Layout::Words(places), 2, n_train + n_tune, blocks)
    }

    fn of_many_classes(n_classes: usize, train: &Universe, tune: &Universe) -> Self {
        let mut placed: Vec<(ClassId, usize, ExampleId, usize)> = Vec::new();
        for (set, universe) in [train, tune].into_iter().enumerate() {
            let examples = universe.examples();
            placed.extend(universe.iter().map(|(position, id)| (examples.class(id), set, id, position)));
        }
        // Sorted by example, so that the places are the same whichever class is learnt.
        placed.sort_unstable();
        let mut layout = [train, tune].map(|universe| vec![0; universe.len()]);
        let mut blocks = Vec::with_capacity(n_classes);
        let mut n_words = 0;
        for of_class in placed.chunk_by(|left, right| left.0 == right.0) {
            for (at, &(_, set, _, position)) in of_class.iter().enumerate() {
                layout[set][position] = n_words * 64 + at;
            }
            let first = n_words;
            n_words += of_class.len().div_ceil(64);
            blocks.push(ClassBlock { words: first..n_words, class: of_class[0].0.index(), weight: 1.0 });
        }
        Self::without_queries(Layout::Positions(layout), n_classes, n_words, blocks)
    }

    fn without_queries(layout: Layout, n_classes: usize, n_words: usize, blocks: Vec<ClassBlock>) -> Self {
        Self {
            queries: Vec::new(),
            on_train: Vec::new(),
            columns: Vec::new(),
            blocks,
            all: ExampleSet::empty(n_words * 64),
            n_classes,
            layout,
        }
    }

    /// The covers on both sets. Left out are queries that cover nothing, or all, and queries with the cover of one
    /// before them.
    ///
    /// DIVERGENCE from [MLYNX §2], which leaves out equivalent queries alone: naive Bayes would count a cover twice, and
    /// random steps would prefer covers that many queries have.
    ///
    /// **Memory**: an eighth of a byte for each query and example.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn of(queries: &'c [Clause], fitting: &Fitting<'_>) -> Result<Self, Interrupted> {
        let [train, tune] = [fitting.train.universe(), fitting.tune.universe()];
        let mut columns = match fitting.labels.classes() {
            Some(list) => Self::of_many_classes(list.len(), train, tune),
            None => Self::of_two_classes(train, tune),
        };
        columns.all = columns.joined(train.all(), tune.all());
        let mut known: FixedSet<u128> = [&columns.all, &ExampleSet::empty(columns.all.universe())]
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
        match &self.layout {
            Layout::Words(places) => {
                let mut joined = ExampleSet::empty(self.all.universe());
                for (place, set) in places.iter().zip([train, tune]) {
                    for (word, &bits) in set.words().iter().enumerate() {
                        joined.set_word(place.word(word), bits);
                    }
                }
                joined
            }
            Layout::Positions([of_train, of_tune]) => {
                let on_train = train.iter().map(|position| of_train[position]);
                let on_tune = tune.iter().map(|position| of_tune[position]);
                ExampleSet::from_positions(self.all.universe(), on_train.chain(on_tune))
            }
        }
    }

    /// The position of an example.
    pub fn position(&self, example: PooledExample) -> usize {
        let set = usize::from(example.is_tune);
        match &self.layout {
            Layout::Words(places) => places[set].word(example.position / 64) * 64 + example.position % 64,
            Layout::Positions(places) => places[set][example.position],
        }
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
