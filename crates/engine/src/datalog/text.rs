//! Programs as text, for the tests of this module: Prolog's syntax without quotes, lists and signs. They run on the
//! fixpoint and on its slow twin, which tries every rule with every substitution until nothing is new.

use std::collections::BTreeSet;

use gleaner_base::{ConstantId, PredicateId, VariableId};
use gleaner_lang::program::stratify::stratify;
use gleaner_lang::program::{
    ArithmeticFunction, ArithmeticOperator, Atom, Clause, Comparison, ComparisonOperator, Expression,
    FactTable, Literal, Number, Term,
};

use super::NumberTable;
use super::fixpoint::{FixpointError, FixpointStatistics, fixpoint};

/// Constants by their printed text.
#[derive(Clone, Debug, Default)]
pub(super) struct TextConstants(Vec<String>);

impl TextConstants {
    fn position(&mut self, text: &str) -> ConstantId {
        let known = self.0.iter().position(|known| known == text);
        ConstantId::new(known.unwrap_or_else(|| {
            self.0.push(text.to_owned());
            self.0.len() - 1
        }))
    }
}

impl NumberTable for TextConstants {
    fn number(&self, constant: ConstantId) -> Option<Number> {
        let text = &self.0[constant.index()];
        let float = || text.parse().ok().map(Number::Float);
        if text.contains('.') { float() } else { text.parse().ok().map(Number::Integer) }
    }

    fn intern(&mut self, number: Number) -> ConstantId {
        let text = match number {
            Number::Integer(value) => value.to_string(),
            Number::Float(value) => format!("{value:?}"),
        };
        self.position(&text)
    }
}

/// A program with its names. A clause with `:-` is a rule; one without is a fact.
#[derive(Clone, Debug, Default)]
pub(super) struct TextProgram {
    pub(super) constants: TextConstants,
    pub(super) predicates: Vec<(String, usize)>,
    pub(super) rules: Vec<Clause>,
    pub(super) given: Vec<(PredicateId, Vec<ConstantId>)>,
}

impl TextProgram {
    pub(super) fn read(text: &str) -> Self {
        let mut reader =
            Reader { tokens: tokens(text), next: 0, variables: Vec::new(), program: Self::default() };
        while reader.next < reader.tokens.len() {
            reader.clause();
        }
        reader.program
    }

    /// All facts that the engine finds true, printed.
    pub(super) fn run(&self, limit: usize) -> Result<(BTreeSet<String>, FixpointStatistics), FixpointError> {
        let mut facts = FactTable::new(self.predicates.iter().map(|(_, arity)| *arity));
        for (predicate, row) in &self.given {
            facts.rows_mut(*predicate).push(row);
        }
        let mut constants = self.constants.clone();
        let statistics = fixpoint(&self.rules, &mut facts, &mut constants, limit)?;
        let model = (0..facts.n_predicates())
            .map(|predicate| facts.rows(PredicateId::new(predicate)).iter().map(<[_]>::to_vec).collect())
            .collect();
        Ok((self.print(&model, &constants), statistics))
    }

    /// All facts that the naive twin finds true, printed; `None` beyond the limit.
    pub(super) fn run_naive(&self, limit: usize) -> Option<BTreeSet<String>> {
        let mut model = vec![BTreeSet::new(); self.predicates.len()];
        for (predicate, row) in &self.given {
            model[predicate.index()].insert(row.clone());
        }
        let mut constants = self.constants.clone();
        naive(&self.rules, &mut model, &mut constants, limit).then(|| self.print(&model, &constants))
    }

    fn print(&self, model: &Model, constants: &TextConstants) -> BTreeSet<String> {
        let print = |name: &str, row: &Vec<ConstantId>| {
            let values: Vec<&str> = row.iter().map(|value| constants.0[value.index()].as_str()).collect();
            if values.is_empty() { name.to_owned() } else { format!("{name}({})", values.join(",")) }
        };
        let named = self.predicates.iter().zip(model);
        named.flat_map(|((name, _), rows)| rows.iter().map(move |row| print(name, row))).collect()
    }
}

fn tokens(text: &str) -> Vec<String> {
    const SIGNS: [&str; 8] = ["\\==", ":-", "\\+", "\\=", "==", "=<", ">=", "//"];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_inner = |(position, c): &(usize, char)| {
            let decimal = *c == '.' && rest[position + 1..].starts_with(|next: char| next.is_ascii_digit());
            c.is_alphanumeric() || *c == '_' || (first.is_ascii_digit() && decimal)
        };
        let word = rest.char_indices().take_while(is_inner).count();
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(1, |sign| sign.len());
        let (token, after) = rest.split_at(if word > 0 { word } else { sign });
        tokens.push(token.to_owned());
        rest = after.trim_start();
    }
    tokens
}

