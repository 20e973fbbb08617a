//! Conjunctions of literals as joins of the relations' views.

use std::collections::BTreeSet;

use gleaner_lang::program::literal::Role;
use gleaner_lang::program::{
    ArithmeticFunction, ArithmeticOperator, Atom, Clause, Comparison, ComparisonOperator, Expression,
    Literal, Symbols, Term,
};

use crate::report::prolog::ordered;

use super::database::is_truth;
use super::dialect::Dialect;
use super::rows::second_column;
use super::shared::{NoSql, Shared, Value, input_table};
use super::source::{Age, Kind, Relation};
use super::text::{cell_of, number_of, text};

/// A table of the query, under an alias.
#[derive(Debug)]
struct Join {
    is_outer: bool,
    /// The number of a table of inputs, which has a row for each example.
    input: Option<usize>,
    table: String,
    alias: String,
    on: Vec<String>,
}

/// Joins with conditions, as a query.
struct Select<'q> {
    has_examples: bool,
    joins: Vec<&'q Join>,
    conditions: &'q [String],
}

impl Select<'_> {
    fn text(&self, select: &str, columns: &[String], indent: &str) -> String {
        let mut conditions: Vec<&String> = Vec::new();
        let mut from = String::new();
        if self.has_examples {
            from.push_str("g_examples AS e");
        }
        for Join { is_outer, table, alias, on, .. } in &self.joins {
            match (from.is_empty(), on.is_empty()) {
                (true, _) => {
                    from = format!("{table} AS {alias}");
                    conditions.extend(on);
                }
                (false, true) if *is_outer => {
                    from += &format!("\n{indent}LEFT JOIN {table} AS {alias} ON 1 = 1")
                }
                (false, true) => from += &format!("\n{indent}CROSS JOIN {table} AS {alias}"),
                (false, false) => {
                    let outer = if *is_outer { "LEFT " } else { "" };
                    from += &format!("\n{indent}{outer}JOIN {table} AS {alias} ON {}", on.join(" AND "));
                }
            }
        }
        conditions.extend(self.conditions);
        let columns = if columns.is_empty() { "1 AS a0".to_owned() } else { columns.join(", ") };
        let mut query = format!("{select} {columns}");
        if !from.is_empty() {
            query += &format!("\n{indent}FROM {from}");
        }
        if !conditions.is_empty() {
            let conditions: Vec<&str> = conditions.into_iter().map(String::as_str).collect();
            query += &format!("\n{indent}WHERE {}", conditions.join(&format!("\n{indent}  AND ")));
        }
        query
    }
}

/// Whether an expression asks a table of inputs, whose alias is `i` and a number. What is within a text may look so.
fn has_input(text: &str) -> bool {
    let mut parts = text.split('.');
    parts.next_back();
    parts.any(|before| {
        let number = before.trim_end_matches(|c: char| c.is_ascii_digit());
        number.len() < before.len() && number.ends_with('i')
    })
}

/// A conjunction that becomes joins, one literal after another.
pub(super) struct Body<'b, 's> {
    shared: &'b mut Shared<'s>,
    symbols: &'b Symbols,
    values: Vec<Option<Value>>,
    joins: Vec<Join>,
    conditions: Vec<String>,
    /// Whether the examples are part of it, under the alias `e`.
    pub(super) has_examples: bool,
    /// Whether the rows are those that hang on something: who comes to them sees them.
    pub(super) is_of_hanging: bool,
}

impl<'b, 's> Body<'b, 's> {
    /// No literal yet; these are the values of its first variables.
    pub(super) fn new(
        shared: &'b mut Shared<'s>,
        symbols: &'b Symbols,
        values: Vec<Option<Value>>,
        has_examples: bool,
    ) -> Self {
        let (joins, conditions) = (Vec::new(), Vec::new());
        Self { shared, symbols, values, joins, conditions, has_examples, is_of_hanging: false }
    }

    /// The literals of a body in the order in which variables get their values.
    ///
    /// # Errors
    ///
    /// What SQL cannot say.
    pub(super) fn literals(&mut self, clause: &Clause, is_lifted: bool) -> Result<(), NoSql> {
        let symbols = self.symbols;
        for literal in ordered(clause, is_lifted.then_some(symbols)) {
            match literal {
                Some(literal) => self.literal(literal)?,
                None => self.never(),
            }
        }
        Ok(())
    }

    /// A condition.
    pub(super) fn condition(&mut self, condition: String) {
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }

    /// The database.
    pub(super) const fn dialect(&self) -> Dialect {
        self.shared.dialect
    }

