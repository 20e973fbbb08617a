//! Boosting against an obvious twin: weights are multiplied and divided as Table 1 of the paper has it, sums are plain,
//! covers are of the reference engine, and every area is worked out from its first point on.

use std::cell::RefCell;
use std::collections::BTreeMap;

use gleaner_base::{ExampleId, ExampleSet};
use gleaner_data::{LoadRequest, Negatives};
use gleaner_engine::bias::{Candidate, RefinementSpace, saturate};
use gleaner_engine::coverage::reference;
use gleaner_lang::program::{Clause, canonical};
use gleaner_learn::Task;
use gleaner_learn::boost::{BoostConfig, boost};
use gleaner_learn::seeds::draw_seeds;

use super::{Ground, LEARNERS, config, fixture, is_near, loaded, problem, set_stores, university};

/// A rise of a smaller share is none.
const LEAST_RISE: f64 = 1e-12;

#[derive(Clone, Copy, PartialEq)]
enum Area {
    Roc,
    Single,
    Path,
}

/// What a round maximises, and whether it keeps all rules on the way.
fn plan(learner: &str, round: usize, n_first: usize) -> (Area, bool) {
    match (learner, round) {
        ("rankboost", _) => (Area::Roc, false),
        ("prankboost-clause", _) => (Area::Single, false),
        ("prankboost-path", _) => (Area::Path, true),
        ("mix1", _) => (Area::Path, false),
        ("mix2", _) => (Area::Single, true),
        ("mix3", round) if round % 2 == 0 => (Area::Single, false),
        ("mix3", _) => (Area::Path, true),
        ("two-stage", round) if round < n_first => (Area::Single, false),
        _ => (Area::Path, false),
    }
}

/// `∫ TP/(TP+FP) dTP` along a line, by `q = TP + FP` instead of `TP`.
fn between((tp_a, fp_a): (f64, f64), (tp_b, fp_b): (f64, f64)) -> f64 {
    let (q_a, q_b) = (tp_a + fp_a, tp_b + fp_b);
    if tp_b <= tp_a {
        return 0.0;
    }
    let slope = (tp_b - tp_a) / (q_b - q_a);
    let bend = if q_a > 0.0 { (tp_a - slope * q_a) * (q_b / q_a).ln() } else { 0.0 };
    slope * (bend + slope * (q_b - q_a))
}

/// Of the curve through points from the least recall on, from `from` on.
fn area(points: &[(f64, f64)], from: usize) -> f64 {
    let starts = std::iter::once(&(0.0, 0.0)).chain(points);
    starts.zip(points).skip(from).map(|(start, end)| between(*start, *end)).sum()
}

struct TwinRound {
    rules: Vec<Clause>,
    values: Vec<f64>,
    r: f64,
    alpha: f64,
    n_evaluated: u64,
}

struct Twin<'t> {
    task: &'t Task<'t>,
    config: &'t BoostConfig,
    /// The reference engine is slow.
    covers: &'t RefCell<BTreeMap<Clause, Vec<usize>>>,
    is_positive: Vec<bool>,
    weights: Vec<f64>,
    n_evaluated: u64,
}

impl<'t> Twin<'t> {
    fn new(
        task: &'t Task<'t>,
        config: &'t BoostConfig,
        covers: &'t RefCell<BTreeMap<Clause, Vec<usize>>>,
        learner: &str,
    ) -> Self {
        let mut twin =
            Self { task, config, covers, is_positive: Vec::new(), weights: Vec::new(), n_evaluated: 0 };
        twin.is_positive = vec![false; task.train.len()];
        twin.weights = vec![0.0; task.train.len()];
        let (n_pos, n_neg) = (task.train.n_positives() as f64, task.train.n_negatives() as f64);
        let n_all_negatives = n_neg * task.examples.negative_weight().ratio();
        let of_negatives = if learner == "rankboost" { 1.0 } else { n_all_negatives / n_pos };
        for (position, id) in task.train.iter() {
            twin.is_positive[position] = task.examples.is_positive(id);
            twin.weights[position] =
                if task.examples.is_positive(id) { 1.0 / n_pos } else { of_negatives / n_neg };
        }
        twin
    }

