use super::{quote_atom, quote_text};
use crate::syntax::ast::{Span, Statement, Term, TermKind};
use crate::syntax::{read_clause, read_conjunction};
use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop, prop_oneof, proptest};

fn term(kind: TermKind<'static>) -> Term<'static> {
    Term { kind, span: Span::default() }
}

fn name() -> BoxedStrategy<String> {
    let odd = &[
        "", "is", "mod", "*", "+", "-", "#", "=", "=..", "\\+", ":-", ",", "|", ";", "->", ":", "!", "[]",
        "[", "it's", "A", "_a", "3d", "a b", "a.b", "\\", "\\x", "é", "É", "東京", "dynamic", "table", "not",
        "a\nb", "\u{7f}", "//",
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
        prop::sample::select(&[0.0, -0.0, 1.0, -2.0, 1e300, 1e16, 1.5e-7, f64::MIN_POSITIVE, f64::MAX][..]),
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
            (prop::collection::vec(inside.clone(), 1..4), prop::option::of(inside))
                .prop_map(|(items, tail)| term(TermKind::List(items, tail.map(Box::new)))),
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
    prop_oneof![clause, directive].prop_map(|(head, body)| Statement { head, body, span: Span::default() })
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
