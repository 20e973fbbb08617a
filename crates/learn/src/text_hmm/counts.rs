//! What is counted on train: the states of two chains, and their words.
//!
//! The forward algorithm: the probability of a sentence under the chains, with some labels known and others summed over.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use gleaner_base::{Budget, ConstantId, FixedMap};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::datalog::Background;
use gleaner_lang::program::{Examples, Symbols};

use super::segments::{Extent, Segment, TextPredicates};

/// What a phrase is in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// Neither argument.
    Plain,
    /// Part of the first argument.
    First,
    /// Part of the second.
    Second,
    /// Part of both.
    Both,
}

impl Label {
    /// All, in order.
    pub const ALL: [Self; 4] = [Self::Plain, Self::First, Self::Second, Self::Both];

    /// The label of a phrase that is part of the arguments for which this is true.
    pub const fn of([of_first, of_second]: [bool; 2]) -> Self {
        match (of_first, of_second) {
            (false, false) => Self::Plain,
            (true, false) => Self::First,
            (false, true) => Self::Second,
            (true, true) => Self::Both,
        }
    }

    /// Whether a phrase of this label is part of each argument.
    pub const fn of_arguments(self) -> [bool; 2] {
        [matches!(self, Self::First | Self::Both), matches!(self, Self::Second | Self::Both)]
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::First => "first",
            Self::Second => "second",
            Self::Both => "both",
        }
    }

    /// The name of a state, as `first noun_phrase`.
    pub fn state(self, kind: &str) -> String {
        format!("{} {kind}", self.word())
    }
}

/// The state before the first phrase.
const START: &str = "start";

/// The state after the last.
pub const END: &str = "end";

/// How often each of some names was seen.
pub type Tally = BTreeMap<String, u64>;

/// A chain of states, as counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainCounts {
    /// Sentences.
    pub sentences: u64,
    /// How often each state comes after each.
    transitions: BTreeMap<String, Tally>,
    /// How often each state has each word.
    pub words: BTreeMap<String, Tally>,
}

/// Both chains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentenceCounts {
    /// Sentences that have a positive pair, with its labels.
    pub positive: ChainCounts,
    /// The other sentences, whose phrases are plain.
    pub negative: ChainCounts,
}

/// A sentence with the pairs of a universe that stand in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// The position of each pair's example, and where its arguments stand.
    pub(super) places: Vec<(usize, [Extent; 2])>,
}

/// The sentences of a universe, by world and sentence.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub(super) fn sentences(
    worlds: &[Background],
    predicates: TextPredicates,
    universe: &Universe,
    budget: &Budget,
) -> Result<BTreeMap<(usize, ConstantId), Pairs>, Interrupted> {
    let examples: &Examples = universe.examples();
    let mut found: BTreeMap<(usize, ConstantId), Pairs> = BTreeMap::new();
    for (position, id) in universe.iter() {
        budget.check().map_err(Interrupted)?;
        let world = examples.world(id).index();
        for (unit, extents) in predicates.places(&worlds[world], examples.arguments(id)) {
            found.entry((world, unit)).or_default().places.push((position, extents));
        }
    }
    Ok(found)
}

impl SentenceCounts {
    /// Counts of the sentences of train.
    ///
    /// **Cost**: the tokens of these sentences.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ran out first.
    pub(super) fn of(
        worlds: &[Background],
        predicates: TextPredicates,
        train: &Universe,
        budget: &Budget,
    ) -> Result<Self, Interrupted> {
        let mut counts = Self::default();
        for ((world, unit), pairs) in sentences(worlds, predicates, train, budget)? {
            budget.check().map_err(Interrupted)?;
            let world = &worlds[world];
            let segments = predicates.segments(world, unit);
            let positives: Vec<[Extent; 2]> = (pairs.places.iter())
                .filter(|(position, _)| train.is_positive(*position))
                .map(|(_, extents)| *extents)
                .collect();
            let chain = if positives.is_empty() { &mut counts.negative } else { &mut counts.positive };
            chain.add(&segments, &positives, world);
        }
        Ok(counts)
    }
}

