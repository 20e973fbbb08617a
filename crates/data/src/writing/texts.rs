//! Statements as text of a program that reads back as the same statements.
//!
//! The names of rows without a key, as they are written.
//!
//! Such a row is known by its number, which is no constant of the data. In a file it gets a name that no constant has, and
//! names ascend as the rows do: so the examples are read back in the same order.

use std::ops::Range;

use gleaner_base::ConstantId;
use gleaner_lang::program::literal::Notation;
use gleaner_lang::program::lower::Variables;
use gleaner_lang::program::{AggregateText, Atom, Comparison, Expression, PredicateName, Term};
use gleaner_lang::syntax::{PlainConstant, TermKind, plain_constant, quote_atom, read_clause};

use crate::gather::RawRule;
use crate::mode_terms::{Marker, RawMode, plain_text};
use crate::provisional::Provisional;

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

/// The names of rows, `row001` and so on.
#[derive(Debug)]
pub(super) struct RowTexts {
    /// The constants that name rows, a range for each table.
    ranges: Vec<Range<u32>>,
    /// What stands before the number.
    stem: String,
    n_digits: usize,
}

impl RowTexts {
    /// Cost: a look at all constants, if rows have names at all.
    pub(super) fn of(symbols: &Provisional) -> Self {
        let ranges = symbols.all_row_names().to_vec();
        let n_rows: usize = ranges.iter().map(ExactSizeIterator::len).sum();
        let mut stem = "row".to_owned();
        let is_taken = |stem: &str| {
            let mut texts =
                (0..symbols.constants().len()).map(|id| symbols.constant_text(ConstantId::new(id)));
            texts.any(|text| {
                text.strip_prefix(stem).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            })
        };
        while n_rows > 0 && is_taken(&stem) {
            stem.push('_');
        }
        Self { ranges, stem, n_digits: n_rows.to_string().len() }
    }

    /// The constants that name rows, in their order.
    pub(super) fn ids(&self) -> impl Iterator<Item = ConstantId> + '_ {
        self.ranges.iter().flat_map(Clone::clone).map(ConstantId::from_raw)
    }

    /// Whether a constant names a row.
    pub(super) fn is_row(&self, id: ConstantId) -> bool {
        self.ranges.iter().any(|range| range.contains(&id.raw()))
    }

    /// The name of a row, if the constant is one.
    pub(super) fn text(&self, id: ConstantId) -> Option<String> {
        let mut n_before = 0;
        for range in &self.ranges {
            if range.contains(&id.raw()) {
                let number = n_before + (id.raw() - range.start) + 1;
                return Some(format!("{}{number:0width$}", self.stem, width = self.n_digits));
            }
            n_before += range.end - range.start;
        }
        None
    }
}
