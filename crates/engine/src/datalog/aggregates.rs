//! Rules with aggregates as plain rules over temporary predicates, and folds between them.
//!
//! For `head :- others, aggregate_all(Operator, Goal, N)` there are
//!
//! 1. a *source*: `source(Groups, Locals) :- Goal`;
//! 2. a *fold*, which makes one row `value(Groups, N)` of the rows of each group, once the source is complete;
//! 3. `head :- others, value(Groups, N)`;
//! 4. for a count or a sum `head :- others, \+ source(Groups, _), N = 0`.
//!
//! With several aggregates in a rule, 3 and 4 are made for each combination. The strata of these rules are the strata
//! of the program: a rule that never runs says that the value depends on the complete source. The alternative, an
//! operator that folds within a stratum, would need another kind of stage in each plan.

use std::cmp::Ordering;

use gleaner_base::{ConstantId, FixedMap, PredicateId, VariableId};
use gleaner_lang::program::safety::source_body;
use gleaner_lang::program::stratify::Stratum;
use gleaner_lang::program::{
    Aggregate, AggregateOperator, Atom, Clause, ComparisonOperator, FactTable, Literal, Number, Rows, Term,
};

use super::NumberTable;
use super::stratum::LimitPassed;
use super::tuple::Spending;

/// Plain rules in place of rules with aggregates.
pub(super) struct Expansion {
    /// The rules. The rule of a value stands for its fold and is not run.
    pub(super) rules: Vec<Clause>,
    /// For each, the position of the rule that it was made of.
    origins: Vec<usize>,
    /// The folds, by the predicates of their values.
    folds: FixedMap<PredicateId, Fold>,
    /// How many predicates are not temporary.
    n_known: usize,
    /// The head predicate of the rule for which each temporary predicate was made.
    owners: Vec<PredicateId>,
}

/// How rows of a source become a row of values.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    operator: AggregateOperator,
    source: PredicateId,
    value: PredicateId,
    /// The first columns are the groups.
    n_groups: usize,
    /// The column that is summed or compared.
    column: Option<usize>,
    /// The column that is the time.
    time: Option<usize>,
    /// The comparison of a share, over the columns.
    counted: Option<Literal>,
}

impl Expansion {
    /// The plain rules for these, with room for their temporary predicates at the end of `facts`. With `of_facts` there
    /// are only values of groups that the facts have: step 4 is left out.
    pub(super) fn new(
        rules: &[Clause],
        of_facts: bool,
        facts: &mut FactTable,
        constants: &mut dyn NumberTable,
    ) -> Self {
        let mut expansion = Self {
            rules: Vec::with_capacity(rules.len()),
            origins: Vec::with_capacity(rules.len()),
            folds: FixedMap::default(),
            n_known: facts.n_predicates(),
            owners: Vec::new(),
        };
        for (position, rule) in rules.iter().enumerate() {
            let others = rule.body.iter().filter(|literal| literal.aggregate().is_none()).cloned();
            let mut bodies = vec![others.collect::<Vec<_>>()];
            for aggregate in rule.body.iter().filter_map(Literal::aggregate) {
                let mut ways = expansion.add_source(position, rule, aggregate, facts, constants);
                ways.truncate(if of_facts { 1 } else { ways.len() });
                let with = |body: &Vec<Literal>, way: &Vec<Literal>| [&body[..], &way[..]].concat();
                bodies = bodies.iter().flat_map(|body| ways.iter().map(move |way| with(body, way))).collect();
            }
            for body in bodies {
                expansion.add(position, Clause::renumbered(&rule.head, &body));
            }
        }
        expansion
    }

    fn add(&mut self, origin: usize, rule: Clause) {
        self.rules.push(rule);
        self.origins.push(origin);
    }

