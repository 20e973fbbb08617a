//! The relations of aggregates: a row for each group, with its value.
//!
//! `aggregate_all(count, transaction(_, C), N)` is a relation between `C` and `N`. Groups of which the goal is true get
//! their values from the facts. A count or a sum of nothing is 0. So there the other groups get a row, too: all values
//! that the grouping variable may have. These are the constants of its *domain*: of all columns that share constants with
//! the columns in which the goal has the variable.
//!
//! Groups constants of one kind, from the facts alone.
//!
//! Two columns that share a constant belong to one domain, and so on from column to column. Constants of a domain get
//! neighbouring ids, so that tables by id are short and dense.

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId, VariableId};
use gleaner_engine::datalog::{FixpointError, NumberTable, aggregate_relations};
use gleaner_lang::program::symbols::NO_DOMAIN;
use gleaner_lang::program::{Aggregate, Atom, Clause, FactTable, Literal, Number, Rows, Term};

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

/// Columns joined by the constants they share: a forest with the smallest column of a domain as root.
#[derive(Debug)]
pub(super) struct Domains {
    /// The first column of each predicate.
    first_columns: Vec<usize>,
    /// The parent of each column, itself for a root.
    parents: Vec<u32>,
    /// A column that holds each constant.
    columns: Vec<u32>,
}

impl Domains {
    /// Empty columns of predicates with these arities.
    pub(super) fn new(arities: &[usize], n_constants: usize) -> Self {
        let mut first_columns = Vec::with_capacity(arities.len());
        let mut n_columns = 0;
        for arity in arities {
            first_columns.push(n_columns);
            n_columns += arity;
        }
        let n_columns = u32::try_from(n_columns).expect("fewer than 2^32 columns");
        Self { first_columns, parents: (0..n_columns).collect(), columns: vec![NO_DOMAIN; n_constants] }
    }

    /// Adds all rows of a table. Cost: near linear in its values.
    pub(super) fn add_table(&mut self, table: &FactTable) {
        for predicate in (0..table.n_predicates()).map(PredicateId::new) {
            self.add_rows(predicate, table.rows(predicate));
        }
    }

    /// Adds rows of a predicate.
    pub(super) fn add_rows(&mut self, predicate: PredicateId, rows: &Rows) {
        for column in 0..rows.arity() {
            let number = self.first_columns[predicate.index()] + column;
            let number = u32::try_from(number).expect("fewer than 2^32 columns");
            for constant in rows.column(column) {
                match self.columns[constant.index()] {
                    NO_DOMAIN => self.columns[constant.index()] = number,
                    known if known == number => {}
                    known => self.join(known, number),
                }
            }
        }
    }

    fn root(&mut self, mut column: u32) -> u32 {
        while self.parents[column as usize] != column {
            // Each search halves the path for the next one.
            let grandparent = self.parents[self.parents[column as usize] as usize];
            self.parents[column as usize] = grandparent;
            column = grandparent;
        }
        column
    }

    fn join(&mut self, left: u32, right: u32) {
        let (left, right) = (self.root(left), self.root(right));
        self.parents[left.max(right) as usize] = left.min(right);
    }

    /// The domain of a predicate's column, as [`Self::by_constant`] numbers them.
    pub(super) fn of_column(&mut self, predicate: PredicateId, column: usize) -> u32 {
        let number = u32::try_from(self.first_columns[predicate.index()] + column);
        self.root(number.expect("fewer than 2^32 columns"))
    }

    /// The domain of each constant, as the number of one of its columns; [`NO_DOMAIN`] where no column
    /// holds it.
    pub(super) fn by_constant(mut self) -> Vec<u32> {
        let mut columns = std::mem::take(&mut self.columns);
        for column in columns.iter_mut().filter(|column| **column != NO_DOMAIN) {
            *column = self.root(*column);
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::{Domains, NO_DOMAIN};
    use gleaner_base::{ConstantId, PredicateId};
    use gleaner_lang::program::FactTable;

    #[test]
    fn columns_that_share_a_constant_are_one_domain() {
        let mut table = FactTable::new([2, 1, 2]);
        let id = |raw: &u32| ConstantId::from_raw(*raw);
        for (predicate, row) in
            [(0, vec![0, 1]), (0, vec![2, 3]), (1, vec![1]), (2, vec![4, 2]), (2, vec![4, 5])]
        {
            table.rows_mut(PredicateId::new(predicate)).push(&row.iter().map(id).collect::<Vec<_>>());
        }
        let mut domains = Domains::new(&[2, 1, 2], 7);
        domains.add_table(&table);
        let found = domains.by_constant();
        assert_eq!(found[6], NO_DOMAIN, "no column holds it");
        for (left, right) in [(0, 2), (0, 5), (1, 3)] {
            assert_eq!(found[left], found[right], "{left} and {right} are of one kind");
        }
        assert_ne!(found[0], found[1]);
        assert_ne!(found[0], found[4]);
        assert_ne!(found[1], found[4]);
    }
}
