//! Clauses as named queries of the examples that they cover.
//!
//! With its head bound, a body falls into parts that share no variable, and an example is covered if each part holds.
//! So parts are queries of their own, which clauses share, and no part is multiplied with another.

use std::collections::BTreeMap;

use gleaner_lang::program::display::literal_text;
use gleaner_lang::program::{Clause, Literal, Symbols, Term};

use super::body::Body;
use super::fault::NoSql;
use super::shared::{Named, Shared, Value};
use super::source::Kind;
use super::text::{cell_of, text};

/// The parts of a model's clauses.
#[derive(Default)]
pub(super) struct Parts {
    known: BTreeMap<String, String>,
    pub(super) queries: Vec<Named>,
}

impl Parts {
    /// The query of the examples that a clause covers.
    ///
    /// # Errors
    ///
    /// What SQL cannot say.
    pub(super) fn clause(
        &mut self,
        clause: &Clause,
        symbols: &Symbols,
        shared: &mut Shared<'_>,
    ) -> Result<String, NoSql> {
        let (values, conditions) = head(clause, symbols, &shared.source.example_kinds);
        let mut names = Vec::new();
        if !conditions.is_empty() {
            let text = format!("SELECT example FROM g_examples AS e WHERE {}", conditions.join(" AND "));
            names.push(self.name(text, "the arguments of the example".to_owned()));
        }
        for part in parts(clause, &values) {
            let literals: Vec<Literal> = part.iter().map(|&at| clause.body[at].clone()).collect();
            let shown: Vec<String> = literals.iter().map(|literal| literal_text(literal, symbols)).collect();
            let inner = Clause { body: literals, ..clause.clone() };
            let mut body = Body::new(shared, symbols, values.clone(), true);
            body.literals(&inner, true)?;
            let text = body.query(&["e.example".to_owned()], "  ");
            names.push(self.name(text, shown.join(", ")));
        }
        if names.is_empty() {
            return Ok("SELECT example FROM g_examples".to_owned());
        }
        names.dedup();
        let each: Vec<String> = names.iter().map(|name| format!("SELECT example FROM {name}")).collect();
        Ok(each.join("\n  INTERSECT "))
    }

    /// The name of a part.
    fn name(&mut self, text: String, comment: String) -> String {
        let next = format!("g_part_{}", self.known.len() + 1);
        let name = self.known.entry(text.clone()).or_insert(next.clone()).clone();
        if name == next {
            self.queries.push(Named { comment, before: None, name: next, text, after: String::new() });
        }
        name
    }
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
