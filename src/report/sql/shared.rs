//! What the clauses of a model share while they are written: the relations, and the aggregates found so far.
//!
//! Why a model is no query.
//!
//! Which columns of relations hold numbers, by what clauses do with them: a table of facts has no other types.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fmt::Write;

use gleaner_lang::program::{
    Aggregate, AggregateOperator, Clause, Comparison, ComparisonOperator, Expression, Literal, PredicateName,
    Symbols, Term,
};

use super::dialect::Dialect;
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

/// Why a model is no query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSql {
    /// The clauses ask for a relation that the schema does not know, or for an aggregate that cannot be read.
    Unknown(String),
    /// The model's schema cannot be read, or the target is not that of its labels.
    Schema,
    /// The clauses call the target, and examples differ in the links of the target that they may use.
    KnownLinks(String),
    /// The model has statistics of train examples.
    Statistics,
    /// The clauses use an operator on whole numbers.
    Arithmetic(&'static str),
    /// A clause has a variable without a value.
    Unbound,
    /// A column that the clauses ask for has dates or numbers in a notation that databases read otherwise.
    Notation(String),
    /// The target has more arguments than this.
    Arguments(usize),
}

impl fmt::Display for NoSql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                write!(f, "a clause of the model asks for {name}, which the schema in its file does not know")
            }
            Self::Schema => write!(f, "the schema in the model's file does not fit its target"),
            Self::KnownLinks(name) => write!(
                f,
                "the model's clauses may call {name}, its target, and no example may be proved by its own link"
            ),
            Self::Statistics => {
                write!(f, "the model has statistics of its train examples, which only gleaner uses")
            }
            Self::Arithmetic(operator) => {
                write!(
                    f,
                    "a clause of the model uses `{operator}`, which databases work out for other numbers, too"
                )
            }
            Self::Notation(column) => write!(
                f,
                "the clauses ask for {column}, whose dates or numbers are in a notation that databases do not read: write them as \
                 2018-12-31 and 1234.5, and learn again"
            ),
            Self::Unbound => write!(f, "a clause of the model has a variable that no literal gives a value"),
            Self::Arguments(most) => write!(f, "the model's target has more than {most} arguments"),
        }
    }
}

impl std::error::Error for NoSql {}

/// A place for values: an argument of a relation, or a variable of a clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Argument(PredicateName, usize),
    Variable(usize, usize),
}

/// Places that share values.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    numbers: BTreeMap<Place, usize>,
    parents: Vec<usize>,
    are_numbers: BTreeSet<usize>,
    n_clauses: usize,
}

impl Kinds {
    /// The kinds that clauses tell.
    pub(super) fn of(clauses: &[&Clause], symbols: &Symbols, uses: &Uses) -> Self {
        let mut kinds = Self::default();
        for clause in clauses {
            kinds.add(symbols.predicate(clause.head.predicate), clause, symbols);
        }
        for (name, (own, definition)) in &uses.definitions {
            kinds.add(name, definition, own);
        }
        kinds
    }

    /// What an argument of a relation holds.
    pub(super) fn kind(&mut self, name: &PredicateName, argument: usize) -> Kind {
        let place = self.place(Place::Argument(name.clone(), argument));
        let root = self.root(place);
        // Marks are of the roots of their time.
        let are_numbers: Vec<usize> = self.are_numbers.iter().copied().collect();
        if are_numbers.into_iter().any(|marked| self.root(marked) == root) {
            Kind::Number
        } else {
            Kind::Name
        }
    }

    fn add(&mut self, head: &PredicateName, clause: &Clause, symbols: &Symbols) {
        self.n_clauses += 1;
        self.arguments(head, &clause.head.arguments);
        for literal in &clause.body {
            self.literal(literal, symbols);
        }
    }

    fn literal(&mut self, literal: &Literal, symbols: &Symbols) {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                let name = symbols.predicate(atom.predicate);
                self.arguments(name, &atom.arguments);
                if symbols.is_aggregate(atom.predicate) {
                    let last = self.place(Place::Argument(name.clone(), name.arity.saturating_sub(1)));
                    self.are_numbers.insert(last);
                }
            }
            Literal::Comparison(comparison) => self.comparison(comparison),
            Literal::Aggregate(aggregate) => self.aggregate(aggregate, symbols),
        }
    }

    fn comparison(&mut self, comparison: &Comparison) {
        use ComparisonOperator::{
            Greater, GreaterOrEqual, Identical, Is, Less, LessOrEqual, NotIdentical, NotUnify, Unify,
        };
        match (comparison.operator, &comparison.left, &comparison.right) {
            (
                Unify | NotUnify | Identical | NotIdentical,
                Expression::Term(left),
                Expression::Term(right),
            ) => {
                if let (Some(left), Some(right)) = (self.term(*left), self.term(*right)) {
                    self.join(left, right);
                }
            }
            (Unify | NotUnify | Identical | NotIdentical, ..) => {}
            (Less | Greater | LessOrEqual | GreaterOrEqual | Is, ..) => {
                comparison.visit_variables(&mut |variable| {
                    let place = self.place(Place::Variable(self.n_clauses, variable.index()));
                    self.are_numbers.insert(place);
                });
            }
        }
    }

    fn aggregate(&mut self, aggregate: &Aggregate, symbols: &Symbols) {
        let literals = aggregate.counted.iter().chain(&aggregate.goal);
        literals.for_each(|literal| self.literal(literal, symbols));
        let is_counted = aggregate.operator == AggregateOperator::Count;
        let numbers = aggregate.template.into_iter().filter(|_| !is_counted).chain(aggregate.time);
        for term in numbers.chain([aggregate.value]) {
            if let Some(place) = self.term(term) {
                self.are_numbers.insert(place);
            }
        }
    }

    fn arguments(&mut self, name: &PredicateName, arguments: &[Term]) {
        for (at, argument) in arguments.iter().enumerate() {
            let place = self.place(Place::Argument(name.clone(), at));
            if let Some(of_term) = self.term(*argument) {
                self.join(place, of_term);
            }
        }
    }

    fn term(&mut self, term: Term) -> Option<usize> {
        let variable = term.variable()?;
        Some(self.place(Place::Variable(self.n_clauses, variable.index())))
    }

    fn place(&mut self, place: Place) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    fn root(&mut self, mut place: usize) -> usize {
        while self.parents[place] != place {
            self.parents[place] = self.parents[self.parents[place]];
            place = self.parents[place];
        }
        place
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one] = other;
    }
}