impl ChainCounts {
    /// Adds a sentence in which these pairs are positive.
    fn add(&mut self, segments: &[Segment], positives: &[[Extent; 2]], world: &Background) {
        let text = |constant: ConstantId| world.symbols().constants.text(constant);
        self.sentences += 1;
        let mut before = START.to_owned();
        let mut follow = |state: &str| {
            let after = self.transitions.entry(std::mem::replace(&mut before, state.to_owned())).or_default();
            *after.entry(state.to_owned()).or_default() += 1;
        };
        for segment in segments {
            let of = |argument: usize| positives.iter().any(|extents| segment.overlaps(extents[argument]));
            let state = Label::of([of(0), of(1)]).state(text(segment.kind));
            follow(&state);
            let words = self.words.entry(state).or_default();
            for &word in &segment.words {
                *words.entry(text(word).to_owned()).or_default() += 1;
            }
        }
        follow(END);
    }
}

/// The weight of equal shares in the probability of the next state, in phrases.
const TRANSITION_WEIGHT: f64 = 1.0;

/// The logarithms of a chain's shares of one kind, by the m-estimate: `(n + m / K) / (N + m)`, where `n` of `N` events are this one,
/// and `K` events are possible.
#[derive(Clone, Debug)]
struct Shares {
    seen: FixedMap<(u32, u32), f64>,
    /// Of an event that was not seen, by state; `none` of a state that was not.
    unseen: Vec<f64>,
    none: f64,
}

impl Shares {
    fn of(
        counts: &BTreeMap<String, BTreeMap<String, u64>>,
        state_of: &impl Fn(&str) -> u32,
        event_of: &impl Fn(&str) -> u32,
        [n_states, n_events]: [usize; 2],
        m: f64,
    ) -> Self {
        let prior = m / n_events as f64;
        let none = -(n_events as f64).ln();
        let mut shares = Self { seen: FixedMap::default(), unseen: vec![none; n_states], none };
        for (state, tally) in counts {
            let at = state_of(state);
            let all: f64 = tally.values().map(|&n| n as f64).sum();
            shares.unseen[at as usize] = (prior / (all + m)).ln();
            for (event, &n) in tally {
                shares.seen.insert((at, event_of(event)), ((n as f64 + prior) / (all + m)).ln());
            }
        }
        shares
    }

    fn log(&self, state: Option<u32>, event: Option<u32>) -> f64 {
        let Some(state) = state else { return self.none };
        let seen = event.and_then(|event| self.seen.get(&(state, event)));
        seen.copied().unwrap_or(self.unseen[state as usize])
    }
}

/// A chain as logarithms of probabilities.
#[derive(Clone, Debug)]
struct Chain {
    transitions: Shares,
    words: Shares,
}

/// Both chains, ready to score.
#[derive(Clone, Debug)]
pub(super) struct Scorer<'m> {
    states: BTreeMap<&'m str, u32>,
    vocabulary: BTreeMap<&'m str, u32>,
    positive: Chain,
    negative: Chain,
    /// The logarithms of the shares of sentences with and without positives.
    prior: [f64; 2],
}

/// A sentence under a chain: the log-probabilities of each step from a label to a label, with the words of the phrase that it leads to.
/// The first step is from the start, the last to the end; there, the first label stands for both.
struct Steps(Vec<[[f64; 4]; 4]>);

/// A sentence as a scorer knows it.
pub(super) struct Prepared {
    positive: Steps,
    negative: Steps,
}

fn numbered<'m>(names: impl Iterator<Item = &'m str>) -> BTreeMap<&'m str, u32> {
    let distinct: BTreeSet<&str> = names.collect();
    distinct.into_iter().zip(0..).collect()
}

