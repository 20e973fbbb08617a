//! The relations of aggregates: a row for each group, with its value.
//!
//! `aggregate_all(count, transaction(_, C), N)` is a relation between `C` and `N`. Groups of which the goal is true get
//! their values from the facts. A count or a sum of nothing is 0. So there the other groups get a row, too: all values
//! that the grouping variable may have. These are the constants of its *domain*: of all columns that share constants with
//! the columns in which the goal has the variable.

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId, VariableId};
use gleaner_engine::datalog::{FixpointError, NumberTable, aggregate_relations};
use gleaner_lang::program::symbols::NO_DOMAIN;
use gleaner_lang::program::{Aggregate, Atom, Clause, FactTable, Literal, Number, Rows, Term};

use crate::domains::Domains;

/// The most combinations of constants that a relation of several groups has rows for.
const MOST_COMBINATIONS: usize = 1_000_000;

/// The most constants of a group that no argument of an example is: beyond the combinations above, each example has a row
/// for each of them.
const FEW_CONSTANTS: usize = 100;

/// Adds the rows of aggregates to the facts of each world.
///
/// Each definition is `relation(Groups, Value) :- aggregate_all(…, Value)`. **Cost**: that of the goals as rules, and a
/// pass over all facts where there are counts or sums. A relation of several groups has a row for each combination; where
/// these are more than a million, for those of the examples' arguments.
///
/// # Errors
///
/// The facts that the aggregates take cannot be derived.
pub(super) fn add_aggregates(
    definitions: &[Clause],
    tables: &mut [FactTable],
    examples: &FactTable,
    constants: &mut dyn NumberTable,
    (n_constants, limit): (usize, usize),
) -> Result<(), FixpointError> {
    if definitions.is_empty() {
        return Ok(());
    }
    let groups = Groups::new(definitions, tables, examples, n_constants);
    let mut left = limit;
    for table in tables {
        let found = aggregate_relations(definitions, table, constants, left)?;
        left = left.saturating_sub(found.n_derived_facts);
        let zero = constants.intern(Number::Integer(0));
        for (position, definition) in definitions.iter().enumerate() {
            if aggregate(definition).is_some_and(|it| it.operator.is_zero_of_none()) {
                groups.add_empty(position, table.rows_mut(definition.head.predicate), zero);
            }
        }
    }
    Ok(())
}

fn aggregate(definition: &Clause) -> Option<&Aggregate> {
    definition.body.first().and_then(Literal::aggregate)
}

/// The groups that counts and sums may have.
struct Groups {
    of_definitions: Vec<GroupsOf>,
}

/// The groups that one count or sum may have.
struct GroupsOf {
    /// The constants of each grouping variable.
    values: Vec<Vec<ConstantId>>,
    /// Where there are too many combinations of them, the groups among the examples' arguments.
    of_examples: Option<FixedSet<Vec<ConstantId>>>,
}

impl Groups {
    fn new(definitions: &[Clause], tables: &[FactTable], examples: &FactTable, n_constants: usize) -> Self {
        let n_predicates = examples.n_predicates();
        let arities: Vec<usize> =
            (0..n_predicates).map(|id| examples.rows(PredicateId::new(id)).arity()).collect();
        let mut domains = Domains::new(&arities, n_constants);
        tables.iter().chain([examples]).for_each(|table| domains.add_table(table));
        let of_variables: Vec<Vec<FixedSet<u32>>> =
            definitions.iter().map(|definition| group_domains(definition, &mut domains)).collect();
        let of_constants = domains.by_constant();
        let mut members: FixedMap<u32, Vec<ConstantId>> = FixedMap::default();
        for (id, &domain) in of_constants.iter().enumerate().filter(|(_, domain)| **domain != NO_DOMAIN) {
            members.entry(domain).or_default().push(ConstantId::new(id));
        }
        let all = || members.values().flatten().copied().collect::<Vec<_>>();
        let of_definitions = of_variables.iter().map(|variables| {
            let values: Vec<Vec<ConstantId>> = variables
                .iter()
                .map(|of| {
                    let known = of.iter().filter_map(|domain| members.get(domain)).flatten();
                    let known: Vec<ConstantId> = known.copied().collect();
                    // Without a fact of the goal any constant may be meant.
                    if known.is_empty() { all() } else { known }
                })
                .collect();
            let is_of = |at: usize, constant: ConstantId| {
                variables[at].is_empty() || variables[at].contains(&of_constants[constant.index()])
            };
            let n_groups = values.iter().try_fold(1_usize, |n, of| n.checked_mul(of.len()));
            let are_few = values.len() < 2 || n_groups.is_some_and(|n| n <= MOST_COMBINATIONS);
            let of_examples = (!are_few).then(|| of_examples(&values, examples, &is_of));
            GroupsOf { values, of_examples }
        });
        Self { of_definitions: of_definitions.collect() }
    }

    /// Adds a row with `zero` for each group that has none.
    fn add_empty(&self, position: usize, rows: &mut Rows, zero: ConstantId) {
        let GroupsOf { values, of_examples } = &self.of_definitions[position];
        let known: FixedSet<Vec<ConstantId>> = rows.iter().map(|row| row[..row.len() - 1].to_vec()).collect();
        let mut add = |group: &[ConstantId]| {
            if !known.contains(group) {
                rows.push(&[group, &[zero]].concat());
            }
        };
        match of_examples {
            None => combinations(values, &mut Vec::new(), &mut add),
            Some(groups) => groups.iter().for_each(|group| add(group)),
        }
    }
}

/// The domains of a definition's grouping variables.
fn group_domains(definition: &Clause, domains: &mut Domains) -> Vec<FixedSet<u32>> {
    let groups = definition.head.arguments.split_last().map_or(&[][..], |(_, groups)| groups);
    let mut of = |variable: VariableId| {
        let mut found = FixedSet::default();
        for Atom { predicate, arguments } in definition.body.iter().flat_map(Literal::atoms) {
            for (column, _) in
                arguments.iter().enumerate().filter(|(_, term)| **term == Term::Variable(variable))
            {
                found.insert(domains.of_column(*predicate, column));
            }
        }
        found
    };
    groups.iter().filter_map(|term| term.variable()).map(&mut of).collect()
}

/// All ways to give some groups values among the arguments of an example. A group of few constants that no argument is
/// takes all of them.
fn of_examples(
    values: &[Vec<ConstantId>],
    examples: &FactTable,
    is_of: &dyn Fn(usize, ConstantId) -> bool,
) -> FixedSet<Vec<ConstantId>> {
    let mut found = FixedSet::default();
    for predicate in (0..examples.n_predicates()).map(PredicateId::new) {
        for row in examples.rows(predicate).iter() {
            let of_row = |at: usize| -> Vec<ConstantId> {
                let own: Vec<ConstantId> = row.iter().copied().filter(|&it| is_of(at, it)).collect();
                let takes_all = own.is_empty() && values[at].len() <= FEW_CONSTANTS;
                if takes_all { values[at].clone() } else { own }
            };
            let values: Vec<Vec<ConstantId>> = (0..values.len()).map(of_row).collect();
            combinations(&values, &mut Vec::new(), &mut |group| {
                found.insert(group.to_vec());
            });
        }
    }
    found
}

/// Calls `take` for each way to choose one of each.
fn combinations(of: &[Vec<ConstantId>], chosen: &mut Vec<ConstantId>, take: &mut dyn FnMut(&[ConstantId])) {
    let Some((first, rest)) = of.split_first() else { return take(chosen) };
    for &constant in first {
        chosen.push(constant);
        combinations(rest, chosen, take);
        chosen.pop();
    }
}
