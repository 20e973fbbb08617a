//! A hidden Markov model of the structure of sentences: a baseline without clauses. [GLEANER §5.7, Table 5.4], after Ray and Craven.
//!
//! A sentence is a sequence of phrases ([`segments`]). A state is a kind of phrase with a label: it is part of the first argument, of
//! the second, of both, or plain. A phrase shows its kind and its words; its label is hidden. Two chains of states are counted on
//! train: one of sentences that have a positive pair, whose labels are then known, and one of the other sentences, all plain
//! ([`counts`]). The score of a pair is the probability that its sentence came from the first chain, with the pair's phrases as first
//! and as second argument and any labels elsewhere: the forward algorithm sums over them.
//!
//! DIVERGENCE: the thesis takes the model as published and says little of it. There, every sentence has its best path, and all pairs on
//! it are found. Here each pair is scored, so that curves end at a recall of 1.

pub mod counts;
pub mod segments;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::decision::ChosenThreshold;
use crate::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt, WHOLE};
use crate::model::Ranker;
use crate::prolog::Program;
use crate::record::{OwnRecord, SearchRecord};
use crate::saved::{Checked, Contradiction, CountedClause, check_counts, over_clauses};
use crate::shared_config::M_ESTIMATE;
use crate::shown::{Account, Column, Extent as Shown, Row, Table};
use crate::{Covers, RunContext, SetStores, Task};
use gleaner_base::{Budget, ClassWeights, ConstantId, Counts, StopReason};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::settings::settings;
use gleaner_lang::program::{Clause, Symbols};

use counts::{ChainCounts, Label, Pairs, Scorer, SentenceCounts, Tally, sentences};

pub use segments::{TEXT_PREDICATES, TextPredicates};

settings! {
    /// Settings of the hidden Markov model of sentences.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct TextHmmConfig {
        /// The weight of the prior of a word's share.
        pub m_estimate: f64 = &M_ESTIMATE,
    }
}

/// Hidden Markov chains of sentences.
#[derive(Clone, Copy, Debug)]
pub struct TextHmm;

/// What was counted on train.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CountedSentences {
    /// The counts.
    pub counts: SentenceCounts,
    /// The clause that says what the model reads, if train has sentences.
    pub clause: Option<Clause>,
    /// Why nothing was counted, if so.
    pub stop: Option<StopReason>,
}

impl Learner for TextHmm {
    type Config = TextHmmConfig;
    type Found = CountedSentences;
    type Part = ();
    type Own = SentencesRecord;
    type Saved = TextHmmModel<String>;

    const NAMES: &'static [LearnerName] = &[LearnerName {
        name: "text-hmm",
        help: "a hidden Markov model of the phrases of sentences, a baseline for text",
    }];

    const MAY_SPEAK_AGAINST: bool = true;

    /// Counts do not depend on how they are weighed.
    fn same_search(_: &TextHmmConfig, _: &TextHmmConfig) -> bool {
        true
    }

    fn search(
        task: &Task<'_>,
        _config: &TextHmmConfig,
        context: &RunContext<'_>,
        _stores: SetStores<'_, '_>,
    ) -> CountedSentences {
        let mut found =
            CountedSentences { stop: context.budget.check().err(), ..CountedSentences::default() };
        let Some(Ok(predicates)) = task.worlds.first().map(|world| TextPredicates::of(world.symbols()))
        else {
            return found;
        };
        match SentenceCounts::of(task.worlds, predicates, task.train, context.budget) {
            Ok(counts) => {
                if counts.positive.sentences + counts.negative.sentences > 0 {
                    found.clause = Some(predicates.clause(task.modes.head.predicate));
                }
                found.counts = counts;
            }
            Err(Interrupted(stop)) => found.stop = Some(stop),
        }
        found
    }

    fn record(found: &CountedSentences) -> SearchRecord {
        let SentenceCounts { positive, negative } = &found.counts;
        let own = SentencesRecord { positive: positive.sentences, negative: negative.sentences };
        SearchRecord::new(Vec::new(), found.stop, own)
    }

    fn points(_config: &TextHmmConfig, _found: &CountedSentences) -> Vec<CurvePoint<()>> {
        vec![CurvePoint { name: WHOLE.to_owned(), n_evaluated: 1, part: () }]
    }

    fn fit(
        config: &TextHmmConfig,
        found: &CountedSentences,
        (): &(),
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let ClassWeights { positives, negatives } = fitting.train.universe().totals().weighted();
        let Fitting { train, tune, budget, .. } = *fitting;
        let mut clauses = Vec::new();
        if let Some(clause) = &found.clause {
            let counted = |covers: &Covers<'_>| -> Result<Counts, Interrupted> {
                Ok(covers.universe().counts(&covers.all(&[clause], budget)?[0]))
            };
            let (train, tune) = (counted(train)?, counted(tune)?);
            clauses.push(CountedClause { clause: clause.clone(), train, tune });
        }
        Ok(Learnt::new(TextHmmModel {
            decision: ChosenThreshold::none(fitting.tune.universe().totals()),
            m_estimate: config.m_estimate,
            share: (positives + 0.5) / (positives + negatives + 1.0),
            counts: found.counts.clone(),
            clauses,
        }))
    }
}

