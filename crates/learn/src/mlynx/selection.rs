//! Sets of queries, and the naive Bayes of the best ones. [MLYNX §3]

use crate::StreamPath;
use crate::network::Network;
use crate::pooled_sets::PooledSets;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::statistics::mean;
use gleaner_base::{Budget, ExampleSet};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_stats::eval::{Ranking, average_precision};
use gleaner_stats::ml::mrmr::{ColumnSet, Mrmr};
use gleaner_stats::ml::naive_bayes::NaiveBayes;
use gleaner_stats::ml::one_of_many::OneOfMany;
use gleaner_stats::ml::{ClassBayes, ClassTable};

use super::columns::QueryColumns;
use super::config::{MlynxConfig, SetGoal};

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