    fn covered(&self, clause: &Clause) -> Vec<usize> {
        let mut known = self.covers.borrow_mut();
        let find = |clause: &Clause| -> Vec<usize> {
            let cover: ExampleSet = reference::cover(self.task.worlds, clause, self.task.train);
            cover.iter().collect()
        };
        known.entry(canonical(clause)).or_insert_with_key(find).clone()
    }

    fn point(&self, covered: &[usize]) -> (f64, f64) {
        let of = |class: bool| -> f64 {
            covered.iter().filter(|&&at| self.is_positive[at] == class).map(|&at| self.weights[at]).sum()
        };
        (of(true), of(false))
    }

    fn totals(&self) -> (f64, f64) {
        self.point(&(0..self.weights.len()).collect::<Vec<_>>())
    }

    /// `r` of rules on the way, the most general first.
    fn value(&self, objective: Area, way: &[(f64, f64)]) -> f64 {
        let (positives, negatives) = self.totals();
        let last = way[way.len() - 1];
        let mut points: Vec<(f64, f64)> = match objective {
            Area::Roc => return (last.0 / positives - last.1 / negatives).max(0.0),
            Area::Single => vec![last],
            Area::Path => way.iter().rev().copied().collect(),
        };
        points.push((positives, negatives));
        area(&points, 0) / positives
    }

    /// The share of the area at each rule's recall and beyond.
    fn shares(&self, way: &[(f64, f64)]) -> Vec<f64> {
        let mut points: Vec<(f64, f64)> = way.iter().rev().copied().collect();
        points.push(self.totals());
        let n_rules = way.len();
        let mut shares: Vec<f64> =
            (0..n_rules).map(|rule| area(&points, n_rules - rule) / area(&points, 0)).collect();
        shares[n_rules - 1] = 1.0;
        shares
    }

    /// The rules from the most general to the best by one seed, with `r` of the last.
    fn climb(&mut self, seed: ExampleId, objective: Area) -> (Vec<Clause>, f64) {
        let task = self.task;
        let world = &task.worlds[task.examples.world(seed).index()];
        let bottom = saturate(world, task.modes, task.examples, seed, self.config.saturation);
        let space = RefinementSpace::new(&bottom, self.config.max_literals);
        let clause_of = |candidate: &Candidate| canonical(&bottom.clause(candidate.positions()));
        let mut way = vec![Candidate::default()];
        let mut points = vec![self.point(&self.covered(&clause_of(&way[0])))];
        let mut r = self.value(objective, &points);
        let mut n_climbed = 1;
        loop {
            let mut best: Option<(f64, Candidate)> = None;
            for candidate in space.additions(&way[way.len() - 1]) {
                if n_climbed == self.config.clauses {
                    break;
                }
                n_climbed += 1;
                let covered = self.covered(&clause_of(&candidate));
                let n_positives = covered.iter().filter(|&&at| self.is_positive[at]).count();
                points.push(self.point(&covered));
                let value = self.value(objective, &points);
                points.pop();
                let least = best.as_ref().map_or(r, |(value, _)| *value);
                if n_positives >= self.config.min_positives && value > least * (1.0 + LEAST_RISE) {
                    best = Some((value, candidate));
                }
            }
            let Some((value, candidate)) = best else { break };
            points.push(self.point(&self.covered(&clause_of(&candidate))));
            way.push(candidate);
            r = value;
        }
        self.n_evaluated += n_climbed;
        (way.iter().map(clause_of).collect(), r)
    }