    /// The value of a variable; none where nothing gave it one.
    pub(super) fn value(&self, variable: usize) -> Option<&Value> {
        self.values.get(variable).and_then(Option::as_ref)
    }

    /// The condition that it is for an example `e`, and the numbers of the tables of inputs that it asks. `None` if it is
    /// more than a comparison of the example's own values.
    pub(super) fn test(&self) -> Option<(BTreeSet<usize>, String)> {
        let inputs: Option<BTreeSet<usize>> = self.joins.iter().map(|join| join.input).collect();
        let has_query = self.conditions.iter().any(|condition| condition.contains("EXISTS ("));
        let conditions =
            if self.conditions.is_empty() { "1 = 1".to_owned() } else { self.conditions.join(" AND ") };
        inputs.filter(|_| !has_query).map(|inputs| (inputs, conditions))
    }

    /// A query of these columns, each row once.
    pub(super) fn query(self, columns: &[String], indent: &str) -> String {
        self.selected("SELECT DISTINCT", columns, indent)
    }

    /// A query of these columns, of all rows.
    pub(super) fn all_rows(self, columns: &[String], indent: &str) -> String {
        self.selected("SELECT", columns, indent)
    }

    fn selected(self, select: &str, columns: &[String], indent: &str) -> String {
        let joins = self.joins.iter().collect();
        Select { has_examples: self.has_examples, joins, conditions: &self.conditions }
            .text(select, columns, indent)
    }

    /// The query of the groups that the literals so far ask for, by example: `group_1` and so on. None where they give none.
    fn asked(&self, groups: &[Option<Value>]) -> Option<String> {
        let own = groups.iter().enumerate().filter_map(|(at, group)| match group {
            Some(Value::Sql(sql, _)) if !sql.starts_with("e.") => Some((at, sql)),
            _ => None,
        });
        let mut columns = vec!["e.example".to_owned()];
        columns.extend(own.map(|(at, sql)| format!("{sql} AS group_{}", at + 1)));
        // Tables of inputs are made after those of aggregates. Without a condition there are more groups, which is no harm.
        let joins: Vec<&Join> = self.joins.iter().filter(|join| join.input.is_none()).collect();
        let needs_input = joins.iter().flat_map(|join| &join.on).chain(&columns).any(|text| has_input(text));
        if columns.len() == 1 || !self.has_examples || needs_input {
            return None;
        }
        let conditions: Vec<String> =
            self.conditions.iter().filter(|condition| !has_input(condition)).cloned().collect();
        let select = Select { has_examples: true, joins, conditions: &conditions };
        Some(select.text("SELECT DISTINCT", &columns, "  "))
    }

    /// Joins the groups that a table asks for, under the alias `s`.
    pub(super) fn ask(&mut self, table: String) {
        let on = vec!["s.example = e.example".to_owned()];
        self.has_examples = true;
        self.joins.push(Join { is_outer: false, input: None, table, alias: "s".to_owned(), on });
    }

    fn never(&mut self) {
        self.condition("1 = 0".to_owned());
    }

    fn literal(&mut self, literal: &Literal) -> Result<(), NoSql> {
        let is_valued = |values: &[Option<Value>], at: usize| values.get(at).is_some_and(Option::is_some);
        let role = literal.role(&|variable| is_valued(&self.values, variable.index()));
        match (literal, role) {
            (Literal::Positive(atom), _) if self.symbols.is_aggregate(atom.predicate) => {
                self.aggregate(atom, false)
            }
            (Literal::Negative(atom), _) if self.symbols.is_aggregate(atom.predicate) => {
                self.aggregate(atom, true)
            }
            (Literal::Positive(atom), _) => self.atom(atom),
            (Literal::Negative(atom), _) => self.negated(atom),
            (Literal::Comparison(_), Role::Assign(variable, term)) => {
                let value = self.term(term)?;
                self.values[variable.index()] = Some(value);
                Ok(())
            }
            (Literal::Comparison(_), Role::Compute(variable, expression)) => {
                match self.number(expression)? {
                    Some(number) => {
                        self.condition(format!("{number} IS NOT NULL"));
                        self.values[variable.index()] = Some(Value::Sql(number, Kind::Number));
                    }
                    None => self.never(),
                }
                Ok(())
            }
            (Literal::Comparison(comparison), _) => {
                let condition = self.comparison(comparison)?;
                self.condition(condition);
                Ok(())
            }
            (Literal::Aggregate(_), _) => Err(NoSql::Unknown("aggregate_all/3".to_owned())),
        }
    }

