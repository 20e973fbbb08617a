//! The rows that hang on examples, with what modes say of them as columns.
//!
//! A row is a fact that a mode finds from an argument of the example: `order(-order, +customer)`. Where a customer has several
//! orders, they are a table. What modes find of an order, once at most, are columns of the table; what they find several
//! times makes a further table of longer rows, whose path has one more step.

use std::ops::Range;

use gleaner_base::{ConstantId, FixedMap, FixedSet, PredicateId, TypeId};
use gleaner_engine::datalog::Background;
use gleaner_engine::relation::RowsWith;
use gleaner_lang::program::mode::{ArgumentMode, Modes};
use gleaner_lang::program::{Symbols, Term};
use rayon::prelude::*;

use super::{FEWEST_EXAMPLES, SearchedExamples};

/// The most steps of a path that find several rows each.
const MOST_STEPS: usize = 2;

/// The most rows of a table: longer paths are left out.
pub(super) const MOST_ROWS: usize = 600_000;

/// The most literals that find one fact each between a row and a column.
const MOST_DEPTH: usize = 2;

/// The most literals that find rows and columns.
const MOST_LITERALS: usize = 60;

/// A value that a row lacks.
pub(super) const NONE: ConstantId = ConstantId::from_raw(u32::MAX);

/// A literal of a path, over the variables of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The predicate.
    pub predicate: PredicateId,
    /// Its arguments: variables of the path.
    pub arguments: Vec<usize>,
    /// Whether some row meets several of its facts: then it makes rows, and is in every goal.
    pub makes_rows: bool,
}

/// What modes say that a variable of a path may be used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Uses {
    /// It may be a constant.
    pub is_category: bool,
    /// It is a number, which may be compared and summed.
    pub is_number: bool,
}

/// A variable of a path.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// Its type.
    pub type_id: TypeId,
    /// What it may be used for.
    pub uses: Uses,
    /// The step that finds it; none for arguments of the head.
    pub step: Option<usize>,
    /// How many literals that find one fact each lead to it from a row.
    depth: usize,
    /// Its values by row; empty for arguments of the head.
    pub values: Vec<ConstantId>,
}

/// The rows of one path.
#[derive(Clone, Debug)]
pub(super) struct RowTable {
    /// Its literals, each after those that it takes variables from.
    pub steps: Vec<Step>,
    /// Its variables: the head's arguments first.
    pub columns: Vec<Column>,
    /// The first row of each example, by position, and the end.
    pub starts: Vec<u32>,
    /// By row, the example's position.
    pub examples: Vec<u32>,
    /// How its rows are reached.
    way: Way,
}

/// How rows are reached from examples.
#[derive(Clone, Debug, Default)]
struct Way {
    /// The types of what the last literal finds.
    types: Vec<TypeId>,
    /// How many literals lead there.
    n_literals: usize,
}

/// A predicate with the argument that a call knows, and the uses of the others by all modes that call it so.
#[derive(Clone, Debug)]
struct Call {
    predicate: PredicateId,
    input: usize,
    types: Vec<TypeId>,
    uses: Vec<Uses>,
}

impl Call {
    /// The way that ends with it, after so many literals.
    fn way(&self, n_before: usize) -> Way {
        let found = self.types.iter().enumerate().filter(|(at, _)| *at != self.input);
        Way { types: found.map(|(_, &type_id)| type_id).collect(), n_literals: n_before + 1 }
    }
}