    /// Adds source and fold of an aggregate. Gives the literals that stand for it: those of its value, and those of an
    /// empty group if that has a value.
    fn add_source(
        &mut self,
        position: usize,
        rule: &Clause,
        aggregate: &Aggregate,
        facts: &mut FactTable,
        constants: &mut dyn NumberTable,
    ) -> Vec<Vec<Literal>> {
        let groups = aggregate.groups();
        let locals = source_locals(aggregate);
        let columns: Vec<VariableId> = groups.iter().chain(&locals).copied().collect();
        let terms =
            |variables: &[VariableId]| variables.iter().map(|&it| Term::Variable(it)).collect::<Vec<_>>();
        let [source, value] = [columns.len(), groups.len() + 1].map(|arity| facts.add_predicate(arity));
        self.owners.extend([rule.head.predicate; 2]);
        let head = Atom { predicate: source, arguments: terms(&columns) };
        self.add(position, Clause::renumbered(&head, &source_body(rule, aggregate)));
        let column_of = |of: Option<VariableId>| columns.iter().position(|&known| Some(known) == of);
        let (column, time) = (column_of(aggregate.template_variable()), column_of(aggregate.time_variable()));
        let counted = aggregate.counted.as_ref().map(|literal| {
            literal.map_terms(&mut |term| match column_of(term.variable()) {
                Some(column) => Term::Variable(VariableId::new(column)),
                None => term,
            })
        });
        let (operator, n_groups) = (aggregate.operator, groups.len());
        let fold = Fold { operator, source, value, n_groups, column, time, counted };
        self.folds.insert(value, fold);
        let mut arguments = terms(&groups);
        arguments.push(aggregate.value);
        let has_value = Atom { predicate: value, arguments };
        let mut arguments = terms(&groups);
        arguments.resize(columns.len(), Term::Any);
        let is_empty = Literal::negated(Atom { predicate: source, arguments });
        // The rule that orders the fold after its source.
        self.add(position, Clause::renumbered(&has_value, std::slice::from_ref(&is_empty)));
        let mut ways = vec![vec![Literal::from(has_value)]];
        if aggregate.operator.is_zero_of_none() {
            let is_zero = Literal::compared(
                aggregate.value,
                ComparisonOperator::Unify,
                Term::Constant(constants.intern(Number::Integer(0))),
            );
            ways.push(vec![is_empty, is_zero]);
        }
        ways
    }

    /// The rules that are run, with their positions: all but those that stand for folds.
    pub(super) fn rules_that_run(&self) -> impl Iterator<Item = (usize, &Clause)> {
        let is_run = |(_, rule): &(usize, &Clause)| !self.folds.contains_key(&rule.head.predicate);
        self.rules.iter().enumerate().filter(is_run)
    }

    /// The fold that is run in place of a stratum's rules.
    pub(super) fn fold(&self, stratum: &Stratum) -> Option<&Fold> {
        self.folds.get(stratum.predicates.first()?)
    }

    /// The position of the rule that a plain rule was made of.
    pub(super) fn origin(&self, rule: usize) -> usize {
        self.origins[rule]
    }

    /// The predicate itself, or the head predicate of the rule for which a temporary one was made.
    pub(super) fn known(&self, predicate: PredicateId) -> PredicateId {
        let temporary = predicate.index().checked_sub(self.n_known);
        temporary.map_or(predicate, |at| self.owners[at])
    }
}

/// The local variables whose bindings count as distinct rows of a group.
pub(super) fn source_locals(aggregate: &Aggregate) -> Vec<VariableId> {
    let of_template = || {
        let templates = aggregate.template_variable().into_iter().chain(aggregate.time_variable());
        let mut locals: Vec<VariableId> =
            templates.filter(|&variable| aggregate.is_local(variable)).collect();
        locals.dedup();
        locals
    };
    match (aggregate.operator, aggregate.template) {
        (AggregateOperator::Count, None)
        | (AggregateOperator::Sum | AggregateOperator::Avg | AggregateOperator::Share, _) => {
            aggregate.locals.clone()
        }
        _ => of_template(),
    }
}

