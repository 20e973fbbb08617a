//! Members as clauses.

use gleaner_base::ConstantId;
use gleaner_lang::program::atom::variable_name;
use gleaner_lang::program::display::literal_text;
use gleaner_lang::program::{AggregateOperator, Atom, Literal, Term};

use super::SearchedExamples;
use super::members::{Condition, Family, Member, Searched, Test};
use super::rows::RowTable;

/// A clause that holds the aggregate: `target(..) :- aggregate_all(.., N), N >= 0.`
pub(super) fn clause(member: &Member, searched: &Searched<'_>, data: &SearchedExamples<'_>) -> String {
    let (table, symbols) = (searched.table, data.worlds[0].symbols());
    let conditions = &member.conditions;
    let constant = |condition: &Condition| match condition.test {
        Test::Is(constant) => Some((condition.column, constant)),
        Test::AtMost(_) | Test::AtLeast(_) => None,
    };
    let constants: Vec<(usize, ConstantId)> = conditions.iter().filter_map(constant).collect();
    let counted = member.family.counted;
    let compared = conditions.iter().chain(&counted).map(|condition| condition.column);
    let used: Vec<usize> = compared.chain(member.family.column).collect();
    let needed = table.needed(used.iter().copied());
    // What makes a row differ from another is in the goal, as are columns that literals share.
    let is_met = |column: usize| {
        used.contains(&column)
            || table.columns[column].step.is_none_or(|step| table.steps[step].makes_rows)
            || needed.iter().filter(|&&step| table.steps[step].arguments.contains(&column)).count() > 1
    };
    let argument =
        |&column: &usize| if is_met(column) { RowTable::term(column, &constants) } else { Term::Any };
    let literal = |&step: &usize| {
        let of = &table.steps[step];
        let arguments = of.arguments.iter().map(argument).collect();
        literal_text(&Literal::from(Atom { predicate: of.predicate, arguments }), symbols)
    };
    let mut goal: Vec<String> = needed.iter().map(literal).collect();
    let comparison = |Condition { column, test }: &Condition| {
        let name = variable_name(*column);
        match test {
            Test::Is(constant) => format!("{name} = {}", symbols.constants.text(*constant)),
            Test::AtMost(bound) => format!("{name} =< {bound}"),
            Test::AtLeast(bound) => format!("{name} >= {bound}"),
        }
    };
    goal.extend(conditions.iter().filter(|it| !matches!(it.test, Test::Is(_))).map(comparison));
    let Family { operator, column, .. } = member.family;
    let goal = goal.join(", ");
    let share = |counted| (format!("{}({})", operator.symbol(), comparison(counted)), format!("({goal})"));
    let (template, goal) = match column.map(variable_name) {
        None => counted.as_ref().map_or_else(|| (operator.symbol().to_owned(), format!("({goal})")), share),
        Some(of) if operator == AggregateOperator::Count => {
            (operator.symbol().to_owned(), format!("distinct({of}, ({goal}))"))
        }
        Some(of) => (format!("{}({of})", operator.symbol()), format!("({goal})")),
    };
    let head = symbols.predicate(data.modes.head.predicate);
    let arguments: Vec<String> = (0..head.arity).map(variable_name).collect();
    let value = variable_name(table.columns.len());
    let head = format!("{}({})", head.name, arguments.join(","));
    format!("{head} :- aggregate_all({template}, {goal}, {value}), {value} >= 0.")
}
