//! Many classes: examples that are not positive or negative, but each of one class of several.
//!
//! A class is the value of one argument of the target, or one of several targets. Such a problem is read as the binary
//! one of its first class against the rest. [`Problem::of_class`](super::Problem::of_class) makes the binary problem of
//! any class: all have the same examples in the same order.
//!
//! All examples become examples of the first class's binary problem, and keep their classes beside.
//!
//! Columns of tables that could hold the class of their rows, for messages about missing classes.

use std::collections::BTreeSet;

use crate::cells::{cell_constant, cell_text};
use crate::faults::LabelColumn;
use crate::gather::{ClassRequest, Facts, Gathered, RawExample, RawExamples, Statements, fit};
use crate::mode_terms::{Marker, RawMode};
use crate::provisional::Provisional;
use crate::request::{LoadPurpose, TargetRequest};
use crate::{check, faults};
use gleaner_base::{ClassId, ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::{ClassList, FactTable, Number, PredicateName, SaidBy, TargetName};
use gleaner_lang::syntax::{Diagnostic, Place};

/// Finds the class of each example, if the request names the source of classes.
pub(crate) fn settle(asked: &TargetRequest<'_>, gathered: &mut Gathered) {
    let ClassRequest { argument, targets, names } = asked.classes;
    let Gathered { statements, facts, messages, .. } = gathered;
    let argument = statements.examples.class_argument.or(*argument);
    let are_kept: Vec<bool> = match asked.keeps_unlabelled {
        true => statements.examples.listed.iter().map(|example| !example.is_labelled).collect(),
        false => vec![false; statements.examples.listed.len()],
    };
    let settled = match (argument, targets.as_slice()) {
        (None, []) => return,
        (Some(argument), []) => check::target(asked, statements, facts)
            .and_then(|target| by_argument(argument, &target, names.as_deref(), statements)),
        (None, targets) => by_predicate(targets, asked.purpose, statements),
        (Some(_), _) => Err(faults::classes_said_twice()),
    };
    let settled = settled.and_then(|classes| {
        if asked.makes_negatives {
            return Err(faults::negatives_of_classes());
        }
        if classes.names.len() < 2 {
            return Err(faults::too_few_classes(&classes.names));
        }
        Ok(classes)
    });
    match settled {
        Ok(classes) => {
            if asked.purpose != LoadPurpose::Score {
                messages.extend(leave_negatives_out(&are_kept, &mut statements.examples.listed));
            }
            messages.extend(numbers_as_classes(&classes, &statements.symbols));
            messages.extend(conflict(&classes, statements, facts));
            statements.examples.classes = Some(classes);
        }
        Err(fault) => messages.push(fault),
    }
}

/// The classes are the values of an argument of the target.
fn by_argument(
    argument: usize,
    target: &PredicateName,
    names: Option<&[String]>,
    statements: &mut Statements,
) -> Result<ClassList, Diagnostic> {
    if argument >= target.arity {
        return Err(faults::no_class_argument(argument, target));
    }
    let id = statements.symbols.predicate(&target.name, target.arity);
    fit(&mut statements.examples.rows, &statements.symbols);
    let constants = match names {
        Some(names) => names.iter().map(|name| cell_constant(name, &mut statements.symbols)).collect(),
        None => constants_of(id, argument, statements),
    };
    let Statements { symbols, examples, .. } = statements;
    let names = constants.iter().map(|&id| class_name(symbols.constant_text(id))).collect();
    let classes: FixedMap<ConstantId, ClassId> =
        constants.iter().enumerate().map(|(class, &constant)| (constant, ClassId::new(class))).collect();
    let Some(&first) = constants.first() else { return Err(faults::no_examples("labelled", target)) };
    let RawExamples { listed, asked, rows, .. } = examples;
    let rows = rows.rows_mut(id);
    for example in listed.iter_mut().chain(asked).filter(|example| example.predicate == id) {
        let mut row = rows.row(example.row).to_vec();
        let class = classes.get(&row[argument]).copied();
        row[argument] = first;
        example.row = rows.len();
        rows.push(&row);
        set_class(example, class);
    }
    let said_by = SaidBy::Argument(argument, constants);
    Ok(ClassList { names, said_by, own: ClassId::default() })
}

/// The warning that the classes are so many numbers that they rather are one number to predict.
fn numbers_as_classes(classes: &ClassList, symbols: &Provisional) -> Option<Diagnostic> {
    const MANY: usize = 10;
    let SaidBy::Argument(argument, constants) = &classes.said_by else { return None };
    let are_numbers = constants.iter().all(|constant| symbols.numbers().contains(constant.raw()));
    (are_numbers && constants.len() > MANY)
        .then(|| faults::examples::numbers_as_classes(*argument, constants.len()))
}

/// The name of a class as the cell of a table has it: a constant without its quotes.
fn class_name(constant: &str) -> String {
    cell_text(constant).unwrap_or_else(|| constant.to_owned())
}

/// The values of this argument in positive examples: numbers ascending, then the others in alphabetical order.
fn constants_of(id: PredicateId, argument: usize, statements: &Statements) -> Vec<ConstantId> {
    let Statements { symbols, examples, .. } = statements;
    let positives = examples.of(id).filter(|example| example.is_positive);
    let known: BTreeSet<ConstantId> =
        positives.map(|example| examples.arguments(example)[argument]).collect();
    let mut constants: Vec<ConstantId> = known.into_iter().collect();
    // An empty cell says no class.
    constants.retain(|&id| !class_name(symbols.constant_text(id)).is_empty());
    let value = |id: &ConstantId| symbols.numbers().get(id.raw()).map(Number::as_f64);
    let text = |id: &ConstantId| symbols.constant_text(*id);
    constants.sort_by(|left, right| {
        let by_value = match (value(left), value(right)) {
            (Some(left), Some(right)) => left.total_cmp(&right),
            (left, right) => left.is_none().cmp(&right.is_none()),
        };
        by_value.then_with(|| text(left).cmp(text(right)))
    });
    constants
}

/// The classes are the predicates of the examples.
fn by_predicate(
    targets: &[TargetName],
    purpose: LoadPurpose,
    statements: &mut Statements,
) -> Result<ClassList, Diagnostic> {
    let Statements { symbols, examples, .. } = statements;
    let mut predicates: Vec<PredicateId> = Vec::with_capacity(targets.len());
    for target in targets {
        let all = examples.listed.iter().chain(&examples.asked);
        let known: BTreeSet<&PredicateName> =
            all.map(|example| symbols.predicate_name(example.predicate)).collect();
        let mut named = known.iter().filter(|name| target.is(name));
        let id = match (named.next(), named.next()) {
            (Some(&only), None) => symbols.find_predicate(only),
            (Some(&one), Some(&other)) => {
                return Err(faults::several_targets(&[one.clone(), other.clone()]));
            }
            // A class of a model need not have examples.
            (None, _) => match target.arity.filter(|_| purpose == LoadPurpose::Score) {
                Some(arity) => Some(symbols.predicate(&target.name, arity)),
                None => {
                    let known: Vec<PredicateName> = known.into_iter().cloned().collect();
                    return Err(faults::other_target(target, &known));
                }
            },
        };
        predicates.extend(id.filter(|id| !predicates.contains(id)));
    }
    fit(&mut examples.rows, symbols);
    let names: Vec<PredicateName> = predicates.iter().map(|&id| symbols.predicate_name(id).clone()).collect();
    if names.iter().any(|name| name.arity != names[0].arity) {
        return Err(faults::classes_of_arities(&names));
    }
    join(&predicates, examples);
    let names = names.into_iter().map(|name| name.name).collect();
    Ok(ClassList { names, said_by: SaidBy::Predicate(predicates), own: ClassId::default() })
}

/// Turns all examples into examples of the first predicate.
fn join(predicates: &[PredicateId], examples: &mut RawExamples) {
    let first = predicates[0];
    let RawExamples { listed, asked, rows, .. } = examples;
    let n_listed = listed.len();
    for (position, example) in listed.iter_mut().chain(asked).enumerate() {
        let Some(class) = predicates.iter().position(|&id| id == example.predicate) else { continue };
        if class > 0 {
            let row = rows.rows(example.predicate).row(example.row).to_vec();
            let rows = rows.rows_mut(first);
            (example.predicate, example.row) = (first, rows.len());
            rows.push(&row);
        }
        set_class(example, (position < n_listed).then(|| ClassId::new(class)));
    }
}

/// A positive example gets the class that it names, and stays positive if that is the first class.
fn set_class(example: &mut RawExample, class: Option<ClassId>) {
    match class.filter(|_| example.is_positive && example.is_labelled) {
        Some(class) => {
            example.class = class;
            example.is_positive = class == ClassId::default();
        }
        None => example.forget_class(),
    }
}

/// Drops the examples without a class, but for those to be kept: they are only known not to be of some class.
fn leave_negatives_out(are_kept: &[bool], examples: &mut Vec<RawExample>) -> Option<Diagnostic> {
    let mut first: Option<Place> = None;
    let n_before = examples.len();
    let mut are_kept = are_kept.iter();
    examples.retain(|example| {
        let stays = example.is_labelled | are_kept.next().is_some_and(|is_kept| *is_kept);
        if !stays {
            first.get_or_insert(example.place);
        }
        stays
    });
    let n_left_out = n_before - examples.len();
    first.map(|place| faults::negatives_left_out(place, n_left_out))
}

/// The fault of an example that is listed in two classes, if both listings use the same facts.
fn conflict(classes: &ClassList, statements: &Statements, facts: &Facts) -> Option<Diagnostic> {
    let Statements { symbols, examples, .. } = statements;
    let has_fold_facts = facts.are_in_folds();
    type Key<'g> = (PredicateId, &'g [ConstantId], Option<usize>);
    let mut known: FixedMap<Key<'_>, &RawExample> = FixedMap::default();
    let mut conflicts: Vec<(&RawExample, &RawExample)> = Vec::new();
    for example in examples.listed.iter().filter(|example| example.is_labelled) {
        let fold = example.fold.filter(|_| has_fold_facts);
        let first = known.entry((example.predicate, examples.arguments(example), fold)).or_insert(example);
        if first.class != example.class {
            conflicts.push((*first, example));
        }
    }
    let (first, second) = conflicts.first()?;
    let name = |example: &RawExample| classes.names[example.class.index()].as_str();
    let arguments: Vec<&str> = examples
        .arguments(first)
        .iter()
        .enumerate()
        .map(|(argument, &id)| match classes.said_by {
            SaidBy::Argument(class, _) if class == argument => "_",
            _ => symbols.constant_text(id),
        })
        .collect();
    let text = match classes.said_by {
        SaidBy::Argument(..) => {
            format!("{}({})", symbols.predicate_name(first.predicate).name, arguments.join(","))
        }
        SaidBy::Predicate(_) => format!("({})", arguments.join(",")),
    };
    let said = [(first.place, name(first)), (second.place, name(second))];
    Some(faults::of_two_classes(&text, said, conflicts.len() - 1))
}

