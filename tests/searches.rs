//! Every search finds a planted clause, on a space small enough to enumerate, as often as enumeration says
//! it should; complete ones evaluate the whole space, in their order, and none a clause twice.

mod chances;
mod planted;
mod runs;
mod twins;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, StopReason};
use gleaner_engine::bias::{BottomClause, Candidate, RefinementSpace};
use gleaner_engine::search::directed::Scale;
use gleaner_engine::search::random_starts::list;
use gleaner_engine::search::{
    Beam, BestFirst, BreadthFirst, ClauseDraw, DepthFirst, GeneralFirst, HillClimbing, IteratedBeam,
    IterativeDeepening, Lengths, LocalMoves, RapidRandomRestart, Score, SearchConfig, SearchKind,
    StochasticClauseSelection, Strategy,
};
use gleaner_lang::program::settings::Word;

use planted::{Mask, Space, candidate, mask, n_body, planted, positions};
use runs::{Run, Wanted, run};
use twins::Twin;

/// Prunes a third of the space.
const MIN_POSITIVES: usize = 14;

/// The ninth weight is of a length that the space does not have.
fn weighted() -> Lengths {
    Lengths::Weighted(vec![0.5, 2.0, 0.0, 3.0, 9.0])
}

fn all_lengths() -> [Lengths; 3] {
    [Lengths::Uniform, weighted(), Lengths::Exact]
}

fn named(kind: SearchKind, general_clauses: u64) -> Box<dyn Strategy> {
    let lengths = Lengths::Uniform;
    let config = SearchConfig {
        kind,
        lengths,
        restart_evaluations: 40,
        walk: 0.2,
        beam_width: 3,
        general_clauses,
        climbs: 4,
        neighbours: 10,
        alphas: vec![0.25, 0.75],
        scale: Scale::GeometricMean,
    };
    config.strategy(None)
}

fn wanted(min_positives: usize) -> Wanted {
    Wanted { min_positives, ..Wanted::default() }
}

/// The stream of a search that ends with the space.
fn whole(strategy: &dyn Strategy, min_positives: usize) -> Vec<Mask> {
    let run = run(strategy, &wanted(min_positives), 1);
    assert_eq!(run.stop, StopReason::SpaceExhausted);
    assert_eq!(run.funnel.evaluated(), run.stream.len() as u64);
    run.stream
}

fn sorted(stream: &[Mask]) -> Vec<Mask> {
    let mut sorted = stream.to_vec();
    sorted.sort_by_key(|&mask| (n_body(mask), positions(mask)));
    sorted
}

/// What the other tests take for granted, so that they can fail.
#[test]
fn the_problem_is_worth_searching() {
    let problem = planted();
    let space = &problem.space;
    let all = space.candidates();
    assert!((10..=14).contains(&space.n_literals), "{} literals", space.n_literals);
    assert!((300..700).contains(&all.len()), "{} candidates", all.len());
    let refusal = all.len() - all.iter().filter(|&&mask| problem.n_positives(mask) >= MIN_POSITIVES).count();
    assert!(refusal * 4 > all.len() && refusal * 4 < all.len() * 3, "{refusal} pruned");

    for min_positives in [1, MIN_POSITIVES] {
        let score = |mask: Mask| problem.score(mask, min_positives);
        let best = score(problem.planted);
        assert!(all.iter().all(|&mask| mask == problem.planted || score(mask) < best));
        let is_peak = |&mask: &Mask| {
            let around = space.neighbours(mask, true);
            score(mask) > 0.0 && around.iter().all(|&neighbour| score(neighbour) <= score(mask))
        };
        let n_peaks = all.iter().copied().filter(is_peak).count();
        assert!(n_peaks > 2, "{n_peaks} peaks");
    }

    // Some removals take along what only the literal removed had enabled, others leave it to another.
    let n_lost = |mask: Mask| space.removals(mask).iter().map(move |&rest| n_body(mask) - n_body(rest));
    let lost: BTreeSet<usize> = all.iter().flat_map(|&mask| n_lost(mask)).collect();
    assert_eq!(lost, BTreeSet::from([1, 2, 3, 4]));
    assert!(problem.bottom.literals.iter().any(|literal| literal.input_sets.len() == 2));
}