impl Fold {
    /// Puts the value of each group into `facts`; gives their number. The rows of the source are sorted and distinct.
    ///
    /// **Cost**: one pass over the source, and a sort of the numbers of each group.
    ///
    /// # Errors
    ///
    /// When there are more groups than facts that may be derived, or no work or memory is left.
    pub(super) fn run(
        &self,
        facts: &mut FactTable,
        constants: &mut dyn NumberTable,
        spending: &mut Spending,
    ) -> Result<usize, LimitPassed> {
        let source = facts.rows(self.source);
        let mut values = Rows::new(self.n_groups + 1);
        let mut start = 0;
        while start < source.len() {
            let group = &source.row(start)[..self.n_groups];
            let mut end = start;
            while end < source.len() && source.row(end)[..self.n_groups] == *group {
                spending.work();
                end += 1;
            }
            if let Some(value) = self.value(source, start..end, constants, spending) {
                values.push(&[group, &[value]].concat());
            }
            if values.len() > spending.facts_left() {
                return Err(LimitPassed::Facts(self.value));
            }
            if spending.is_over() {
                return Err(LimitPassed::Work(self.value));
            }
            start = end;
        }
        let n_values = values.len();
        *facts.rows_mut(self.value) = values;
        Ok(n_values)
    }

    /// The value of a group.
    fn value(
        &self,
        source: &Rows,
        group: std::ops::Range<usize>,
        constants: &mut dyn NumberTable,
        spending: &mut Spending,
    ) -> Option<ConstantId> {
        let rows: Vec<&[ConstantId]> = group.map(|row| source.row(row)).collect();
        let number = |constant: ConstantId| constants.number(constant);
        let counted = self.counted.as_ref().and_then(Literal::comparison);
        let counts =
            |row: &[ConstantId]| counted.is_some_and(|of| of.holds(&|column| row[column.index()], &number));
        match value_of_rows(self.operator, &rows, [self.column, self.time], &number, &counts)? {
            Value::Constant(constant) => Some(constant),
            Value::Number(number) => {
                let constant = constants.intern(number);
                spending.number(constant);
                Some(constant)
            }
        }
    }
}

/// The value of an aggregate for a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// One of the constants of the group.
    Constant(ConstantId),
    /// A number that is made of them.
    Number(Number),
}

/// The value of an aggregate over distinct rows. The one column is summed or compared, the other holds the times. Constants that are no
/// numbers are passed over. `counts` tells which rows the comparison of a share holds for.
///
/// DIVERGENCE: SWI-Prolog raises a type error for them, and its integers have no bound.
pub(super) fn value_of_rows(
    operator: AggregateOperator,
    rows: &[&[ConstantId]],
    [column, time]: [Option<usize>; 2],
    number: &dyn Fn(ConstantId) -> Option<Number>,
    counts: &dyn Fn(&[ConstantId]) -> bool,
) -> Option<Value> {
    let numbers = || -> Vec<(Number, ConstantId)> {
        let values = rows.iter().filter_map(|row| column.map(|column| row[column]));
        values.filter_map(|id| Some((number(id)?, id))).collect()
    };
    let of_all = match operator {
        AggregateOperator::Count => i64::try_from(rows.len()).ok().map(Number::Integer)?,
        AggregateOperator::Sum => sum(&mut numbers())?,
        AggregateOperator::Avg => mean(&mut numbers())?,
        AggregateOperator::Share => share(rows.iter().filter(|row| counts(row)).count(), rows.len())?,
        AggregateOperator::Last => return last(rows, column?, time?, number).map(Value::Constant),
        AggregateOperator::Min | AggregateOperator::Max => {
            let numbers = numbers();
            // Of an integer and a float of one value it is the float, as in SWI-Prolog.
            let ahead = |left: Number, right: Number| {
                let order = in_order(left, right);
                let is_min = operator == AggregateOperator::Min;
                let is_tie = left.compare(right).is_eq() && is_float(left) != is_float(right);
                if is_min && !is_tie { order.is_lt() } else { order.is_gt() }
            };
            let first = *numbers.first()?;
            let best = numbers.iter().fold(first, |best, &it| if ahead(it.0, best.0) { it } else { best });
            let mut equal = numbers.iter().filter(|it| in_order(it.0, best.0).is_eq());
            // Two spellings of one number: the usual one does not depend on the order of the facts.
            if equal.all(|it| it.1 == best.1) {
                return Some(Value::Constant(best.1));
            }
            best.0
        }
    };
    Some(Value::Number(of_all))
}