/// The record that only this learner has of its search.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SentencesRecord {
    /// Sentences of train that have a positive pair.
    pub positive: u64,
    /// The others.
    pub negative: u64,
}

impl OwnRecord for SentencesRecord {
    fn lines(&self) -> String {
        format!("{} sentences of train with positives, {} without\n", self.positive, self.negative)
    }
}

/// Words of each label that a short text shows.
const N_SHOWN_WORDS: usize = 10;

/// Hidden Markov chains of sentences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextHmmModel<C = Clause> {
    /// The threshold that decides.
    #[serde(flatten)]
    pub decision: ChosenThreshold,
    /// Examples that the equal shares of all words count as.
    pub m_estimate: f64,
    /// The share of train's pairs that are positive, in `(0, 1)`: the probability of a pair that stands in no sentence.
    pub share: f64,
    /// The chains.
    pub counts: SentenceCounts,
    /// One clause that says what the model reads; none where train has no sentences.
    pub clauses: Vec<CountedClause<C>>,
}

over_clauses!(TextHmmModel { in clauses; decision, m_estimate, share, counts });

impl Ranker for TextHmmModel {
    fn decision(&self) -> ChosenThreshold {
        self.decision
    }

    fn decision_mut(&mut self) -> &mut ChosenThreshold {
        &mut self.decision
    }

    /// The logarithm of the probability of each pair; of a pair in several sentences the greatest.
    fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let universe = covers.universe();
        let unknown = vec![self.share.ln(); universe.len()];
        let worlds = covers.worlds();
        let Some(predicates) = worlds.first().and_then(|world| TextPredicates::of(world.symbols()).ok())
        else {
            return Ok(unknown);
        };
        let scorer = Scorer::new(&self.counts, self.m_estimate);
        let sentences: Vec<((usize, ConstantId), Pairs)> =
            sentences(worlds, predicates, universe, budget)?.into_iter().collect();
        let of_sentence = |((world, unit), pairs): &((usize, ConstantId), Pairs)| {
            budget.check().map_err(Interrupted)?;
            let world = &worlds[*world];
            let segments = predicates.segments(world, *unit);
            let prepared = scorer.prepared(&segments, world.symbols());
            let all = scorer.sentence(&prepared);
            let score = |&(position, extents): &(usize, _)| {
                // Rounding may take a probability of 1 beyond it.
                (position, (scorer.pair(&prepared, &segments, extents) - all).min(0.0))
            };
            Ok(pairs.places.iter().map(score).collect())
        };
        let scored: Vec<Vec<(usize, f64)>> =
            sentences.par_iter().map(of_sentence).collect::<Result<_, Interrupted>>()?;
        let mut best: BTreeMap<usize, f64> = BTreeMap::new();
        for (position, score) in scored.into_iter().flatten().filter(|(_, score)| score.is_finite()) {
            best.entry(position).and_modify(|known| *known = known.max(score)).or_insert(score);
        }
        let mut scores = unknown;
        best.into_iter().for_each(|(position, score)| scores[position] = score);
        Ok(scores)
    }

    /// The probability, as the chains have it.
    fn confidence(&self, score: f64) -> f64 {
        score.exp()
    }

    fn greatest(&self) -> Option<f64> {
        Some(0.0)
    }

    fn account(&self, _covering: &BTreeSet<&Clause>) -> Account {
        Account {
            words: "the score is the logarithm of the probability that the sentence has these two as its\n\
                    first and second argument; all its phrases and words make it together\n"
                .to_owned(),
            ..Account::default()
        }
    }

    fn head(&self) -> String {
        let SentenceCounts { positive, negative } = &self.counts;
        format!(
            "hidden Markov chains of {} sentences with positives and {} without\n",
            positive.sentences, negative.sentences
        )
    }

    fn contents(&self, _symbols: &Symbols, extent: Shown) -> Vec<Table> {
        let labels = [Label::First, Label::Second, Label::Both, Label::Plain];
        let tables = labels.iter().map(|&label| self.telling_words(label, extent));
        tables.filter(|table| !table.rows.is_empty()).collect()
    }

    /// A sum over paths is no rule.
    fn program(&self) -> Option<Program<'_>> {
        None
    }
}

