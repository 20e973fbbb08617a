use proptest::prelude::*;

use super::super::{BinaryOperator, Node, UnaryOperator, Variable};
use super::Formula;

const VALUES: [(&str, f64); 5] = [("TP", 6.0), ("FP", 2.0), ("P", 10.0), ("N", 30.0), ("L", 3.0)];

fn value_of(variable: Variable) -> f64 {
    let position = Variable::ALL.iter().position(|(_, known)| *known == variable).expect("listed");
    VALUES[position].1
}

fn parsed(text: &str) -> Formula {
    Formula::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn trees() -> impl Strategy<Value = Node> {
    let variable = proptest::sample::select(Variable::ALL.to_vec()).prop_map(|(_, it)| Node::Variable(it));
    let number = proptest::sample::select(vec![0.0, 0.5, 1.0, 2.0, 3.0, 1e-3, 1e300]).prop_map(Node::Number);
    let leaf = prop_oneof![variable, number];
    leaf.prop_recursive(6, 40, 2, |inner| {
        use BinaryOperator::{Add, Divide, Maximum, Minimum, Multiply, Power, Subtract};
        use UnaryOperator::{Absolute, Exponential, Log2, NaturalLog, Negate, SquareRoot};
        let unary = vec![Negate, Negate, SquareRoot, NaturalLog, Log2, Exponential, Absolute];
        let binary = vec![Add, Subtract, Multiply, Divide, Power, Minimum, Maximum];
        prop_oneof![
            (proptest::sample::select(unary), inner.clone()).prop_map(|(it, x)| Node::Unary(it, Box::new(x))),
            (proptest::sample::select(binary), inner.clone(), inner).prop_map(|(it, x, y)| Node::Binary(
                it,
                Box::new(x),
                Box::new(y)
            )),
        ]
    })
}

/// Evaluates a text by definition. It cuts the text at the last operator outside of brackets that binds least (for
/// powers, the first), and evaluates each part in the same way. `None` where a part is not finite.
fn by_the_book(text: &str) -> Option<f64> {
    let text = text.trim();
    let value = match (cut(text, &['+', '-']), cut(text, &['*', '/'])) {
        (Some((left, sign, right)), _) | (None, Some((left, sign, right))) => {
            let (x, y) = (by_the_book(left)?, by_the_book(right)?);
            match sign {
                '+' => x + y,
                '-' => x - y,
                '*' => x * y,
                _ => x / y,
            }
        }
        (None, None) if text.starts_with('-') => -by_the_book(&text[1..])?,
        (None, None) => match text.char_indices().find(|&(at, c)| c == '^' && depth(text, at) == 0) {
            Some((at, _)) => by_the_book(&text[..at])?.powf(by_the_book(&text[at + 1..])?),
            None => atom(text)?,
        },
    };
    value.is_finite().then_some(value)
}

fn depth(text: &str, at: usize) -> usize {
    text[..at].matches('(').count() - text[..at].matches(')').count()
}

/// At the last of some operators outside of brackets that stands after a value.
fn cut<'t>(text: &'t str, signs: &[char]) -> Option<(&'t str, char, &'t str)> {
    let follows_value =
        |at: usize| text[..at].trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ')');
    let mut found = text
        .char_indices()
        .filter(|&(at, c)| signs.contains(&c) && depth(text, at) == 0 && follows_value(at));
    found.next_back().map(|(at, c)| (&text[..at], c, &text[at + 1..]))
}