struct Reader {
    tokens: Vec<String>,
    next: usize,
    variables: Vec<String>,
    program: TextProgram,
}

impl Reader {
    fn peek(&self, ahead: usize) -> &str {
        self.tokens.get(self.next + ahead).map_or("", String::as_str)
    }

    fn take(&mut self) -> String {
        self.next += 1;
        self.tokens[self.next - 1].clone()
    }

    fn accept(&mut self, token: &str) -> bool {
        let is_next = self.peek(0) == token;
        self.next += usize::from(is_next);
        is_next
    }

    fn clause(&mut self) {
        self.variables.clear();
        let head = self.atom();
        if self.accept(":-") {
            let mut body = Vec::new();
            if !self.accept("true") {
                body.push(self.literal());
                while self.accept(",") {
                    body.push(self.literal());
                }
            }
            self.program.rules.push(Clause { head, body, n_variables: self.variables.len() });
        } else {
            let value = |term: &Term| match term {
                Term::Constant(constant) => *constant,
                Term::Variable(_) | Term::Any => panic!("rows are ground"),
            };
            self.program.given.push((head.predicate, head.arguments.iter().map(value).collect()));
        }
        assert!(self.accept("."), "a stop at token {}, not {:?}", self.next, self.peek(0));
    }

    fn literal(&mut self) -> Literal {
        if self.accept("\\+") {
            return Literal::Negative(self.atom());
        }
        let is_name = self.peek(0).starts_with(|c: char| c.is_ascii_lowercase());
        if is_name && matches!(self.peek(1), "(" | "," | ".") {
            return Literal::Positive(self.atom());
        }
        let left = self.expression();
        let operator = ComparisonOperator::from_symbol(&self.take()).expect("a comparison");
        Literal::Comparison(Comparison { operator, left, right: self.expression() })
    }

    fn atom(&mut self) -> Atom {
        let name = self.take();
        let mut arguments = Vec::new();
        if self.accept("(") {
            arguments.push(self.term());
            while self.accept(",") {
                arguments.push(self.term());
            }
            assert!(self.accept(")"), "a parenthesis after {name}");
        }
        let key = (name, arguments.len());
        let predicates = &mut self.program.predicates;
        let known = predicates.iter().position(|predicate| *predicate == key);
        let predicate = PredicateId::new(known.unwrap_or(predicates.len()));
        if known.is_none() {
            predicates.push(key);
        }
        Atom { predicate, arguments }
    }

    fn term(&mut self) -> Term {
        let text = self.take();
        if text == "_" {
            return Term::Any;
        }
        if text.starts_with(|c: char| c.is_ascii_uppercase()) {
            let known = self.variables.iter().position(|variable| *variable == text);
            let variable = VariableId::new(known.unwrap_or(self.variables.len()));
            if known.is_none() {
                self.variables.push(text);
            }
            return Term::Variable(variable);
        }
        Term::Constant(self.program.constants.position(&text))
    }

    fn expression(&mut self) -> Expression {
        let mut left = self.product();
        while matches!(self.peek(0), "+" | "-") {
            let operator = ArithmeticOperator::from_symbol(&self.take()).expect("plus or minus");
            left = Expression::Binary(operator, Box::new(left), Box::new(self.product()));
        }
        left
    }

    fn product(&mut self) -> Expression {
        let mut left = self.factor();
        while matches!(self.peek(0), "*" | "/" | "//" | "mod") {
            let operator = ArithmeticOperator::from_symbol(&self.take()).expect("an operator");
            left = Expression::Binary(operator, Box::new(left), Box::new(self.factor()));
        }
        left
    }

    fn factor(&mut self) -> Expression {
        if self.accept("-") {
            return Expression::Unary(ArithmeticFunction::Negate, Box::new(self.factor()));
        }
        if self.accept("(") {
            let inner = self.expression();
            assert!(self.accept(")"), "a closing parenthesis");
            return inner;
        }
        Expression::Term(self.term())
    }
}

/// The rows of each predicate, by predicate id.
pub(super) type Model = Vec<BTreeSet<Vec<ConstantId>>>;