#[test]
fn the_list_is_every_legal_subset() {
    let problem = planted();
    for max_literals in 1..=8 {
        let space = RefinementSpace::new(&problem.bottom, max_literals);
        let expected: Vec<Candidate> = if max_literals == 1 {
            Vec::new()
        } else {
            Space::new(&problem.bottom, max_literals).candidates().into_iter().map(candidate).collect()
        };
        assert_eq!(list(&space, expected.len()).as_ref(), Some(&expected), "{max_literals} literals");
        if let Some(fewer) = expected.len().checked_sub(1) {
            assert_eq!(list(&space, fewer), None, "{max_literals} literals");
        }
    }
}

#[test]
fn the_space_is_as_defined() {
    let problem = planted();
    let space = problem.refinement_space();
    let masks = |candidates: Vec<Candidate>| candidates.iter().map(mask).collect::<Vec<Mask>>();
    for subset in 0..1 << problem.space.n_literals {
        let legal = problem.space.is_legal(subset);
        assert_eq!(space.is_legal(&candidate(subset)), legal, "{subset:b}");
    }
    for each in problem.space.candidates() {
        assert_eq!(masks(space.additions(&candidate(each))), problem.space.additions(each), "{each:b}");
        assert_eq!(masks(space.removals(&candidate(each))), problem.space.removals(each), "{each:b}");
    }
}

#[test]
fn complete_searches_evaluate_every_candidate_once() {
    let complete: [(&str, Box<dyn Strategy>); 9] = [
        ("breadth-first", Box::new(BreadthFirst)),
        ("depth-first", Box::new(DepthFirst)),
        ("best-first", Box::new(BestFirst)),
        ("iterative deepening", Box::new(IterativeDeepening)),
        ("beam", Box::new(Beam { width: usize::MAX })),
        ("iterated beam", Box::new(IteratedBeam)),
        ("rrr", Box::new(RapidRandomRestart { lengths: Lengths::Uniform, restart_evaluations: u64::MAX })),
        ("hill climbing", Box::new(HillClimbing { lengths: Lengths::Exact })),
        ("scs", Box::new(StochasticClauseSelection { lengths: Lengths::Exact })),
    ];
    let all = planted().space.candidates();
    for (name, strategy) in complete {
        assert_eq!(sorted(&whole(&*strategy, 1)), all, "{name}");
    }
}

#[test]
fn top_down_searches_go_in_the_order_of_their_twins() {
    let problem = planted();
    for min_positives in [1, MIN_POSITIVES, 30] {
        let twin = || Twin::new(problem, min_positives);
        let reachable: Vec<Mask> = sorted(&twin().reachable().into_iter().collect::<Vec<_>>());
        let breadth_first = whole(&BreadthFirst, min_positives);
        assert_eq!(breadth_first, twin().beam(usize::MAX).stream());
        let best_first = whole(&BestFirst, min_positives);
        assert_eq!(best_first, twin().best_first().stream());
        let deepening = whole(&IterativeDeepening, min_positives);
        assert_eq!(deepening, twin().iterative_deepening().stream());
        let depth_first = whole(&DepthFirst, min_positives);
        assert_eq!(depth_first, twin().depth_first().stream());
        let iterated_beam = whole(&IteratedBeam, min_positives);
        assert_eq!(iterated_beam, twin().iterated_beam().stream());
        let streams = [
            ("breadth", &breadth_first),
            ("best", &best_first),
            ("deepening", &deepening),
            ("depth", &depth_first),
            ("iterated beam", &iterated_beam),
        ];
        for (name, stream) in streams {
            assert_eq!(sorted(stream), reachable, "{name}, at least {min_positives} positives");
        }
        for stream in [&breadth_first, &deepening] {
            assert!(stream.is_sorted_by_key(|&mask| n_body(mask)));
        }
        for width in [0, 1, 2, 5, 20, usize::MAX] {
            let beam = whole(&Beam { width }, min_positives);
            assert_eq!(beam, twin().beam(width).stream(), "width {width}");
        }
    }
}

