//! What is counted on train: the states of two chains, and their words.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use gleaner_base::{Budget, ConstantId};
use gleaner_engine::coverage::Universe;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::datalog::Background;
use gleaner_lang::program::Examples;

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
pub const START: &str = "start";

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
    pub transitions: BTreeMap<String, Tally>,
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