fn atom(text: &str) -> Option<f64> {
    if let Some((_, value)) = VALUES.iter().find(|(name, _)| *name == text) {
        return Some(*value);
    }
    let Some((name, rest)) = text.split_once('(') else { return text.parse().ok() };
    let inner = &rest[..rest.len() - 1];
    let comma = inner.char_indices().find(|&(at, c)| c == ',' && depth(inner, at) == 0);
    if let Some((at, _)) = comma {
        let (x, y) = (by_the_book(&inner[..at])?, by_the_book(&inner[at + 1..])?);
        return Some(if (name == "min") == (x < y) { x } else { y });
    }
    let x = by_the_book(inner)?;
    Some(match name {
        "" => x,
        "sqrt" => x.sqrt(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "exp" => x.exp(),
        "abs" => x.abs(),
        _ => panic!("{name} is no function"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_is_printed_is_read_as_the_same_tree(root in trees()) {
        let tp = Box::new(Node::Variable(Variable::TruePositives));
        let formula = Formula { root: Node::Binary(BinaryOperator::Subtract, tp, Box::new(root)) };
        prop_assert_eq!(Formula::parse(&formula.to_string()), Ok(formula));
    }

    #[test]
    fn values_are_those_of_the_slow_evaluator(root in trees()) {
        let text = Formula { root: root.clone() }.to_string();
        let (found, expected) = (root.value(&value_of), by_the_book(&text));
        prop_assert!(found == expected, "{text}: {found:?} is not {expected:?}");
    }

    /// No text causes a panic, and the column lies in the text or at its end.
    #[test]
    fn no_text_panics(text in "[TPFNL0-9.eE+*/^(), a-z-]{0,40}|(TP|FP|\\(|\\)|[+*/^-]|sqrt|min|,|2)*") {
        if let Err(fault) = Formula::parse(&text) {
            let message = fault.to_string();
            if let Some((column, _)) = message.strip_prefix("column ").and_then(|rest| rest.split_once(':')) {
                let column: usize = column.parse().expect("a number");
                prop_assert!((1..=text.chars().count() + 1).contains(&column), "{text:?}: {message}");
            }
            prop_assert!(!fault.help().is_empty());
        }
    }
}

/// TP = 6, FP = 2, P = 10, N = 30, L = 3.
#[test]
fn operators_bind_as_in_arithmetic() {
    let cases = [
        ("TP-FP-L", 1.0),
        ("TP - (FP - L)", 7.0),
        ("TP/FP/L", 1.0),
        ("TP+FP*L", 12.0),
        ("-FP^2", -4.0),
        ("(-FP)^2", 4.0),
        ("2^FP^L", 256.0),
        ("(2^FP)^L", 64.0),
        ("2^-FP", 0.25),
        ("FP*-L", -6.0),
        ("-FP*L + TP", 0.0),
        ("--TP", 6.0),
        ("TP - -FP", 8.0),
        ("-2^2 + TP", 2.0),
        ("(-2)^2 + TP", 10.0),
        ("-(FP)^2", -4.0),
        ("2^-2^2*TP", 0.375),
        ("TP-2^2", 2.0),
        ("TP**2", 36.0),
        ("sqrt (FP + 2) + 'TP'", 8.0),
        ("min(TP, P) + max(TP,P)", 16.0),
        ("log2(FP) + log(exp(TP)) + sqrt(FP*2) + abs(FP-L)", 10.0),
        ("1.5e1 * TP + .5 + 1.", 91.5),
    ];
    for (text, expected) in cases {
        let value = parsed(text).root().value(&value_of).expect("defined");
        assert!((value - expected).abs() < 1e-12, "{text}: {value} is not {expected}");
    }
}

#[test]
fn a_part_that_is_undefined_makes_the_whole_so() {
    for text in ["TP/(L-3)", "min(0/0, TP)", "(FP/0)^0", "1/(TP/0)", "log(FP-2)", "sqrt(FP-L)", "exp(TP^9)"] {
        assert_eq!(parsed(text).root().value(&value_of), None, "{text}");
    }
}

#[test]
fn brackets_are_printed_where_needed() {
    for (text, printed) in [
        ("((TP)/((TP+FP)))*(TP/P)", "TP / (TP + FP) * (TP / P)"),
        ("TP-(FP-L)-(P)", "TP - (FP - L) - P"),
        ("(-TP)^2-(-(TP^2))", "(-TP)^2 - -TP^2"),
        ("(TP^FP)^L^(-(2))", "(TP^FP)^L^-2"),
        ("-(TP*FP)", "-(TP * FP)"),
    ] {
        assert_eq!(parsed(text).to_string(), printed);
    }
}

/// The text, the fault, and how the help begins.
#[test]
fn faults_name_the_column_and_what_is_accepted() {
    let deep = format!("{}TP", "-".repeat(500));
    let long = vec!["TP"; 501].join("+");
    let made_of =
        "a formula is made of numbers below 1.8e308, + - * / ^, brackets and the names TP FP P N L sqrt";
    let cases = [
        ("", "column 1: found the end of the text, expected a term", made_of),
        ("TP +", "column 5: found the end of the text, expected a term", made_of),
        ("TP * / FP", "column 6: found `/`, expected a term", made_of),
        ("TP FP", "column 4: found `FP`, expected an arithmetic operator", made_of),
        ("2TP", "column 1: a name cannot start with a digit: `2TP`", made_of),
        ("TP)", "column 3: found `)`, expected an arithmetic operator", made_of),
        ("(TP", "column 4: found the end of the text, expected `,`, `)` or an arithmetic operator", made_of),
        ("min(TP FP)", "column 8: found `FP`, expected `,`, `)` or an arithmetic operator", made_of),
        ("TP/(TP+PF)", "column 8: there is no PF", "did you mean FP?"),
        ("tp - FP", "column 1: there is no tp", "did you mean TP?"),
        ("TP - FN", "column 6: there is no FN", "did you mean P - TP?"),
        ("sqr(TP)", "column 1: there is no sqr", "did you mean sqrt?"),
        ("TP * größe", "column 6: there is no größe", "names are TP FP P N L sqrt log log2 exp abs min max"),
        ("TP - sqrt", "column 6: sqrt is a function", "write sqrt(TP)"),
        ("min(TP)", "column 1: min takes 2 arguments, not 1", "write min(TP, FP)"),
        ("exp(TP, FP)", "column 1: exp takes 1 argument, not 2", "write exp(TP)"),
        ("abs()", "column 5: found `)`, expected a term", made_of),
        ("TP (FP)", "column 1: TP takes 0 arguments, not 1", "write TP"),
        ("+TP", "column 1: + takes 2 arguments, not 1", "write TP + FP"),
        ("(TP, FP)", "column 2: there is no ,", made_of),
        ("TP mod 2", "column 1: there is no mod", "names are TP"),
        ("TP - [FP]", "column 6: there is no [FP]", made_of),
        ("TP % 2", "column 4: unexpected character `%`", made_of),
        ("TP /* 2 */", "column 4: unexpected character `/`", made_of),
        (".5*TP + 1. - PF", "column 14: there is no PF", "did you mean FP?"),
        ("TP * 1e999", "column 6: number out of range: `1e999`", made_of),
        ("TP + .", "column 6: found `.`, expected a term", made_of),
        ("TP + 1.5.2", "column 9: a full stop must be followed by white space or a comment", made_of),
        ("P / (P + N)", "it has neither TP nor FP, and would score all clauses alike", "use TP"),
        (&deep, "column 1: this term is nested more than 500 deep", made_of),
        (&long, "column 1: this term is nested more than 500 deep", made_of),
    ];
    for (text, said, help) in cases {
        let fault = Formula::parse(text).expect_err(text);
        assert_eq!(fault.to_string(), said, "{text}");
        assert!(fault.help().starts_with(help), "{text}: {}", fault.help());
    }
    assert!(Formula::parse(&deep[1..]).is_ok(), "500 levels are allowed");
    assert!(Formula::parse(&long[3..]).is_ok(), "500 levels are allowed");
    assert!(Formula::parse(&format!("{}TP{}", "(".repeat(5_000), ")".repeat(5_000))).is_ok());
}
