//! Clauses as conditions on examples: columns of tables that say which clause covers which example.
//!
//! With its head bound, a body falls into parts that share no variable, and an example is covered if each part holds.
//! A part that compares values of the example is a condition, any other a query of its own, which clauses share. So no
//! part is multiplied with another.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_lang::program::display::{clause_text, literal_text};
use gleaner_lang::program::{Clause, Literal, Symbols, Term};

use super::body::Body;
use super::shared::{Named, NoSql, Shared, Value, input_table};
use super::source::Kind;
use super::text::{cell_of, in_comment, text};

/// The most tables that one query joins: SQLite joins 64.
const MOST_TABLES: usize = 40;

/// The most queries that one query asks for: the time to plan it grows with their square. With 608 clauses in one query
/// DuckDB took 70 s for 2,500 examples, in queries of 40 clauses it takes a few.
const MOST_ASKED: usize = 40;

/// The most clauses of one table.
const MOST_CLAUSES: usize = 100;

/// A clause as a condition on an example `e`.
struct Covers {
    comment: String,
    conditions: Vec<String>,
    /// The tables of inputs that it asks.
    inputs: BTreeSet<usize>,
    /// How many other queries it asks for.
    n_asked: usize,
}

/// The clauses of a model.
#[derive(Default)]
pub(super) struct Clauses {
    known: BTreeMap<String, String>,
    /// The queries of the parts that are more than a comparison of an example's own values.
    pub(super) parts: Vec<Named>,
    clauses: Vec<Covers>,
}

impl Clauses {
    /// Adds a clause.
    ///
    /// # Errors
    ///
    /// What SQL cannot say.
    pub(super) fn add(
        &mut self,
        clause: &Clause,
        symbols: &Symbols,
        shared: &mut Shared<'_>,
    ) -> Result<(), NoSql> {
        let (values, conditions) = head(clause, symbols, &shared.source.example_kinds);
        let comment = clause_text(clause, symbols);
        let mut covers = Covers { comment, conditions, inputs: BTreeSet::new(), n_asked: 0 };
        for part in parts(clause, &values) {
            let literals: Vec<Literal> = part.iter().map(|&at| clause.body[at].clone()).collect();
            let shown: Vec<String> = literals.iter().map(|literal| literal_text(literal, symbols)).collect();
            let inner = Clause { body: literals, ..clause.clone() };
            let mut body = Body::new(shared, symbols, values.clone(), true);
            body.literals(&inner, true)?;
            let condition = match body.test() {
                Some((inputs, condition)) if covers.inputs.union(&inputs).count() < MOST_TABLES => {
                    covers.inputs.extend(inputs);
                    condition
                }
                Some(_) | None => {
                    covers.n_asked += 1;
                    let text = body.query(&["e.example".to_owned()], "  ");
                    format!("e.example IN (SELECT example FROM {})", self.part(text, shown.join(", ")))
                }
            };
            if !covers.conditions.contains(&condition) {
                covers.conditions.push(condition);
            }
        }
        self.clauses.push(covers);
        Ok(())
    }

    /// The name of the query of a part.
    fn part(&mut self, text: String, comment: String) -> String {
        let next = format!("g_part_{}", self.known.len() + 1);
        let name = self.known.entry(text.clone()).or_insert(next.clone()).clone();
        if name == next {
            self.parts.push(Named { comment, before: None, name: next, text, after: String::new() });
        }
        name
    }

    /// The tables of clauses: for each example and clause whether it covers it. Gives the table of each clause, too, by
    /// its number.
    pub(super) fn tables(&self, shared: &Shared<'_>) -> (Vec<Named>, Vec<usize>) {
        let (mut tables, mut table_of) = (Vec::new(), Vec::new());
        let mut first = 0;
        while first < self.clauses.len() {
            let (mut inputs, mut n_asked) = (BTreeSet::new(), 0);
            let mut end = first;
            for clause in &self.clauses[first..] {
                let all: BTreeSet<usize> = inputs.union(&clause.inputs).copied().collect();
                let fits = all.len() < MOST_TABLES
                    && n_asked + clause.n_asked <= MOST_ASKED
                    && end - first < MOST_CLAUSES;
                if end > first && !fits {
                    break;
                }
                (inputs, n_asked) = (all, n_asked + clause.n_asked);
                end += 1;
            }
            let name = clause_table(tables.len() + 1);
            let columns: String =
                (first..end).map(|at| format!(",\n{}", self.clauses[at].column(at + 1))).collect();
            let joins: String = inputs
                .iter()
                .map(|number| {
                    format!("\n  JOIN {} AS i{number} ON i{number}.example = e.example", input_table(*number))
                })
                .collect();
            let text = format!("SELECT e.example{columns}\n  FROM g_examples AS e{joins}");
            let after = shared.indices(&name, &["example"]);
            tables.push(Named { comment: String::new(), before: None, name, text, after });
            table_of.extend((first..end).map(|_| tables.len()));
            first = end;
        }
        (tables, table_of)
    }
}

impl Covers {
    /// The column of the clause of this number.
    fn column(&self, number: usize) -> String {
        let comment = in_comment(&self.comment);
        if self.conditions.is_empty() {
            return format!("    -- {comment}\n    1 AS clause_{number}");
        }
        let conditions = self.conditions.join("\n      AND ");
        format!("    -- {comment}\n    CASE WHEN {conditions} THEN 1 ELSE 0 END AS clause_{number}")
    }
}

/// The name of a table of clauses.
pub(super) fn clause_table(number: usize) -> String {
    format!("g_clauses_{number}")
}

/// The values of the head's variables, and what the head asks of the arguments of an example.
fn head(clause: &Clause, symbols: &Symbols, kinds: &[Kind]) -> (Vec<Option<Value>>, Vec<String>) {
    let mut values: Vec<Option<Value>> = vec![None; clause.n_variables];
    let mut conditions = Vec::new();
    for (at, term) in clause.head.arguments.iter().enumerate() {
        let column = format!("e.a{}", at + 1);
        match term {
            Term::Any => {}
            Term::Constant(constant) => {
                let cell = cell_of(symbols.constants.text(*constant));
                conditions.push(format!("{column} = {}", text(&cell)));
            }
            Term::Variable(variable) => match &values[variable.index()] {
                Some(Value::Sql(first, _)) => conditions.push(format!("{first} = {column}")),
                Some(Value::Cell(_)) | None => {
                    let kind = kinds.get(at).copied().unwrap_or(Kind::Name);
                    values[variable.index()] = Some(Value::Sql(column, kind));
                }
            },
        }
    }
    (values, conditions)
}

/// The literals of a body, by their positions, in parts that share no variable but those of the head.
fn parts(clause: &Clause, values: &[Option<Value>]) -> Vec<Vec<usize>> {
    let n = clause.body.len();
    let mut part_of: Vec<usize> = (0..n).collect();
    let mut owner: Vec<Option<usize>> = vec![None; clause.n_variables];
    for (at, literal) in clause.body.iter().enumerate() {
        for variable in literal.variables() {
            if values[variable.index()].is_some() {
                continue;
            }
            match owner[variable.index()] {
                None => owner[variable.index()] = Some(at),
                Some(other) => {
                    let (from, to) = (part_of[at], part_of[other]);
                    let (from, to) = (from.max(to), from.min(to));
                    part_of.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
                }
            }
        }
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    part_of.iter().enumerate().for_each(|(at, part)| parts.entry(*part).or_default().push(at));
    parts.into_values().collect()
}
