//! Statements as text of a program that reads back as the same statements.

use crate::gather::RawRule;
use crate::mode_terms::plain_text;
use crate::mode_terms::{Marker, RawMode};
use crate::provisional::Provisional;
use gleaner_lang::program::literal::Notation;
use gleaner_lang::program::lower::Variables;
use gleaner_lang::program::{AggregateText, Atom, Comparison, Expression, PredicateName, Term};
use gleaner_lang::syntax::{PlainConstant, TermKind, plain_constant, quote_atom, read_clause};

/// A rule with the names of its variables.
pub(crate) fn rule(rule: &RawRule, symbols: &Provisional) -> String {
    let names = Names { symbols, variables: &rule.variables };
    let body: Vec<String> = rule.clause.body.iter().map(|literal| literal.text(&names)).collect();
    let head = names.atom(&rule.clause.head);
    if body.is_empty() { format!("{head}.") } else { format!("{head} :- {}.", body.join(", ")) }
}

/// The names behind the ids of a rule.
struct Names<'r> {
    symbols: &'r Provisional,
    variables: &'r Variables,
}

impl Notation for Names<'_> {
    fn atom(&self, atom: &Atom) -> String {
        let name = quote_atom(&self.symbols.predicate_name(atom.predicate).name);
        let arguments: Vec<&str> = atom.arguments.iter().map(|&term| self.term(term)).collect();
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(",")) }
    }

    fn comparison(&self, comparison: &Comparison) -> String {
        format!(
            "{} {} {}",
            self.expression(&comparison.left),
            comparison.operator.symbol(),
            self.expression(&comparison.right)
        )
    }

    fn term(&self, term: Term) -> String {
        Names::term(self, term).to_owned()
    }
}

impl Names<'_> {
    fn term(&self, term: Term) -> &str {
        match term {
            Term::Variable(variable) => self.variables.name(variable),
            Term::Constant(constant) => self.symbols.constant_text(constant),
            Term::Any => "_",
        }
    }

    /// Operands get brackets, whatever their priority; so do constants that operators may make.
    fn expression(&self, expression: &Expression) -> String {
        let operand = |inner: &Expression| match inner {
            Expression::Term(_) => self.expression(inner),
            _ => format!("({})", self.expression(inner)),
        };
        match expression {
            Expression::Term(term @ Term::Variable(_)) => self.term(*term).to_owned(),
            Expression::Term(term) => {
                let text = self.term(*term);
                if plain_constant(text).is_some() { text.to_owned() } else { format!("({text})") }
            }
            Expression::Unary(function, inner) => {
                format!("{}({})", function.symbol(), self.expression(inner))
            }
            Expression::Binary(operator, left, right) if operator.is_before() => {
                format!("{}({}, {})", operator.symbol(), self.expression(left), self.expression(right))
            }
            // `//` begins a comment in some systems.
            Expression::Binary(operator, left, right) if operator.symbol() == "//" => {
                format!("'//'({}, {})", operand(left), operand(right))
            }
            Expression::Binary(operator, left, right) => {
                format!("{} {} {}", operand(left), operator.symbol(), operand(right))
            }
        }
    }
}

/// `determination(target/1, p/2)`.
pub(crate) fn determination(target: &PredicateName, body: &PredicateName) -> String {
    format!("determination({}, {})", target.indicator(), body.indicator())
}

/// `p(+a,-b)`, `\+ p(+a)` or `+a < +b`.
pub(crate) fn mode_text(mode: &RawMode) -> String {
    let arguments: Vec<String> = mode.arguments.iter().map(|(marker, name)| marked(*marker, name)).collect();
    let atom = |name: &PredicateName| {
        if let Some(text) = AggregateText::of(&name.name, name.arity) {
            return text.with(|argument| arguments[argument].clone());
        }
        let name = quote_atom(&name.name);
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(",")) }
    };
    mode.subject.text(atom, &arguments)
}

fn marked(marker: Marker, type_name: &str) -> String {
    let sign = match marker {
        Marker::Input => '+',
        Marker::Output => '-',
        Marker::Constant => '#',
    };
    let text = type_text(type_name);
    let is_word = text.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !text.starts_with(|c: char| c.is_ascii_digit());
    let is_name = is_word || plain_constant(&text) == Some(PlainConstant::Atom);
    if is_name { format!("{sign}{text}") } else { format!("{sign} ({text})") }
}

/// A type as a term; a type with a capital is written as a variable. In some layouts a type may be no term; it gets
/// quotes.
pub(crate) fn type_text(name: &str) -> String {
    let is_term = argument_of(name, |term| term.to_string() == name).unwrap_or(false);
    if is_term { name.to_owned() } else { quote_atom(name).into_owned() }
}

/// The result of `look` for the term of this text; none if the text is no term.
fn argument_of<T>(text: &str, look: impl FnOnce(&gleaner_lang::syntax::Term<'_>) -> T) -> Option<T> {
    let clause = format!("term({text}).");
    let statement = read_clause(&clause).ok()?;
    match statement.head?.kind {
        TermKind::Compound(_, arguments) => match arguments.as_slice() {
            [argument] => Some(look(argument)),
            _ => None,
        },
        _ => None,
    }
}

/// `set(name, value)`.
pub(super) fn setting(name: &str, value: &str) -> String {
    let written = |text: &str| {
        let is_same = argument_of(text, |term| plain_text(term) == text).unwrap_or(false);
        if is_same { text.to_owned() } else { quote_atom(text).into_owned() }
    };
    format!("set({}, {})", written(name), written(value))
}
