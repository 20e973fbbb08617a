//! The three kinds of rules that vote for an answer, and how much each counts.

use serde::{Deserialize, Serialize};

/// The number of rules of one kind that count for one answer: the strongest. (ANYBURL, noisy-or of the five best)
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
    /// A path leads from the question's entity to the answer.
    Closed,
    /// A rule of the answer, whose body is true of the question's entity.
    OfAnswer,
    /// A rule of the question's entity, whose body is true of the answer.
    OfQuestion,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Closed, Self::OfAnswer, Self::OfQuestion];
}

/// How much the rules of each kind count.
///
/// **Range**: each above 0. Noisy-or gives each kind the weight 1, as if rules were wrong independently of each other. Rules of one
/// kind often hold for one reason, most of all the rules of the answer; smaller weights allow for that.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindWeights {
    /// The weight of closed rules.
    pub closed: f64,
    /// The weight of rules of the answer.
    pub of_answer: f64,
    /// The weight of rules of the question's entity.
    pub of_question: f64,
}

impl Default for KindWeights {
    /// Found by hand on the tune links of FB15k-237. A model chooses its own weights wherever there are enough links.
    fn default() -> Self {
        Self { closed: 0.7, of_answer: 0.5, of_question: 1.0 }
    }
}

impl KindWeights {
    /// The weight of a kind.
    #[must_use]
    pub const fn of(&self, kind: Kind) -> f64 {
        match kind {
            Kind::Closed => self.closed,
            Kind::OfAnswer => self.of_answer,
            Kind::OfQuestion => self.of_question,
        }
    }

    /// The weights that are tried on tune. Only their ratios matter, so one of them stays 1.
    #[must_use]
    pub fn tried() -> Vec<Self> {
        let steps = [0.25, 0.35, 0.5, 0.7, 1.0, 1.4];
        let with_closed =
            |closed: f64| steps.map(move |of_answer| Self { closed, of_answer, of_question: 1.0 });
        steps.into_iter().flat_map(with_closed).collect()
    }

    /// Whether a model can have these weights; a file may have been changed by hand.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        Kind::ALL.iter().all(|&kind| self.of(kind) > 0.0 && self.of(kind).is_finite())
    }
}

/// The votes of rules for each entity as an answer to one question.
///
/// **Invariant**: of an entity that no rule votes for, all strengths are 0.
#[derive(Clone, Debug)]
pub struct Votes {
    /// For each entity and kind, the strengths of its strongest rules, falling, then 0.
    strongest: Vec<[[f64; BEST]; 3]>,
    is_voted: Vec<bool>,
    voted: Vec<usize>,
}

impl Votes {
    /// Votes for so many entities.
    #[must_use]
    pub fn new(n_entities: usize) -> Self {
        Self {
            strongest: vec![[[0.0; BEST]; 3]; n_entities],
            is_voted: vec![false; n_entities],
            voted: Vec::new(),
        }
    }

    /// Forgets all votes.
    pub fn clear(&mut self) {
        for entity in self.voted.drain(..) {
            self.strongest[entity] = [[0.0; BEST]; 3];
            self.is_voted[entity] = false;
        }
    }

    /// A rule votes for an entity. Strength: `-ln(1 - confidence)`, the amount that it adds to noisy-or's log.
    pub fn add(&mut self, entity: usize, kind: Kind, strength: f64) {
        if !self.is_voted[entity] {
            self.is_voted[entity] = true;
            self.voted.push(entity);
        }
        insert(&mut self.strongest[entity][kind as usize], strength);
    }

    /// The entities that some rule votes for, in the order of the votes.
    #[must_use]
    pub fn voted(&self) -> &[usize] {
        &self.voted
    }

    /// The sums of an entity's strengths, by kind.
    #[must_use]
    pub fn sums(&self, entity: usize) -> KindSums {
        KindSums(self.strongest[entity].map(|of_kind| of_kind.iter().sum()))
    }

    /// The score of an entity.
    #[must_use]
    pub fn score(&self, entity: usize, weights: KindWeights) -> f64 {
        self.sums(entity).score(weights)
    }
}

/// For each kind the sum of the strengths that count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KindSums([f64; 3]);

impl KindSums {
    /// The weighted sum, to twelve significant digits: sums of equal strengths in different orders are ties. At least 0.
    #[must_use]
    pub fn score(self, weights: KindWeights) -> f64 {
        let Self([closed, of_answer, of_question]) = self;
        let sum = weights.closed * closed + weights.of_answer * of_answer + weights.of_question * of_question;
        f64::from_bits((sum.to_bits() + HALF_A_STEP) & !(2 * HALF_A_STEP - 1))
    }
}

/// Scores are rounded to 40 of their 52 binary places, about twelve decimal digits. This is half of the last kept
/// place.
const HALF_A_STEP: u64 = 1 << 11;

#[cfg(test)]
mod tests {
    use super::{Kind, KindSums, KindWeights, Votes};

    /// By hand: entity 1 has six closed rules, and only the five strongest count: .5 + .4 + .3 + .2 + .1. One rule of the answer
    /// comes beside.
    #[test]
    fn the_five_strongest_of_a_kind_count() {
        let mut votes = Votes::new(3);
        for strength in [0.1, 0.5, 0.2, 0.4, 0.3, 0.05] {
            votes.add(1, Kind::Closed, strength);
        }
        votes.add(1, Kind::OfAnswer, 2.0);
        let weights = KindWeights { closed: 2.0, of_answer: 0.25, of_question: 1.0 };
        assert!((votes.score(1, weights) - (2.0 * 1.5 + 0.25 * 2.0)).abs() < 1e-12);
        assert_eq!((votes.voted(), votes.score(0, weights).to_bits()), (&[1][..], 0));
        votes.clear();
        assert_eq!((votes.voted().len(), votes.score(1, weights).to_bits()), (0, 0));
    }

    /// .1 + .2 is not .3 in binary, but a tie; scores that differ in the twelfth digit are none.
    #[test]
    fn scores_are_told_apart_by_twelve_digits() {
        let score = |strengths: [f64; 3]| {
            KindSums(strengths).score(KindWeights { closed: 1.0, of_answer: 1.0, of_question: 1.0 })
        };
        assert_eq!(score([0.1, 0.2, 0.0]).to_bits(), score([0.3, 0.0, 0.0]).to_bits());
        assert!(score([0.3 + 1e-11, 0.0, 0.0]) > score([0.3, 0.0, 0.0]));
        assert!((score([0.3, 0.0, 0.0]) - 0.3).abs() < 1e-12);
    }
}
