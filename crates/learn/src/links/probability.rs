//! The probability of links that are not known, by their score. `likelihood` measures it.

use serde::{Deserialize, Serialize};

use gleaner_base::{EntityId, LinkRelationId};
use gleaner_lang::program::graph::Link;
use gleaner_stats::eval::calibration::Isotonic;

use super::graph::{Directed, Graph};
use super::steps::{multiply, with_odds};

/// The probability of links that are not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Likelihood {
    /// For links whose subject has a known link of the relation.
    pub of_known_subjects: Scale,
    /// For links of other subjects.
    pub of_new_subjects: Scale,
    /// The links that it was measured on.
    pub links: usize,
    /// The missing links that each of them stands for, more than 0.
    pub stands_for: f64,
}

/// The probabilities of scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// Of all relations alike; no steps if no link was kept back.
    pub of_scores: Isotonic,
    /// What is known of each relation.
    pub of_relations: Vec<OfRelation>,
}

/// The probability of links of one relation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfRelation {
    /// The factor of the odds of all relations alike.
    Factor(f64),
    /// The probability of each score.
    Own(Isotonic),
}

impl Likelihood {
    /// The probability that a link with this score is true, where as many links are missing as were kept back and tested.
    /// `graph` has the known links. **Range**: 0 to 1.
    pub fn probability(&self, graph: &Graph, link: Link, score: f64) -> f64 {
        let Link { subject, relation, .. } = link;
        self.scale(is_known(graph, subject, relation)).probability(relation, score)
    }

    pub(super) const fn scale(&self, is_known: bool) -> &Scale {
        if is_known { &self.of_known_subjects } else { &self.of_new_subjects }
    }

    /// Whether its parts fit together; a file may have been changed by hand.
    pub fn is_sound(&self, n_relations: usize) -> bool {
        (1e-12..1e12).contains(&self.stands_for)
            && [true, false].iter().all(|&is_known| self.scale(is_known).is_sound(n_relations))
    }

    /// Multiplies all odds.
    pub(super) fn multiply(&mut self, factor: f64) {
        for scale in [&mut self.of_known_subjects, &mut self.of_new_subjects] {
            let own = scale.of_relations.iter_mut().filter_map(|of| match of {
                OfRelation::Own(own) => Some(own),
                OfRelation::Factor(_) => None,
            });
            own.chain([&mut scale.of_scores]).for_each(|of| multiply(of, factor));
        }
    }

    /// The same over more relations: each of the old ones has a new place, the others are as all.
    pub(super) fn over(&mut self, places: &[usize], n_relations: usize) {
        for scale in [&mut self.of_known_subjects, &mut self.of_new_subjects] {
            let mut of_relations = vec![OfRelation::Factor(1.0); n_relations];
            for (&at, of) in places.iter().zip(&scale.of_relations) {
                of_relations[at].clone_from(of);
            }
            scale.of_relations = of_relations;
        }
    }
}

impl Scale {
    pub(super) fn probability(&self, relation: LinkRelationId, score: f64) -> f64 {
        match &self.of_relations[relation.index()] {
            OfRelation::Factor(factor) => {
                with_odds(self.of_scores.interpolated(score).unwrap_or(0.0), *factor)
            }
            OfRelation::Own(own) => own.interpolated(score).unwrap_or(0.0),
        }
    }

    fn is_sound(&self, n_relations: usize) -> bool {
        let are_steps = |of: &Isotonic| {
            of.steps.iter().all(|of| (0.0..=1.0).contains(&of.probability) && of.least <= of.greatest)
                && of.steps.windows(2).all(|pair| pair[0].greatest < pair[1].least)
        };
        let is_sound = |of: &OfRelation| match of {
            OfRelation::Factor(factor) => (1e-12..1e12).contains(factor),
            OfRelation::Own(own) => are_steps(own),
        };
        are_steps(&self.of_scores)
            && self.of_relations.len() == n_relations
            && self.of_relations.iter().all(is_sound)
    }
}

/// Whether a subject has a known link of a relation.
pub(super) fn is_known(graph: &Graph, subject: EntityId, relation: LinkRelationId) -> bool {
    graph.row(subject, Directed::forward(relation)).is_some()
}
