//! Examples that are only scored: their classes need not be known, and one class may be missing.

use gleaner_base::{ConstantId, FixedSet};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Severity};

use super::faults;
use super::gather::{Gathered, RawExample};

/// Prepares the target's examples for scoring, and gives warnings about it.
///
/// An example that is listed both with its class and without counts once, with its class. If files hold the classes and
/// only one class is listed, nothing states the classes: the examples have none.
pub(super) fn settle(
    target: &PredicateName,
    makes_negatives: bool,
    gathered: &mut Gathered,
) -> Vec<Diagnostic> {
    keep_labelled(gathered);
    let Some(id) = gathered.symbols.find_predicate(target) else {
        return vec![faults::nothing_to_score(target)];
    };
    let of_target = |example: &&RawExample| example.predicate == id;
    if !gathered.examples.iter().any(|example| of_target(&example)) {
        return vec![faults::nothing_to_score(target)];
    }
    if gathered.classes.is_some() {
        return Vec::new();
    }
    let has_class = |is_positive: bool| {
        let mut labelled = gathered.examples.iter().filter(of_target).filter(|example| example.is_labelled);
        labelled.any(|example| example.is_positive == is_positive)
    };
    let missing = match (has_class(true), has_class(false)) {
        (true, false) => "negative",
        (false, true) => "positive",
        (true, true) | (false, false) => return Vec::new(),
    };
    if gathered.has_labels || makes_negatives && missing == "negative" {
        return Vec::new();
    }
    let mut n_forgotten = 0;
    for example in
        gathered.examples.iter_mut().filter(|example| example.predicate == id && example.is_labelled)
    {
        (example.is_positive, example.is_labelled) = (false, false);
        n_forgotten += 1;
    }
    vec![faults::scored_without_classes(missing, target, n_forgotten)]
}

/// Drops an example without a class if the same fold also lists it with one.
fn keep_labelled(gathered: &mut Gathered) {
    let mut kept = worth_keeping(gathered).into_iter();
    gathered.examples.retain(|_| kept.next().unwrap_or(true));
}

/// For each example, whether it has a class, or is only listed without one. Empty if all have a class.
fn worth_keeping(gathered: &Gathered) -> Vec<bool> {
    if gathered.examples.iter().all(|example| example.is_labelled) {
        return Vec::new();
    }
    type Key<'g> = (&'g [ConstantId], usize, Option<usize>);
    fn key<'g>(gathered: &'g Gathered, example: &RawExample) -> Key<'g> {
        (gathered.arguments(example), example.predicate.index(), example.fold)
    }
    let labelled = gathered.examples.iter().filter(|example| example.is_labelled);
    let known: FixedSet<Key<'_>> = labelled.map(|example| key(gathered, example)).collect();
    let is_kept = |example: &RawExample| example.is_labelled || !known.contains(&key(gathered, example));
    gathered.examples.iter().map(is_kept).collect()
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
