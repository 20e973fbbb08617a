//! The hidden Markov model of sentences as a learner of the registry.

use gleaner_base::{ClassWeights, Counts, StopReason};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Clause;

use crate::decision::ChosenThreshold;
use crate::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt, WHOLE};
use crate::record::{Own, OwnRecord, SearchRecord};
use crate::saved::CountedClause;
use crate::{Covers, RunContext, SetStores, Task};

use super::config::TextHmmConfig;
use super::counts::SentenceCounts;
use super::model::TextHmmModel;
use super::segments::TextPredicates;

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
        SearchRecord {
            searches: Vec::new(),
            n_told: 0,
            stop: found.stop,
            density: None,
            own: Own::new(SentencesRecord { positive: positive.sentences, negative: negative.sentences }),
        }
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
