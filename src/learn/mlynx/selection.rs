//! Sets of queries, and the naive Bayes of the best ones. [MLYNX §3]

use crate::base::random::{Purpose, stream};
use crate::base::{Budget, ExampleSet};
use crate::coverage::component::Interrupted;
use crate::eval::{Ranking, average_precision};
use crate::learn::StreamPath;
use crate::learn::pooled_sets::PooledSets;
use crate::ml::mrmr::{ColumnSet, Mrmr};
use crate::ml::naive_bayes::NaiveBayes;
use crate::ml::{ClassBayes, ClassTable};

use super::columns::QueryColumns;
use super::config::{MlynxConfig, SetGoal};

/// What is chosen from.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// The covers.
    pub columns: &'a QueryColumns<'a>,
    /// The examples.
    pub sets: &'a PooledSets,
    /// How.
    pub config: &'a MlynxConfig,
    /// Names the random streams.
    pub path: StreamPath,
    /// Outer stops.
    pub budget: &'a Budget,
}

/// The mean naive Bayes of some sets.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanBayes {
    /// The columns in any of the sets, ascending.
    pub columns: Vec<usize>,
    /// The mean of their log-odds, with a number for each of these columns.
    pub bayes: NaiveBayes,
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
        ClassTable::new(self.columns.columns.clone(), &all, self.columns.blocks.clone(), 2)
    }

    /// What measures sets: the examples learnt from, or those of tune among them where both classes are there.
    fn judge<'t>(&'t self, table: &'t ClassTable, learnt_from: &[usize]) -> Judge<'t> {
        let is_tune = |&example: &usize| self.sets.examples[example].is_tune;
        let has_both = |examples: &[usize]| {
            let is_positive = |&example: &usize| self.sets.examples[example].is_positive;
            examples.iter().any(is_positive) && !examples.iter().all(is_positive)
        };
        let (tune, train): (Vec<usize>, Vec<usize>) =
            learnt_from.iter().partition(|&example| is_tune(example));
        let is_apart = self.config.goal == SetGoal::TuneAucPr && has_both(&tune) && has_both(&train);
        let measured = if is_apart { &tune } else { learnt_from };
        let example = |&example: &usize| {
            let of = self.sets.examples[example];
            (self.columns.position(of), of.is_positive, self.sets.weight_of(of))
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
        let mut bayes = NaiveBayes { base: 0.0, added: vec![0.0; columns.len()] };
        #[expect(clippy::cast_precision_loss, reason = "sets are fewer than 2^53")]
        let share = 1.0 / sets.len().max(1) as f64;
        for set in sets {
            let of_set = self.bayes(table, &set.columns);
            bayes.base += share * of_set.base;
            for (column, added) in set.columns.iter().zip(of_set.added) {
                let at = columns.binary_search(column).expect("the columns are those of all sets");
                bayes.added[at] += share * added;
            }
        }
        if sets.is_empty() {
            bayes.base = self.bayes(table, &[]).base;
        }
        MeanBayes { columns, bayes }
    }

    /// Log-odds of the positive class.
    fn bayes(&self, table: &ClassTable, columns: &[usize]) -> NaiveBayes {
        let ClassBayes { base, added } =
            ClassBayes::fit(table, columns, self.config.smoothing.pseudo_counts());
        let difference = |(positive, negative): (&f64, &f64)| positive - negative;
        NaiveBayes {
            base: base[0] - base[1],
            added: added[0].iter().zip(&added[1]).map(difference).collect(),
        }
    }

    /// The score of each position.
    #[must_use]
    pub fn scores(&self, mean: &MeanBayes) -> Vec<f64> {
        scores(self.columns, &mean.columns, &mean.bayes)
    }
}

fn scores(columns: &QueryColumns<'_>, chosen: &[usize], bayes: &NaiveBayes) -> Vec<f64> {
    let mut scores = vec![bayes.base; columns.all.universe()];
    for (&column, added) in chosen.iter().zip(&bayes.added) {
        columns.columns[column].iter().for_each(|position| scores[position] += added);
    }
    scores
}

/// What measures sets.
struct Judge<'a> {
    table: &'a ClassTable,
    /// Of train alone, where tune measures.
    of_train: Option<ClassTable>,
    selection: &'a Selection<'a>,
    /// Position, class and weight of each example that is measured.
    measured: Vec<(usize, bool, f64)>,
}

impl Judge<'_> {
    fn quality(&self, columns: &[usize]) -> f64 {
        let table = self.of_train.as_ref().unwrap_or(self.table);
        let bayes = self.selection.bayes(table, columns);
        let scores = scores(self.selection.columns, columns, &bayes);
        let scored = self.measured.iter().map(|&(at, is_positive, weight)| (scores[at], is_positive, weight));
        match self.selection.config.goal {
            SetGoal::Errors => {
                let wrong = scored.filter(|&(score, is_positive, _)| (score > 0.0) != is_positive);
                -wrong.map(|(_, _, weight)| weight).sum::<f64>()
            }
            SetGoal::AucPr | SetGoal::TuneAucPr => {
                let ranking = Ranking::weighted(scored);
                ranking.ok().and_then(|ranking| average_precision(&ranking)).unwrap_or(0.0)
            }
        }
    }
}