/// Follows a whole search of random starts: a start is whatever the stream has next, the rest is not random.
fn assert_follows(
    run: &Run,
    min_positives: usize,
    mut twin_start: impl FnMut(&mut Twin<'_>, usize) -> Vec<Mask>,
) {
    let mut twin = Twin::new(planted(), min_positives);
    let (mut rest, mut starts) = (&run.stream[..], Vec::new());
    while !rest.is_empty() {
        let expected = twin_start(&mut twin, run.stream.len() - rest.len());
        assert_eq!(rest[..expected.len().min(rest.len())], expected, "start {}", starts.len() + 1);
        rest = &rest[expected.len()..];
        starts.push(expected);
    }
    let is_observed = |&mask: &Mask| planted().n_positives(mask) >= min_positives;
    let expected = (1..)
        .zip(&starts)
        .flat_map(|(start, masks)| masks.iter().copied().filter(is_observed).map(move |mask| (mask, start)));
    assert_eq!(run.observed, expected.collect::<Vec<_>>());
}

#[test]
fn restarts_follow_their_twin_to_the_end() {
    for (min_positives, restart_evaluations) in [(1, 15), (MIN_POSITIVES, 15), (MIN_POSITIVES, 100), (30, 1)]
    {
        for lengths in all_lengths() {
            let n = usize::try_from(restart_evaluations).expect("few");
            let run = run(&RapidRandomRestart { lengths, restart_evaluations }, &wanted(min_positives), 5);
            assert_eq!(run.stop, StopReason::SpaceExhausted);
            assert_follows(&run, min_positives, |twin, at| twin.restart(run.stream[at], n));
        }
    }
}

#[test]
fn climbs_follow_their_twin_to_the_end() {
    for min_positives in [1, MIN_POSITIVES, 30] {
        for lengths in all_lengths() {
            let run = run(&HillClimbing { lengths }, &wanted(min_positives), 5);
            assert_eq!(run.stop, StopReason::SpaceExhausted);
            assert_follows(&run, min_positives, |twin, at| twin.climb((at > 0).then(|| run.stream[at])));
        }
    }
}

/// Each clause new to GSAT is a neighbour of one where the search can be, which is where better moves lead
/// from the start; WalkSAT can be wherever moves lead. By a score of many ties, which do not improve.
#[test]
fn moves_are_from_where_the_search_can_be() {
    let space = &planted().space;
    for (walk, rng_seed) in [0.0, 0.2].into_iter().flat_map(|walk| (1..=20).map(move |seed| (walk, seed))) {
        let strategy = LocalMoves { lengths: Lengths::Exact, restart_moves: 60, walk };
        let run = run(&strategy, &Wanted { score: Score::Coverage, ..Wanted::default() }, rng_seed);
        assert_eq!(run.stop, StopReason::SpaceExhausted);
        let scores: BTreeMap<Mask, Option<f64>> = run.stream.iter().copied().zip(run.scores).collect();
        let is_better = |next: Mask, mask: Mask| scores[&next] > scores[&mask];
        let (mut known, mut places, mut last_start) = (BTreeSet::new(), BTreeSet::new(), 0);
        for &(mask, start) in &run.observed {
            if start != last_start {
                places.clear();
                places.insert(mask);
                last_start = start;
            } else {
                places.retain(|&place| space.neighbours(place, true).contains(&mask));
                assert!(!places.is_empty(), "walk {walk}: {mask:b} is from nowhere");
                let n_places = places.len();
                places.retain(|&place| walk > 0.0 || !is_better(mask, place));
                if walk > 0.0 || places.len() < n_places {
                    places.insert(mask);
                }
            }
            known.insert(mask);
            spread(&mut places, |&place, next| {
                known.contains(next) && (walk > 0.0 || is_better(*next, place))
            });
        }
    }
}

/// Adds the neighbours to which a move leads, and theirs, and so on.
fn spread(places: &mut BTreeSet<Mask>, leads: impl Fn(&Mask, &Mask) -> bool) {
    let mut open: Vec<Mask> = places.iter().copied().collect();
    while let Some(place) = open.pop() {
        let around = planted().space.neighbours(place, true);
        open.extend(around.into_iter().filter(|next| leads(&place, next) && places.insert(*next)));
    }
}

/// Where only the best is wanted, it is found with fewer evaluations, by every score.
#[test]
fn bounds_lose_no_best_clause() {
    let n_candidates = planted().space.candidates().len() as u64;
    let top_down: [Box<dyn Strategy>; 6] = [
        Box::new(BreadthFirst),
        Box::new(DepthFirst),
        Box::new(IteratedBeam),
        Box::new(BestFirst),
        Box::new(IterativeDeepening),
        Box::new(Beam { width: usize::MAX }),
    ];
    // Parameters are named by a capital.
    for name in Score::NAMES.into_iter().chain(["TP - 2*FP"]) {
        let text = name.replace(":B", ":2").replace(":M", ":3");
        let score = Score::parse(&text).expect("the name is a score's");
        let best = |run: &Run| run.scores.iter().copied().flatten().max_by(f64::total_cmp);
        let whole = run(&BreadthFirst, &Wanted { score: score.clone(), ..Wanted::default() }, 1);
        for strategy in &top_down {
            let wanted = Wanted { score: score.clone(), best_only: true, ..Wanted::default() };
            let bounded = run(&**strategy, &wanted, 1);
            assert_eq!(bounded.stop, StopReason::SpaceExhausted);
            assert_eq!(best(&bounded), best(&whole), "{name}");
            let n_evaluated = bounded.funnel.evaluated();
            assert!(n_evaluated < n_candidates, "{name}: {n_evaluated} of {n_candidates}");
        }
    }
    let run = run(&BreadthFirst, &Wanted::default(), 1);
    let scores = run.stream.iter().map(|&mask| Some(planted().score(mask, 1)));
    assert_eq!(run.scores, scores.collect::<Vec<_>>());
}

/// How often seeded runs meet the planted clause, against how often they should.
fn assert_as_often(name: &str, expected: f64, n_clauses: usize, strategy: &dyn Strategy, start: Option<u64>) {
    const N_RUNS: u32 = 800;
    let planted = planted().planted;
    let wanted = Wanted { n_clauses: n_clauses as u64, ..wanted(MIN_POSITIVES) };
    let meets = |&rng_seed: &u64| {
        let observed = run(strategy, &wanted, rng_seed).observed;
        observed.iter().any(|&(mask, of)| mask == planted && start.is_none_or(|start| start == of))
    };
    let n_met = (1..=u64::from(N_RUNS)).filter(meets).count();
    let found = chances::real(n_met) / f64::from(N_RUNS);
    let deviation = (expected * (1.0 - expected) / f64::from(N_RUNS)).sqrt();
    assert!((0.02..0.98).contains(&expected), "{name}: {expected} cannot fail");
    assert!((found - expected).abs() < 4.5 * deviation, "{name}: {found}, but {expected} ± {deviation}");
}

#[test]
fn stochastic_clause_selection_finds_it_as_often_as_it_should() {
    const N: usize = 220;
    let problem = planted();
    for lengths in all_lengths() {
        let expected = chances::among_first(&chances::drawn(&problem.space, &lengths), problem.planted, N);
        if lengths == Lengths::Exact {
            let exact = chances::real(N) / chances::real(problem.space.candidates().len());
            assert!((expected - exact).abs() < 1e-5, "{expected} is not {exact}");
        }
        let name = format!("{lengths:?}");
        assert_as_often(&name, expected, N, &StochasticClauseSelection { lengths }, None);
    }
}

#[test]
fn rapid_random_restarts_find_it_as_often_as_they_should() {
    for lengths in all_lengths() {
        let expected = chances::by_restart(planted(), &lengths, MIN_POSITIVES, 40);
        let name = format!("{lengths:?}");
        let strategy = RapidRandomRestart { lengths, restart_evaluations: 40 };
        assert_as_often(&name, expected, 40, &strategy, Some(1));
    }
}

#[test]
fn local_moves_find_it_as_often_as_they_should() {
    for lengths in all_lengths() {
        for walk in [0.0, 0.4] {
            let expected = chances::by_moves(planted(), &lengths, MIN_POSITIVES, (90, walk));
            let name = format!("{lengths:?}, walk {walk}");
            let strategy = LocalMoves { lengths: lengths.clone(), restart_moves: 90, walk };
            assert_as_often(&name, expected, 91, &strategy, Some(1));
        }
    }
}

#[test]
fn hill_climbing_finds_it_as_often_as_it_should() {
    for lengths in all_lengths() {
        let (expected, most) = chances::by_second_climb(planted(), &lengths, MIN_POSITIVES);
        let name = format!("{lengths:?}");
        assert_as_often(&name, expected, most, &HillClimbing { lengths }, Some(2));
    }
}

/// Draws fall on each clause as often as the rules say.
fn assert_drawn_as_expected(bottom: &BottomClause, max_literals: usize, lengths: &Lengths) {
    const N_DRAWS: u32 = 40_000;
    let space = RefinementSpace::new(bottom, max_literals);
    let expected = chances::drawn(&Space::new(bottom, max_literals), lengths);
    let draw = ClauseDraw::new(lengths, &space).expect("the space has candidates");
    let mut rng = stream(3, Purpose::Search, &[]);
    let mut n_drawn = vec![0; expected.len()];
    (0..N_DRAWS).for_each(|_| n_drawn[usize::from(mask(&draw.draw(&space, &mut rng)))] += 1);
    let (mut n_cells, mut n_possible) = (0, 0);
    for (mask, (&n, &chance)) in n_drawn.iter().zip(&expected).enumerate() {
        let mean = f64::from(N_DRAWS) * chance;
        let deviation = (mean * (1.0 - chance)).sqrt();
        let off = (f64::from(n) - mean) / deviation;
        assert!(n == 0 || chance > 0.0, "{lengths:?}: {mask:b} is drawn");
        assert!(
            mean < 5.0 || chance > 0.999_999 || off.abs() < 5.0,
            "{lengths:?}, {mask:b}: {n}, but {mean}"
        );
        n_cells += u32::from(mean >= 5.0);
        n_possible += u32::from(chance > 0.0);
    }
    assert!(n_cells * 3 > n_possible * 2, "{n_cells} cells of {n_possible}");
    assert!((expected.iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn clauses_are_drawn_as_often_as_they_should() {
    let bottom = &planted().bottom;
    // One in which longer clauses are asked for than there are.
    let few = BottomClause { literals: bottom.literals[..3].to_vec(), ..bottom.clone() };
    for lengths in all_lengths() {
        assert_drawn_as_expected(bottom, planted::MAX_LITERALS, &lengths);
        assert_drawn_as_expected(&few, 6, &lengths);
    }
}

fn is_random(kind: SearchKind) -> bool {
    let random = [
        SearchKind::Rrr,
        SearchKind::Directed,
        SearchKind::Scs,
        SearchKind::Gsat,
        SearchKind::Walksat,
        SearchKind::HillClimbing,
    ];
    random.contains(&kind)
}

#[test]
fn a_seed_is_a_stream_and_a_limit_cuts_it() {
    for (name, kind) in SearchKind::WORDS.iter().copied() {
        let strategy = named(kind, 0);
        let of_seed = |rng_seed: u64| run(&*strategy, &wanted(MIN_POSITIVES), rng_seed);
        let once = of_seed(1);
        assert_eq!(once, of_seed(1), "{name}");
        assert_eq!(once.stream != of_seed(2).stream, is_random(kind), "{name}");
        let distinct: BTreeSet<Mask> = once.stream.iter().copied().collect();
        assert_eq!(distinct.len(), once.stream.len(), "{name} evaluates no clause twice");
        for n_clauses in [0, 1, 37] {
            let cut = run(&*strategy, &Wanted { n_clauses, ..wanted(MIN_POSITIVES) }, 1);
            assert_eq!(cut.stop, StopReason::ClausesEvaluated, "{name}");
            assert_eq!(cut.funnel.evaluated(), n_clauses, "{name}");
            assert!(once.stream.starts_with(&cut.stream) && cut.stream.len() as u64 == n_clauses, "{name}");
        }
    }
}

/// The limit of literals cuts the same stream: the clauses before the last have fewer, all together as many or more.
#[test]
fn a_limit_of_literals_cuts_the_stream() {
    for (name, kind) in SearchKind::WORDS.iter().copied() {
        let strategy = named(kind, 0);
        let whole = run(&*strategy, &wanted(MIN_POSITIVES), 1);
        for most in [1, 5, 60] {
            let cut = run(&*strategy, &Wanted { n_literals: Some(most), ..wanted(MIN_POSITIVES) }, 1);
            assert_eq!(cut.stop, StopReason::LiteralsEvaluated, "{name}");
            assert!(whole.stream.starts_with(&cut.stream), "{name}");
            let literals: Vec<u64> = cut.stream.iter().map(|mask| u64::from(mask.count_ones())).collect();
            let (all, last) = (literals.iter().sum::<u64>(), literals.last().expect("a clause"));
            assert!(all >= most && all - last < most, "{name}: {literals:?} for {most}");
        }
    }
}

/// A search after the most general clauses is the search without them, but that it does not evaluate
/// these again. Restarts count evaluations and end elsewhere, unless they do not end.
#[test]
fn general_clauses_come_first_and_change_nothing_else() {
    let general = Twin::new(planted(), MIN_POSITIVES).beam(usize::MAX).stream();
    // The directed search learns from what it evaluates, so that general clauses do change it.
    let unchanged = SearchKind::WORDS.iter().copied().filter(|(_, kind)| *kind != SearchKind::Directed);
    for (name, kind) in unchanged {
        for n_general in [1, 40, 10_000] {
            let strategy = |n_clauses: usize| -> Box<dyn Strategy> {
                if kind != SearchKind::Rrr {
                    return named(kind, n_clauses as u64);
                }
                let then = RapidRandomRestart { lengths: Lengths::Uniform, restart_evaluations: u64::MAX };
                Box::new(GeneralFirst { n_clauses: n_clauses as u64, then: Box::new(then) })
            };
            let first = &general[..n_general.min(general.len())];
            let rest = whole(&*strategy(0), MIN_POSITIVES);
            let rest = rest.into_iter().filter(|mask| !first.contains(mask));
            let expected: Vec<Mask> = first.iter().copied().chain(rest).collect();
            assert_eq!(whole(&*strategy(n_general), MIN_POSITIVES), expected, "{name} after {n_general}");
        }
    }
    let restarts = named(SearchKind::Rrr, 40);
    let stream = whole(&*restarts, MIN_POSITIVES);
    let distinct: BTreeSet<Mask> = stream.iter().copied().collect();
    assert!(stream.starts_with(&general[..40]) && distinct.len() == stream.len());
}

#[test]
fn an_outer_stop_ends_every_search() {
    let stop_at_once = Budget::new(None, Arc::new(AtomicBool::new(true)));
    for (name, kind) in SearchKind::WORDS.iter().copied() {
        for n_general in [0, 5] {
            let wanted = Wanted { budget: stop_at_once.clone(), ..Wanted::default() };
            let run = run(&*named(kind, n_general), &wanted, 1);
            assert_eq!((run.stop, run.funnel.evaluated()), (StopReason::Interrupted, 0), "{name}");
        }
        let wanted = Wanted { interrupt_after: Some(10), ..Wanted::default() };
        let run = run(&*named(kind, 0), &wanted, 1);
        assert_eq!(run.stop, StopReason::Interrupted, "{name}");
        let n_evaluated = run.funnel.evaluated();
        assert!((10..100).contains(&n_evaluated), "{name}: {n_evaluated}");
    }
}

/// A walk among clauses that are all known evaluates nothing, and ends all the same.
#[test]
fn an_outer_stop_ends_a_search_that_meets_nothing_new() {
    let wanted = Wanted { interrupt_after: Some(8), n_clauses: 100, ..Wanted::default() };
    let strategy = LocalMoves { lengths: Lengths::Uniform, restart_moves: 100_000, walk: 0.0 };
    let run = run(&strategy, &wanted, 1);
    assert_eq!(run.stop, StopReason::Interrupted);
    assert!(run.funnel.generated < 1_000, "{:?}", run.funnel);
}
