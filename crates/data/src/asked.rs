//! Atoms from a file of their own, which are scored instead of the examples that the data list.
//!
//! Examples that are only scored: their classes need not be known, and one class may be missing.

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::program::{FactTable, PredicateName};
use gleaner_lang::syntax::ast::{Statement, Term, TermKind};
use gleaner_lang::syntax::{Diagnostic, Severity, Span, SyntaxFault, read_clause};

use crate::faults;
use crate::gather::{FileReader, FileReading, RawExample, RawExamples, read_text, whole};
use crate::provisional::Provisional;

/// The reader of a list of atoms: a program of facts, or one atom in each line without its full stop.
pub(super) fn reader() -> Box<dyn FileReader> {
    whole(read)
}

fn read(text: &str, reading: &mut FileReading<'_>) {
    let is_atom = |line: &&str| !line.is_empty() && !line.starts_with('%');
    let mut lines = text.lines().map(str::trim).filter(is_atom);
    if lines.any(|line| line.ends_with('.') || line.contains(". %")) {
        reading.has_plain_facts = false;
        read_text(text, &mut Atoms, reading);
        return;
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let atom = line.trim();
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        if is_atom(&atom) && !reading.messages.is_full() {
            read_line(atom, Span::new(start, start + atom.len()), reading);
        }
    }
}

/// Takes the atom of a line; its faults are shown at the line.
fn read_line(atom: &str, span: Span, reading: &mut FileReading<'_>) {
    reading.line = Some(span);
    match read_clause(&format!("{atom}.")) {
        Ok(statement) => take(&statement, reading),
        Err(found) => {
            let told = |fault: &SyntaxFault| {
                let place = reading.place_in_file(span);
                Diagnostic::error(fault.code(), fault.to_string()).at(place, "in this line")
            };
            let told = found.first().map(told);
            reading.messages.extend(told);
        }
    }
}

fn take(statement: &Statement<'_>, reading: &mut FileReading<'_>) {
    match &statement.head {
        Some(head) => match variable_in(head) {
            Some(name) => {
                let place = reading.place(statement.span);
                reading.tell(faults::asked_with_variable(place, name));
            }
            None => reading.asked(head, statement.span, statement.body.is_empty()),
        },
        None => {
            let place = reading.place(statement.span);
            reading.tell(faults::not_an_example(place, "a ground atom, as `target(a, b)`"));
        }
    }
}

/// The first variable among the arguments of an atom.
fn variable_in<'t>(atom: &'t Term<'_>) -> Option<&'t str> {
    let (_, arguments) = atom_parts(atom)?;
    arguments
        .iter()
        .find_map(|argument| if let TermKind::Variable(name) = &argument.kind { Some(&**name) } else { None })
}

/// A program of atoms.
#[derive(Debug, Default)]
struct Atoms;

impl FileReader for Atoms {
    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        take(statement, reading);
        true
    }
}

/// Replaces the listed examples by the requested atoms. An atom that the data list gets its class and fold from there.
/// If folds have facts of their own (`has_fold_facts`), all its listings count, else the first one only. Gives the
/// positions of atoms that the data do not list, ascending.
pub(super) fn choose(
    target: &PredicateName,
    has_fold_facts: bool,
    examples: &mut RawExamples,
    symbols: &Provisional,
) -> Result<Vec<usize>, Diagnostic> {
    let Some(id) = symbols.find_predicate(target) else { return Ok(Vec::new()) };
    let other = examples.asked.iter().find(|example| example.predicate != id);
    if let Some(other) = other {
        let name = symbols.predicate_name(other.predicate);
        return Err(faults::asked_of_other(other.place, name, target));
    }
    name_rows(id, examples, symbols);
    let (listed, unplaced) = chosen(id, has_fold_facts, examples);
    examples.listed = listed;
    if examples.listed.is_empty() { Err(faults::nothing_to_score(target)) } else { Ok(unplaced) }
}

