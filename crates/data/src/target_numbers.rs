//! Numbers as targets: examples that have a number instead of a class.
//!
//! The number is an argument of the target, which then leaves the example, or the label of a row. The problem is read as
//! the binary one of the upper half of the numbers against the lower half. `NumberList` holds the numbers beside it.

use std::collections::BTreeSet;

use crate::check;
use crate::faults::examples as faults;
use crate::gather::{ClassRequest, Facts, Gathered, RawExample, RawExamples, RawNumbers, Statements, fit};
use crate::mode_terms::{ModeSide, RawMode};
use crate::request::{LoadPurpose, TargetRequest};
use crate::rows::CellValue;
use gleaner_base::{ClassId, ConstantId, FixedMap, PredicateId};
use gleaner_lang::program::{NumberList, NumberSource, PredicateName, TargetName};
use gleaner_lang::syntax::{Diagnostic, Place, codes};

/// Finds the number of each example, if the request says that the target is a number, or the layout does.
pub(crate) fn settle(asked: &TargetRequest<'_>, gathered: &mut Gathered) {
    let Gathered { statements, facts, messages, .. } = gathered;
    let of_layout = (!statements.examples.read_numbers.is_empty()).then_some(NumberSource::Label);
    let Some(source) = asked.number.or(of_layout) else { return };
    match settled(asked, source, statements, facts) {
        Ok(told) => messages.extend(told),
        // What is wrong with the labels explains why there are no examples.
        Err(fault) if fault.code() == codes::NO_EXAMPLES && messages.have_error() => {}
        Err(fault) => messages.push(fault),
    }
}

/// Finds the numbers; gives messages about examples that are left out, or have two numbers.
fn settled(
    asked: &TargetRequest<'_>,
    source: NumberSource,
    statements: &mut Statements,
    facts: &Facts,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    if *asked.classes != ClassRequest::default() {
        return Err(faults::number_and_class());
    }
    if asked.makes_negatives {
        return Err(faults::negatives_of_numbers());
    }
    let target = declared_target(asked, statements, facts)?;
    let (target, numbers) = match source {
        NumberSource::Argument(argument) => by_argument(asked, argument, &target, statements)?,
        NumberSource::Label => by_label(target, statements),
    };
    let is_scored = asked.purpose == LoadPurpose::Score;
    let list = NumberList { values: distinct(&numbers), source };
    match list.values[..] {
        [] if !is_scored => return Err(faults::no_numbers(&target)),
        [only] if asked.purpose == LoadPurpose::Learn => return Err(faults::one_number(only)),
        _ => {}
    }
    let id = statements.symbols.predicate(&target.name, target.arity);
    fit(&mut statements.examples.rows, &statements.symbols);
    statements.examples.set_numbers(id, &numbers, &list.values);
    let mut told = if asked.keeps_unlabelled { Vec::new() } else { leave_out(id, &mut statements.examples) };
    told.extend(conflict(id, &list, statements, facts));
    statements.declarations.query = Some(target.clone().into());
    statements.examples.numbers = Some(RawNumbers { list, target });
    Ok(told)
}

/// The target as the data name it, with the argument that holds the number.
fn declared_target(
    asked: &TargetRequest<'_>,
    statements: &Statements,
    facts: &Facts,
) -> Result<PredicateName, Diagnostic> {
    match asked.target {
        // Data that are scored may lack the column of the number.
        Some(TargetName { name, arity: Some(arity) }) if asked.purpose == LoadPurpose::Score => {
            Ok(PredicateName::new(name.as_str(), *arity))
        }
        _ => check::target(asked, statements, facts),
    }
}

