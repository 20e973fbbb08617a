//! The constants that tables hold: texts between tabs, commas or brackets, without Prolog's quotes.

use gleaner_base::ConstantId;
use gleaner_lang::syntax::{PlainConstant, Term, TermKind, plain_constant, quote_atom, read_clause};

use crate::provisional::{Provisional, number_text};
use crate::texts::number_texts::cell_number;
use gleaner_lang::program::lower::ground_constant;

/// The constant of a cell: a number, if the text reads as one. A text in the canonical form of a ground term is that
/// term: `'12'`, `"a b"`, `[a,b]`, `f(x)`, and within brackets `(a - b)`. Any other text is an atom. A leading zero
/// makes a code, not a number: `007` is an atom.
pub(super) fn cell_constant(text: &str, symbols: &mut Provisional) -> ConstantId {
    if let Some(number) = cell_number(text) {
        return symbols.constant(&number_text(number), Some(number));
    }
    written_term(text, symbols).unwrap_or_else(|| symbols.constant(&quote_atom(text), None))
}

/// The constant of a string of JSON, where numbers are not strings: as a cell, but never a number.
pub(super) fn string_constant(text: &str, symbols: &mut Provisional) -> ConstantId {
    written_term(text, symbols).unwrap_or_else(|| symbols.constant(&quote_atom(text), None))
}

/// The term that the printer writes as this text, if it is quoted, a list or a compound.
fn written_term(text: &str, symbols: &mut Provisional) -> Option<ConstantId> {
    let first = text.chars().next()?;
    let may_be_term = matches!(first, '\'' | '"' | '[') || text.ends_with(')');
    if !may_be_term {
        return None;
    }
    if matches!(first, '\'' | '"') && plain_constant(text).is_some() {
        return Some(symbols.constant(text, None));
    }
    let clause = format!("cell({text}).");
    let statement = read_clause(&clause).ok()?;
    let head = statement.head.filter(|_| statement.body.is_empty())?;
    match head.kind {
        TermKind::Compound(_, mut arguments) if arguments.len() == 1 => {
            // A space after a comma makes no difference.
            let tight = |text: &str| text.replace(", ", ",");
            let term = arguments.pop()?;
            let printed = if first == '(' { bracketed(&term)? } else { term.to_string() };
            if tight(&printed) == tight(text) { ground_constant(&term, symbols) } else { None }
        }
        _ => None,
    }
}

/// The cell of a term with an operator, which is in brackets: without them, `a - b` is more likely a name.
fn bracketed(term: &Term<'_>) -> Option<String> {
    let TermKind::Compound(name, _) = &term.kind else { return None };
    let written = term.to_string();
    let is_application = written.starts_with(&format!("{}(", quote_atom(name)));
    (!is_application).then(|| format!("({written})"))
}

/// The cell that [`cell_constant`] reads as the constant of this text; none where no cell does.
///
/// The cell has no quotes if tables can do without them.
pub(super) fn cell_text(constant: &str) -> Option<String> {
    match plain_constant(constant) {
        // Most names and numbers are their own cells.
        Some(PlainConstant::Integer(_) | PlainConstant::Float(_)) => Some(constant.to_owned()),
        Some(PlainConstant::Atom) if !constant.starts_with('\'') => Some(constant.to_owned()),
        _ => written_for(constant, cell_constant),
    }
}

/// The string that [`string_constant`] reads as the constant of this text, which is not a number.
pub(super) fn json_text(constant: &str) -> Option<String> {
    match plain_constant(constant) {
        Some(PlainConstant::Atom) if !constant.starts_with('\'') => Some(constant.to_owned()),
        _ => written_for(constant, string_constant),
    }
}

/// The shortest text form of a constant that `read` reads back as the same constant.
fn written_for(constant: &str, read: fn(&str, &mut Provisional) -> ConstantId) -> Option<String> {
    let reads_back = |cell: &String| {
        let mut symbols = Provisional::default();
        let id = read(cell, &mut symbols);
        symbols.constant_text(id) == constant
    };
    let writings = [atom_name(constant), Some(constant.to_owned()), Some(format!("({constant})"))];
    writings.into_iter().flatten().find(reads_back)
}