/// The value where the time is greatest; of several the greatest.
fn last(
    rows: &[&[ConstantId]],
    column: usize,
    time: usize,
    number: &dyn Fn(ConstantId) -> Option<Number>,
) -> Option<ConstantId> {
    let of_row = |row: &&[ConstantId]| Some((number(row[time])?, number(row[column])?, row[column]));
    let last = rows
        .iter()
        .filter_map(of_row)
        .max_by(|left, right| left.0.compare(right.0).then_with(|| in_order(left.1, right.1)));
    last.map(|(_, _, constant)| constant)
}

const fn is_float(number: Number) -> bool {
    matches!(number, Number::Float(_))
}

/// A total order of numbers: by value, integers before floats of the same value, -0.0 before 0.0.
fn in_order(left: Number, right: Number) -> Ordering {
    let by_float = left.as_f64().total_cmp(&right.as_f64());
    match (left, right) {
        (Number::Integer(left), Number::Integer(right)) => left.cmp(&right),
        (Number::Float(_), Number::Float(_)) => by_float,
        _ => left.compare(right).then(is_float(left).cmp(&is_float(right))),
    }
}

/// The sum: exact for integers, a float if one of them is. `None` where it is no number of the language.
///
/// Floats are added in ascending order, whatever the order of the facts: the same facts have one sum.
fn sum(numbers: &mut [(Number, ConstantId)]) -> Option<Number> {
    // Whole numbers have one sum in any order.
    if numbers.iter().any(|(number, _)| is_float(*number)) {
        numbers.sort_by(|left, right| in_order(left.0, right.0));
    }
    let (mut exact, mut rounded, mut is_float) = (0_i128, 0.0_f64, false);
    for (number, _) in numbers {
        match *number {
            Number::Integer(value) => exact += i128::from(value),
            Number::Float(value) => {
                rounded += value;
                is_float = true;
            }
        }
    }
    if !is_float {
        return i64::try_from(exact).ok().map(Number::Integer);
    }
    #[expect(clippy::cast_precision_loss, reason = "a sum with a float is a float")]
    let total = exact as f64 + rounded;
    total.is_finite().then_some(Number::Float(total))
}

/// The mean, a float. `None` where there is no number, or the sum is none.
fn mean(numbers: &mut [(Number, ConstantId)]) -> Option<Number> {
    #[expect(clippy::cast_precision_loss, reason = "fewer rows than 2^53")]
    let n = numbers.len() as f64;
    let total = sum(numbers).filter(|_| n > 0.0)?;
    Some(Number::Float(total.as_f64() / n))
}

/// The share of rows, a float. `None` of no rows.
#[expect(clippy::cast_precision_loss, reason = "fewer rows than 2^53")]
fn share(n_counted: usize, n_rows: usize) -> Option<Number> {
    (n_rows > 0).then(|| Number::Float(n_counted as f64 / n_rows as f64))
}

#[cfg(test)]
mod tests {
    use gleaner_base::ConstantId;
    use gleaner_lang::program::Number::{self, Float, Integer};

    use super::sum;

    fn of(numbers: &[Number]) -> Option<Number> {
        let mut numbers: Vec<_> = numbers.iter().map(|&number| (number, ConstantId::default())).collect();
        sum(&mut numbers)
    }

    #[test]
    fn sums_are_exact_or_none() {
        assert_eq!(of(&[]), Some(Integer(0)));
        assert_eq!(of(&[Integer(i64::MAX), Integer(1), Integer(-1)]), Some(Integer(i64::MAX)));
        assert_eq!(of(&[Integer(i64::MAX), Integer(1)]), None);
        assert_eq!(of(&[Integer(1), Float(0.5)]), Some(Float(1.5)));
        assert_eq!(of(&[Float(f64::MAX), Float(f64::MAX)]), None);
        let orders = [[0.1, 0.2, 1e16], [1e16, 0.1, 0.2], [0.2, 1e16, 0.1]];
        let sums = orders.map(|numbers| of(&numbers.map(Float)));
        assert!(sums.iter().all(|sum| *sum == sums[0]));
    }
}