/// The calls that modes allow with one known argument.
fn calls(modes: &Modes, symbols: &Symbols) -> Vec<Call> {
    let compared: FixedSet<TypeId> = modes
        .body
        .iter()
        .filter(|mode| mode.is_threshold())
        .flat_map(|mode| mode.arguments.iter())
        .filter_map(|argument| match argument {
            ArgumentMode::Input(type_id) => Some(*type_id),
            ArgumentMode::Output(_) | ArgumentMode::Constant(_) => None,
        })
        .collect();
    let mut calls: Vec<Call> = Vec::new();
    for mode in modes.body.iter().filter(|mode| !mode.is_negated()) {
        let Some(predicate) = mode.subject.predicate().copied() else { continue };
        // There is no aggregate of aggregates.
        if symbols.aggregates.contains_key(&predicate) {
            continue;
        }
        let mut inputs =
            mode.arguments.iter().enumerate().filter(|(_, it)| matches!(it, ArgumentMode::Input(_)));
        let (Some((input, _)), None) = (inputs.next(), inputs.next()) else { continue };
        let types: Vec<TypeId> = mode.arguments.iter().map(|argument| argument.type_id()).collect();
        let is_same =
            |call: &&mut Call| call.predicate == predicate && call.input == input && call.types == types;
        if calls.iter_mut().find(is_same).is_none() {
            let uses = vec![Uses::default(); types.len()];
            calls.push(Call { predicate, input, types: types.clone(), uses });
        }
        let call = calls.iter_mut().find(is_same).expect("it was added");
        for (uses, argument) in call.uses.iter_mut().zip(&mode.arguments) {
            match argument {
                ArgumentMode::Constant(_) => uses.is_category = true,
                ArgumentMode::Output(type_id) => uses.is_number |= compared.contains(type_id),
                ArgumentMode::Input(_) => {}
            }
        }
    }
    calls
}

/// So many rows are looked up by one thread.
const ROWS_OF_PART: usize = 4_096;

/// The facts that each row meets, by number in their relation.
#[derive(Debug, Default)]
struct Matches {
    /// Where the facts of each row end.
    ends: Vec<usize>,
    facts: Vec<u32>,
}

impl Matches {
    fn of(&self, row: usize) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.facts[start..self.ends[row]]
    }

    /// The facts of all rows.
    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len()).map(|row| self.of(row))
    }
}

/// Where the rows of examples are found.
struct Source<'a> {
    worlds: Vec<&'a Background>,
    arguments: Vec<&'a [ConstantId]>,
}

/// A table with more than [`MOST_ROWS`].
struct Refused {
    n_rows: usize,
    way: Way,
}

/// The tables of rows that hang on examples.
pub(super) struct Found {
    pub tables: Vec<RowTable>,
    /// The rows of the largest table that has more than [`MOST_ROWS`] and is left out, and that no shorter way
    /// leads to; else 0.
    pub n_refused: usize,
}

/// The tables of rows that hang on examples.
///
/// **Cost**: a look-up for each row and literal of a path.
pub(super) fn row_tables(data: &SearchedExamples<'_>) -> Found {
    let SearchedExamples { worlds, modes, examples, ids, .. } = *data;
    let source = Source {
        worlds: ids.iter().map(|&id| &worlds[examples.world(id).index()]).collect(),
        arguments: ids.iter().map(|&id| examples.arguments(id)).collect(),
    };
    let calls = worlds.first().map_or_else(Vec::new, |world| calls(modes, world.symbols()));
    let head: Vec<Column> = modes
        .head
        .arguments
        .iter()
        .map(|argument| Column {
            type_id: argument.type_id(),
            uses: Uses::default(),
            step: None,
            depth: 0,
            values: Vec::new(),
        })
        .collect();
    let n = u32::try_from(ids.len()).expect("fewer than 2^32 examples");
    let start = RowTable {
        steps: Vec::new(),
        columns: head,
        starts: (0..=n).collect(),
        examples: (0..n).collect(),
        way: Way::default(),
    };
    let mut found: Vec<RowTable> = Vec::new();
    let mut open = vec![start];
    let mut refused = Vec::new();
    while let Some(mut table) = open.pop() {
        let further = table.widen(&calls, &source, &mut refused);
        open.extend(further);
        if table.n_steps() > 0 {
            found.push(table);
        }
    }
    found.sort_by(|left, right| {
        left.steps.len().cmp(&right.steps.len()).then_with(|| left.names().cmp(&right.names()))
    });
    // The takings of all stores of a city are not worth fewer examples where those of the store itself are known.
    let is_new = |of: &&Refused| {
        let is_longer = |known: &Way| known.types == of.way.types && known.n_literals < of.way.n_literals;
        !found.iter().any(|table| is_longer(&table.way))
    };
    let n_refused = refused.iter().filter(is_new).map(|of| of.n_rows).max().unwrap_or(0);
    Found { tables: found, n_refused }
}