/// The name of an atom, from its text form.
pub(super) fn atom_name(constant: &str) -> Option<String> {
    let clause = format!("cell({constant}).");
    let statement = read_clause(&clause).ok()?;
    match statement.head?.kind {
        TermKind::Compound(_, arguments) => match arguments.into_iter().next()?.kind {
            TermKind::Atom(name) => Some(name.into_owned()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{cell_constant, cell_text, json_text, string_constant};
    use crate::provisional::Provisional;
    use gleaner_engine::datalog::NumberTable;
    use gleaner_lang::program::lower::ground_constant;
    use gleaner_lang::syntax::{Span, Term, TermKind};
    use proptest::prelude::{Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};

    #[test]
    fn cells_are_numbers_terms_or_atoms() {
        let mut symbols = Provisional::default();
        for (cell, constant) in [
            ("ann", "ann"),
            ("Ann", "'Ann'"),
            ("O'Neil, J.", r"'O\'Neil, J.'"),
            ("12", "12"),
            ("-3", "-3"),
            ("1.50", "1.5"),
            ("2e3", "2000.0"),
            ("007", "'007'"),
            ("0.5", "0.5"),
            ("2020-01-01", "'2020-01-01'"),
            ("99999999999999999999", "'99999999999999999999'"),
            ("'12'", "'12'"),
            ("\"a b\"", "\"a b\""),
            ("[a,b]", "[a, b]"),
            ("f(x)", "f(x)"),
            ("f(X)", "'f(X)'"),
            ("size (cm)", "'size (cm)'"),
            ("a-b", "'a-b'"),
            ("(a - b)", "a - b"),
            ("(f(a))", "'(f(a))'"),
            ("(aka Bob)", "'(aka Bob)'"),
            ("(a)", "'(a)'"),
            ("", "''"),
            ("/m/01", "'/m/01'"),
        ] {
            let id = cell_constant(cell, &mut symbols);
            assert_eq!(symbols.constant_text(id), constant, "of the cell {cell}");
        }
    }

    fn term() -> impl Strategy<Value = TermKind<'static>> {
        let name = prop_oneof!["[a-zA-Z0-9 ,'\"\\\\().\\[\\]é–+-]{0,5}", "[+*/:-]", any::<String>()];
        let leaf = prop_oneof![
            name.clone().prop_map(|name| TermKind::Atom(name.into())),
            any::<String>().prop_map(|text| TermKind::Text(text.into())),
            any::<i64>().prop_map(TermKind::Integer),
            any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(TermKind::Float),
        ];
        leaf.prop_recursive(3, 8, 3, move |inner| {
            let terms = prop::collection::vec(inner, 0..3).prop_map(|kinds| {
                kinds.into_iter().map(|kind| Term { kind, span: Span::default() }).collect::<Vec<_>>()
            });
            let functor = prop_oneof!["[a-zA-Z, ()-]{1,3}", "[+*/:=-]"];
            prop_oneof![
                terms.clone().prop_map(|items| TermKind::List(items, None)),
                (functor, terms)
                    .prop_filter("a functor has arguments", |(_, terms)| !terms.is_empty())
                    .prop_map(|(name, terms)| TermKind::Compound(name.into(), terms)),
            ]
        })
    }

    proptest! {
        /// Every constant has a cell that is read back as the same constant.
        #[test]
        fn every_constant_has_a_cell(kind in term()) {
            let mut symbols = Provisional::default();
            let term = Term { kind, span: Span::default() };
            let id = ground_constant(&term, &mut symbols).expect("no variables are in it");
            let text = symbols.constant_text(id).to_owned();
            let cell = cell_text(&text);
            let back = cell.as_deref().map(|cell| cell_constant(cell, &mut symbols));
            prop_assert_eq!(back, Some(id), "{} as the cell {:?}", text, cell);
            if symbols.number(id).is_none() {
                let string = json_text(&text);
                let back = string.as_deref().map(|string| string_constant(string, &mut symbols));
                prop_assert_eq!(back, Some(id), "{} as the string {:?}", text, string);
            }
        }
    }
}
