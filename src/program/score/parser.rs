//! From a text to a formula's tree, by operator precedence (Pratt).

use super::formula::{BinaryOperator, NEGATION, Node, SUM, UnaryOperator, Variable};
use super::formula_fault::{FormulaFault, Kind};

/// Brackets and signs within each other: far beyond what is read by eye, far below what a stack holds.
const MOST_LEVELS: usize = 64;

/// Numbers, variables and operations: a chain of operators makes a tree as deep as it is long, and trees
/// are walked by recursion.
const MOST_NODES: usize = 500;

pub(super) fn parse(text: &str) -> Result<Node, FormulaFault> {
    let mut parser = Parser { rest: text, column: 1, n_levels: 0, n_nodes: 0 };
    let node = parser.expression(SUM)?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.no_operator("an operator or the end")),
    }
}

struct Parser<'t> {
    rest: &'t str,
    /// That of the first character of `rest`.
    column: usize,
    n_levels: usize,
    n_nodes: usize,
}

impl<'t> Parser<'t> {
    /// What binds at least as closely as `level`.
    fn expression(&mut self, level: u8) -> Result<Node, FormulaFault> {
        if self.n_levels == MOST_LEVELS {
            return Err(self.fault(Kind::TooDeep(MOST_LEVELS)));
        }
        self.n_levels += 1;
        let mut left = self.operand()?;
        while let Some((operator, found_level)) = self.peek().and_then(BinaryOperator::infix) {
            if found_level < level {
                break;
            }
            self.advance(1);
            let right = self.expression(operator.right_level(found_level))?;
            left = self.node(Node::Binary(operator, Box::new(left), Box::new(right)))?;
        }
        self.n_levels -= 1;
        Ok(left)
    }

    /// A number, a variable, a call, a bracket, or one of these with a minus before it.
    fn operand(&mut self) -> Result<Node, FormulaFault> {
        match self.peek() {
            Some('-') => {
                self.advance(1);
                let operand = self.expression(NEGATION)?;
                self.node(Node::Unary(UnaryOperator::Negate, Box::new(operand)))
            }
            Some('(') => {
                self.advance(1);
                let inner = self.expression(SUM)?;
                if self.take(')') { Ok(inner) } else { Err(self.no_operator("an operator or )")) }
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.name(),
            _ => Err(self.fault(Kind::NoValue(self.found()))),
        }
    }

    fn number(&mut self) -> Result<Node, FormulaFault> {
        let text = &self.rest[..number_length(self.rest)];
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.advance(text.len());
                self.node(Node::Number(value))
            }
            _ => Err(self.fault(Kind::Number(text.to_owned()))),
        }
    }

    fn name(&mut self) -> Result<Node, FormulaFault> {
        let is_within = |c: char| c.is_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !is_within(c)).unwrap_or(self.rest.len());
        let (name, column) = (&self.rest[..end], self.column);
        if let Some(variable) = find(&Variable::ALL, name) {
            self.advance(end);
            return self.node(Node::Variable(variable.1));
        }
        let unary = find(&UnaryOperator::FUNCTIONS, name);
        let binary = find(&BinaryOperator::FUNCTIONS, name);
        let Some(known) = unary.map(|found| found.0).or(binary.map(|found| found.0)) else {
            return Err(self.fault(Kind::Unknown(name.to_owned())));
        };
        self.advance(end);
        if !self.take('(') {
            return Err(FormulaFault::at(column, Kind::NoArguments(known)));
        }
        let arguments = self.arguments()?;
        let n_wanted = if unary.is_some() { 1 } else { 2 };
        let wrong_number = Kind::Arguments(known, arguments.len(), n_wanted);
        let mut arguments = arguments.into_iter().map(Box::new);
        let call = match (unary, binary, arguments.next(), arguments.next(), arguments.next()) {
            (Some((_, operator)), _, Some(operand), None, None) => Node::Unary(operator, operand),
            (_, Some((_, operator)), Some(left), Some(right), None) => Node::Binary(operator, left, right),
            _ => return Err(FormulaFault::at(column, wrong_number)),
        };
        self.node(call)
    }

    /// Those after an opening bracket, with the closing one.
    fn arguments(&mut self) -> Result<Vec<Node>, FormulaFault> {
        let mut arguments = Vec::new();
        if self.take(')') {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression(SUM)?);
            if self.take(')') {
                return Ok(arguments);
            }
            if !self.take(',') {
                return Err(self.no_operator("an operator, a comma or )"));
            }
        }
    }

    fn node(&mut self, node: Node) -> Result<Node, FormulaFault> {
        self.n_nodes += 1;
        if self.n_nodes > MOST_NODES { Err(self.fault(Kind::TooLong(MOST_NODES))) } else { Ok(node) }
    }

    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        let n_blanks = self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len());
        self.advance(n_blanks);
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        if is_there {
            self.advance(wanted.len_utf8());
        }
        is_there
    }

    fn advance(&mut self, n_bytes: usize) {
        let (passed, rest): (&str, &'t str) = self.rest.split_at(n_bytes);
        self.column += passed.chars().count();
        self.rest = rest;
    }

    /// What stands here, as a message names it.
    fn found(&self) -> String {
        self.rest.chars().next().map_or_else(|| "the end".to_owned(), String::from)
    }

    fn no_operator(&self, accepted: &'static str) -> FormulaFault {
        self.fault(Kind::NoOperator(self.found(), accepted))
    }

    const fn fault(&self, kind: Kind) -> FormulaFault {
        FormulaFault::at(self.column, kind)
    }
}

fn find<T: Copy>(names: &[(&'static str, T)], wanted: &str) -> Option<(&'static str, T)> {
    names.iter().find(|(name, _)| *name == wanted).copied()
}

/// How many bytes of the text are a number: digits, a point among them, and perhaps an exponent.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        text[from..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |length| from + length)
    };
    let mut end = digits(0);
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}