/// Makes numbers of rows of the atoms' arguments that stand where the examples have such: these are constants of their own.
///
/// **Cost**: a pass over the names of the rows.
fn name_rows(target: PredicateId, examples: &mut RawExamples, symbols: &Provisional) {
    let Some(first) = examples.of(target).next().map(|example| examples.arguments(example).to_vec()) else {
        return;
    };
    for (at, known) in first.into_iter().enumerate() {
        let mut ranges = symbols.all_row_names().iter();
        let Some(range) = ranges.find(|range| range.contains(&known.raw())) else { continue };
        let text = |id: ConstantId| symbols.constant_text(id);
        let rows: FixedMap<&str, ConstantId> =
            range.clone().map(ConstantId::from_raw).map(|id| (text(id), id)).collect();
        for example in 0..examples.asked.len() {
            let mut arguments = examples.arguments(&examples.asked[example]).to_vec();
            let Some(row) = arguments.get(at).and_then(|&named| rows.get(text(named))) else { continue };
            arguments[at] = *row;
            let of_target = examples.rows.rows_mut(examples.asked[example].predicate);
            examples.asked[example].row = of_target.len();
            of_target.push(&arguments);
        }
    }
}

/// The examples to score, and the positions among them of atoms that the data do not list.
fn chosen(
    target: PredicateId,
    has_fold_facts: bool,
    examples: &RawExamples,
) -> (Vec<RawExample>, Vec<usize>) {
    let mut of_data: Vec<&RawExample> = examples.of(target).collect();
    of_data.sort_by_key(|example| (example.fold, !example.is_positive));
    let mut listed: FixedMap<&[ConstantId], Vec<RawExample>> = FixedMap::default();
    for example in of_data {
        listed.entry(examples.arguments(example)).or_default().push(*example);
    }
    let n_taken = if has_fold_facts { usize::MAX } else { 1 };
    let (mut chosen, mut unplaced) = (Vec::new(), Vec::new());
    for example in &examples.asked {
        // The empty list marks an atom as taken: a repeated atom is not taken again.
        match listed.insert(examples.arguments(example), Vec::new()) {
            Some(known) => chosen.extend(known.into_iter().take(n_taken)),
            None => {
                unplaced.push(chosen.len());
                chosen.push(*example);
            }
        }
    }
    (chosen, unplaced)
}

/// Finds the fold of each unlisted atom, if folds have facts of their own: the only fold whose facts have the atom's
/// constants. `tables` are the facts of each world, the last one only the global facts.
///
/// # Errors
///
/// The first atom for which no fold has all its known constants, or several folds have.
pub(super) fn place(
    unplaced: &[usize],
    examples: &mut RawExamples,
    n_constants: usize,
    tables: &[FactTable],
) -> Result<(), Diagnostic> {
    let Some((_, of_folds)) = tables.split_last().filter(|(_, of_folds)| !of_folds.is_empty()) else {
        return Ok(());
    };
    if unplaced.is_empty() {
        return Ok(());
    }
    let held: Vec<Vec<bool>> = of_folds.iter().map(|table| held_constants(table, n_constants)).collect();
    let is_known = |constant: &&ConstantId| held.iter().any(|held| held[constant.index()]);
    for &at in unplaced {
        let known: Vec<ConstantId> =
            examples.arguments(&examples.listed[at]).iter().filter(is_known).copied().collect();
        let has_all = |fold: &usize| known.iter().all(|constant| held[*fold][constant.index()]);
        let folds: Vec<usize> = (0..held.len()).filter(has_all).collect();
        match folds.as_slice() {
            // No fold has any of the constants: only the shared facts count, and loading warns of unknown constants.
            _ if known.is_empty() => {}
            [fold] => examples.listed[at].fold = Some(*fold),
            [] => return Err(faults::asked_of_no_fold(examples.listed[at].place)),
            several => {
                return Err(faults::asked_of_several_folds(examples.listed[at].place, several.len()));
            }
        }
    }
    Ok(())
}

/// For each constant, whether a fact of the table holds it.
pub(super) fn held_constants(table: &FactTable, n_constants: usize) -> Vec<bool> {
    let mut held = vec![false; n_constants];
    for id in (0..table.n_predicates()).map(PredicateId::new) {
        for argument in 0..table.rows(id).arity() {
            table.rows(id).column(argument).for_each(|constant| held[constant.index()] = true);
        }
    }
    held
}

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