/// Warns of folds that lack a class.
pub(crate) fn check_folds(examples: &RawExamples, diagnostics: &mut Vec<Diagnostic>) {
    let Some(classes) = &examples.classes else { return };
    for (fold_idx, fold) in examples.fold_names.iter().enumerate() {
        let has = |class: usize| {
            let mut of_fold = examples.listed.iter().filter(|example| example.fold == Some(fold_idx));
            of_fold.any(|example| example.is_labelled && example.class.index() == class)
        };
        let missing: Vec<&str> = (0..classes.names.len())
            .filter(|&class| !has(class))
            .map(|class| &*classes.names[class])
            .collect();
        if !missing.is_empty() {
            diagnostics.push(faults::fold_without_classes(fold, &missing));
        }
    }
}

/// The head mode with the argument that holds the class, if one does, as a constant.
pub(crate) fn with_class(mut head: RawMode, examples: &RawExamples) -> RawMode {
    if let Some(argument) = examples.classes.as_ref().and_then(ClassList::argument) {
        head.arguments[argument].0 = Marker::Constant;
    }
    head
}

/// The most values of a column that could hold classes.
const MOST_CLASSES: usize = 10;

/// The fewest rows for each value, on average.
const ROWS_OF_A_CLASS: usize = 5;

/// The columns of few values in tables. Those beside a column that identifies each row come first, then those of fewest values, then
/// by name. Cost: a pass over the tables' rows.
pub(super) fn label_columns(statements: &Statements, facts: &Facts) -> Vec<LabelColumn> {
    let mut columns = Vec::new();
    let tables: Vec<&FactTable> = facts.tables().chain([&statements.examples.rows]).collect();
    for (table, names) in &statements.declarations.argument_names {
        let Some(id) = statements.symbols.find_predicate(table) else { continue };
        let (n_rows, n_values) = distinct_values(id, table.arity, &tables);
        let is_beside_key = n_values.contains(&n_rows);
        for (argument, name) in names.iter().enumerate() {
            let n_values = n_values[argument];
            let is_few = (2..=MOST_CLASSES).contains(&n_values) && n_rows >= ROWS_OF_A_CLASS * n_values;
            if is_few {
                let (name, table) = (name.clone(), table.clone());
                columns.push(LabelColumn { name, table, argument, n_values, is_beside_key });
            }
        }
    }
    columns.sort_by(|left, right| {
        let rank = |of: &LabelColumn| (!of.is_beside_key, of.n_values);
        rank(left)
            .cmp(&rank(right))
            .then_with(|| (&left.table, left.argument).cmp(&(&right.table, right.argument)))
    });
    columns
}

/// The number of a predicate's rows, facts and examples, and for each argument the number of its distinct constants.
fn distinct_values(id: PredicateId, arity: usize, tables: &[&FactTable]) -> (usize, Vec<usize>) {
    let mut values: Vec<FixedSet<ConstantId>> = vec![FixedSet::default(); arity];
    let mut n_rows = 0;
    for rows in tables.iter().filter(|table| id.index() < table.n_predicates()).map(|table| table.rows(id)) {
        n_rows += rows.len();
        for (argument, values) in values.iter_mut().enumerate() {
            values.extend(rows.column(argument));
        }
    }
    (n_rows, values.iter().map(FixedSet::len).collect())
}
