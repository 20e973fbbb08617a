//! What the clauses of a model share while they are written: the relations, and the aggregates found so far.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use gleaner_lang::program::{Clause, PredicateName, Symbols};

use super::dialect::Dialect;
use super::fault::NoSql;
use super::source::{Kind, Source, Uses};

/// The most columns of a table of inputs: each is a join, and SQLite joins 64 tables.
const MOST_INPUTS: usize = 25;

/// The name of a table of inputs.
pub(super) fn input_table(number: usize) -> String {
    format!("g_inputs_{number}")
}

fn column(aggregate: &str) -> String {
    aggregate.trim_start_matches("g_").to_owned()
}

/// What a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// An expression.
    Sql(String, Kind),
    /// A cell, which is a name or a number as what it is compared with.
    Cell(String),
}

/// A query under a name.
pub(super) struct Named {
    pub(super) comment: String,
    /// Statements before it.
    pub(super) before: Option<String>,
    pub(super) name: String,
    pub(super) text: String,
    /// Statements after it: indices.
    pub(super) after: String,
}

/// An aggregate as clauses join it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The name of its query.
    pub(super) name: String,
    /// Whether it has a value for each example.
    pub(super) is_of_example: bool,
    /// The groups that are columns `group_1` on, with what they hold.
    pub(super) groups: Vec<(usize, Kind)>,
    /// Whether a group without a row has the value 0.
    pub(super) is_zero_of_none: bool,
}

/// What finds the query of an aggregate with these groups. It needs conjunctions, and these need it.
type Finder = fn(&mut Shared<'_>, &PredicateName, &[Option<Value>], Option<String>) -> Result<Found, NoSql>;

/// What all conjunctions of a model share.
pub(super) struct Shared<'s> {
    pub(super) source: &'s Source,
    pub(super) dialect: Dialect,
    /// What each aggregate is.
    pub(super) definitions: &'s BTreeMap<PredicateName, (Symbols, Clause)>,
    /// The queries of aggregates found so far, by their texts.
    pub(super) found: BTreeMap<(Option<String>, String), Found>,
    /// The same queries in order, and the tables that they ask.
    pub(super) queries: Vec<Named>,
    /// The names of these tables, by their texts.
    tables: BTreeMap<String, String>,
    /// What the values of each aggregate are compared with; `None` where not only with numbers.
    pub(super) thresholds: &'s BTreeMap<PredicateName, Option<Vec<f64>>>,
    /// The aggregates that are columns of [`Shared::inputs`], in order.
    asked: Vec<String>,
    /// The views of relations that are asked for.
    pub(super) used: BTreeSet<String>,
    find: Finder,
}

impl<'s> Shared<'s> {
    /// No aggregate yet.
    pub(super) const fn new(source: &'s Source, uses: &'s Uses, dialect: Dialect, find: Finder) -> Self {
        Self {
            source,
            dialect,
            definitions: &uses.definitions,
            found: BTreeMap::new(),
            queries: Vec::new(),
            tables: BTreeMap::new(),
            thresholds: &uses.thresholds,
            asked: Vec::new(),
            used: BTreeSet::new(),
            find,
        }
    }

    /// The name of a table with this text: a new one, or one that others have asked for. It has indices on these lists of
    /// columns.
    pub(super) fn table(&mut self, stem: &str, comment: &str, text: String, indices: &[&str]) -> String {
        if let Some(name) = self.tables.get(&text) {
            return name.clone();
        }
        let name = format!("{stem}_{}", self.tables.len() + 1);
        let after = self.indices(&name, indices);
        self.tables.insert(text.clone(), name.clone());
        self.queries.push(Named {
            comment: comment.to_owned(),
            before: None,
            name: name.clone(),
            text,
            after,
        });
        name
    }

    /// The table of inputs, by its number, that has the value of this aggregate, and the column of it.
    pub(super) fn input(&mut self, aggregate: &str) -> (usize, String) {
        let known = self.asked.iter().position(|it| it == aggregate);
        let at = known.unwrap_or_else(|| {
            self.asked.push(aggregate.to_owned());
            self.asked.len() - 1
        });
        (at / MOST_INPUTS + 1, column(aggregate))
    }

    /// The tables of inputs: for each example the values of aggregates.
    pub(super) fn inputs(&self) -> Vec<Named> {
        let table = |(at, asked): (usize, &[String])| {
            let (mut columns, mut joins) = (String::new(), String::new());
            for aggregate in asked {
                let _ = write!(columns, ", {aggregate}.value AS {}", column(aggregate));
                let _ = write!(joins, "\n  LEFT JOIN {aggregate} ON {aggregate}.example = e.example");
            }
            let name = input_table(at + 1);
            let after = self.indices(&name, &["example"]);
            let text = format!("SELECT e.example{columns}\n  FROM g_examples AS e{joins}");
            Named { comment: String::new(), before: None, name, text, after }
        };
        self.asked.chunks(MOST_INPUTS).enumerate().map(table).collect()
    }

    /// Indices of a table of ours on lists of columns.
    pub(super) fn indices(&self, name: &str, indices: &[&str]) -> String {
        let index =
            |(at, columns): (usize, &&str)| self.dialect.index(&format!("{name}_{}", at + 1), name, columns);
        let all: String = indices.iter().enumerate().map(index).collect();
        if all.is_empty() { all } else { all + &self.dialect.analyze(name) }
    }

    /// The query of an aggregate. Its columns are the groups that are neither constants nor arguments of the
    /// example. `asked` is the query of those groups that are needed, by example, if literals give them.
    ///
    /// # Errors
    ///
    /// What SQL cannot say.
    pub(super) fn aggregate(
        &mut self,
        name: &PredicateName,
        groups: &[Option<Value>],
        asked: Option<String>,
    ) -> Result<Found, NoSql> {
        (self.find)(self, name, groups, asked)
    }
}