impl<'m> Scorer<'m> {
    pub(super) fn new(counts: &'m SentenceCounts, m: f64) -> Self {
        let SentenceCounts { positive, negative } = counts;
        let chains = [positive, negative];
        let transitions = chains.iter().flat_map(|chain| &chain.transitions);
        let states = numbered(
            transitions
                .flat_map(|(from, to)| to.keys().chain([from]))
                .chain(chains.iter().flat_map(|chain| chain.words.keys()))
                .map(String::as_str)
                .chain([START, END]),
        );
        let tallies = chains.iter().flat_map(|chain| chain.words.values());
        let vocabulary = numbered(tallies.flat_map(BTreeMap::keys).map(String::as_str));
        let kinds: BTreeSet<&str> =
            states.keys().filter_map(|state| state.split_once(' ')).map(|(_, kind)| kind).collect();
        let state_of = |state: &str| states[state];
        let word_of = |word: &str| vocabulary[word];
        let chain = |counts: &ChainCounts, n_labels: usize| Chain {
            transitions: Shares::of(
                &counts.transitions,
                &state_of,
                &state_of,
                [states.len(), kinds.len() * n_labels + 1],
                TRANSITION_WEIGHT,
            ),
            words: Shares::of(&counts.words, &state_of, &word_of, [states.len(), vocabulary.len() + 1], m),
        };
        let [with, without] = chains.map(|chain| chain.sentences as f64 + 0.5);
        let prior = [with, without].map(|n| (n / (with + without)).ln());
        let positive = chain(positive, Label::ALL.len());
        let negative = chain(negative, 1);
        Self { states, vocabulary, positive, negative, prior }
    }

    /// The sentence of these phrases.
    pub(super) fn prepared(&self, segments: &[Segment], symbols: &Symbols) -> Prepared {
        let state = |name: &str| self.states.get(name).copied();
        let states: Vec<[Option<u32>; 4]> = (segments.iter())
            .map(|segment| symbols.constants.text(segment.kind))
            .map(|kind| Label::ALL.map(|label| state(&label.state(kind))))
            .collect();
        let words: Vec<Vec<Option<u32>>> = (segments.iter())
            .map(|segment| segment.words.iter().map(|&word| symbols.constants.text(word)))
            .map(|words| words.map(|word| self.vocabulary.get(word).copied()).collect())
            .collect();
        let steps = |chain: &Chain| {
            let mut before = [state(START); 4];
            let mut steps = Vec::with_capacity(segments.len() + 1);
            for (now, words) in states.iter().zip(&words) {
                let of_words = now.map(|to| words.iter().map(|&word| chain.words.log(to, word)).sum::<f64>());
                steps.push(before.map(|from| {
                    let to = |at: usize| chain.transitions.log(from, now[at]) + of_words[at];
                    [0, 1, 2, 3].map(to)
                }));
                before = *now;
            }
            steps.push(before.map(|from| [chain.transitions.log(from, state(END)); 4]));
            Steps(steps)
        };
        Prepared { positive: steps(&self.positive), negative: steps(&self.negative) }
    }

    /// The log-probability of a sentence under both chains together, with their shares.
    pub(super) fn sentence(&self, prepared: &Prepared) -> f64 {
        let with = self.prior[0] + prepared.positive.all_paths(|_, _| true);
        let without = self.prior[1] + prepared.negative.all_paths(|_, label| label == Label::Plain);
        log_sum([with, without].into_iter())
    }

    /// The log-probability of a sentence under the first chain, with its share, in which these phrases are the arguments.
    pub(super) fn pair(&self, prepared: &Prepared, segments: &[Segment], extents: [Extent; 2]) -> f64 {
        let allowed = |at: usize, label: Label| {
            let known = extents.map(|extent| segments[at].overlaps(extent));
            let [of_first, of_second] = label.of_arguments();
            (of_first || !known[0]) && (of_second || !known[1])
        };
        self.prior[0] + prepared.positive.all_paths(allowed)
    }
}

impl Steps {
    /// The log-probability of all paths through allowed labels.
    fn all_paths(&self, allowed: impl Fn(usize, Label) -> bool) -> f64 {
        // The log-probability of all ways to each label of the phrase before.
        let mut before = [0.0, f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        let (end, phrases) = self.0.split_last().expect("a step to the end");
        for (at, step) in phrases.iter().enumerate() {
            before = Label::ALL.map(|label| match allowed(at, label) {
                true => log_sum(before.iter().zip(step).map(|(way, from)| way + from[label as usize])),
                false => f64::NEG_INFINITY,
            });
        }
        log_sum(before.iter().zip(end).map(|(way, from)| way + from[0]))
    }
}

/// The logarithm of the sum of the numbers with these logarithms.
fn log_sum(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + logs.map(|log| if log == f64::NEG_INFINITY { 0.0 } else { (log - most).exp() }).sum::<f64>().ln()
}
