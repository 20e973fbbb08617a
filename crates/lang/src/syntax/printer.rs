//! Printing terms and statements so that they read back as the same.

use std::borrow::Cow;
use std::fmt;
use std::fmt::{Display, Formatter, Write};

use super::ast::{Statement, Term, TermKind};
use super::lexer::is_plain_name;

/// The name as an atom of a program: itself if it needs no quotes anywhere, else quoted.
pub fn quote_atom(name: &str) -> Cow<'_, str> {
    // `is` and `mod` are operators after a term, so they are quoted.
    if name == "!" || is_plain_name(name) && !matches!(name, "is" | "mod") {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(quoted(name, '\''))
    }
}

/// The name as an atom in quotes, also where it needs none, as systems differ in the letters that need quotes.
pub fn quote_name(name: &str) -> String {
    quoted(name, '\'')
}

/// The text as a double-quoted string of a program.
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
        TermKind::Compound(name, args) if name == "{}" && args.len() == 1 => {
            f.write_char('{')?;
            write_term(f, &args[0], 1200)?;
            f.write_char('}')
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
        // An operator alone between commas needs no quotes: `modeb(*, p(+t))`. `//` begins a comment in other systems.
        TermKind::Atom(name)
            if (prefix(name).is_some() || infix(name).is_some()) && !matches!(&**name, "," | ":-" | "//") =>
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
mod tests {
    use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop, prop_oneof, proptest};

    use super::super::ast::{Span, Statement, Term, TermKind};
    use super::super::{read_clause, read_conjunction};
    use super::{quote_atom, quote_text};

    fn term(kind: TermKind<'static>) -> Term<'static> {
        Term { kind, span: Span::default() }
    }

    fn name() -> BoxedStrategy<String> {
        let odd = &[
            "", "is", "mod", "*", "+", "-", "#", "=", "=..", "\\+", ":-", ",", "|", ";", "->", ":", "!",
            "[]", "[", "{}", "{", "`", "it's", "A", "_a", "3d", "a b", "a.b", "\\", "\\x", "é", "É", "東京",
            "dynamic", "table", "not", "a\nb", "\u{7f}", "//",
        ];
        prop_oneof![
            "[a-z][a-zA-Z0-9_]{0,4}",
            prop::sample::select(&odd[..]).prop_map(str::to_owned),
            "\\PC{0,4}",
            ".{0,3}"
        ]
        .boxed()
    }

    fn leaf() -> BoxedStrategy<Term<'static>> {
        let float = prop_oneof![
            any::<f64>().prop_filter("finite", |x| x.is_finite()),
            prop::sample::select(
                &[0.0, -0.0, 1.0, -2.0, 1e300, 1e16, 1.5e-7, f64::MIN_POSITIVE, f64::MAX][..]
            ),
        ];
        let integer = prop_oneof![any::<i64>(), -3..4_i64, Just(i64::MIN)];
        prop_oneof![
            "[A-Z_][a-zA-Z0-9_]{0,3}".prop_map(|name| term(TermKind::Variable(name.into()))),
            name().prop_map(|name| term(TermKind::Atom(name.into()))),
            name().prop_map(|text| term(TermKind::Text(text.into()))),
            integer.prop_map(|number| term(TermKind::Integer(number))),
            float.prop_map(|number| term(TermKind::Float(number))),
            Just(term(TermKind::List(Vec::new(), None))),
        ]
        .boxed()
    }

    fn tree() -> BoxedStrategy<Term<'static>> {
        let inner = |inside: BoxedStrategy<Term<'static>>| {
            let infix = prop::sample::select(
                &[":-", ";", "->", ",", "=", "<", "is", ":", "+", "-", "*", "/", "mod", "^", "**", "#"][..],
            );
            let prefix = prop::sample::select(&["\\+", "+", "-", "#", "*"][..]);
            prop_oneof![
                (name(), prop::collection::vec(inside.clone(), 1..4))
                    .prop_map(|(name, args)| term(TermKind::Compound(name.into(), args))),
                (infix, inside.clone(), inside.clone())
                    .prop_map(|(name, a, b)| term(TermKind::Compound(name.into(), vec![a, b]))),
                (prefix, inside.clone()).prop_map(|(name, a)| term(TermKind::Compound(name.into(), vec![a]))),
                (prop::collection::vec(inside.clone(), 1..4), prop::option::of(inside)).prop_map(
                    |(items, tail)| {
                        // The reader has one list for two.
                        let tail = tail.filter(|tail| !matches!(tail.kind, TermKind::List(..)));
                        term(TermKind::List(items, tail.map(Box::new)))
                    }
                ),
            ]
        };
        leaf().prop_recursive(5, 40, 4, move |inside| inner(inside.boxed())).boxed()
    }

    /// A conjunct; the reader opens conjunctions.
    fn goal() -> impl Strategy<Value = Term<'static>> {
        let is_conjunction = |term: &Term<'_>| matches!(&term.kind, TermKind::Compound(name, args) if name == "," && args.len() == 2);
        tree().prop_filter("a conjunct", move |term| !is_conjunction(term))
    }

    fn statement() -> impl Strategy<Value = Statement<'static>> {
        let body = |least| prop::collection::vec(goal(), least..4);
        let clause = (tree(), body(0)).prop_map(|(head, body)| (Some(head), body));
        let directive = body(1).prop_map(|body| (None, body));
        prop_oneof![clause, directive].prop_map(|(head, body)| Statement {
            head,
            body,
            span: Span::default(),
        })
    }

    proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(2000))]

        #[test]
        fn printed_statements_read_back(statement in statement()) {
            let shown = statement.to_string();
            match read_clause(&shown) {
                // Equality of floats would let 0.0 pass for -0.0.
                Ok(read) => assert!(read == statement && read.to_string() == shown, "{shown}\n{statement:?}\n{read:?}"),
                Err(faults) => panic!("{shown}: {}", faults[0]),
            }
        }

        #[test]
        fn printed_terms_read_back(term in goal()) {
            assert!(read_conjunction(&term.to_string()).unwrap() == [term]);
        }
    }

    #[track_caller]
    fn check(source: &str, shown: &str) {
        assert_eq!(read_clause(source).unwrap().to_string(), shown);
    }

    #[test]
    fn printed_form() {
        check("p( X,'y',\"z\\n\\\"\" ) :-q,\\+r( -1 ).", "p(X, y, \"z\\n\\\"\") :- q, \\+ r(-1).");
        check(":-modeb( *,f(+t,-u,#v,'-' )).", ":- modeb(*, f(+t, -u, #v, -)).");
        check("p(f('//'), '//', '/').", "p(f('//'), '//', /).");
        check("p:-X is(1+2)*3- -4/(5-Y).", "p :- X is (1 + 2) * 3 - -4/(5 - Y).");
        check("p:-(a;b->c),\\+ (d,e).", "p :- (a ; b -> c), \\+ (d, e).");
        check("p([a,B|'T'],(x:-y),- 1,-(-(x)), '='/2).", "p([a, B|'T'], (x :- y), - 1, - -x, '='/2).");
        check("(p:-X<1):-(a:-b).", "(p :- X < 1) :- (a :- b).");
    }

    #[test]
    fn quotes_only_where_needed() {
        for plain in ["a", "aB_1", "élan", "!"] {
            assert_eq!(quote_atom(plain), plain);
        }
        assert_eq!(quote_atom("A"), "'A'");
        assert_eq!(quote_atom(""), "''");
        assert_eq!(quote_atom("it's\t\u{1}"), "'it\\'s\\t\\x1\\'");
        assert_eq!(quote_atom("is"), "'is'");
        assert_eq!(quote_text("say \"hi\""), "\"say \\\"hi\\\"\"");
    }
}