/// Adds the facts that follow by safe, stratifiable rules; false where they are more than the limit.
pub(super) fn naive(
    rules: &[Clause],
    model: &mut Model,
    constants: &mut dyn NumberTable,
    max_derived_facts: usize,
) -> bool {
    let n_given: usize = model.iter().map(BTreeSet::len).sum();
    let strata = stratify(rules, model.len()).expect("the rules are stratifiable");
    for stratum in strata.as_slice() {
        loop {
            let n_before: usize = model.iter().map(BTreeSet::len).sum();
            if n_before - n_given > max_derived_facts {
                return false;
            }
            for rule in stratum.rules.iter().map(|&rule| &rules[rule]) {
                let mut search = Search { head: &rule.head, model, constants, found: Vec::new() };
                search.solve(&rule.body.iter().collect::<Vec<_>>(), &vec![None; rule.n_variables]);
                let found = search.found;
                model[rule.head.predicate.index()].extend(found);
            }
            if model.iter().map(BTreeSet::len).sum::<usize>() == n_before {
                break;
            }
        }
    }
    true
}

type Substitution = Vec<Option<ConstantId>>;

struct Search<'a> {
    head: &'a Atom,
    model: &'a Model,
    constants: &'a mut dyn NumberTable,
    found: Vec<Vec<ConstantId>>,
}

impl Search<'_> {
    fn solve(&mut self, goals: &[&Literal], values: &Substitution) {
        let is_ground = |literal: &Literal| literal.variables().iter().all(|v| values[v.index()].is_some());
        for (position, goal) in goals.iter().enumerate() {
            let rest = [&goals[..position], &goals[position + 1..]].concat();
            match goal {
                Literal::Negative(atom) if is_ground(goal) => {
                    let is_instance = |row: &Vec<ConstantId>| {
                        let mut columns = atom.arguments.iter().zip(row);
                        columns
                            .all(|(&term, &value)| term == Term::Any || lookup(term, values) == Some(value))
                    };
                    if !self.model[atom.predicate.index()].iter().any(is_instance) {
                        self.solve(&rest, values);
                    }
                    return;
                }
                Literal::Comparison(comparison) if is_ground(goal) => {
                    let value = |v: VariableId| values[v.index()].expect("ground");
                    if comparison.holds(&value, &|constant| self.constants.number(constant)) {
                        self.solve(&rest, values);
                    }
                    return;
                }
                Literal::Comparison(comparison) => {
                    let sides =
                        [(&comparison.left, &comparison.right), (&comparison.right, &comparison.left)];
                    let n_sides = match comparison.operator {
                        ComparisonOperator::Unify => 2,
                        ComparisonOperator::Is => 1,
                        _ => 0,
                    };
                    for (to, from) in &sides[..n_sides] {
                        let Expression::Term(Term::Variable(variable)) = to else { continue };
                        let mut is_known = true;
                        from.visit_variables(&mut |v| is_known &= values[v.index()].is_some());
                        if !is_known {
                            continue;
                        }
                        let value = match (from, comparison.operator) {
                            (Expression::Term(term), ComparisonOperator::Unify) => lookup(*term, values),
                            (_, ComparisonOperator::Unify) => continue,
                            _ => self.number(from, values),
                        };
                        if value.is_some() {
                            let mut values = values.clone();
                            values[variable.index()] = value;
                            self.solve(&rest, &values);
                        }
                        return;
                    }
                }
                _ => {}
            }
        }
        let positive = goals.iter().position(|goal| matches!(goal, Literal::Positive(_)));
        let Some(position) = positive else {
            assert!(goals.is_empty(), "the rule is safe");
            self.found.push(ground(self.head, values));
            return;
        };
        let rest = [&goals[..position], &goals[position + 1..]].concat();
        let Literal::Positive(atom) = goals[position] else { return };
        for row in &self.model[atom.predicate.index()] {
            let mut values = values.clone();
            let agrees = atom.arguments.iter().zip(row).all(|(term, value)| match term {
                Term::Constant(constant) => constant == value,
                Term::Variable(variable) => *values[variable.index()].get_or_insert(*value) == *value,
                Term::Any => true,
            });
            if agrees {
                self.solve(&rest, &values);
            }
        }
    }

    fn number(&mut self, expression: &Expression, values: &Substitution) -> Option<ConstantId> {
        let value = |v: VariableId| values[v.index()].expect("known");
        let number = expression.evaluate(&value, &|constant| self.constants.number(constant))?;
        Some(self.constants.intern(number))
    }
}

fn lookup(term: Term, values: &Substitution) -> Option<ConstantId> {
    match term {
        Term::Variable(variable) => values[variable.index()],
        Term::Constant(constant) => Some(constant),
        Term::Any => None,
    }
}

fn ground(atom: &Atom, values: &Substitution) -> Vec<ConstantId> {
    atom.arguments.iter().map(|&term| lookup(term, values).expect("the rule is safe")).collect()
}
