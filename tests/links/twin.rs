//! Ranks by the definitions, with plain loops over all entities, links and rules.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, EntityId, LinkRelationId};
use gleaner_lang::program::examples::{GraphData, Link};
use gleaner_learn::links::kinds::{Kind, KindWeight, KindWeights};
use gleaner_learn::links::new_links::Wanted;
use gleaner_learn::links::rank::{Among, Ranker};
use gleaner_learn::links::{Directed, Graph, Learning, LinkConfig, LinkModel};
use rand::RngExt;

const N_ENTITIES: usize = 11;
const N_RELATIONS: usize = 2;

/// A relation and whether it is read backwards.
type Step = (usize, bool);

/// What was found of rules: by the relation and the path, the strength of each.
type Strengths = BTreeMap<(usize, Vec<Step>), Option<f64>>;

struct Plain {
    known: BTreeSet<[usize; 3]>,
    config: LinkConfig,
    longest: usize,
    /// What was found of rules that say a relation along a path.
    strengths: RefCell<Strengths>,
}

/// A link by plain loops.
struct PlainLink {
    parts: [usize; 3],
    scores: [f64; 2],
    is_said: bool,
    is_known: bool,
}

impl PlainLink {
    fn score(&self) -> f64 {
        f64::midpoint(self.scores[0], self.scores[1])
    }
}

impl Plain {
    fn new(known: BTreeSet<[usize; 3]>, config: LinkConfig, longest: usize) -> Self {
        Self { known, config, longest, strengths: RefCell::default() }
    }

    fn holds(&self, from: usize, (relation, is_backward): Step, to: usize) -> bool {
        self.known.contains(&if is_backward { [to, relation, from] } else { [from, relation, to] })
    }

    /// Whether distinct entities stand between.
    fn joins(&self, path: &[Step], from: usize, to: usize) -> bool {
        from != to && self.joins_by(path, &mut vec![from], to)
    }

