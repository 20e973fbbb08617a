//! Naive Bayes over bags of words: a baseline without relations. [GLEANER §5.7, Table 5.4]
//!
//! A *bag* is a body mode that has one constant and otherwise inputs, such as `word_between(+mention, +mention, #word)`, with arguments
//! of the target for its inputs. Its *words* are the constants. A clause of one literal says that an example has a word:
//! `related(A, B) :- word_between(A, B, bind)`. The bags of the thesis are, of a text, `word_inside` (two: one for each argument), and
//! with `word_between`, `word_before` and `word_after` five.
//!
//! DIVERGENCE: an example has a word or not, however often it stands there, since facts are sets. Words that train lacks count
//! nothing; the thesis gives them a share of their own, which speaks for the rarer class whatever the word is.

pub mod bags;

use crate::decision::ChosenThreshold;
use crate::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt, WHOLE};
use crate::network::{Network, NetworkModel};
use crate::record::{OwnRecord, SearchRecord};
use crate::saved::CountedClause;
use crate::shared_config::M_ESTIMATE;
use crate::{RunContext, SetStores, Task};
use gleaner_base::{Budget, ClassWeights, ConstantId, Counts, StopReason, Totals};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::Symbols;
use gleaner_lang::program::settings::{Form, Refusal, Setting, SettingType, Value, settings};
use gleaner_stats::ml::naive_bayes::NaiveBayes;

use bags::held_out;

pub use bags::{Bag, bag_names, bags};

/// The predicates whose modes are bags; none stands for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BagNames(pub Vec<String>);

/// The word for all bags.
const ALL: &str = "all";

impl SettingType for BagNames {
    type Range = ();

    const FORM: Form = Form::List;
    const VALUE_NAME: &'static str = "LIST";

    fn accepted((): &()) -> String {
        "all, or names of predicates separated by commas, as word_inside,word_between".to_owned()
    }

    /// Blanks around names mean nothing, nor does a name that stands there twice.
    fn parse(text: &str, (): &()) -> Result<Self, Refusal> {
        if text.trim() == ALL {
            return Ok(Self::default());
        }
        let mut names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        if names.iter().any(String::is_empty) {
            return Err(Refusal::NotAccepted);
        }
        names.sort_unstable();
        names.dedup();
        Ok(Self(names))
    }

    /// The names without blanks, ascending.
    fn kept(&self, _: &str) -> Value {
        Value::Word(if self.0.is_empty() { ALL.to_owned() } else { self.0.join(",") })
    }
}

settings! {
    /// Settings of naive Bayes over bags of words.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BagOfWordsConfig {
        /// The predicates whose modes are bags.
        pub bags: BagNames = Setting::new("bags", ALL)
            .help("Predicates whose modes of one constant are bags of words, for ⁅learner=bag-of-words⁆")
            .source("[GLEANER §5.7]")
            .recorded_where_changed(),
        /// The weight of the prior of a word's share.
        pub m_estimate: f64 = &M_ESTIMATE,
    }
}

/// Naive Bayes over bags of words.
#[derive(Clone, Copy, Debug)]
pub struct BagOfWords;

/// The words of a bag as clauses, with their counts on train.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedBag {
    /// The words of train.
    pub words: Vec<CountedClause>,
}

/// The words of train in a bag.
fn counted(bag: &Bag, task: &Task<'_>, budget: &Budget) -> Result<CountedBag, Interrupted> {
    let words = bag.words(task, task.train, budget)?;
    let on_tune = bag.words(task, task.tune, budget)?;
    let counted = |(word, train): (ConstantId, Counts)| {
        let tune = on_tune.get(&word).copied().unwrap_or(Counts::NONE);
        CountedClause { clause: bag.clause(word, task.modes), train, tune }
    };
    Ok(CountedBag { words: words.into_iter().map(counted).collect() })
}

/// What was counted on train.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CountedBags {
    /// The bags that have words.
    pub bags: Vec<CountedBag>,
    /// Why not all bags were counted, if so.
    pub stop: Option<StopReason>,
}

impl Learner for BagOfWords {
    type Config = BagOfWordsConfig;
    type Found = CountedBags;
    type Part = ();
    type Own = BagsRecord;
    type Saved = NetworkModel<String>;

    const NAMES: &'static [LearnerName] =
        &[LearnerName { name: "bag-of-words", help: "naive Bayes over words, a baseline without relations" }];

    /// A word may speak against an example.
    const MAY_SPEAK_AGAINST: bool = true;

    fn same_search(left: &BagOfWordsConfig, right: &BagOfWordsConfig) -> bool {
        left.bags == right.bags
    }

    fn search(
        task: &Task<'_>,
        config: &BagOfWordsConfig,
        context: &RunContext<'_>,
        _stores: SetStores<'_, '_>,
    ) -> CountedBags {
        let mut found = CountedBags::default();
        let symbols: Option<&Symbols> = task.worlds.first().map(|world| &**world.symbols());
        let all = symbols.map(|symbols| bags(task.modes, &config.bags, symbols)).unwrap_or_default();
        for bag in all {
            match counted(&bag, task, context.budget) {
                Ok(counted) if counted.words.is_empty() => {}
                Ok(counted) => found.bags.push(counted),
                Err(Interrupted(stop)) => {
                    found.stop = Some(stop);
                    break;
                }
            }
        }
        found
    }

