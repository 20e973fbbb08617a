//! The classes of the examples that were read.
//!
//! All examples become examples of the first class's binary problem, and keep their classes beside.

use std::collections::BTreeSet;

use gleaner_base::{ClassId, ConstantId, FixedMap, PredicateId};
use gleaner_lang::program::SaidBy;
use gleaner_lang::program::{Number, PredicateName};
use gleaner_lang::syntax::{Diagnostic, Place};

use super::super::cells::{cell_constant, cell_text};
use super::super::check;
use super::super::faults;
use super::super::gather::{Gathered, RawClasses, RawExample};
use super::super::mode_terms::{Marker, RawMode};
use super::super::request::{LoadPurpose, TargetRequest};
use super::ClassRequest;
use gleaner_lang::program::TargetName;

/// Finds the class of each example, if the request names the source of classes.
pub(crate) fn settle(asked: &TargetRequest<'_>, gathered: &mut Gathered) {
    let ClassRequest { argument, targets, .. } = asked.classes;
    let settled = match (argument, targets.as_slice()) {
        (None, []) => return,
        (Some(argument), []) => by_argument(*argument, asked, gathered),
        (None, targets) => by_predicate(targets, asked, gathered),
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
            leave_negatives_out(asked.purpose, gathered);
            gathered.diagnostics.extend(conflict(&classes, gathered));
            gathered.classes = Some(classes);
        }
        Err(fault) => gathered.diagnostics.push(fault),
    }
}

/// The classes are the values of an argument of the target.
fn by_argument(
    argument: usize,
    asked: &TargetRequest<'_>,
    gathered: &mut Gathered,
) -> Result<RawClasses, Diagnostic> {
    let target = check::target(asked, gathered)?;
    if argument >= target.arity {
        return Err(faults::no_class_argument(argument, &target));
    }
    let id = gathered.symbols.predicate(&target.name, target.arity);
    gathered.fit_tables();
    let constants = match &asked.classes.names {
        Some(names) => names.iter().map(|name| cell_constant(name, &mut gathered.symbols)).collect(),
        None => {
            let mut constants = constants_of(id, argument, gathered);
            // An empty cell says no class.
            constants.retain(|&id| !class_name(gathered.symbols.constant_text(id)).is_empty());
            constants
        }
    };
    let names = constants.iter().map(|&id| class_name(gathered.symbols.constant_text(id))).collect();
    let classes: FixedMap<ConstantId, ClassId> =
        constants.iter().enumerate().map(|(class, &constant)| (constant, ClassId::new(class))).collect();
    let Some(&first) = constants.first() else { return Err(faults::no_examples("labelled", &target)) };
    let Gathered { examples, asked, example_rows, .. } = gathered;
    let rows = example_rows.rows_mut(id);
    for example in examples.iter_mut().chain(asked).filter(|example| example.predicate == id) {
        let mut row = rows.row(example.row).to_vec();
        let class = classes.get(&row[argument]).copied();
        row[argument] = first;
        example.row = rows.len();
        rows.push(&row);
        set_class(example, class);
    }
    Ok(RawClasses { names, said_by: SaidBy::Argument(argument, constants) })
}

/// The name of a class as the cell of a table has it: a constant without its quotes.
fn class_name(constant: &str) -> String {
    cell_text(constant).unwrap_or_else(|| constant.to_owned())
}

/// The values of this argument in positive examples: numbers ascending, then the others in alphabetical order.
fn constants_of(id: PredicateId, argument: usize, gathered: &Gathered) -> Vec<ConstantId> {
    let known: BTreeSet<ConstantId> = gathered
        .examples
        .iter()
        .filter(|example| example.predicate == id && example.is_positive)
        .map(|example| gathered.arguments(example)[argument])
        .collect();
    let mut constants: Vec<ConstantId> = known.into_iter().collect();
    let value =
        |id: &ConstantId| gathered.symbols.numbers().get(&id.raw()).map(|number: &Number| number.as_f64());
    let text = |id: &ConstantId| gathered.symbols.constant_text(*id);
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
    asked: &TargetRequest<'_>,
    gathered: &mut Gathered,
) -> Result<RawClasses, Diagnostic> {
    let mut predicates: Vec<PredicateId> = Vec::with_capacity(targets.len());
    for target in targets {
        let known: BTreeSet<&PredicateName> = gathered
            .examples
            .iter()
            .chain(&gathered.asked)
            .map(|example| gathered.symbols.predicate_name(example.predicate))
            .collect();
        let mut named = known.iter().filter(|name| target.is(name));
        let id = match (named.next(), named.next()) {
            (Some(&only), None) => gathered.symbols.find_predicate(only),
            (Some(&one), Some(&other)) => {
                return Err(faults::several_targets(&[one.clone(), other.clone()]));
            }
            // A class of a model need not have examples.
            (None, _) => match target.arity.filter(|_| asked.purpose == LoadPurpose::Score) {
                Some(arity) => Some(gathered.symbols.predicate(&target.name, arity)),
                None => {
                    let known: Vec<PredicateName> = known.into_iter().cloned().collect();
                    return Err(faults::other_target(target, &known));
                }
            },
        };
        predicates.extend(id.filter(|id| !predicates.contains(id)));
    }
    gathered.fit_tables();
    let names: Vec<PredicateName> =
        predicates.iter().map(|&id| gathered.symbols.predicate_name(id).clone()).collect();
    if names.iter().any(|name| name.arity != names[0].arity) {
        return Err(faults::classes_of_arities(&names));
    }
    join(&predicates, gathered);
    let names = names.into_iter().map(|name| name.name).collect();
    Ok(RawClasses { names, said_by: SaidBy::Predicate(predicates) })
}

