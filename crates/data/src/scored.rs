//! Examples that are only scored: their classes need not be known, and one class may be missing.

use gleaner_base::FixedSet;
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Severity};

use crate::faults;
use crate::gather::{RawExample, RawExamples};
use crate::provisional::Provisional;

/// Prepares the target's examples for scoring, and gives warnings about it.
///
/// An example that is listed both with its class and without counts once, with its class. If files hold the classes and
/// only one class is listed, nothing states the classes: the examples have none.
pub(super) fn settle(
    target: &PredicateName,
    makes_negatives: bool,
    examples: &mut RawExamples,
    symbols: &Provisional,
) -> Vec<Diagnostic> {
    keep_labelled(examples);
    let Some(id) = symbols.find_predicate(target) else {
        return vec![faults::nothing_to_score(target)];
    };
    if examples.of(id).next().is_none() {
        return vec![faults::nothing_to_score(target)];
    }
    if examples.classes.is_some() || examples.numbers.is_some() {
        return Vec::new();
    }
    let has_class = |is_positive: bool| {
        let mut labelled = examples.of(id).filter(|example| example.is_labelled);
        labelled.any(|example| example.is_positive == is_positive)
    };
    let missing = match (has_class(true), has_class(false)) {
        (true, false) => "negative",
        (false, true) => "positive",
        (true, true) | (false, false) => return Vec::new(),
    };
    if examples.has_labels || makes_negatives && missing == "negative" {
        return Vec::new();
    }
    let mut n_forgotten = 0;
    for example in examples.listed.iter_mut().filter(|example| example.predicate == id && example.is_labelled)
    {
        example.forget_class();
        n_forgotten += 1;
    }
    vec![faults::scored_without_classes(missing, target, n_forgotten)]
}

/// Drops an example without a class if the same fold also lists it with one.
fn keep_labelled(examples: &mut RawExamples) {
    let RawExamples { listed, rows, .. } = examples;
    if listed.iter().all(|example| example.is_labelled) {
        return;
    }
    let key = |example: &RawExample| {
        let row = rows.rows(example.predicate).row(example.row);
        (row, example.predicate, example.fold)
    };
    let known: FixedSet<_> = listed.iter().filter(|example| example.is_labelled).map(key).collect();
    listed.retain(|example| example.is_labelled || !known.contains(&key(example)));
}

/// Forgets the messages from `start` on if there are faults among them; gives whether it did.
///
/// Faults of modes do not prevent scoring.
pub(super) fn forget_faults(diagnostics: &mut Vec<Diagnostic>, start: usize) -> bool {
    let is_faulty = diagnostics[start..].iter().any(|told| told.severity() == Severity::Error);
    if is_faulty {
        diagnostics.truncate(start);
    }
    is_faulty
}
