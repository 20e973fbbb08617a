//! The kinds of rules that vote for an answer, and how much each counts.
//!
//! How far a rule can be trusted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The number of rules of one kind that can count for one answer: the strongest. (ANYBURL, noisy-or of the five best)
pub const BEST: usize = 5;

/// Inserts a strength among the strongest, which fall.
pub(super) fn insert(slots: &mut [f64; BEST], strength: f64) {
    if strength <= slots[BEST - 1] {
        return;
    }
    let mut at = BEST - 1;
    while at > 0 && slots[at - 1] < strength {
        slots[at] = slots[at - 1];
        at -= 1;
    }
    slots[at] = strength;
}

/// How a rule reaches an answer of `r(a, ?)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// One link leads from the question's entity to the answer: `r(A,B) :- s(A,B).`
    OneLink,
    /// A path of two links does.
    TwoLinks,
    /// A longer path does.
    MoreLinks,
    /// A rule of the answer, whose body is true of the question's entity: `r(A,c) :- s(A,d).`
    OfAnswer,
    /// A rule of the question's entity, whose body is true of the answer: `r(a,B) :- s(B,d).`
    OfQuestion,
    /// A rule of the answer that asks the question's entity for any link of a relation: `r(A,c) :- s(A,_).`
    OfAnswerAnyLink,
    /// A rule of the question's entity that asks the answer for any link of a relation: `r(a,B) :- s(B,_).`
    OfQuestionAnyLink,
    /// The answer is known of others: `r(A,c).`
    Frequent,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::OneLink,
        Self::TwoLinks,
        Self::MoreLinks,
        Self::OfAnswer,
        Self::OfQuestion,
        Self::OfAnswerAnyLink,
        Self::OfQuestionAnyLink,
        Self::Frequent,
    ];

    /// The kind that the same rule has when the question's entity is the answer to one about the answer.
    pub(super) const fn asked_back(self) -> Self {
        match self {
            Self::OfAnswer => Self::OfQuestion,
            Self::OfQuestion => Self::OfAnswer,
            Self::OfAnswerAnyLink => Self::OfQuestionAnyLink,
            Self::OfQuestionAnyLink => Self::OfAnswerAnyLink,
            Self::OneLink | Self::TwoLinks | Self::MoreLinks | Self::Frequent => self,
        }
    }

    /// The kind of a path of so many links.
    pub const fn of_path(n_links: usize) -> Self {
        match n_links {
            1 => Self::OneLink,
            2 => Self::TwoLinks,
            _ => Self::MoreLinks,
        }
    }
}

/// How much the rules of a kind count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindWeight {
    /// The weight of the strongest rule's strength.
    pub strongest: f64,
    /// The weight of the strengths of the next ones, [`BEST`] rules in all. Noisy-or gives all rules the weight 1, as if they were wrong
    /// independently of each other. Rules of one kind often hold for one reason; smaller weights allow for that, and 0 is the maximum.
    pub further: f64,
}

impl KindWeight {
    /// One weight for all rules.
    pub const fn of_all(weight: f64) -> Self {
        Self { strongest: weight, further: weight }
    }

    /// What strengths add, told as [`Strengths::parts`] tells them.
    pub fn sum(self, [strongest, further]: [f64; 2]) -> f64 {
        self.strongest * strongest + self.further * further
    }
}

/// How much the rules of each kind count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedWeights", into = "SavedWeights")]
pub struct KindWeights {
    pub(super) kinds: [KindWeight; Kind::ALL.len()],
    /// Whether an answer that has links of the relation counts less, by the [share](super::scorer::Lacking::share) that lacks a further one.
    pub discounts: bool,
}

/// Weights as a file holds them.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedWeights {
    kinds: BTreeMap<Kind, KindWeight>,
    discounts: bool,
}

impl Default for KindWeights {
    /// Found by hand on the tune links of three graphs. A model chooses its own weights wherever there are enough links.
    fn default() -> Self {
        let weights = [1.0, 0.7, 0.7, 0.5, 1.0, 0.05, 0.03, 0.003];
        Self { kinds: weights.map(KindWeight::of_all), discounts: false }
    }
}

impl From<KindWeights> for SavedWeights {
    fn from(weights: KindWeights) -> Self {
        Self { kinds: Kind::ALL.into_iter().zip(weights.kinds).collect(), discounts: weights.discounts }
    }
}

impl TryFrom<SavedWeights> for KindWeights {
    type Error = String;

    fn try_from(saved: SavedWeights) -> Result<Self, String> {
        let mut weights = Self { discounts: saved.discounts, ..Self::default() };
        for kind in Kind::ALL {
            let weight = saved.kinds.get(&kind).ok_or_else(|| format!("there is no weight of {kind:?}"))?;
            weights = weights.with(kind, *weight);
        }
        Ok(weights)
    }
}

impl KindWeights {
    /// The weight of a kind.
    pub const fn of(&self, kind: Kind) -> KindWeight {
        self.kinds[kind as usize]
    }

