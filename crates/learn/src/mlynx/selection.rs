//! Sets of queries, and the naive Bayes of the best ones. [MLYNX §3]
//!
//! The covers of queries on train and tune, class by class.

use crate::StreamPath;
use crate::learner::Fitting;
use crate::network::Network;
use crate::pooled_sets::{PooledExample, PooledSets};
use gleaner_base::random::{Purpose, stream};
use gleaner_base::statistics::mean;
use gleaner_base::{Budget, ClassId, Counts, ExampleId, ExampleSet, FixedSet};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;
use gleaner_stats::eval::{Ranking, average_precision};
use gleaner_stats::ml::mrmr::{ColumnSet, Mrmr};
use gleaner_stats::ml::naive_bayes::{NaiveBayes, OneOfMany};
use gleaner_stats::ml::{ClassBayes, ClassBlock, ClassTable};

use super::{MlynxConfig, SetGoal};

/// The inputs for choosing sets of queries.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// The covers.
    pub columns: &'a QueryColumns<'a>,
    /// The examples.
    pub sets: &'a PooledSets,
    /// The settings.
    pub config: &'a MlynxConfig,
    /// Names the random streams.
    pub path: StreamPath,
    /// Outer stops.
    pub budget: &'a Budget,
    /// The class that is learnt.
    pub own: usize,
}

/// The mean naive Bayes of some sets.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanBayes {
    /// The columns in any of the sets, ascending.
    pub columns: Vec<usize>,
    /// The mean of the classes' discriminants, with a number for each of these columns.
    pub bayes: ClassBayes,
}

impl MeanBayes {
    /// The mean as a network that scores examples. Of two classes it is the difference of their discriminants; of many,
    /// the log-odds of the one that is learnt.
    pub fn network(self, own: usize) -> Network {
        if self.bayes.base.len() == 2 {
            Network::NaiveBayes(difference(&self.bayes, own))
        } else {
            Network::OneOfMany(OneOfMany { own, bayes: self.bayes })
        }
    }
}

/// Log-odds of one of two classes.
fn difference(bayes: &ClassBayes, own: usize) -> NaiveBayes {
    let other = 1 - own;
    let difference = |(own, other): (&f64, &f64)| own - other;
    NaiveBayes {
        base: bayes.base[own] - bayes.base[other],
        added: bayes.added[own].iter().zip(&bayes.added[other]).map(difference).collect(),
    }
}

impl Selection<'_> {
    /// The mean over the best sets, chosen and fitted on some examples; `part` names the random streams.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub fn fit(&self, part: u64, is_learnt_from: impl Fn(usize) -> bool) -> Result<MeanBayes, Interrupted> {
        let learnt_from: Vec<usize> =
            (0..self.sets.examples.len()).filter(|&example| is_learnt_from(example)).collect();
        let table = self.table(&learnt_from);
        let judge = self.judge(&table, &learnt_from);
        let streams = |restart: usize| {
            stream(self.path.rng_seed, Purpose::Weights, &[self.path.run_idx, 3, part, restart as u64])
        };
        let quality = |columns: &[usize]| judge.quality(columns);
        let mut found = Mrmr::new(&table)
            .sets(&self.config.mrmr(), streams, quality, self.budget)
            .map_err(Interrupted)?;
        found.iter_mut().for_each(|set| set.columns.sort_unstable());
        let mut best: Vec<ColumnSet> = Vec::new();
        for set in found {
            if best.len() == self.config.n_sets {
                break;
            }
            if !best.iter().any(|known| known.columns == set.columns) {
                best.push(set);
            }
        }
        Ok(self.mean(&table, &best))
    }

    fn table(&self, examples: &[usize]) -> ClassTable {
        let positions = examples.iter().map(|&example| self.columns.position(self.sets.examples[example]));
        let all = ExampleSet::from_positions(self.columns.all.universe(), positions);
        ClassTable::new(
            self.columns.columns.clone(),
            &all,
            self.columns.blocks.clone(),
            self.columns.n_classes,
        )
    }

    /// The judge of sets, on the examples learnt from, or on those of tune among them where these have two classes.
    fn judge<'t>(&'t self, table: &'t ClassTable, learnt_from: &[usize]) -> Judge<'t> {
        let is_tune = |&example: &usize| self.sets.examples[example].is_tune;
        let has_two = |examples: &[usize]| {
            let class = |&example: &usize| self.sets.examples[example].class;
            examples.windows(2).any(|pair| class(&pair[0]) != class(&pair[1]))
        };
        let (tune, train): (Vec<usize>, Vec<usize>) =
            learnt_from.iter().partition(|&example| is_tune(example));
        let is_apart = self.config.goal == SetGoal::TuneAucPr && has_two(&tune) && has_two(&train);
        let measured = if is_apart { &tune } else { learnt_from };
        let example = |&example: &usize| {
            let of = self.sets.examples[example];
            let weight = if self.columns.n_classes == 2 { self.sets.weight_of(of) } else { 1.0 };
            (self.columns.position(of), of.class.index(), weight)
        };
        Judge {
            table,
            of_train: is_apart.then(|| self.table(&train)),
            selection: self,
            measured: measured.iter().map(example).collect(),
        }
    }

    /// The mean of naive Bayes over sets, as one sum over the columns of all.
    fn mean(&self, table: &ClassTable, sets: &[ColumnSet]) -> MeanBayes {
        let mut columns: Vec<usize> = sets.iter().flat_map(|set| set.columns.iter().copied()).collect();
        columns.sort_unstable();
        columns.dedup();
        let n_classes = self.columns.n_classes;
        let mut bayes =
            ClassBayes { base: vec![0.0; n_classes], added: vec![vec![0.0; columns.len()]; n_classes] };
        #[expect(clippy::cast_precision_loss, reason = "sets are fewer than 2^53")]
        let share = 1.0 / sets.len().max(1) as f64;
        for set in sets {
            let of_set = self.bayes(table, &set.columns);
            for class in 0..n_classes {
                bayes.base[class] += share * of_set.base[class];
                for (column, added) in set.columns.iter().zip(&of_set.added[class]) {
                    let at = columns.binary_search(column).expect("the columns are those of all sets");
                    bayes.added[class][at] += share * added;
                }
            }
        }
        if sets.is_empty() {
            bayes.base = self.bayes(table, &[]).base;
        }
        MeanBayes { columns, bayes }
    }

    /// Naive Bayes over some columns.
    ///
    /// DIVERGENCE: the frequencies of [MLYNX §2] are plain counts, and a frequency of 0 or 1 has no finite logarithm. The
    /// paper does not say what stands for it, so pseudo-counts are added.
    fn bayes(&self, table: &ClassTable, columns: &[usize]) -> ClassBayes {
        ClassBayes::fit(table, columns, self.config.smoothing.pseudo_counts())
    }

    /// The score of each position.
    pub fn scores(&self, mean: &MeanBayes) -> Vec<f64> {
        scores(self.columns, &mean.columns, &mean.bayes, self.own)
    }
}