impl RowTable {
    /// How many rows there are.
    pub(super) fn n_rows(&self) -> usize {
        self.examples.len()
    }

    /// The rows of an example.
    pub(super) fn rows_of(&self, example: usize) -> Range<usize> {
        self.starts[example] as usize..self.starts[example + 1] as usize
    }

    /// Whether a column differs among the rows of some example: else it tells of the example, not of its rows.
    pub(super) fn differs(&self, column: usize) -> bool {
        let of = &self.columns[column];
        of.step.is_some()
            && (0..self.starts.len() - 1)
                .any(|example| of.values[self.rows_of(example)].windows(2).any(|pair| pair[0] != pair[1]))
    }

    /// Whether some example has rows with the same constant in a column, and rows with others: then it matters how many there are.
    pub(super) fn repeats(&self, column: usize) -> bool {
        let values = &self.columns[column].values;
        let repeats = |example: usize| {
            let mut known: Vec<ConstantId> =
                self.rows_of(example).map(|row| values[row]).filter(|value| *value != NONE).collect();
            let n_known = known.len();
            known.sort_unstable();
            known.dedup();
            known.len() > 1 && known.len() < n_known
        };
        (0..self.starts.len() - 1).any(repeats)
    }

    /// How many of its literals make rows.
    fn n_steps(&self) -> usize {
        self.steps.iter().filter(|step| step.makes_rows).count()
    }

    fn names(&self) -> Vec<(PredicateId, &[usize])> {
        self.steps.iter().map(|step| (step.predicate, &step.arguments[..])).collect()
    }

    /// Adds the columns of calls that find at most one fact of each row. Gives the tables of those that find several.
    fn widen(&mut self, calls: &[Call], source: &Source<'_>, refused: &mut Vec<Refused>) -> Vec<Self> {
        let mut further = Vec::new();
        let mut column = 0;
        let first = self.steps.iter().position(|step| step.makes_rows);
        while column < self.columns.len() {
            // What is said of the example itself is no column of its rows. Two tables that hang on it make pairs that mean nothing.
            if first.is_some_and(|first| self.is_of_example(column, first)) {
                column += 1;
                continue;
            }
            let leads_back = first.is_some_and(|first| self.leads_back(column, first, source));
            let type_id = self.columns[column].type_id;
            for call in calls.iter().filter(|call| call.types[call.input] == type_id) {
                let is_back = self
                    .steps
                    .iter()
                    .any(|step| step.predicate == call.predicate && step.arguments[call.input] == column);
                if is_back || self.steps.len() >= MOST_LITERALS {
                    continue;
                }
                let is_far = self.columns[column].depth >= MOST_DEPTH;
                let (n_facts, most) = self.n_matches(call, column, source);
                if most <= 1 {
                    // The example's own attributes are no rows.
                    if n_facts > 0 && !is_far {
                        self.add(call, column, &self.matches(call, column, source), source);
                    }
                } else if self.n_steps() < MOST_STEPS && !leads_back {
                    // The first step is what matters: longer paths are left out where they have too many rows.
                    if n_facts <= MOST_ROWS {
                        let matches = self.matches(call, column, source);
                        further.push(self.longer(call, column, &matches, source));
                    } else if self.n_steps() == 0 && n_facts <= MOST_ROWS * self.n_rows() / FEWEST_EXAMPLES {
                        // Fewer examples have few enough.
                        let way = call.way(self.needed([column]).len());
                        refused.push(Refused { n_rows: n_facts, way });
                    }
                }
            }
            column += 1;
        }
        further
    }