    /// A round from some seeds; `None` where nothing is better than to cover everything.
    fn round(&mut self, seeds: &[ExampleId], (objective, keeps_all): (Area, bool)) -> Option<TwinRound> {
        let mut best: Option<(Vec<Clause>, f64)> = None;
        for &seed in seeds {
            let climbed = self.climb(seed, objective);
            if best.as_ref().is_none_or(|(_, r)| climbed.1 > *r) {
                best = Some(climbed);
            }
        }
        let (rules, r) = best?;
        let n_covered = self.covered(&rules[rules.len() - 1]).len();
        if n_covered == self.task.train.n_positives() + self.task.train.n_negatives() || r <= 0.0 {
            return None;
        }
        let points: Vec<(f64, f64)> = rules.iter().map(|rule| self.point(&self.covered(rule))).collect();
        let shares = self.shares(&points);
        let first = if keeps_all { 0 } else { rules.len() - 1 };
        let alpha = 0.5 * ((1.0 + r.min(1.0 - 1e-9)) / (1.0 - r.min(1.0 - 1e-9))).ln();
        let (rules, values) = (rules[first..].to_vec(), shares[first..].to_vec());
        self.move_weights(&rules, &values, alpha);
        Some(TwinRound { rules, values, r, alpha, n_evaluated: self.n_evaluated })
    }

    /// Table 1, to the letter.
    fn move_weights(&mut self, rules: &[Clause], values: &[f64], alpha: f64) {
        let totals = self.totals();
        let mut said = vec![0.0; self.weights.len()];
        for (rule, value) in rules.iter().zip(values) {
            self.covered(rule).into_iter().for_each(|at| said[at] = *value);
        }
        for (at, said) in said.into_iter().enumerate() {
            let sign = if self.is_positive[at] { -1.0 } else { 1.0 };
            self.weights[at] *= (sign * alpha * said).exp();
        }
        let moved = self.totals();
        for (weight, is_positive) in self.weights.iter_mut().zip(&self.is_positive) {
            *weight *= if *is_positive { totals.0 / moved.0 } else { totals.1 / moved.1 };
        }
    }
}

/// As many rounds as asked for, with how many seeds gave none.
fn twin_rounds(twin: &mut Twin<'_>, learner: &str, rng_seed: u64) -> (Vec<TwinRound>, usize) {
    let (mut rounds, mut n_failed_draws, mut n_in_a_row) = (Vec::new(), 0, 0);
    let n_seeds = twin.config.n_round_seeds;
    let seeds = draw_seeds(twin.task, twin.config.n_rounds * n_seeds * 10, &[], rng_seed);
    for seeds in seeds.chunks(n_seeds) {
        if rounds.len() == twin.config.n_rounds || n_in_a_row == 10 {
            break;
        }
        match twin.round(seeds, plan(learner, rounds.len(), twin.config.n_first_rounds)) {
            Some(round) => {
                rounds.push(round);
                n_in_a_row = 0;
            }
            None => {
                n_failed_draws += seeds.len();
                n_in_a_row += 1;
            }
        }
    }
    (rounds, n_failed_draws)
}

/// How many rounds there were, how many rules they kept, and how many seeds gave nothing.
#[derive(Debug, Default)]
struct Seen {
    n_rounds: usize,
    n_rules: usize,
    n_failed_draws: usize,
}

fn compare(ground: &Ground, further: &[(&str, &str)]) -> Seen {
    let mut seen = Seen::default();
    let covers = RefCell::default();
    ground.on(|task, context, stores| {
        for learner in LEARNERS {
            let config = config(learner, further);
            let mut twin = Twin::new(task, &config, &covers, learner);
            let (rounds, n_failed_draws) = twin_rounds(&mut twin, learner, ground.rng_seed);
            let boosting = boost(task, &config, context, set_stores(stores));
            assert_eq!(boosting.rounds.len(), rounds.len(), "{learner}");
            assert_eq!(boosting.n_failed_draws, n_failed_draws, "{learner}");
            assert_eq!(boosting.funnel().evaluated(), twin.n_evaluated, "{learner}");
            for (grown, of_twin) in boosting.rounds.iter().zip(&rounds) {
                let rules: Vec<&Clause> = grown.round.rules.iter().map(|rule| &rule.clause).collect();
                assert_eq!(rules, of_twin.rules.iter().collect::<Vec<_>>(), "{learner}");
                assert!(is_near(grown.round.r, of_twin.r, 1e-10), "{learner}");
                assert!(is_near(grown.round.alpha, of_twin.alpha, 1e-10), "{learner}");
                assert_eq!(grown.n_evaluated, of_twin.n_evaluated, "{learner}");
                let near = |(found, expected): (&f64, &f64)| is_near(*found, *expected, 1e-10);
                assert!(grown.round.values().iter().zip(&of_twin.values).all(near), "{learner}");
            }
            seen.n_rounds += rounds.len();
            seen.n_rules += rounds.iter().map(|round| round.rules.len()).sum::<usize>();
            seen.n_failed_draws += n_failed_draws;
        }
    });
    seen
}

