//! Ranks by the definitions, with plain loops over all entities, links and rules.

use std::collections::BTreeSet;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::graph::{GraphData, Link};
use gleaner_learn::links::kinds::KindWeights;
use gleaner_learn::links::rank::{Among, Ranker};
use gleaner_learn::links::{Graph, LinkConfig, LinkModel};
use rand::RngExt;

const N_ENTITIES: usize = 11;
const N_RELATIONS: usize = 2;
/// Strengths of each kind that count.
const BEST: usize = 5;

/// A relation and whether it is read backwards.
type Step = (usize, bool);

struct Plain {
    known: BTreeSet<[usize; 3]>,
    config: LinkConfig,
}

impl Plain {
    fn holds(&self, from: usize, (relation, is_backward): Step, to: usize) -> bool {
        self.known.contains(&if is_backward { [to, relation, from] } else { [from, relation, to] })
    }

    /// Whether distinct entities stand between.
    fn joins(&self, path: &[Step], from: usize, to: usize) -> bool {
        from != to
            && match *path {
                [only] => self.holds(from, only, to),
                [first, second] => (0..N_ENTITIES).any(|middle| {
                    middle != from
                        && middle != to
                        && self.holds(from, first, middle)
                        && self.holds(middle, second, to)
                }),
                _ => unreachable!("paths have one step or two"),
            }
    }

    #[expect(clippy::cast_precision_loss, reason = "few entities")]
    fn strength(&self, correct: usize, predicted: usize) -> Option<f64> {
        let confidence = correct as f64 / (predicted as f64 + self.config.pseudo_predictions);
        let is_kept = correct >= self.config.min_support && confidence >= self.config.min_confidence;
        is_kept.then(|| -(1.0 - confidence).ln())
    }

    /// The strengths of the closed rules that say `relation(from, to)`.
    fn closed(&self, relation: usize, from: usize, to: usize) -> Vec<f64> {
        let steps = || (0..N_RELATIONS).flat_map(|relation| [(relation, false), (relation, true)]);
        let one = steps().map(|step| vec![step]);
        let two = steps().flat_map(|first| steps().map(move |second| vec![first, second]));
        let says = |path: Vec<Step>| {
            if path == [(relation, false)] || !self.joins(&path, from, to) {
                return None;
            }
            let pairs = || (0..N_ENTITIES).flat_map(|a| (0..N_ENTITIES).map(move |b| (a, b)));
            let predicted: Vec<(usize, usize)> = pairs().filter(|&(a, b)| self.joins(&path, a, b)).collect();
            let correct = predicted.iter().filter(|&&(a, b)| self.holds(a, (relation, false), b)).count();
            self.strength(correct, predicted.len())
        };
        one.chain(two).filter_map(says).collect()
    }

    /// The strengths of the rules of `anchor` that say of `entity` that `step` leads to it.
    fn anchored(&self, step: Step, entity: usize, anchor: usize) -> Vec<f64> {
        let mut strengths = Vec::new();
        for other_relation in 0..N_RELATIONS {
            for other in [(other_relation, false), (other_relation, true)] {
                for shared in 0..N_ENTITIES {
                    if (other, shared) == (step, anchor) || !self.holds(entity, other, shared) {
                        continue;
                    }
                    let body = || (0..N_ENTITIES).filter(|&of| self.holds(of, other, shared));
                    let correct = body().filter(|&of| self.holds(of, step, anchor)).count();
                    strengths.extend(self.strength(correct, body().count()));
                }
            }
        }
        strengths
    }

    fn score(&self, asked: usize, step: Step, answer: usize, weights: KindWeights) -> f64 {
        if asked == answer {
            return 0.0;
        }
        let (relation, is_backward) = step;
        let (from, to) = if is_backward { (answer, asked) } else { (asked, answer) };
        let sum = |mut strengths: Vec<f64>| -> f64 {
            strengths.sort_by(|left, right| right.total_cmp(left));
            strengths.iter().take(BEST).sum()
        };
        weights.closed * sum(self.closed(relation, from, to))
            + weights.of_answer * sum(self.anchored(step, asked, answer))
            + weights.of_question * sum(self.anchored((relation, !is_backward), answer, asked))
    }

    /// The rank of an answer among all entities that are no other true answer; equal scores share their mean rank.
    fn rank(&self, asked: usize, step: Step, answer: usize, all: &Self, weights: KindWeights) -> f64 {
        let own = self.score(asked, step, answer, weights);
        let (mut above, mut beside) = (0, 0);
        for other in (0..N_ENTITIES).filter(|&other| other != answer && !all.holds(asked, step, other)) {
            let score = self.score(asked, step, other, weights);
            if (score - own).abs() < 1e-9 {
                beside += 1;
            } else if score > own {
                above += 1;
            }
        }
        1.0 + f64::from(above) + f64::from(beside) / 2.0
    }
}

fn link([subject, relation, object]: [usize; 3]) -> Link {
    Link {
        subject: EntityId::new(subject),
        relation: LinkRelationId::new(relation),
        object: EntityId::new(object),
    }
}

#[test]
fn ranks_are_those_of_plain_loops() {
    let mut n_told_apart = 0;
    for seed in 0..6 {
        let mut rng = stream(seed, Purpose::Generate, &[]);
        let mut draw = |n: usize| -> BTreeSet<[usize; 3]> {
            (0..n)
                .map(|_| [N_ENTITIES, N_RELATIONS, N_ENTITIES].map(|most| rng.random_range(0..most)))
                .collect()
        };
        let (known, drawn) = (draw(45), draw(20));
        let test: Vec<[usize; 3]> = drawn.difference(&known).copied().collect();
        let config = LinkConfig {
            path_length: 2,
            min_support: 1 + usize::try_from(seed % 2).expect("small"),
            min_confidence: 0.05,
            pseudo_predictions: 2.0,
        };
        let data = GraphData {
            entities: (0..N_ENTITIES).map(|entity| format!("e{entity:02}")).collect(),
            relations: (0..N_RELATIONS).map(|relation| format!("r{relation}")).collect(),
            train: known.iter().copied().map(link).collect(),
            test: test.iter().copied().map(link).collect(),
            ..GraphData::default()
        };
        let model = LinkModel::learn(&data, config, 1, &Budget::unlimited());
        let weights = model.weights;
        let (graph, further) = (model.graph(), Graph::new(N_ENTITIES, N_RELATIONS, &data.test));
        let ranker = Ranker { model: &model, graph: &graph, further: &further, among: Among::Entities };
        let all = Plain { known: known.union(&drawn).copied().collect(), config };
        let plain = Plain { known, config };
        let links: Vec<Link> = data.train.iter().chain(&data.test).copied().collect();
        let found = ranker.ranks(&links, &Budget::unlimited()).expect("there is time");
        assert_eq!(found.len(), links.len());
        for ranked in found {
            let Link { subject, relation, object } = ranked.link;
            let [a, r, b] = [subject.index(), relation.index(), object.index()];
            let of_object = plain.rank(a, (r, false), b, &all, weights);
            let of_subject = plain.rank(b, (r, true), a, &all, weights);
            assert!((ranked.of_object - of_object).abs() < 1e-9, "{a} {r} {b}: {ranked:?}, not {of_object}");
            assert!(
                (ranked.of_subject - of_subject).abs() < 1e-9,
                "{a} {r} {b}: {ranked:?}, not {of_subject}"
            );
            n_told_apart += usize::from(of_object.fract() == 0.0);
        }
    }
    assert!(n_told_apart > 50, "{n_told_apart} ranks without ties");
}