    /// The same with another weight of a kind.
    pub const fn with(mut self, kind: Kind, weight: KindWeight) -> Self {
        self.kinds[kind as usize] = weight;
        self
    }

    /// The score of an answer: the weighted sum of strengths, less where it hardly lacks a link. To twelve significant digits: sums of equal
    /// strengths in different orders are ties. At least 0 if no weight is below 0.
    pub fn score(&self, strengths: &Strengths, share: f64) -> f64 {
        let of_kind = |(weight, strengths): (&KindWeight, &[f64; BEST])| weight.sum(parts(strengths));
        rounded(self.discount(share) * self.kinds.iter().zip(&strengths.0).map(of_kind).sum::<f64>())
    }

    /// What the share that lacks a link multiplies a score by.
    pub fn discount(&self, share: f64) -> f64 {
        if self.discounts { share } else { 1.0 }
    }

    /// The weighted sum of the parts of all kinds.
    pub(super) fn sum(&self, parts: &[[f32; 2]; Kind::ALL.len()]) -> f64 {
        let of_kind = |(weight, [strongest, further]): (&KindWeight, &[f32; 2])| {
            weight.sum([f64::from(*strongest), f64::from(*further)])
        };
        self.kinds.iter().zip(parts).map(of_kind).sum()
    }

    /// Whether a model can have these weights for all relations; a file may have been changed by hand.
    pub fn is_sound(&self) -> bool {
        self.kinds.iter().flat_map(|of| [of.strongest, of.further]).all(|weight| (0.0..1e9).contains(&weight))
    }

    /// Whether a model can have these weights for one relation. They may speak against an answer.
    pub fn is_sound_for_one(&self) -> bool {
        self.kinds.iter().flat_map(|of| [of.strongest, of.further]).all(|weight| weight.abs() < 1e9)
    }
}

/// The votes of rules for each entity as an answer to one question.
///
/// **Invariant**: of an entity that no rule votes for, all strengths are 0.
#[derive(Clone, Debug)]
pub struct Votes {
    strongest: Vec<Strengths>,
    is_voted: Vec<bool>,
    voted: Vec<usize>,
    /// The votes of [`Votes::add`] since all were forgotten.
    n_votes: u64,
}

impl Votes {
    /// Votes for so many entities.
    pub fn new(n_entities: usize) -> Self {
        Self {
            strongest: vec![Strengths::default(); n_entities],
            is_voted: vec![false; n_entities],
            voted: Vec::new(),
            n_votes: 0,
        }
    }

    /// How many votes there are.
    pub const fn n_votes(&self) -> u64 {
        self.n_votes
    }

    /// Forgets all votes.
    pub fn clear(&mut self) {
        self.n_votes = 0;
        for entity in self.voted.drain(..) {
            self.strongest[entity] = Strengths::default();
            self.is_voted[entity] = false;
        }
    }

    /// A rule votes for an entity. Strength: `-ln(1 - confidence)`, the amount that it adds to noisy-or's log.
    pub fn add(&mut self, entity: usize, kind: Kind, strength: f64) {
        if !self.is_voted[entity] {
            self.is_voted[entity] = true;
            self.voted.push(entity);
        }
        self.n_votes += 1;
        insert(&mut self.strongest[entity].0[kind as usize], strength);
    }

    /// The same if some rule has voted for the entity before.
    pub fn add_further(&mut self, entity: usize, kind: Kind, strength: f64) {
        if self.is_voted[entity] {
            insert(&mut self.strongest[entity].0[kind as usize], strength);
        }
    }

    /// The entities that some rule votes for, in the order of the votes.
    pub fn voted(&self) -> &[usize] {
        &self.voted
    }

    /// The strengths of an entity's strongest rules.
    pub fn strengths(&self, entity: usize) -> &Strengths {
        &self.strongest[entity]
    }
}

/// For each kind the strengths of the strongest rules, falling, then 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strengths([[f64; BEST]; Kind::ALL.len()]);

impl Strengths {
    /// The strengths that the question's entity has as an answer about this one: the same paths and anchored rules, with the other end as
    /// the answer. How often that entity is an answer must be told.
    pub(super) fn asked_back(&self, frequency: f64) -> Self {
        let mut other = Self::default();
        for kind in Kind::ALL {
            other.0[kind.asked_back() as usize] = self.0[kind as usize];
        }
        other.0[Kind::Frequent as usize] = [0.0; BEST];
        other.0[Kind::Frequent as usize][0] = frequency;
        other
    }

    /// The strength of a kind's strongest rule, and the sum of the strengths of the next ones.
    pub fn parts(&self, kind: Kind) -> [f64; 2] {
        parts(&self.0[kind as usize])
    }
}

fn parts([strongest, further @ ..]: &[f64; BEST]) -> [f64; 2] {
    [*strongest, further.iter().sum()]
}

/// A score to 40 of its 52 binary places, about twelve decimal digits.
pub(super) fn rounded(score: f64) -> f64 {
    f64::from_bits((score.to_bits() + HALF_A_STEP) & !(2 * HALF_A_STEP - 1))
}