    /// Whether a column is found before the first literal that makes rows.
    fn is_of_example(&self, column: usize, first: usize) -> bool {
        self.columns[column].step.is_none_or(|step| step < first)
    }

    /// Whether a column of rows has the value of one of the example's own in each row: the city of a store of the example's city.
    fn leads_back(&self, column: usize, first: usize, source: &Source<'_>) -> bool {
        let n = u32::try_from(self.n_rows()).expect("fewer than 2^32 rows");
        let is_same =
            |own: usize| (0..n).all(|row| self.value(own, row, source) == self.value(column, row, source));
        let is_own = |own: &usize| {
            self.is_of_example(*own, first) && self.columns[*own].type_id == self.columns[column].type_id
        };
        (0..column).filter(is_own).any(is_same)
    }

    fn value(&self, column: usize, row: u32, source: &Source<'_>) -> ConstantId {
        match self.columns[column].step {
            None => source.arguments[self.examples[row as usize] as usize][column],
            Some(_) => self.columns[column].values[row as usize],
        }
    }

    /// The facts that a call finds of a row.
    fn found<'a>(&self, call: &Call, column: usize, row: u32, source: &Source<'a>) -> Option<RowsWith<'a>> {
        let (value, example) = (self.value(column, row, source), self.examples[row as usize] as usize);
        let relation = || source.worlds[example].relation(call.predicate);
        (value != NONE).then(|| relation().rows_with(call.input, value))
    }

    /// How many facts a call finds of all rows, and the most of one.
    fn n_matches(&self, call: &Call, column: usize, source: &Source<'_>) -> (usize, usize) {
        let n = u32::try_from(self.n_rows()).expect("fewer than 2^32 rows");
        let of_row = |row: u32| self.found(call, column, row, source).map_or(0, |found| found.len());
        (0..n)
            .into_par_iter()
            .with_min_len(ROWS_OF_PART)
            .map(|row| {
                let n = of_row(row);
                (n, n)
            })
            .reduce(|| (0, 0), |left, right| (left.0 + right.0, left.1.max(right.1)))
    }

    /// The facts of each row that a call finds.
    fn matches(&self, call: &Call, column: usize, source: &Source<'_>) -> Matches {
        let rows: Vec<u32> = (0..u32::try_from(self.n_rows()).expect("fewer than 2^32 rows")).collect();
        let of_some = |rows: &[u32]| {
            let mut found = Matches { ends: Vec::with_capacity(rows.len()), facts: Vec::new() };
            for &row in rows {
                if let Some(facts) = self.found(call, column, row, source) {
                    let ids = (0..facts.len())
                        .map(|at| u32::try_from(facts.get(at)).expect("fewer than 2^32 rows"));
                    found.facts.extend(ids);
                }
                found.ends.push(found.facts.len());
            }
            found
        };
        let parts: Vec<Matches> = rows.par_chunks(ROWS_OF_PART).map(of_some).collect();
        let mut all = Matches::default();
        for part in parts {
            let before = all.facts.len();
            all.ends.extend(part.ends.iter().map(|end| before + end));
            all.facts.extend(part.facts);
        }
        all
    }

    /// Adds a literal that finds one fact of each row at most.
    fn add(&mut self, call: &Call, column: usize, matches: &Matches, source: &Source<'_>) {
        let step = self.steps.len();
        let mut arguments = Vec::with_capacity(call.types.len());
        for at in 0..call.types.len() {
            if at == call.input {
                arguments.push(column);
                continue;
            }
            let value = |row: usize| match matches.of(row).first() {
                Some(&fact) => {
                    let world = source.worlds[self.examples[row] as usize];
                    world.relation(call.predicate).value(fact as usize, at)
                }
                None => NONE,
            };
            let values = (0..self.n_rows()).into_par_iter().map(value).collect();
            arguments.push(self.columns.len());
            self.columns.push(Column {
                type_id: call.types[at],
                uses: call.uses[at],
                step: Some(step),
                depth: self.columns[column].depth + 1,
                values,
            });
        }
        self.steps.push(Step { predicate: call.predicate, arguments, makes_rows: false });
    }

    /// The table of longer rows, one for each fact that a call finds.
    fn longer(&self, call: &Call, column: usize, matches: &Matches, source: &Source<'_>) -> Self {
        let n_rows = matches.facts.len();
        let needed = self.needed([column]);
        let mut steps: Vec<Step> = Vec::new();
        let mut columns: Vec<Column> = Vec::new();
        let mut renumbered: FixedMap<usize, usize> = FixedMap::default();
        for (at, of) in self.columns.iter().enumerate() {
            let is_kept = of.step.is_none_or(|step| needed.contains(&step));
            if is_kept {
                renumbered.insert(at, columns.len());
                let repeat = |(row, facts): (usize, &[u32])| std::iter::repeat_n(of.values[row], facts.len());
                let values = match of.step {
                    None => Vec::new(),
                    Some(_) => matches.rows().enumerate().flat_map(repeat).collect(),
                };
                let step =
                    of.step.map(|step| needed.iter().position(|&it| it == step).expect("it is needed"));
                columns.push(Column { values, step, ..of.clone() });
            }
        }
        for &step in &needed {
            let of = &self.steps[step];
            let arguments = of.arguments.iter().map(|argument| renumbered[argument]).collect();
            steps.push(Step { arguments, ..of.clone() });
        }
        let mut starts = vec![0_u32];
        let mut examples = Vec::with_capacity(n_rows);
        for example in 0..self.starts.len() - 1 {
            let n: usize = self.rows_of(example).map(|row| matches.of(row).len()).sum();
            examples.extend(std::iter::repeat_n(u32::try_from(example).expect("few examples"), n));
            starts.push(u32::try_from(examples.len()).expect("fewer than 2^32 rows"));
        }
        let step = steps.len();
        let mut arguments = Vec::with_capacity(call.types.len());
        for at in 0..call.types.len() {
            if at == call.input {
                arguments.push(renumbered[&column]);
                continue;
            }
            let mut values = Vec::with_capacity(n_rows);
            for (row, facts) in matches.rows().enumerate() {
                let relation = source.worlds[self.examples[row] as usize].relation(call.predicate);
                values.extend(facts.iter().map(|&fact| relation.value(fact as usize, at)));
            }
            arguments.push(columns.len());
            let (type_id, uses) = (call.types[at], call.uses[at]);
            columns.push(Column { type_id, uses, step: Some(step), depth: 0, values });
        }
        steps.push(Step { predicate: call.predicate, arguments, makes_rows: true });
        Self { steps, columns, starts, examples, way: call.way(step) }
    }

    /// The literals that find these variables, and those that make rows, ascending.
    pub(super) fn needed(&self, columns: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut needed: FixedSet<usize> =
            (0..self.steps.len()).filter(|&step| self.steps[step].makes_rows).collect();
        let mut open: Vec<usize> =
            columns.into_iter().filter_map(|column| self.columns[column].step).collect();
        open.extend(needed.iter().copied());
        while let Some(step) = open.pop() {
            needed.insert(step);
            let taken = self.steps[step].arguments.iter().filter_map(|&argument| self.columns[argument].step);
            open.extend(taken.filter(|&of| of < step));
        }
        let mut needed: Vec<usize> = needed.into_iter().collect();
        needed.sort_unstable();
        needed
    }

    /// The variable or constant that a goal has for a column.
    pub(super) fn term(column: usize, constants: &[(usize, ConstantId)]) -> Term {
        let constant = constants.iter().find(|(at, _)| *at == column);
        constant.map_or_else(
            || Term::Variable(gleaner_base::VariableId::new(column)),
            |&(_, constant)| Term::Constant(constant),
        )
    }
}
