//! Printing terms and statements so that they read back as the same.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write};

use super::ast::{Statement, Term, TermKind};
use super::lexer::is_plain_name;

/// The name as an atom of a program: itself if it needs no quotes anywhere, else quoted.
#[must_use]
pub fn quote_atom(name: &str) -> Cow<'_, str> {
    // `is` and `mod` are operators after a term, so they are quoted.
    if name == "!" || is_plain_name(name) && !matches!(name, "is" | "mod") {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(quoted(name, '\''))
    }
}

/// The name as an atom in quotes, also where it needs none, as systems differ in the letters that need quotes.
#[must_use]
pub fn quote_name(name: &str) -> String {
    quoted(name, '\'')
}

/// The text as a double-quoted string of a program.
#[must_use]
pub fn quote_text(text: &str) -> String {
    quoted(text, '"')
}

fn quoted(value: &str, quote: char) -> String {
    let mut shown = String::with_capacity(value.len() + 2);
    shown.push(quote);
    for c in value.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\\' => shown.push_str("\\\\"),
            _ if c == quote => shown.extend(['\\', quote]),
            _ if c.is_control() => {
                shown.push_str("\\x");
                shown.push_str(&format!("{:X}", u32::from(c)));
                shown.push('\\');
            }
            _ => shown.push(c),
        }
    }
    shown.push(quote);
    shown
}

/// Priority of arguments: all but conjunction, implication, disjunction and `:-`.
const ARGUMENT: u16 = 999;

/// The priority of an infix operator, and the greatest priorities of its left and right operands.
fn infix(name: &str) -> Option<(u16, u16, u16)> {
    Some(match name {
        ":-" => (1200, 1199, 1199),
        ";" => (1100, 1099, 1100),
        "->" => (1050, 1049, 1050),
        "," => (1000, 999, 1000),
        "=" | "\\=" | "==" | "\\==" | "<" | ">" | "=<" | ">=" | "is" | "=:=" | "=\\=" | "=.." | "@<"
        | "@>" | "@=<" | "@>=" => (700, 699, 699),
        ":" => (600, 599, 600),
        "+" | "-" => (500, 500, 499),
        "*" | "/" | "//" | "mod" => (400, 400, 399),
        "^" | "**" => (200, 199, 200),
        _ => return None,
    })
}

fn prefix(name: &str) -> Option<u16> {
    match name {
        "\\+" => Some(900),
        "+" | "-" | "#" => Some(200),
        _ => None,
    }
}

fn write_term(f: &mut Formatter<'_>, term: &Term<'_>, most: u16) -> fmt::Result {
    match &term.kind {
        TermKind::Variable(name) => f.write_str(name),
        TermKind::Atom(name) => f.write_str(&quote_atom(name)),
        TermKind::Text(text) => f.write_str(&quote_text(text)),
        TermKind::Integer(number) => write!(f, "{number}"),
        // `Debug` is the shortest form that reads back, always with a point or an exponent.
        TermKind::Float(number) => write!(f, "{number:?}"),
        TermKind::List(items, tail) => {
            f.write_char('[')?;
            write_arguments(f, items)?;
            if let Some(tail) = tail {
                f.write_char('|')?;
                write_argument(f, tail)?;
            }
            f.write_char(']')
        }
        TermKind::Compound(name, args) => match (args.as_slice(), infix(name), prefix(name)) {
            ([left, right], Some((priority, left_most, right_most)), _) => {
                bracketed(f, priority > most, |f| {
                    write_term(f, left, left_most)?;
                    match &**name {
                        "," => f.write_str(", ")?,
                        "/" | "^" => f.write_str(name)?,
                        _ => write!(f, " {name} ")?,
                    }
                    write_term(f, right, right_most)
                })
            }
            ([arg], _, Some(priority)) => bracketed(f, priority > most, |f| {
                f.write_str(name)?;
                if name == "\\+" || !starts_with_name(arg) {
                    f.write_char(' ')?;
                }
                write_term(f, arg, priority)
            }),
            _ => {
                f.write_str(&quote_atom(name))?;
                f.write_char('(')?;
                write_arguments(f, args)?;
                f.write_char(')')
            }
        },
    }
}

fn bracketed(
    f: &mut Formatter<'_>,
    brackets: bool,
    inside: impl FnOnce(&mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    if !brackets {
        return inside(f);
    }
    f.write_char('(')?;
    inside(f)?;
    f.write_char(')')
}

/// Whether the operand of a prefix operator can follow it without a space. A digit would make it a negative number and
/// a bracket would make it a functor. Before other operators a space is easier to read.
fn starts_with_name(term: &Term<'_>) -> bool {
    match &term.kind {
        TermKind::Variable(_) => true,
        TermKind::Atom(name) => is_plain_name(name),
        TermKind::Compound(name, _) => is_plain_name(name) && infix(name).is_none(),
        _ => false,
    }
}

fn write_arguments(f: &mut Formatter<'_>, args: &[Term<'_>]) -> fmt::Result {
    for (idx, arg) in args.iter().enumerate() {
        if idx > 0 {
            f.write_str(", ")?;
        }
        write_argument(f, arg)?;
    }
    Ok(())
}

fn write_argument(f: &mut Formatter<'_>, arg: &Term<'_>) -> fmt::Result {
    match &arg.kind {
        // An operator alone between commas needs no quotes: `modeb(*, p(+t))`.
        TermKind::Atom(name)
            if (prefix(name).is_some() || infix(name).is_some()) && !matches!(&**name, "," | ":-") =>
        {
            f.write_str(name)
        }
        _ => write_term(f, arg, ARGUMENT),
    }
}

impl Display for Term<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_term(f, self, ARGUMENT)
    }
}

impl Display for Statement<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(head) = &self.head {
            write_term(f, head, 1199)?;
        }
        for (idx, goal) in self.body.iter().enumerate() {
            f.write_str(match (idx, &self.head) {
                (0, Some(_)) => " :- ",
                (0, None) => ":- ",
                _ => ", ",
            })?;
            write_term(f, goal, ARGUMENT)?;
        }
        f.write_char('.')
    }
}

#[cfg(test)]
mod tests;