/// The words of the states of a label, whatever the kind of phrase.
fn words_of(chain: &ChainCounts, label: Label) -> Tally {
    let mut words = Tally::new();
    let prefix = label.state("");
    for (_, tally) in chain.words.iter().filter(|(state, _)| state.starts_with(&prefix)) {
        for (word, n) in tally {
            let all = words.entry(word.clone()).or_default();
            *all = all.saturating_add(*n);
        }
    }
    words
}

impl TextHmmModel {
    /// The words by which phrases of a label differ most from those of other sentences.
    fn telling_words(&self, label: Label, extent: Shown) -> Table {
        let [here, there] =
            [words_of(&self.counts.positive, label), words_of(&self.counts.negative, Label::Plain)];
        let [all_here, all_there] =
            [&here, &there].map(|words| words.values().map(|&n| n as f64).sum::<f64>());
        // Half an occurrence more keeps rare words from the top.
        let times = |word: &str, n: u64| {
            let n_there = there.get(word).copied().unwrap_or(0);
            (n as f64 / (all_here + 0.5)) / ((n_there as f64 + 0.5) / (all_there + 0.5))
        };
        let mut rows: Vec<(f64, u64, &str)> =
            here.iter().map(|(word, &n)| (n as f64 * times(word, n).ln(), n, word.as_str())).collect();
        rows.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.2.cmp(right.2)));
        rows.truncate(extent.of(N_SHOWN_WORDS));
        let row = |(_, n, word): (f64, u64, &str)| Row {
            cells: vec![n.to_string(), format!("{:.1}", times(word, n))],
            last: format!("  {word}"),
        };
        let place = match label {
            Label::First => "first arguments",
            Label::Second => "second arguments",
            Label::Both => "phrases with both arguments",
            Label::Plain => "other phrases of sentences with positives",
        };
        Table {
            lead: format!("\nwords of {place}, how often, and how many times their share elsewhere:\n"),
            columns: Column::several(&[("n", 7), ("times", 8)]),
            last_title: "  word",
            rows: rows.into_iter().map(row).collect(),
            n_more_clauses: 0,
        }
    }
}

impl Checked for TextHmmModel<String> {
    type Head = ChosenThreshold;

    fn check(&self) -> Result<(), Contradiction> {
        if !(self.m_estimate > 0.0 && self.m_estimate.is_finite()) {
            return Err(Contradiction("the weight of equal shares is not above 0"));
        }
        if !(self.share > 0.0 && self.share < 1.0) {
            return Err(Contradiction("the share of positive pairs is not between 0 and 1"));
        }
        check_counts(self.clauses.iter().map(|counted| counted.train))
    }
}