/// Turns all examples into examples of the first predicate.
fn join(predicates: &[PredicateId], gathered: &mut Gathered) {
    let first = predicates[0];
    let Gathered { examples, asked, example_rows, .. } = gathered;
    let n_listed = examples.len();
    for (position, example) in examples.iter_mut().chain(asked).enumerate() {
        let Some(class) = predicates.iter().position(|&id| id == example.predicate) else { continue };
        if class > 0 {
            let row = example_rows.rows(example.predicate).row(example.row).to_vec();
            let rows = example_rows.rows_mut(first);
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
        None => (example.is_positive, example.is_labelled) = (false, false),
    }
}

/// Drops the examples without a class, unless the examples are scored. They are only known not to be of some class.
fn leave_negatives_out(purpose: LoadPurpose, gathered: &mut Gathered) {
    if purpose == LoadPurpose::Score {
        return;
    }
    let mut first: Option<Place> = None;
    let n_before = gathered.examples.len();
    gathered.examples.retain(|example| {
        if !example.is_labelled {
            first.get_or_insert(example.place);
        }
        example.is_labelled
    });
    let n_left_out = n_before - gathered.examples.len();
    gathered.diagnostics.extend(first.map(|place| faults::negatives_left_out(place, n_left_out)));
}

/// The fault of an example that is listed in two classes, if both listings use the same facts.
fn conflict(classes: &RawClasses, gathered: &Gathered) -> Option<Diagnostic> {
    let has_fold_facts = gathered.folds.iter().any(|table| table.n_rows() > 0);
    type Key<'g> = (PredicateId, &'g [ConstantId], Option<usize>);
    let mut known: FixedMap<Key<'_>, &RawExample> = FixedMap::default();
    let mut conflicts: Vec<(&RawExample, &RawExample)> = Vec::new();
    for example in gathered.examples.iter().filter(|example| example.is_labelled) {
        let fold = example.fold.filter(|_| has_fold_facts);
        let first = known.entry((example.predicate, gathered.arguments(example), fold)).or_insert(example);
        if first.class != example.class {
            conflicts.push((*first, example));
        }
    }
    let (first, second) = conflicts.first()?;
    let name = |example: &RawExample| classes.names[example.class.index()].as_str();
    let arguments: Vec<&str> = gathered
        .arguments(first)
        .iter()
        .enumerate()
        .map(|(argument, &id)| match classes.said_by {
            SaidBy::Argument(class, _) if class == argument => "_",
            _ => gathered.symbols.constant_text(id),
        })
        .collect();
    let text = match classes.said_by {
        SaidBy::Argument(..) => {
            format!("{}({})", gathered.symbols.predicate_name(first.predicate).name, arguments.join(","))
        }
        SaidBy::Predicate(_) => format!("({})", arguments.join(",")),
    };
    let said = [(first.place, name(first)), (second.place, name(second))];
    Some(faults::of_two_classes(&text, said, conflicts.len() - 1))
}

/// Warns of folds that lack a class.
pub(crate) fn check_folds(gathered: &Gathered, diagnostics: &mut Vec<Diagnostic>) {
    let Some(classes) = &gathered.classes else { return };
    for (fold_idx, fold) in gathered.fold_names.iter().enumerate() {
        let has = |class: usize| {
            let mut of_fold = gathered.examples.iter().filter(|example| example.fold == Some(fold_idx));
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
pub(crate) fn with_class(mut head: RawMode, gathered: &Gathered) -> RawMode {
    if let Some(argument) = gathered.classes.as_ref().and_then(RawClasses::argument) {
        head.arguments[argument].0 = Marker::Constant;
    }
    head
}