/// The numbers are an argument of the target; the argument leaves the examples and the modes of the target.
///
/// Gives the target without the argument, and the number of each example by its place in `listed`.
fn by_argument(
    asked: &TargetRequest<'_>,
    argument: usize,
    full: &PredicateName,
    statements: &mut Statements,
) -> Result<(PredicateName, Vec<Option<f64>>), Diagnostic> {
    if argument >= full.arity {
        return Err(faults::no_number_argument(argument, full));
    }
    let short = PredicateName::new(full.name.as_str(), full.arity - 1);
    let is_defined =
        |id: PredicateId| statements.first_facts.contains_key(&id) || statements.rules.first_of(id).is_some();
    if let Some(id) = statements.symbols.find_predicate(&short).filter(|&id| is_defined(id)) {
        let place = statements.first_facts.get(&id).copied();
        let place = place.or_else(|| statements.rules.first_of(id).map(|rule| rule.place));
        return Err(faults::short_target_defined(place.unwrap_or_default(), full, &short));
    }
    let [full_id, short_id] = [full, &short].map(|name| statements.symbols.predicate(&name.name, name.arity));
    fit(&mut statements.examples.rows, &statements.symbols);
    let Statements { symbols, examples, declarations, .. } = statements;
    let RawExamples { listed, asked: atoms, rows, .. } = examples;
    let is_scored = asked.purpose == LoadPurpose::Score;
    let mut shorten = |example: &mut RawExample| -> ConstantId {
        let mut row = rows.rows(full_id).row(example.row).to_vec();
        let value = row.remove(argument);
        let rows = rows.rows_mut(short_id);
        (example.predicate, example.row) = (short_id, rows.len());
        rows.push(&row);
        value
    };
    let mut numbers = Vec::with_capacity(listed.len());
    let mut odd: Option<(Place, String, usize)> = None;
    for example in listed.iter_mut() {
        let is_negative = example.is_labelled && !example.is_positive;
        let mut number = None;
        if example.predicate == full_id {
            let constant = shorten(example);
            number = symbols.numbers().get(constant.raw()).map(|number| number.as_f64());
            let text = symbols.constant_text(constant);
            if number.is_none() && !is_no_value(text) && !is_scored && !is_negative {
                odd.get_or_insert_with(|| (example.place, text.to_owned(), 0)).2 += 1;
            }
        } else if example.predicate == short_id {
            example.forget_class();
        }
        numbers.push(number.filter(|number| number.is_finite() && !is_negative));
    }
    atoms.iter_mut().filter(|example| example.predicate == full_id).for_each(|example| {
        shorten(example);
    });
    if let Some((place, text, n)) = odd {
        return Err(faults::not_a_number(place, &text, n - 1));
    }
    let without = |name: &mut PredicateName| {
        let is_full = name == full;
        if is_full {
            *name = short.clone();
        }
        is_full
    };
    declarations.modes.iter_mut().for_each(|mode| shorten_mode(mode, full, &short, argument));
    declarations.determinations.iter_mut().for_each(|(head, ..)| _ = without(head));
    for (name, types, _) in &mut declarations.declared_types {
        if without(name) && argument < types.len() {
            types.remove(argument);
        }
    }
    for (name, names) in &mut declarations.argument_names {
        if without(name) && argument < names.len() {
            names.remove(argument);
        }
    }
    Ok((short, numbers))
}

/// Whether a constant stands for an unknown value, as in tables of other programs.
fn is_no_value(constant: &str) -> bool {
    let bare = constant.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(constant);
    CellValue::Written(bare).is_missing()
}

/// Takes the argument of the number from a mode of the target's head.
fn shorten_mode(mode: &mut RawMode, full: &PredicateName, short: &PredicateName, argument: usize) {
    let is_head = mode.side != ModeSide::Body && mode.subject.relation() == Some(full);
    if is_head && argument < mode.arguments.len() {
        mode.subject = short.clone().into();
        mode.arguments.remove(argument);
    }
}

/// The numbers are labels, which reading has noted.
fn by_label(target: PredicateName, statements: &mut Statements) -> (PredicateName, Vec<Option<f64>>) {
    let RawExamples { listed, read_numbers, .. } = &mut statements.examples;
    let number = |example: &RawExample| {
        let noted = example.class.index().checked_sub(1);
        noted.and_then(|at| read_numbers.get(at).copied()).filter(|_| example.is_labelled)
    };
    let numbers = listed.iter().map(number).collect();
    read_numbers.clear();
    (target, numbers)
}

/// The distinct numbers, ascending. Zero has one sign.
fn distinct(numbers: &[Option<f64>]) -> Vec<f64> {
    let mut values: Vec<f64> = numbers.iter().flatten().map(|&number| number + 0.0).collect();
    values.sort_by(f64::total_cmp);
    values.dedup_by(|later, earlier| later.total_cmp(earlier).is_eq());
    values
}

impl RawExamples {
    /// Gives the examples of a predicate their numbers: as class the rank among the distinct `values`, and as sign the
    /// half of the examples. Other examples lose their class.
    fn set_numbers(&mut self, id: PredicateId, numbers: &[Option<f64>], values: &[f64]) {
        let rank = |number: f64| values.partition_point(|value| value.total_cmp(&(number + 0.0)).is_lt());
        let mut ranks: Vec<usize> = numbers.iter().flatten().map(|&number| rank(number)).collect();
        ranks.sort_unstable();
        let median = ranks.get(ranks.len() / 2).copied().unwrap_or(0);
        // Where the median is the least number, the examples above it are the upper half.
        let least_upper = median.max(1);
        for (example, number) in self.listed.iter_mut().zip(numbers) {
            match number.filter(|_| example.predicate == id) {
                Some(number) => {
                    let rank = rank(number);
                    example.class = ClassId::new(rank);
                    (example.is_positive, example.is_labelled) = (rank >= least_upper, true);
                }
                None => {
                    example.class = ClassId::default();
                    example.forget_class();
                }
            }
        }
    }
}

/// Drops the examples of the target without a number.
fn leave_out(id: PredicateId, examples: &mut RawExamples) -> Vec<Diagnostic> {
    let mut first: Option<Place> = None;
    let n_before = examples.listed.len();
    examples.listed.retain(|example| {
        let is_left_out = example.predicate == id && !example.is_labelled;
        if is_left_out {
            first.get_or_insert(example.place);
        }
        !is_left_out
    });
    let n_left_out = n_before - examples.listed.len();
    first.map(|place| faults::without_number(place, n_left_out)).into_iter().collect()
}