/// Half of the last kept place.
const HALF_A_STEP: u64 = 1 << 11;

/// The number of a rule's predictions, and how many of them are known to be true.
///
/// **Range**: `1 <= correct <= predicted`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Predictions that are known links.
    pub correct: u32,
    /// Predictions in all.
    pub predicted: u32,
}

impl Evidence {
    /// So many correct ones among so many predictions.
    ///
    /// # Panics
    ///
    /// Never: links are fewer than 2^31.
    pub(super) fn of(correct: usize, predicted: usize) -> Self {
        let [correct, predicted] =
            [correct, predicted].map(|n| u32::try_from(n).expect("links are fewer than 2^31"));
        Self { correct, predicted }
    }

    /// The share of its predictions that are links, with so many wrong predictions added: a rule that is rarely seen is
    /// trusted less. **Range**: above 0, at most 1. (ANYBURL)
    pub fn confidence(self, pseudo_predictions: f64) -> f64 {
        f64::from(self.correct) / (f64::from(self.predicted) + pseudo_predictions)
    }

    /// The amount that a rule adds to noisy-or's log: `-ln(1 - confidence)`.
    pub fn strength(self, pseudo_predictions: f64) -> f64 {
        // Without an added prediction, a rule that is never wrong would outvote all others for ever.
        let confidence = self.confidence(pseudo_predictions).min(1.0 - 1e-9);
        -(-confidence).ln_1p()
    }
}

/// Whether a rule is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Least {
    /// Least predictions that are known links.
    pub correct: u32,
    /// Least confidence.
    pub confidence: f64,
    /// The pseudo-predictions that [`Evidence::confidence`] takes.
    pub pseudo_predictions: f64,
}

impl Least {
    /// Whether a rule with this evidence is kept.
    pub fn admits(&self, evidence: Evidence) -> bool {
        evidence.correct >= self.correct && evidence.confidence(self.pseudo_predictions) >= self.confidence
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, KindWeight, KindWeights, Votes};

    fn weights(of: [(f64, f64); 8]) -> KindWeights {
        let kinds = of.map(|(strongest, further)| KindWeight { strongest, further });
        KindWeights { kinds, discounts: true }
    }

    /// By hand: entity 1 has six closed rules, and only the five strongest count: .5 + .4 + .3 + .2 + .1. Of the rules of the answer the
    /// strongest alone does. Half of such answers lack a link.
    #[test]
    fn the_strongest_of_a_kind_count() {
        let mut votes = Votes::new(3);
        for strength in [0.1, 0.5, 0.2, 0.4, 0.3, 0.05] {
            votes.add(1, Kind::TwoLinks, strength);
        }
        votes.add(1, Kind::OfAnswer, 2.0);
        votes.add(1, Kind::OfAnswer, 1.5);
        let other = (1.0, 1.0);
        let weights = weights([other, (2.0, 1.0), other, (0.25, 0.0), other, other, other, other]);
        let score = |votes: &Votes, entity: usize| weights.score(votes.strengths(entity), 0.5);
        assert!((score(&votes, 1) - 0.5 * (2.0 * 0.5 + 1.0 + 0.25 * 2.0)).abs() < 1e-12);
        assert_eq!((votes.voted(), score(&votes, 0).to_bits()), (&[1][..], 0));
        votes.clear();
        assert_eq!((votes.voted().len(), score(&votes, 1).to_bits()), (0, 0));
    }

    /// .1 + .2 is not .3 in binary, but a tie; scores that differ in the twelfth digit are none.
    #[test]
    fn scores_are_told_apart_by_twelve_digits() {
        let score = |strengths: &[f64]| {
            let mut votes = Votes::new(1);
            let kinds = Kind::ALL.into_iter().zip(strengths);
            kinds.for_each(|(kind, &strength)| votes.add(0, kind, strength));
            weights([(1.0, 1.0); 8]).score(votes.strengths(0), 1.0)
        };
        assert_eq!(score(&[0.1, 0.2]).to_bits(), score(&[0.3]).to_bits());
        assert!(score(&[0.3 + 1e-11]) > score(&[0.3]));
        assert!((score(&[0.3]) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn files_name_the_kinds() {
        let text = serde_json::to_string(&KindWeights::default()).expect("plain data");
        assert!(text.contains("\"two_links\":{\"strongest\":0.7,\"further\":0.7}"), "{text}");
        let read: KindWeights = serde_json::from_str(&text).expect("what was written");
        assert_eq!(read, KindWeights::default());
        assert!(serde_json::from_str::<KindWeights>("{}").is_err());
        let with = |weight: f64| KindWeights::default().with(Kind::OneLink, KindWeight::of_all(weight));
        assert_eq!([with(-1.0).is_sound(), with(-1.0).is_sound_for_one()], [false, true]);
        assert!(!with(f64::NAN).is_sound_for_one() && !with(f64::INFINITY).is_sound_for_one());
    }
}
