//! Whether runs were tested on the same examples: paired tests of any others would mean nothing, and clauses of any others
//! cannot be given to a run.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_data::{Division, Problem};
use gleaner_lang::syntax::{Diagnostic, codes};

use crate::experiment::records::run_record::{FoldRecord, NamedRun, RunRecord, RunRequest};
use crate::experiment::runs::split::Split;

/// A fault for each run that does not go with the first one.
pub(crate) fn check_comparable(runs: &[NamedRun]) -> Result<(), Vec<Diagnostic>> {
    let Some((first, others)) = runs.split_first() else { return Ok(()) };
    let faults: Vec<Diagnostic> = others
        .iter()
        .filter_map(|other| {
            let (what, help) = difference(first, other)?;
            let message = format!("{} cannot be compared with {}: {what}", other.name, first.name);
            Some(Diagnostic::error(codes::OTHER_RUN, message).with_help(help))
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// The first cause that keeps two runs from being compared, and a remedy. Other causes may follow from it.
pub(crate) fn difference(first: &NamedRun, other: &NamedRun) -> Option<(String, &'static str)> {
    let (ours, theirs) = (&first.record, &other.record);
    if ours.target != theirs.target {
        let what = format!("its target is {}, not {}", theirs.target, ours.target);
        return Some((what, "run both on one target; ⁅target⁆ names it"));
    }
    if let Some(what) = other_kind(ours, theirs) {
        return Some((what, "run both with the same ⁅number-argument⁆, or both without"));
    }
    other_inputs(first, other)
        .map(|what| (what, "run both anew on the same files"))
        .or_else(|| other_request(ours, theirs))
        .or_else(|| other_folds(first, other).map(|what| (what, "run both over the same folds")))
        .or_else(|| other_repeats(ours, theirs).map(|what| (what, "run both with the same ⁅repeats⁆")))
        .or_else(|| other_sizes(first, other).map(|what| (what, "run both over the same folds")))
        .or_else(|| other_streams(ours, theirs))
}

/// Numbers beside classes, or other numbers.
fn other_kind(ours: &RunRecord, theirs: &RunRecord) -> Option<String> {
    match (&ours.request.number_argument, &theirs.request.number_argument) {
        (None, None) => None,
        (Some(_), None) => Some("it is of classes, not of numbers".to_owned()),
        (None, Some(_)) => Some("it is of numbers, not of classes".to_owned()),
        (Some(ours), Some(theirs)) => (ours != theirs)
            .then(|| format!("its numbers are those of ⁅number-argument={theirs}⁆, not {ours}")),
    }
}

/// How many files or folds a message names.
const N_NAMED: usize = 3;

/// The first few of these names, in words.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(N_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > N_NAMED { format!("{shown} and {} more", names.len() - N_NAMED) } else { shown }
}

/// The files that differ.
fn other_inputs(first: &NamedRun, other: &NamedRun) -> Option<String> {
    // Two files may have one name: those of flags are named without a folder.
    let by_name = |file: &RunRecord| {
        let mut hashes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for input in &file.request.inputs {
            hashes.entry(input.name.clone()).or_default().push(input.sha256.clone());
        }
        hashes.values_mut().for_each(|hashes| hashes.sort());
        hashes
    };
    let (ours, theirs) = (by_name(&first.record), by_name(&other.record));
    let changed = ours.iter().filter_map(|(name, hashes)| match theirs.get(name) {
        None => Some(format!("only {} read {name}", first.name)),
        Some(others) => (others != hashes).then(|| format!("{name} has another content")),
    });
    let added = theirs.keys().filter(|name| !ours.contains_key(*name));
    let said: Vec<String> =
        changed.chain(added.map(|name| format!("only {} read {name}", other.name))).collect();
    (!said.is_empty()).then(|| format!("other files were read: {}", listed(&said)))
}

/// Examples chosen or made in another way.
fn other_request(ours: &RunRecord, theirs: &RunRecord) -> Option<(String, &'static str)> {
    let or_none = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
    let (ours, theirs) = (&ours.request, &theirs.request);
    if ours.restriction != theirs.restriction {
        let (ours, theirs) = (or_none(&ours.restriction), or_none(&theirs.restriction));
        return Some((
            format!("its examples are restricted by ⁅where={theirs}⁆, not {ours}"),
            "run both with the same ⁅where⁆",
        ));
    }
    let [own_day, other_day] = [ours, theirs].map(|request| request.flags.get("cut-off").cloned());
    if own_day != other_day {
        let (ours, theirs) = (or_none(&own_day), or_none(&other_day));
        return Some((
            format!("its examples are looked at by ⁅cut-off={theirs}⁆, not {ours}"),
            "run both with the same ⁅cut-off⁆",
        ));
    }
    if ours.count_filtered != theirs.count_filtered {
        let count = if theirs.count_filtered { "count" } else { "do not count" };
        return Some((
            format!("its test metrics {count} the positives that ⁅where⁆ leaves out"),
            "run both with ⁅count-filtered⁆, or both without",
        ));
    }
    let (ours, theirs) = (ours.tested_negatives(), theirs.tested_negatives());
    if ours != theirs {
        return Some((
            format!("its test negatives are those of ⁅negatives-test={theirs}⁆, not {ours}"),
            "run both with the same ⁅negatives-test⁆",
        ));
    }
    None
}

/// The folds that one of the runs lacks.
fn other_folds(first: &NamedRun, other: &NamedRun) -> Option<String> {
    if first.record.division != other.record.division {
        return Some("its examples are divided in another way".to_owned());
    }
    let lacking = |from: &RunRecord, of: &RunRecord| -> Vec<String> {
        let lacks = |fold: &&String| !of.runs.iter().any(|run| run.fold == **fold);
        let folds: BTreeSet<&String> = from.runs.iter().map(|run| &run.fold).filter(lacks).collect();
        folds.into_iter().cloned().collect()
    };
    let lacks = lacking(&first.record, &other.record);
    if !lacks.is_empty() {
        return Some(format!("it has no result of {}", listed(&lacks)));
    }
    let more = lacking(&other.record, &first.record);
    (!more.is_empty()).then(|| format!("it has results of {}, which {} lacks", listed(&more), first.name))
}

/// Repeats that one of the runs lacks although no stop cut either run short. Where a stop left repeats out, the common
/// repeats are compared.
fn other_repeats(ours: &RunRecord, theirs: &RunRecord) -> Option<String> {
    if ours.is_stopped() || theirs.is_stopped() {
        return None;
    }
    let keys = |record: &RunRecord| {
        let of_run = |run: &FoldRecord| (run.repeat, run.fold.clone());
        record.runs.iter().map(of_run).collect::<BTreeSet<_>>()
    };
    let (n_ours, n_theirs) = (ours.n_repeats(), theirs.n_repeats());
    if n_ours != n_theirs {
        return Some(format!("it has ⁅repeats={n_theirs}⁆, not {n_ours}"));
    }
    (keys(ours) != keys(theirs)).then(|| "it has repeats of other folds".to_owned())
}

/// The folds whose tests are of other sizes.
fn other_sizes(first: &NamedRun, other: &NamedRun) -> Option<String> {
    let said: Vec<String> = first
        .record
        .runs
        .iter()
        .filter_map(|ours| {
            let theirs = other.record.runs.iter().find(|run| run.key() == ours.key())?;
            let sizes = |run: &FoldRecord| match (&run.taken, &run.links) {
                (Some(_), _) => format!("{} examples", run.test[0] + run.test[1]),
                (None, Some(_)) => format!("{} links", run.test[0]),
                (None, None) => format!("{} positives and {} negatives", run.test[0], run.test[1]),
            };
            (theirs.test != ours.test)
                .then(|| format!("{} on {}, not on {}", ours.name(), sizes(theirs), sizes(ours)))
        })
        .collect();
    (!said.is_empty()).then(|| format!("it was tested on other examples: {}", listed(&said)))
}

/// Test sets of one size may still differ, where the seed drew them.
fn other_streams(ours: &RunRecord, theirs: &RunRecord) -> Option<(String, &'static str)> {
    let (ours_asked, theirs_asked) = (&ours.request, &theirs.request);
    let is_made = ours.division == Division::None;
    if is_made && ours_asked.group != theirs_asked.group {
        let what = "its folds were made with another ⁅group⁆".to_owned();
        return Some((what, "run both with the same ⁅group⁆"));
    }
    let is_sampled = ours_asked.tested_negatives() != "all";
    if ours_asked.rng_seed != theirs_asked.rng_seed && (is_made || is_sampled) {
        let drawn = if is_made { "folds were made" } else { "negatives were sampled" };
        let what = format!("its {drawn} with seed {}, not {}", theirs_asked.rng_seed, ours_asked.rng_seed);
        return Some((what, "run both with the same ⁅seed⁆"));
    }
    None
}

/// Runs that clauses are given to.
#[derive(Clone, Copy, Debug)]
pub struct Receiving<'a> {
    /// The request for the data.
    pub request: &'a RunRequest,
    /// The problem.
    pub problem: &'a Problem,
    /// The runs of a repetition.
    pub splits: &'a [Split],
    /// Repetitions.
    pub n_repeats: usize,
}

impl Receiving<'_> {
    /// Checks that each run keeps for test what the finished run of the same name kept. Otherwise clauses could be
    /// learnt from examples that this run tests.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn check(&self, from: &NamedRun) -> Result<(), Diagnostic> {
        let asked = &from.record.request;
        // The count beside the examples changes no clause.
        let request = RunRequest { count_filtered: asked.count_filtered, ..self.request.clone() };
        let ours = RunRecord::of_asked(request, self.problem, self.splits, self.n_repeats);
        let ours = NamedRun { name: "this run".to_owned(), record: ours };
        match difference(&ours, from) {
            None => Ok(()),
            Some((what, help)) => {
                let message = format!("⁅feature-clauses={}⁆: {what}", from.name);
                Err(Diagnostic::error(codes::OTHER_RUN, message).with_help(help))
            }
        }
    }
}