/// The fault of an example with two numbers, if both listings use the same facts.
fn conflict(
    id: PredicateId,
    list: &NumberList,
    statements: &Statements,
    facts: &Facts,
) -> Option<Diagnostic> {
    let Statements { symbols, examples, .. } = statements;
    let has_fold_facts = facts.are_in_folds();
    let mut known: FixedMap<(&[ConstantId], Option<usize>), &RawExample> = FixedMap::default();
    let mut first: Option<(&RawExample, &RawExample)> = None;
    let mut conflicting: BTreeSet<usize> = BTreeSet::new();
    for example in examples.of(id).filter(|example| example.is_labelled) {
        let fold = example.fold.filter(|_| has_fold_facts);
        let earlier = *known.entry((examples.arguments(example), fold)).or_insert(example);
        if earlier.class != example.class {
            conflicting.insert(earlier.row);
            first.get_or_insert((earlier, example));
        }
    }
    let (earlier, later) = first?;
    let arguments: Vec<&str> =
        examples.arguments(earlier).iter().map(|&constant| symbols.constant_text(constant)).collect();
    let text = format!("{}({})", symbols.predicate_name(id).name, arguments.join(","));
    let said = [earlier, later].map(|example| (example.place, list.of_class(example.class)));
    Some(faults::of_two_numbers(&text, said, conflicting.len() - 1))
}

#[cfg(test)]
mod tests {
    use gleaner_lang::program::NumberSource;

    use crate::{LoadRequest, Loaded, Problem, Table, load};
    use gleaner_lang::syntax::Sources;

    const MODES: &str = ":- modeh(1, price(+house, #euros)).\n:- modeb(1, garden(+house)).\n";

    /// Modes and a garden of `b`. Where the label is the number, the target has no argument for it.
    fn program(number: NumberSource) -> String {
        let modes =
            if number == NumberSource::Label { MODES.replace(", #euros", "") } else { MODES.to_owned() };
        format!("{modes}garden(b).")
    }

    /// The problem of tables, beside a garden of `b`.
    fn loaded(tables: impl IntoIterator<Item = Table>, number: NumberSource) -> Loaded {
        let request = LoadRequest::of_facts(tables, program(number));
        load(&LoadRequest { number: Some(number), ..request }, &mut Sources::new()).expect("it loads")
    }

    fn numbers(problem: &Problem) -> Vec<Option<f64>> {
        problem.examples().ids().map(|id| problem.number(id)).collect()
    }

    /// Examples ascend by their arguments; classes are ranks of the numbers, and zero has one sign.
    #[test]
    fn an_argument_holds_the_number() {
        let prices = Table::new("price").column("house", vec!["d", "a", "b", "c"]);
        let prices = prices.column("euros", vec![2.5, 0.0, -0.0, -7.0]).column("label", vec![true; 4]);
        let problem = loaded([prices], NumberSource::Argument(1)).problem;
        assert_eq!(numbers(&problem), [Some(0.0), Some(0.0), Some(-7.0), Some(2.5)]);
        let list = problem.numbers().expect("numbers");
        assert_eq!(list.values, [-7.0, 0.0, 2.5]);
        let ranks: Vec<usize> =
            problem.examples().ids().map(|id| problem.examples().class(id).index()).collect();
        assert_eq!(ranks, [1, 1, 0, 2]);
        assert_eq!((problem.target().arity, problem.examples().arity()), (1, 1));
    }

    /// A negative example only says what the number is not.
    #[test]
    fn negatives_and_empty_cells_are_left_out() {
        let prices = Table::new("price").column("house", vec!["a", "b", "c", "d"]);
        let prices = prices.column("euros", vec![Some(1), Some(2), Some(5), None]);
        let prices = prices.column("label", vec![true, true, false, true]);
        let loaded = loaded([prices], NumberSource::Argument(1));
        assert_eq!(numbers(&loaded.problem), [Some(1.0), Some(2.0)]);
        let code = gleaner_lang::syntax::codes::WITHOUT_NUMBER;
        assert_eq!(loaded.warnings.iter().filter(|known| known.code() == code).count(), 1);
    }

    /// Where numbers are expected, the labels of a table in memory are numbers; one that is missing is left out, or stays.
    #[test]
    fn labels_of_tables_in_memory_are_numbers() {
        let prices = Table::new("price").column("house", vec!["a", "b", "c"]);
        let prices = prices.column("label", vec![Some(1.5), Some(3.0), None]);
        let problem = loaded([prices.clone()], NumberSource::Label).problem;
        assert_eq!(numbers(&problem), [Some(1.5), Some(3.0)]);
        let request = LoadRequest::of_facts([prices], program(NumberSource::Label));
        let number = Some(NumberSource::Label);
        let request = LoadRequest { number, keeps_unlabelled: true, ..request };
        let problem = load(&request, &mut Sources::new()).expect("it loads").problem;
        assert_eq!(numbers(&problem), [Some(1.5), Some(3.0), None]);
    }
}
