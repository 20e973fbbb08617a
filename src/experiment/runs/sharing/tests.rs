use std::sync::Arc;
use std::time::Duration;

use super::{Done, Queue, Reserve, Turn, with_what_is_left};
use gleaner_base::Budget;

/// Far more than a test takes, so that parts of it are known to a thousandth whatever the machine does.
const HOUR: Duration = Duration::from_secs(3_600);

fn hour() -> Budget {
    Budget::new(Some(HOUR), Arc::default())
}

/// The share of an hour that a budget has.
fn share(budget: &Budget) -> f64 {
    budget.left().expect("there is a limit").as_secs_f64() / HOUR.as_secs_f64()
}

fn assert_share(turn: &Turn, expected: f64) {
    let found = share(&turn.budget);
    assert!((found - expected).abs() < 0.01, "fold {}: {found}, not {expected}", turn.fold);
}

fn turn(queue: &Queue, whole: &Budget) -> Turn {
    queue.next(whole).expect("there is a run")
}

/// Five folds, one after another: each gets its part of the time left. No fold takes any time here, so that the parts
/// grow.
#[test]
fn what_a_run_does_not_need_is_left_to_those_after_it() {
    let (queue, whole) = (Queue::new(5, 1, 1), hour());
    for expected in [1.0 / 5.0, 1.0 / 4.0, 1.0 / 3.0, 1.0 / 2.0, 1.0] {
        let turn = turn(&queue, &whole);
        assert_share(&turn, expected);
        queue.done(&turn);
    }
    assert!(queue.next(&whole).is_none());
}

/// Five folds in two lanes take three rounds; the third begins when both of the first are done, the fifth last.
#[test]
fn lanes_share_the_time_by_rounds() {
    let (queue, whole) = (Queue::new(5, 1, 2), hour());
    let (first, second) = (turn(&queue, &whole), turn(&queue, &whole));
    assert_share(&first, 1.0 / 3.0);
    assert_share(&second, 1.0 / 3.0);
    queue.done(&first);
    queue.done(&second);
    let (third, fourth) = (turn(&queue, &whole), turn(&queue, &whole));
    assert_share(&third, 1.0 / 2.0);
    assert_share(&fourth, 1.0 / 2.0);
    queue.done(&third);
    queue.done(&fourth);
    assert_share(&turn(&queue, &whole), 1.0);
}

#[test]
fn repetitions_share_the_time() {
    let (queue, whole) = (Queue::new(2, 3, 1), hour());
    for (expected, repeat) in [(1.0 / 6.0, 0), (1.0 / 5.0, 0), (1.0 / 4.0, 1)] {
        let turn = turn(&queue, &whole);
        assert_eq!(turn.repeat, repeat);
        assert_share(&turn, expected);
        queue.done(&turn);
    }
}

/// A thousandth of five seconds is worth nothing: each run is given half a second, and those that find no time left
/// are not begun.
#[test]
fn repetitions_that_find_no_time_are_not_begun() {
    let (queue, whole) = (Queue::new(5, 1_000, 1), Budget::new(Some(Duration::from_secs(5)), Arc::default()));
    let left = turn(&queue, &whole).budget.left().expect("there is a limit");
    assert!(left <= Duration::from_millis(500) && left > Duration::from_millis(5), "{left:?}");
    let (queue, expired) = (Queue::new(2, 3, 1), Budget::expired());
    let turns: Vec<(usize, usize)> =
        std::iter::from_fn(|| queue.next(&expired)).map(|turn| (turn.repeat, turn.fold)).collect();
    assert_eq!(turns, [(0, 0), (0, 1)], "the folds of the first are all told of");
}

/// The first search leaves a tenth of its time for results. Later ones leave half as much again as results took, and
/// at least a fiftieth: here results took no time at first.
#[test]
fn a_search_leaves_time_for_its_results() {
    let reserve = Reserve::default();
    assert!((share(&reserve.searching(&hour())) - 0.9).abs() < 0.01);
    reserve.note(Duration::ZERO, gleaner_base::budget::Stopwatch::start());
    assert!((share(&reserve.searching(&hour())) - 0.98).abs() < 0.01);
    // The time that a search took after its end counts too: 12 minutes, and half as much again.
    reserve.note(Duration::from_secs(12 * 60), gleaner_base::budget::Stopwatch::start());
    assert!((share(&reserve.searching(&hour())) - 0.7).abs() < 0.01);
    assert_eq!(reserve.searching(&Budget::unlimited()).left(), None);
}