    /// The relation of an atom.
    fn relation(&mut self, atom: &Atom) -> Result<&'s Relation, NoSql> {
        let name = self.symbols.predicate(atom.predicate);
        let relation = self.shared.source.relations.get(name);
        let relation = relation.ok_or_else(|| NoSql::Unknown(name.to_string()))?;
        self.shared.used.insert(relation.view.clone());
        Ok(relation)
    }

    /// Takes the rows of a foreign key from this table, in place of the relation.
    pub(super) fn rows(&mut self, link: &Atom, table: &str) {
        let alias = format!("t{}", self.joins.len() + 1);
        for (at, term) in link.arguments.iter().enumerate() {
            if let Some(variable) = term.variable() {
                let column = Value::Sql(format!("{alias}.a{}", at + 1), Kind::Name);
                self.values[variable.index()] = Some(column);
            }
        }
        self.joins.push(Join {
            is_outer: false,
            input: None,
            table: table.to_owned(),
            alias,
            on: Vec::new(),
        });
    }

    /// Joins the times of rows, whatever the example. Gives the alias.
    ///
    /// # Errors
    ///
    /// [`NoSql::Unbound`] when the rows have no value yet.
    pub(super) fn times(&mut self, age: &Atom) -> Result<String, NoSql> {
        let relation = self.relation(age)?;
        let alias = format!("t{}", self.joins.len() + 1);
        let row = self.term(age.arguments.first().copied().unwrap_or(Term::Any))?;
        let on = vec![self.equality(&Value::Sql(format!("{alias}.a1"), Kind::Name), &row)];
        let table = relation.view.clone();
        self.joins.push(Join { is_outer: false, input: None, table, alias: alias.clone(), on });
        Ok(alias)
    }

    fn atom(&mut self, atom: &Atom) -> Result<(), NoSql> {
        let relation = self.relation(atom)?;
        let alias = format!("t{}", self.joins.len() + 1);
        let mut on = self.existence(relation, &alias);
        for (at, term) in atom.arguments.iter().enumerate() {
            let column = self.column(relation, at, &alias);
            match *term {
                Term::Any => {}
                Term::Variable(variable) if self.values[variable.index()].is_none() => {
                    self.values[variable.index()] = Some(column);
                }
                Term::Variable(_) | Term::Constant(_) => {
                    let value = self.term(*term)?;
                    let is_it = self.equal(&column, &value, relation);
                    // Places are queries, which DuckDB does not take among the conditions of a join.
                    if relation.places_of.is_some() { self.condition(is_it) } else { on.push(is_it) }
                }
            }
        }
        self.joins.push(Join { is_outer: false, input: None, table: relation.view.clone(), alias, on });
        Ok(())
    }

    fn negated(&mut self, atom: &Atom) -> Result<(), NoSql> {
        let relation = self.relation(atom)?;
        let mut conditions = self.existence(relation, "n");
        for (at, term) in atom.arguments.iter().enumerate() {
            if *term != Term::Any {
                let (column, value) = (self.column(relation, at, "n"), self.term(*term)?);
                conditions.push(self.equal(&column, &value, relation));
            }
        }
        let conditions = if conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", conditions.join(" AND "))
        };
        self.condition(format!("NOT EXISTS (SELECT 1 FROM {} AS n{conditions})", relation.view));
        Ok(())
    }

    /// The conditions under which a row exists for the example.
    fn existence(&mut self, relation: &Relation, alias: &str) -> Vec<String> {
        let named = relation.knows_same.filter(|_| !self.is_of_hanging);
        let is_asked_of_example = relation.is_of_example || relation.age.is_some() || named.is_some();
        self.has_examples |= relation.is_timed || is_asked_of_example;
        let mut on = Vec::new();
        if relation.is_of_example {
            on.push(format!("{alias}.example = e.example"));
        }
        if relation.is_timed {
            on.push(format!("{alias}.since < e.before"));
        }
        if let Some(knows_same) = named {
            let same = format!(" OR {alias}.moment <= e.cut_off AND {alias}.since <= e.same");
            let same = if knows_same { same } else { String::new() };
            on.push(format!("({alias}.since IS NULL OR {alias}.since < e.before{same})"));
        }
        if relation.age == Some(Age::OfExample) {
            on.push(format!("{alias}.moment <= e.cut_off"));
        }
        on
    }

    fn column(&self, relation: &Relation, at: usize, alias: &str) -> Value {
        let second = (at == 1).then(|| second_column(relation, alias, self.shared.dialect)).flatten();
        let column = second.unwrap_or_else(|| format!("{alias}.a{}", at + 1));
        Value::Sql(column, relation.kinds.get(at).copied().unwrap_or(Kind::Name))
    }

    /// The aggregate's value joins, or decides.
    fn aggregate(&mut self, atom: &Atom, is_negated: bool) -> Result<(), NoSql> {
        let Some((value, groups)) = atom.arguments.split_last() else { return Ok(()) };
        let name = self.symbols.predicate(atom.predicate);
        let groups: Vec<Option<Value>> = groups
            .iter()
            .map(|term| match term {
                Term::Variable(variable) => Ok(self.values[variable.index()].clone()),
                _ => self.term(*term).map(Some),
            })
            .collect::<Result<_, NoSql>>()?;
        let asked = self.asked(&groups);
        let found = self.shared.aggregate(name, &groups, asked)?;
        self.has_examples |= found.is_of_example;
        if found.is_of_example && found.groups.is_empty() {
            let own = self.input(&found.name);
            return self.decide(&own, found.is_zero_of_none, *value, is_negated);
        }
        let alias = format!("t{}", self.joins.len() + 1);
        let mut on = Vec::new();
        if found.is_of_example {
            on.push(format!("{alias}.example = e.example"));
        }
        for (at, kind) in &found.groups {
            let column = Value::Sql(format!("{alias}.group_{}", at + 1), *kind);
            // A variable without a value has it from here.
            match (&groups[*at], atom.arguments[*at]) {
                (Some(known), _) => on.push(self.equality(&column, known)),
                (None, Term::Variable(variable)) => self.values[variable.index()] = Some(column),
                (None, _) => {}
            }
        }
        let is_outer = found.is_zero_of_none || is_negated;
        let own = format!("{alias}.value");
        self.joins.push(Join { is_outer, input: None, table: found.name, alias, on });
        self.decide(&own, found.is_zero_of_none, *value, is_negated)
    }

    /// The column of an aggregate that has a value for each example.
    fn input(&mut self, aggregate: &str) -> String {
        let (number, column) = self.shared.input(aggregate);
        let alias = format!("i{number}");
        if !self.joins.iter().any(|join| join.input == Some(number)) {
            let on = vec![format!("{alias}.example = e.example")];
            let table = input_table(number);
            self.joins.push(Join { is_outer: false, input: Some(number), table, alias: alias.clone(), on });
        }
        format!("{alias}.{column}")
    }

    /// What the value of an aggregate has to be.
    fn decide(
        &mut self,
        own: &str,
        is_zero_of_none: bool,
        value: Term,
        is_negated: bool,
    ) -> Result<(), NoSql> {
        let own = if is_zero_of_none { format!("coalesce({own}, 0)") } else { own.to_owned() };
        let column = Value::Sql(own.clone(), Kind::Number);
        match (is_negated, value) {
            (true, Term::Any) => self.condition(format!("{own} IS NULL")),
            (true, term) => {
                let known = self.term(term)?;
                let is_it = self.equality(&column, &known);
                self.condition(format!("({own} IS NULL OR NOT ({is_it}))"));
            }
            (false, Term::Variable(variable)) if self.values[variable.index()].is_none() => {
                self.values[variable.index()] = Some(column);
                self.condition(format!("{own} IS NOT NULL"));
            }
            (false, Term::Any) => self.condition(format!("{own} IS NOT NULL")),
            (false, term) => {
                let known = self.term(term)?;
                let is_it = self.equality(&column, &known);
                self.condition(is_it);
            }
        }
        Ok(())
    }

    fn term(&self, term: Term) -> Result<Value, NoSql> {
        match term {
            Term::Variable(variable) => self.values[variable.index()].clone().ok_or(NoSql::Unbound),
            Term::Constant(constant) => Ok(Value::Cell(cell_of(self.symbols.constants.text(constant)))),
            Term::Any => Err(NoSql::Unbound),
        }
    }

    fn equal(&self, column: &Value, value: &Value, relation: &Relation) -> String {
        match value {
            Value::Cell(cell) if relation.is_boolean => {
                self.equality(column, &Value::Cell(cell.to_lowercase()))
            }
            Value::Cell(_) | Value::Sql(..) => self.equality(column, value),
        }
    }

    fn equality(&self, left: &Value, right: &Value) -> String {
        self.same(left, right, "=")
    }

    /// Whether two values are the same, or with `<>` are not.
    fn same(&self, left: &Value, right: &Value, sign: &str) -> String {
        let dialect = self.shared.dialect;
        let never = |sign: &str| if sign == "=" { "1 = 0" } else { "1 = 1" }.to_owned();
        match (left, right) {
            (Value::Sql(left, Kind::Name), Value::Cell(cell))
            | (Value::Cell(cell), Value::Sql(left, Kind::Name)) => {
                format!("{left} {sign} {}", text(cell))
            }
            (Value::Sql(left, Kind::Number), Value::Cell(cell))
            | (Value::Cell(cell), Value::Sql(left, Kind::Number)) => match number_of(cell) {
                Some(number) => format!("{left} {sign} {}", dialect.constant(number)),
                None => never(sign),
            },
            (Value::Cell(left), Value::Cell(right)) => {
                if (left == right) == (sign == "=") {
                    "1 = 1".to_owned()
                } else {
                    "1 = 0".to_owned()
                }
            }
            (Value::Sql(left, of_left), Value::Sql(right, of_right)) if of_left == of_right => {
                format!("{left} {sign} {right}")
            }
            (Value::Sql(left, Kind::Number), Value::Sql(right, _)) => {
                format!("{} {sign} {right}", dialect.name_of_number(left))
            }
            (Value::Sql(left, Kind::Name), Value::Sql(right, _)) => {
                format!("{left} {sign} {}", dialect.name_of_number(right))
            }
        }
    }

    pub(super) fn comparison(&self, comparison: &Comparison) -> Result<String, NoSql> {
        use ComparisonOperator::{
            Greater, GreaterOrEqual, Identical, Is, Less, LessOrEqual, NotIdentical, NotUnify, Unify,
        };
        let sign = match comparison.operator {
            Unify | Identical => return self.identity(comparison, "="),
            NotUnify | NotIdentical => return self.identity(comparison, "<>"),
            Less => "<",
            Greater => ">",
            LessOrEqual => "<=",
            GreaterOrEqual => ">=",
            Is => "=",
        };
        let (left, right) = (self.number(&comparison.left)?, self.number(&comparison.right)?);
        Ok(match (left, right) {
            (Some(left), Some(right)) => format!("{left} {sign} {right}"),
            // What is no number compares with none.
            _ => "1 = 0".to_owned(),
        })
    }

    fn identity(&self, comparison: &Comparison, sign: &str) -> Result<String, NoSql> {
        match (&comparison.left, &comparison.right) {
            (Expression::Term(left), Expression::Term(right)) => {
                let (left, right) = (self.term(*left)?, self.term(*right)?);
                Ok(match (&left, &right) {
                    // Databases write true and false in several ways, and a view may have made them one.
                    (Value::Sql(sql, Kind::Name), Value::Cell(cell)) if is_truth(cell) => {
                        format!("lower({sql}) {sign} {}", text(&cell.to_lowercase()))
                    }
                    _ => self.same(&left, &right, sign),
                })
            }
            // An expression is identical to no constant.
            _ => Ok(if sign == "=" { "1 = 0" } else { "1 = 1" }.to_owned()),
        }
    }

    /// An expression as a number; none where a constant is no number.
    fn number(&self, expression: &Expression) -> Result<Option<String>, NoSql> {
        let dialect = self.shared.dialect;
        Ok(match expression {
            Expression::Term(term) => match self.term(*term)? {
                Value::Sql(sql, Kind::Number) => Some(sql),
                Value::Sql(sql, Kind::Name) => Some(dialect.number(&sql)),
                Value::Cell(cell) => number_of(&cell).map(|number| dialect.constant(number)),
            },
            Expression::Unary(function, inner) => {
                let name = match function {
                    ArithmeticFunction::Negate => "-",
                    ArithmeticFunction::Absolute => "abs",
                    _ => return Err(NoSql::Arithmetic(function.symbol())),
                };
                self.number(inner)?.map(|inner| format!("({name}({inner}))"))
            }
            Expression::Binary(operator, left, right) => {
                let (Some(left), Some(right)) = (self.number(left)?, self.number(right)?) else {
                    return Ok(None);
                };
                Some(match operator {
                    ArithmeticOperator::Add => format!("({left} + {right})"),
                    ArithmeticOperator::Subtract => format!("({left} - {right})"),
                    ArithmeticOperator::Multiply => format!("({left} * {right})"),
                    ArithmeticOperator::Divide => format!("({left} / nullif({right}, 0))"),
                    ArithmeticOperator::Maximum => of_two(&left, ">=", &right),
                    ArithmeticOperator::Minimum => of_two(&left, "<=", &right),
                    ArithmeticOperator::IntegerDivide
                    | ArithmeticOperator::Modulo
                    | ArithmeticOperator::Power => {
                        return Err(NoSql::Arithmetic(operator.symbol()));
                    }
                })
            }
        })
    }
}

/// The first of two numbers that compares so with the other; null if one is null.
fn of_two(left: &str, operator: &str, right: &str) -> String {
    format!(
        "(CASE WHEN {left} {operator} {right} THEN {left} WHEN {right} {operator} {left} THEN {right} END)"
    )
}