    fn joins_by(&self, path: &[Step], on_path: &mut Vec<usize>, to: usize) -> bool {
        let here = on_path[on_path.len() - 1];
        let (&step, rest) = path.split_first().expect("a step");
        if rest.is_empty() {
            return self.holds(here, step, to);
        }
        (0..N_ENTITIES).any(|next| {
            if next == to || on_path.contains(&next) || !self.holds(here, step, next) {
                return false;
            }
            on_path.push(next);
            let joins = self.joins_by(rest, on_path, to);
            on_path.pop();
            joins
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "few entities")]
    fn strength(&self, correct: usize, predicted: usize) -> Option<f64> {
        let confidence = correct as f64 / (predicted as f64 + self.config.pseudo());
        let is_kept = correct >= self.config.min_support && confidence >= self.config.min_confidence;
        is_kept.then(|| -(1.0 - confidence).ln())
    }

    /// The strength of the rule that says a relation along a path.
    fn along(&self, relation: usize, path: &[Step]) -> Option<f64> {
        let rule = (relation, path.to_vec());
        if let Some(known) = self.strengths.borrow().get(&rule) {
            return *known;
        }
        let pairs = (0..N_ENTITIES).flat_map(|a| (0..N_ENTITIES).map(move |b| (a, b)));
        let predicted: Vec<(usize, usize)> = pairs.filter(|&(a, b)| self.joins(path, a, b)).collect();
        let correct = predicted.iter().filter(|&&(a, b)| self.holds(a, (relation, false), b)).count();
        let found = self.strength(correct, predicted.len());
        self.strengths.borrow_mut().insert(rule, found);
        found
    }

    /// The strengths of the closed rules of so many links that say `relation(from, to)`.
    fn closed(&self, n_links: usize, relation: usize, from: usize, to: usize) -> Vec<f64> {
        let steps = || (0..N_RELATIONS).flat_map(|relation| [(relation, false), (relation, true)]);
        let mut paths: Vec<Vec<Step>> = vec![Vec::new()];
        for _ in 0..n_links {
            let longer = |path: &Vec<Step>| {
                let path = path.clone();
                steps().map(move |step| path.iter().copied().chain([step]).collect())
            };
            paths = paths.iter().flat_map(longer).collect();
        }
        let says = |path: Vec<Step>| {
            if path == [(relation, false)] || !self.joins(&path, from, to) {
                return None;
            }
            self.along(relation, &path)
        };
        paths.into_iter().filter_map(says).collect()
    }

    /// The strengths of `step(A, answer) :- other(A, _).` for the relations that an entity has, and of `step(A, answer).`
    fn general(&self, step: Step, asked: usize, answer: usize) -> [Vec<f64>; 2] {
        let has = |entity: usize, step: Step| (0..N_ENTITIES).any(|other| self.holds(entity, step, other));
        let all = || 0..N_ENTITIES;
        let others = (0..N_RELATIONS).flat_map(|relation| [(relation, false), (relation, true)]);
        let others = others.filter(|&other| other != step && has(asked, other));
        let any_link = others.filter_map(|other| {
            let correct = all().filter(|&of| has(of, other) && self.holds(of, step, answer)).count();
            self.strength(correct, all().filter(|&of| has(of, other)).count())
        });
        let (n_known, n_all) = (
            all().filter(|&of| self.holds(of, step, answer)).count(),
            all().filter(|&of| has(of, step)).count(),
        );
        let confidence = n_known as f64 / (n_all as f64 + self.config.pseudo());
        let is_frequent = n_known >= self.config.min_support.max(2);
        [any_link.collect(), is_frequent.then(|| -(1.0 - confidence).ln()).into_iter().collect()]
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
        let sum = |kind: Kind, mut strengths: Vec<f64>| -> f64 {
            let KindWeight { strongest, further } = weights.of(kind);
            strengths.sort_by(|left, right| right.total_cmp(left));
            let first = strengths.first().copied().unwrap_or(0.0);
            strongest * first + further * strengths.iter().skip(1).take(4).sum::<f64>()
        };
        let longer: Vec<f64> =
            (3..=self.longest).flat_map(|n_links| self.closed(n_links, relation, from, to)).collect();
        let [any_link, frequent] = self.general(step, asked, answer);
        let [of_question, _] = self.general((relation, !is_backward), answer, asked);
        let sum = sum(Kind::OneLink, self.closed(1, relation, from, to))
            + sum(Kind::TwoLinks, self.closed(2, relation, from, to))
            + sum(Kind::MoreLinks, longer)
            + sum(Kind::OfAnswer, self.anchored(step, asked, answer))
            + sum(Kind::OfQuestion, self.anchored((relation, !is_backward), answer, asked))
            + sum(Kind::OfAnswerAnyLink, any_link)
            + sum(Kind::OfQuestionAnyLink, of_question)
            + sum(Kind::Frequent, frequent);
        if weights.discounts { sum * self.share(step, answer) } else { sum }
    }

    /// The share that lacks a further link of the entities that have as many as an answer.
    #[expect(clippy::cast_precision_loss, reason = "few entities")]
    fn share(&self, step: Step, answer: usize) -> f64 {
        let n_links = |of: usize| (0..N_ENTITIES).filter(|&other| self.holds(other, step, of)).count();
        let n_with = |n: usize| (0..N_ENTITIES).filter(|&of| n_links(of) == n).count() as f64;
        match n_links(answer) {
            0 => 1.0,
            n => ((n + 1) as f64 * (n_with(n + 1) + 0.5) / (n_with(n) + 1.0)).min(1.0),
        }
    }

    /// A link with its scores as an answer to the question for its object and to that for its subject, and whether a path or an anchored
    /// rule says it.
    fn scored(&self, parts: [usize; 3], weights: KindWeights) -> PlainLink {
        let [a, r, b] = parts;
        let scores = [self.score(a, (r, false), b, weights), self.score(b, (r, true), a, weights)];
        let is_said = a != b
            && ((1..=self.longest).any(|n_links| !self.closed(n_links, r, a, b).is_empty())
                || !self.anchored((r, false), a, b).is_empty()
                || !self.anchored((r, true), b, a).is_empty());
        PlainLink { parts, scores, is_said, is_known: self.known.contains(&parts) }
    }

    /// Each link has the score of plain loops, and reasons that add up to it and hold. New links are those of the highest scores.
    fn agrees_on_links(&self, model: &LinkModel, graph: &Graph) {
        let budget = Budget::unlimited();
        let entities = || 0..N_ENTITIES;
        let parts =
            (0..N_RELATIONS).flat_map(|r| entities().flat_map(move |a| entities().map(move |b| [a, r, b])));
        let plain: Vec<PlainLink> = parts.map(|parts| self.scored(parts, model.weights)).collect();
        let links: Vec<Link> = plain.iter().map(|of| link(of.parts)).collect();
        let scores = model.scores(graph, &links, &budget).expect("there is time");
        for ((plain, &link), &score) in plain.iter().zip(&links).zip(&scores) {
            assert!((score - plain.score()).abs() < 1e-9, "{link:?}: {score}, not {}", plain.score());
            let reasons = model.reasons(graph, link, &budget).expect("there is time");
            let rules = || reasons.iter().flat_map(|of_kind| &of_kind.rules);
            let sum: f64 = rules().map(|reason| reason.adds).sum();
            assert!((score - sum).abs() < 1e-9, "{link:?}: {score}, but its reasons add up to {sum}");
            let holds = |link: &Link| {
                self.known.contains(&[link.subject.index(), link.relation.index(), link.object.index()])
            };
            assert!(rules().flat_map(|reason| &reason.links).all(holds), "{reasons:?}");
        }
        let none = Graph::new(N_ENTITIES, N_RELATIONS, &[]);
        let agree = |head: Option<usize>, tail: Option<usize>, most: usize, n_least: usize| {
            let [from, to] = [head, tail].map(|end| end.map(EntityId::new));
            let wanted = Wanted { relation: Some(LinkRelationId::new(1)), head: from, tail: to, most };
            let found = model.new_links(graph, &none, wanted, &budget).expect("there is time");
            let is_any = head.is_none() && tail.is_none();
            let expected = plain.iter().filter(|of| {
                let [a, r, b] = of.parts;
                let is_asked = head.is_none_or(|head| head == a) && tail.is_none_or(|tail| tail == b);
                r == 1 && a != b && !of.is_known && is_asked && (of.is_said || !is_any)
            });
            let mut expected: Vec<f64> = expected.map(PlainLink::score).collect();
            expected.sort_by(|left, right| right.total_cmp(left));
            // Of one end the answers without a vote are not listed.
            expected.truncate(if is_any { most } else { found.len() });
            let alike = found.iter().zip(&expected).all(|(new, score)| (new.score - score).abs() < 1e-9);
            assert!(
                alike && found.len() == expected.len() && found.len() >= n_least,
                "{found:?}: {expected:?}"
            );
            assert!(found.iter().all(|new| !graph.holds(new.link) && new.probability.is_none()));
        };
        for most in [1, 5, 1_000] {
            agree(None, None, most, 0);
        }
        for end in entities() {
            let voted = |at: usize, side: usize| {
                let of_end =
                    plain.iter().filter(|of| of.parts[1] == 1 && of.parts[at] == end && !of.is_known);
                of_end.filter(|of| of.scores[side] > 0.0).count()
            };
            agree(Some(end), None, 1_000, voted(0, 0));
            agree(None, Some(end), 1_000, voted(2, 1));
        }
        agree(Some(2), Some(7), 3, 0);
    }

    /// The rank of an answer among all entities that are no other true answer; equal scores share their mean rank. Weights of the relation's
    /// own order those anew that have a score at all; there are fewer than a hundred.
    fn rank(&self, asked: usize, step: Step, answer: usize, all: &Self, weights: &Weights) -> f64 {
        let score = |of: usize| self.score(asked, step, of, weights.of_all);
        let own = weights.of_steps.iter().find(|(of, _)| *of == step).map(|(_, own)| *own);
        let own = own.filter(|_| score(answer) > 0.0);
        let compared = |of: usize| match own {
            Some(own) => self.score(asked, step, of, own),
            None => score(of),
        };
        let (mut above, mut beside) = (0, 0);
        for other in (0..N_ENTITIES).filter(|&other| other != answer && !all.holds(asked, step, other)) {
            if own.is_some() && score(other) <= 0.0 {
                continue;
            }
            if (compared(other) - compared(answer)).abs() < 1e-9 {
                beside += 1;
            } else if compared(other) > compared(answer) {
                above += 1;
            }
        }
        1.0 + f64::from(above) + f64::from(beside) / 2.0
    }
}

/// Weights of kinds for all relations, and others for some steps.
struct Weights {
    of_all: KindWeights,
    of_steps: Vec<(Step, KindWeights)>,
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
    for seed in 0..8 {
        // Four graphs have longer rules, and few links, since plain loops over paths are slow.
        let longest = [2, 3, 2, 4][usize::try_from(seed).expect("small") % 4];
        let mut rng = stream(seed, Purpose::Generate, &[]);
        let mut draw = |n: usize| -> BTreeSet<[usize; 3]> {
            (0..n)
                .map(|_| [N_ENTITIES, N_RELATIONS, N_ENTITIES].map(|most| rng.random_range(0..most)))
                .collect()
        };
        let (known, drawn) = if longest == 2 { (draw(45), draw(20)) } else { (draw(20), draw(6)) };
        let test: Vec<[usize; 3]> = drawn.difference(&known).copied().collect();
        let config = LinkConfig {
            path_length: Some(longest),
            min_support: 1 + usize::try_from(seed % 2).expect("small"),
            min_confidence: 0.05,
            pseudo_predictions: Some(2.0),
        };
        let data = GraphData {
            entities: (0..N_ENTITIES).map(|entity| format!("e{entity:02}")).collect(),
            relations: (0..N_RELATIONS).map(|relation| format!("r{relation}")).collect(),
            train: known.iter().copied().map(link).collect(),
            test: test.iter().copied().map(link).collect(),
            ..GraphData::default()
        };
        let budget = Budget::unlimited();
        let learning =
            Learning { config, rng_seed: 1, with_likelihood: false, budget: &budget, told: &|_| {} };
        let model = LinkModel::learn(&data, learning);
        // Half of the runs weigh the kinds otherwise, and count fewer rules of some.
        let mut model = model;
        if seed > 3 {
            for (kind, at) in Kind::ALL.into_iter().zip(1_u8..) {
                let strongest = if kind == Kind::OneLink { 0.0 } else { 1.0 / (1.0 + f64::from(at)) };
                let further = f64::from(at % 3) * strongest / 2.0;
                model.weights = model.weights.with(kind, KindWeight { strongest, further });
            }
            model.weights.discounts = seed % 2 == 0;
            // One relation weighs them anew, some below 0.
            let own =
                Kind::ALL.into_iter().zip([-1.0, 0.5, 1.0]).fold(model.weights, |own, (kind, weight)| {
                    own.with(kind, KindWeight { strongest: weight, further: -weight / 3.0 })
                });
            let directions = [Directed::forward, Directed::backward].map(|of| of(LinkRelationId::new(0)));
            model.own_weights = directions.map(|of| (of, own)).to_vec();
        }
        let of_steps = model.own_weights.iter();
        let of_steps = of_steps.map(|(of, own)| ((of.relation().index(), of.is_backward()), *own)).collect();
        let weights = Weights { of_all: model.weights, of_steps };
        let (graph, further) = (model.graph(), Graph::new(N_ENTITIES, N_RELATIONS, &data.test));
        let ranker = Ranker { model: &model, graph: &graph, further: &further, among: Among::Entities };
        let whole = Plain::new(known.clone(), config, longest);
        whole.agrees_on_links(&model, &graph);
        let all = Plain::new(known.union(&drawn).copied().collect(), config, longest);
        let plain = Plain::new(known, config, longest);
        let links: Vec<Link> = data.train.iter().chain(&data.test).copied().collect();
        let found = ranker.ranks(&links, &Budget::unlimited()).expect("there is time");
        assert_eq!(found.len(), links.len());
        for ranked in found {
            let Link { subject, relation, object } = ranked.link;
            let [a, r, b] = [subject.index(), relation.index(), object.index()];
            let of_object = plain.rank(a, (r, false), b, &all, &weights);
            let of_subject = plain.rank(b, (r, true), a, &all, &weights);
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