/// The log-odds of a class at each position.
fn scores(columns: &QueryColumns<'_>, chosen: &[usize], bayes: &ClassBayes, own: usize) -> Vec<f64> {
    let len = columns.all.universe();
    let covers: Vec<&ExampleSet> = chosen.iter().map(|&column| &columns.columns[column]).collect();
    if columns.n_classes > 2 {
        return OneOfMany { own, bayes: bayes.clone() }.scores(len, &covers);
    }
    let of_two = difference(bayes, own);
    let mut scores = vec![of_two.base; len];
    for (cover, added) in covers.iter().zip(&of_two.added) {
        cover.iter().for_each(|position| scores[position] += added);
    }
    scores
}

/// Measures the quality of sets of queries.
struct Judge<'a> {
    table: &'a ClassTable,
    /// The table of train alone, where tune measures.
    of_train: Option<ClassTable>,
    selection: &'a Selection<'a>,
    /// Position, class and weight of each example that is measured.
    measured: Vec<(usize, usize, f64)>,
}

impl Judge<'_> {
    fn quality(&self, columns: &[usize]) -> f64 {
        let table = self.of_train.as_ref().unwrap_or(self.table);
        let bayes = self.selection.bayes(table, columns);
        let n_classes = self.selection.columns.n_classes;
        let of_class = |own: usize| scores(self.selection.columns, columns, &bayes, own);
        match self.selection.config.goal {
            SetGoal::Errors if n_classes == 2 => {
                let scores = of_class(0);
                let is_wrong = |&&(at, class, _): &&(usize, usize, f64)| (scores[at] > 0.0) != (class == 0);
                -self.measured.iter().filter(is_wrong).map(|(.., weight)| weight).sum::<f64>()
            }
            SetGoal::Errors => {
                let scores: Vec<Vec<f64>> = (0..n_classes).map(of_class).collect();
                let best = |at: usize| {
                    (0..n_classes).reduce(
                        |best, class| {
                            if scores[class][at] > scores[best][at] { class } else { best }
                        },
                    )
                };
                let is_wrong = |&&(at, class, _): &&(usize, usize, f64)| best(at) != Some(class);
                -self.measured.iter().filter(is_wrong).map(|(.., weight)| weight).sum::<f64>()
            }
            SetGoal::AucPr | SetGoal::TuneAucPr if n_classes == 2 => {
                self.area(0, &of_class(0)).unwrap_or(0.0)
            }
            SetGoal::AucPr | SetGoal::TuneAucPr => {
                let areas: Vec<f64> =
                    (0..n_classes).filter_map(|own| self.area(own, &of_class(own))).collect();
                mean(&areas).unwrap_or(0.0)
            }
        }
    }

    /// The average precision of the ranking for a class.
    fn area(&self, own: usize, scores: &[f64]) -> Option<f64> {
        let scored = self.measured.iter().map(|&(at, class, weight)| (scores[at], class == own, weight));
        average_precision(&Ranking::weighted(scored).ok()?)
    }
}

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
