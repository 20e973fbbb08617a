//! Kept runs over the links of a graph.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gleaner::experiment::links::validation::{LinkCrossValidation, LinkWork, cross_validate_links, folds};
use gleaner::experiment::runs::scheduled_runs::Measured as _;
use gleaner_base::random::{Purpose, stream};
use gleaner_base::{Budget, Keeper, StopReason};
use gleaner_data::graph::load_graph;
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::Sources;
use gleaner_learn::links::Interrupted;
use gleaner_learn::{RunContext, Silent};
use rand::RngExt;

use super::{Memory, settings};
use crate::support::fresh_folder;

/// Links of so many people: each knows the next ones, and those who know have seen; a few links are drawn by chance.
pub(crate) fn triples(n_people: usize) -> String {
    let mut rng = stream(1, Purpose::Generate, &[7]);
    let mut text = String::new();
    for person in 0..n_people {
        for step in [1, 2, 5] {
            let other = (person + step) % n_people;
            let _ = writeln!(text, "p{person}\tknows\tp{other}\np{other}\tseen_by\tp{person}");
        }
        let chance = rng.random_range(0..n_people);
        let _ = writeln!(text, "p{person}\tlikes\tp{chance}");
    }
    text
}

fn validate_within(
    budget: &Budget,
    variants: &[Settings],
    keeper: &dyn Keeper,
) -> Result<Vec<LinkCrossValidation>, Interrupted> {
    let path = fresh_folder(&format!("resume/{:?}", std::thread::current().id())).join("graph.tsv");
    std::fs::write(&path, triples(40)).expect("written");
    let graph = load_graph(&path, None, &mut Sources::new()).expect("it loads").graph;
    let context = RunContext { budget, rng_seed: 1, monitor: &Silent, cover_bytes: 0, keeper };
    let work = LinkWork { context: &context, is_written: true, told: &|_| {}, learnt: &|_, _| {} };
    cross_validate_links(&folds(graph, 3, 1), variants, 2, &work)
}

fn validate(variants: &[Settings], keeper: &dyn Keeper) -> Vec<LinkCrossValidation> {
    validate_within(&Budget::unlimited(), variants, keeper).expect("nothing stops it")
}

fn text(validations: &[LinkCrossValidation]) -> String {
    format!("{validations:?}")
}

fn variants() -> [Settings; 2] {
    ["1", "3"].map(|length| settings(&[("path-length", length)]))
}

#[test]
fn a_kept_run_of_links_is_the_run() {
    let (variants, keeper) = (variants(), Memory::default());
    let first = validate(&variants, &keeper);
    // Two variants, two repetitions, three folds.
    assert_eq!(keeper.names().len(), 2 * 2 * 3, "{:?}", keeper.names());
    assert_eq!(text(&first), text(&validate(&variants, &keeper)));
    ["run-2-1-1", "run-1-2-3"].into_iter().for_each(|name| keeper.take(name));
    assert_eq!(text(&first), text(&validate(&variants, &keeper)));
    assert_eq!(text(&first), text(&validate(&variants, &Memory::default())));
    // What is kept is taken, not made again.
    let kept = keeper.kept("run-2-1-1").expect("it is kept");
    keeper.keep("run-2-1-1", &kept.replacen("\"mrr\":0.", "\"mrr\":0.9", 1));
    assert_ne!(text(&first), text(&validate(&variants, &keeper)));
}

/// Only the first run of all has a sample where the time is over before it begins: others would be compared with nothing.
#[test]
fn a_variant_that_never_began_has_no_figures() {
    let over = Budget::new(Some(Duration::ZERO), Arc::new(AtomicBool::new(false)));
    let found = validate_within(&over, &variants(), &Memory::default()).expect("a sample is ranked");
    assert!(found[0].runs[0].ranks.links > 0, "{:?}", found[0].runs[0].ranks);
    assert!(found[1].runs.iter().all(|run| run.ranks.links == 0 && run.outer_stop().is_some()));
}

/// Wherever a limit ends the work, what was kept until then and the rest give the bytes of the whole. Of the folds that the
/// limit left out nothing is kept.
#[test]
fn runs_of_links_go_on_from_any_stop() {
    let variants = variants();
    let whole = text(&validate(&variants, &Memory::default()));
    let (mut n_cut, mut n_between) = (0, 0);
    for n_looks in (0..14).map(|power| 1_u64 << power) {
        let keeper = Memory::default();
        let found = validate_within(&Budget::of_looks(n_looks), &variants, &keeper);
        let n_kept = keeper.names().len();
        n_between += usize::from((1..12).contains(&n_kept));
        if let Ok(found) = &found {
            let runs = || found.iter().flat_map(|validation| &validation.runs);
            assert_eq!(n_kept, runs().filter(|run| run.stop.is_none()).count());
            n_cut += runs().filter(|run| run.stop.is_some()).count();
            assert!(runs().all(|run| run.is_searched() || run.metric("mrr").is_none()));
        }
        assert_eq!(whole, text(&validate(&variants, &keeper)), "{n_looks} looks, {n_kept} kept");
    }
    assert!(n_cut > 0 && n_between > 0, "{n_cut} cut, {n_between} in the middle");
}

/// Ctrl-C before the work: the first fold is ranked as far as a second lets it, and the others are left out; so is the second
/// repetition.
#[test]
fn stopped_runs_of_links_are_not_kept() {
    let keeper = Memory::default();
    let budget = Budget::new(None, Arc::new(AtomicBool::new(true)));
    let found =
        validate_within(&budget, &variants()[..1], &keeper).expect("a sample is ranked").swap_remove(0);
    assert!(keeper.names().is_empty(), "{:?}", keeper.names());
    assert_eq!((found.runs.len(), found.n_repeats_left_out), (3, 1));
    assert!(found.runs.iter().all(|run| run.stop == Some(StopReason::Interrupted)));
    let ranked: Vec<bool> = found.runs.iter().map(|run| run.is_searched()).collect();
    assert_eq!(ranked, [true, false, false]);
}