    fn record(found: &CountedBags) -> SearchRecord {
        let words = found.bags.iter().map(|bag| bag.words.len()).sum();
        SearchRecord::new(Vec::new(), found.stop, BagsRecord { bags: found.bags.len(), words })
    }

    fn points(_config: &BagOfWordsConfig, found: &CountedBags) -> Vec<CurvePoint<()>> {
        let n_evaluated = found.bags.iter().map(|bag| bag.words.len() as u64).sum();
        vec![CurvePoint { name: WHOLE.to_owned(), n_evaluated, part: () }]
    }

    fn fit(
        config: &BagOfWordsConfig,
        found: &CountedBags,
        (): &(),
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let totals = [fitting.train, fitting.tune].map(|covers| covers.universe().totals());
        let model = model(&found.bags, totals, config.m_estimate);
        // Without time for it, tune alone calibrates.
        let held_out = held_out(found, &model, config.m_estimate, fitting).unwrap_or(None);
        Ok(Learnt { held_out, ..Learnt::new(model) })
    }
}

/// The record that only this learner has of its search.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BagsRecord {
    /// Bags with words in train.
    pub bags: usize,
    /// Their words.
    pub words: usize,
}

impl OwnRecord for BagsRecord {
    fn lines(&self) -> String {
        format!("{} words of train in {} bags\n", self.words, self.bags)
    }
}

/// The log-odds that a word adds, by the m-estimate: `(n + m / |V|) / (N + m)` is its share in a class, where `n` examples of the class
/// have it, `N` is the sum of these numbers over the bag's words, and `|V|` is how many words the bag has. [GLEANER §5.7]
///
/// Here of a word that `word` examples of each class have, in a bag of `n_words` words and `all` occurrences.
pub fn log_odds(word: [f64; 2], all: [f64; 2], n_words: usize, m: f64) -> f64 {
    let [positive, negative] =
        [0, 1].map(|class| ((word[class] + m / n_words as f64) / (all[class] + m)).ln());
    positive - negative
}

/// What an example without words scores, and what each word adds; words are numbered through all bags.
struct LogOdds {
    pub base: f64,
    pub added: Vec<f64>,
}

/// The log-odds of the words of bags, by how many examples of each class have them. Words that none has are none of the bag's.
fn log_odds_of(bags: &[Vec<Counts>], totals: Totals, m: f64) -> LogOdds {
    let weighted = |counts: Counts| {
        let ClassWeights { positives, negatives } = counts.weighted(totals.negative_weight);
        [positives, negatives]
    };
    let mut added = Vec::new();
    for bag in bags {
        let is_known = |word: &Counts| *word != Counts::NONE;
        let n_words = bag.iter().filter(|word| is_known(word)).count();
        let all = bag.iter().map(|&word| weighted(word)).fold([0.0; 2], |[left, right], of| {
            let [positives, negatives] = of;
            [left + positives, right + negatives]
        });
        let of_word =
            |word: &Counts| if is_known(word) { log_odds(weighted(*word), all, n_words, m) } else { 0.0 };
        added.extend(bag.iter().map(of_word));
    }
    // A class without examples has no odds; half an example stands for none.
    let ClassWeights { positives, negatives } = totals.weighted();
    let [positives, negatives] = [positives, negatives].map(|n| n.max(0.5));
    LogOdds { base: (positives / negatives).ln(), added }
}

/// The model of the words of bags. `totals` are those of train and of tune.
fn model(bags: &[CountedBag], [totals, of_tune]: [Totals; 2], m: f64) -> NetworkModel {
    let on_train: Vec<Vec<Counts>> =
        bags.iter().map(|bag| bag.words.iter().map(|word| word.train).collect()).collect();
    let LogOdds { base, added } = log_odds_of(&on_train, totals, m);
    let counted = bags.iter().flat_map(|bag| bag.words.iter().cloned());
    let mut words: Vec<(f64, CountedClause)> = added.into_iter().zip(counted).collect();
    words.sort_by(|(left, left_of), (right, right_of)| {
        right.abs().total_cmp(&left.abs()).then_with(|| left_of.clause.cmp(&right_of.clause))
    });
    let (added, clauses) = words.into_iter().unzip();
    let network = Network::NaiveBayes(NaiveBayes { base, added });
    NetworkModel { decision: ChosenThreshold::none(of_tune), network, clauses }
}

#[cfg(test)]
mod tests {
    use super::log_odds;

    /// A bag of four words: positives have 3 occurrences, one of the word; negatives 20, two of it. With `m = 1`:
    /// (1 + 1/4) / (3 + 1) = .3125 and (2 + 1/4) / (20 + 1) = .107143, whose quotient is 2.916667. A word that only the other class
    /// has gets the data-free share: (0 + 1/4) / 4 = .0625, [`log_odds`] of it with 5 negatives ln(.0625 / .25).
    #[test]
    fn shares_are_m_estimates() {
        let close = |left: f64, right: f64| (left - right).abs() < 1e-12;
        assert!(close(log_odds([1.0, 2.0], [3.0, 20.0], 4, 1.0), (35.0_f64 / 12.0).ln()));
        assert!(close(log_odds([0.0, 5.0], [3.0, 20.0], 4, 1.0), 0.25_f64.ln()));
        // Ten in place of one: (1 + 2.5) / 13 and (2 + 2.5) / 30.
        assert!(close(log_odds([1.0, 2.0], [3.0, 20.0], 4, 10.0), (3.5_f64 / 13.0 / 0.15).ln()));
    }
}
