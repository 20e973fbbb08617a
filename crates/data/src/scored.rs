//! Examples that are only scored: their classes need not be known, and one class may be missing.

use gleaner_base::{ConstantId, FixedSet};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Severity};

use super::faults;
use super::gather::{Gathered, RawExample};

/// Makes the target's examples ready to be scored, and tells what was made of them.
///
/// What is listed with its class counts once, though it be listed without one, too. Where files hold the classes, and
/// only one class is listed, nothing says what the examples are: they have no class.
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

/// Drops the examples without a class that are listed with one, in the same fold.
fn keep_labelled(gathered: &mut Gathered) {
    let mut kept = worth_keeping(gathered).into_iter();
    gathered.examples.retain(|_| kept.next().unwrap_or(true));
}

/// By example: whether it has a class, or is listed with none. None where all have one.
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

/// Forgets what was told from `start` on where faults are among it; whether it did.
///
/// What keeps modes from being used keeps nothing from being scored.
pub(super) fn forget_faults(diagnostics: &mut Vec<Diagnostic>, start: usize) -> bool {
    let is_faulty = diagnostics[start..].iter().any(|told| told.severity() == Severity::Error);
    if is_faulty {
        diagnostics.truncate(start);
    }
    is_faulty
}