#[test]
fn rounds_on_the_university_are_those_of_an_obvious_twin() {
    let settings = [("rounds", "6"), ("first-rounds", "2"), ("depth", "1"), ("max-literals", "4")];
    for rng_seed in 1..=2 {
        let seen = compare(&university(rng_seed), &[&settings[..], &[("min-pos", "2")]].concat());
        assert_eq!(seen.n_rounds, 7 * 6, "{seen:?}");
        assert!(seen.n_rules > 60, "{seen:?}");
    }
}

/// Seeds of one kind and covers of one weight are frequent here.
#[test]
fn rounds_of_a_tiny_problem_are_those_of_an_obvious_twin() {
    let mut seen = Vec::new();
    for rng_seed in 1..=20 {
        let ground = Ground::whole(problem(fixture("boosting")), rng_seed);
        seen.push(compare(&ground, &[("rounds", "10"), ("first-rounds", "4"), ("min-pos", "1")]).n_rounds);
    }
    assert!(seen.iter().all(|&n_rounds| n_rounds == 7 * 10), "{seen:?}");
}

/// A climb that is at its limit of clauses keeps the best of the literals that it tried.
#[test]
fn cut_climbs_are_those_of_an_obvious_twin() {
    for clauses in ["1", "2", "3", "7", "40"] {
        let further = [("rounds", "4"), ("depth", "1"), ("min-pos", "2"), ("clauses", clauses)];
        let seen = compare(&university(5), &further);
        assert_eq!(seen.n_rounds == 0, clauses == "1", "{clauses}: {seen:?}");
    }
}

/// Of several seeds the best rule is taken, of equal ones the first's.
#[test]
fn rounds_from_several_seeds_are_those_of_an_obvious_twin() {
    let further = [("rounds", "4"), ("depth", "1"), ("min-pos", "2"), ("round-seeds", "3")];
    assert_eq!(compare(&university(6), &further).n_rounds, 7 * 4);
    let tiny = Ground::whole(problem(fixture("boosting")), 6);
    assert_eq!(compare(&tiny, &[("rounds", "6"), ("min-pos", "1"), ("round-seeds", "4")]).n_rounds, 7 * 6);
}

/// Sampled negatives weigh as those that they stand for.
#[test]
fn sampled_negatives_weigh_as_all_of_them() {
    for n in [3, 5, 10] {
        let request = LoadRequest {
            path: fixture("boosting"),
            negatives: Some(Negatives::Number(n)),
            negatives_test: Negatives::Number(n),
            rng_seed: n,
            ..LoadRequest::default()
        };
        let ground = Ground::whole(loaded(&request), 2);
        assert!(!ground.problem.examples().negative_weight().is_one());
        assert!(compare(&ground, &[("rounds", "5"), ("min-pos", "1")]).n_rounds > 0);
    }
}

/// Of the family no single literal tells the classes apart: no climb leaves the most general rule, which is no round.
#[test]
fn a_climb_takes_no_literal_that_gains_nothing() {
    let further = [("rounds", "3"), ("min-pos", "1"), ("negation", "modes")];
    let seen = compare(&Ground::whole(problem(fixture("family")), 3), &further);
    assert_eq!((seen.n_rounds, seen.n_failed_draws), (0, 70));
}

/// Where nothing tells the classes apart, ten seeds in a row are enough.
#[test]
fn ten_fruitless_seeds_end_boosting() {
    let ground = Ground::whole(problem(fixture("boosting")), 1);
    let seen = compare(&ground, &[("rounds", "4"), ("min-pos", "6")]);
    assert_eq!((seen.n_rounds, seen.n_failed_draws), (0, 70));
}