/// A part ends before the whole. The work after a search has until a second after the whole, whatever stopped the
/// search.
#[test]
fn results_are_made_after_a_part_has_ended() {
    let part = hour().for_at_most(Duration::ZERO);
    assert!(part.stop().is_some());
    assert_eq!(part.ending().stop(), None);
    assert!((share(&part.ending()) - 1.0).abs() < 0.01);
    assert_eq!(Budget::unlimited().for_at_most(Duration::ZERO).stop(), None);
}

/// The times that runs with such needs get, in hours, each time they run. No run takes any time here; `true` is cut
/// short.
fn given(needs: &[f64], n_threads: usize) -> Vec<Vec<(f64, bool)>> {
    let whole = hour();
    let work = |need: f64, turn: &Turn| (share(&turn.budget), share(&turn.budget) < need);
    let all = |queue: &Queue, needs: &[f64], n_lanes: usize| {
        let mut done = Vec::new();
        loop {
            let turns: Vec<Turn> = (0..n_lanes).map_while(|_| queue.next(&whole)).collect();
            if turns.is_empty() {
                return done;
            }
            done.extend(turns.iter().map(|turn| Done::of(turn, vec![work(needs[turn.fold], turn)])));
            turns.iter().for_each(|turn| queue.done(turn));
        }
    };
    let n_lanes = n_threads.min(needs.len());
    let mut done = all(&Queue::new(needs.len(), 1, n_lanes), needs, n_lanes);
    let again = |places: &[(usize, usize)], queue: &Queue, n_lanes: usize| {
        let needs: Vec<f64> = places.iter().map(|&(_, fold)| needs[fold]).collect();
        all(queue, &needs, n_lanes)
    };
    let is_cut = |found: &Vec<(f64, bool)>| found.last().is_some_and(|(_, is_cut)| *is_cut);
    with_what_is_left(&mut done, n_threads, &whole, is_cut, again, |before, again| before.extend(again));
    done.into_iter().map(|done| done.result).collect()
}

fn n_times(given: &[Vec<(f64, bool)>]) -> Vec<usize> {
    given.iter().map(Vec::len).collect()
}

/// The first of five folds needs more than its fifth, the others next to nothing. It was cut short, and four fifths
/// were left.
#[test]
fn a_run_that_was_cut_short_gets_what_the_others_leave() {
    let found = given(&[0.5, 0.01, 0.01, 0.01, 0.01], 1);
    assert_eq!(n_times(&found), [2, 1, 1, 1, 1]);
    let (part, is_cut) = found[0][1];
    assert!(!is_cut && (part - 1.0).abs() < 0.01, "{part}");
    // Two at a time: the two that are cut get all of it each, side by side.
    let found = given(&[0.5, 0.5, 0.01, 0.01, 0.01], 2);
    assert_eq!(n_times(&found), [2, 2, 1, 1, 1]);
    assert!(found[..2].iter().all(|found| !found[1].1 && (found[1].0 - 1.0).abs() < 0.01), "{found:?}");
}

/// A run that never has enough time is not repeated for ever. A run that would gain too little is not repeated at all.
#[test]
fn no_run_is_done_again_for_little_more_than_its_time() {
    assert_eq!(n_times(&given(&[0.1; 5], 1)), [1; 5]);
    let found = given(&[9.0; 5], 1);
    assert!(
        found.iter().all(|found| found.windows(2).all(|pair| pair[1].0 >= 1.24 * pair[0].0)),
        "{found:?}"
    );
    // The last had all of it already; nobody waits for more than all.
    assert_eq!(n_times(&found)[4], 1, "{found:?}");
    assert!(found.iter().all(|found| found.len() <= 3), "{found:?}");
    let unlimited = Budget::unlimited();
    let mut done: Vec<Done<bool>> = Vec::new();
    with_what_is_left(&mut done, 1, &unlimited, |_| true, |_, _, _| panic!("there is no limit"), |_, _| {});
}
