use super::{Reader, fact};
use crate::syntax::ast::{Statement, Term, TermKind};
use crate::syntax::{MAX_DEPTH, Span, SyntaxFault, read_clause, read_conjunction, read_statements};
use proptest::prelude::{Just, Strategy, prop, prop_oneof, proptest};
use proptest::sample::Index;

fn read(source: &str) -> (Vec<Statement<'_>>, Vec<SyntaxFault>) {
    let mut statements = Vec::new();
    let faults = read_statements(source, &mut |statement| statements.push(statement));
    (statements, faults)
}

/// A term with every operator and list written as `functor(arguments)`, without code of the printer.
fn canonical(term: &Term<'_>) -> String {
    let list = |terms: &[Term<'_>]| terms.iter().map(canonical).collect::<Vec<_>>().join(" ");
    match &term.kind {
        TermKind::Variable(name) => format!("{name}"),
        TermKind::Atom(name) => format!("`{name}`"),
        TermKind::Text(text) => format!("{text:?}"),
        TermKind::Integer(number) => number.to_string(),
        TermKind::Float(number) => format!("{number:?}"),
        TermKind::Compound(name, args) => format!("{name}({})", list(args)),
        TermKind::List(items, None) => format!("[{}]", list(items)),
        TermKind::List(items, Some(tail)) => format!("[{} | {}]", list(items), canonical(tail)),
    }
}

#[track_caller]
fn check(source: &str, head: &str, body: &[&str]) {
    let statement = read_clause(source).unwrap_or_else(|faults| panic!("{source}: {}", faults[0]));
    assert_eq!(statement.head.as_ref().map(canonical).unwrap_or_default(), head, "{source}");
    assert_eq!(statement.body.iter().map(canonical).collect::<Vec<_>>(), body, "{source}");
    assert_eq!(statement.span, Span::new(0, source.len()), "{source}");
}

#[test]
fn facts() {
    check("p.", "`p`", &[]);
    check("p(a, -1, -0.5, \"t\", 'B c').", "p(`a` -1 -0.5 \"t\" `B c`)", &[]);
    check("father(dad(X),X).", "father(dad(X) X)", &[]);
    check("r(d1,[[a,b],[],[c|T]]).", "r(`d1` [[`a` `b`] [] [`c` | T]])", &[]);
    check("A10.", "A10", &[]);
}

#[test]
fn rules_and_directives() {
    check("p(X) :- q(X), r(X).", "p(X)", &["q(X)", "r(X)"]);
    check("p :- a, (b, (c, d)), e.", "`p`", &["`a`", "`b`", "`c`", "`d`", "`e`"]);
    check("p :- ((a, b), c).", "`p`", &["`a`", "`b`", "`c`"]);
    check("p :- \\+ q, not(r), !.", "`p`", &["\\+(`q`)", "not(`r`)", "`!`"]);
    check("p :- \\+ (q, r).", "`p`", &["\\+(,(`q` `r`))"]);
    check("p :- a ; b -> c ; d.", "`p`", &[";(`a` ;(->(`b` `c`) `d`))"]);
    check("p :- (a -> b ; c), d.", "`p`", &[";(->(`a` `b`) `c`)", "`d`"]);
    check(":- active(d38).", "", &["active(`d38`)"]);
    check("?- a, b.", "", &["`a`", "`b`"]);
    check("a, b.", ",(`a` `b`)", &[]);
    check(":- dynamic p/1, q/2.", "", &["dynamic(,(/(`p` 1) /(`q` 2)))"]);
    check(":- dynamic(p/1).", "", &["dynamic(/(`p` 1))"]);
    check(":- table.", "", &["`table`"]);
    check("p :- assert((a :- b)).", "`p`", &["assert(:-(`a` `b`))"]);
}

#[test]
fn priorities() {
    check("p :- X is A + B * C - D.", "`p`", &["is(X -(+(A *(B C)) D))"]);
    check("p :- X = - Y * 2 ^ - 3.", "`p`", &["=(X *(-(Y) ^(2 -(3))))"]);
    check("p :- X - 1 < X-1, X =< -1.", "`p`", &["<(-(X 1) -(X 1))", "=<(X -1)"]);
    check("p :- \\+ X = Y.", "`p`", &["\\+(=(X Y))"]);
    check("p :- X = (a, b).", "`p`", &["=(X ,(`a` `b`))"]);
    check("p :- X - (Y - Z) > X - Y - Z.", "`p`", &[">(-(X -(Y Z)) -(-(X Y) Z))"]);
    check("p :- X is 7 mod 2 // 3 / 4.", "`p`", &["is(X /(//(mod(7 2) 3) 4))"]);
    check("m:p:q(X).", ":(`m` :(`p` q(X)))", &[]);
    check("p :- X is 2 ** 3 ^ 2.", "`p`", &["is(X **(2 ^(3 2)))"]);
    check("p :- X is -(3) - -(1,2).", "`p`", &["is(X -(-(3) -(1 2)))"]);
}

#[test]
fn mode_language() {
    check(":- modeb(*, has_car(+train,-car)).", "", &["modeb(`*` has_car(+(`train`) -(`car`)))"]);
    check(":- modeb(1,(+charge)=(#charge)).", "", &["modeb(1 =(+(`charge`) #(`charge`)))"]);
    check(":- mode(1,((+list) = ([-any|-list]))).", "", &["mode(1 =(+(`list`) [-(`any`) | -(`list`)]))"]);
    check(":- determination(a/1,'='/2).", "", &["determination(/(`a` 1) /(`=` 2))"]);
    check(
        ":- determination(a/1,=/2), b((not)/1, (<)/2).",
        "",
        &["determination(/(`a` 1) /(`=` 2))", "b(/(`not` 1) /(`<` 2))"],
    );
    check("recall(*).", "recall(`*`)", &[]);
    check("lumo(+,-,#,[-]).", "lumo(`+` `-` `#` [`-`])", &[]);
    check("mode: shape(+car, #shape).", ":(`mode` shape(+(`car`) #(`shape`)))", &[]);
}

#[test]
fn faults_say_what_was_found_and_what_would_be_accepted() {
    for (source, start, end, message) in [
        ("p(a,).", 4, 5, "found `)`, expected a term"),
        ("p(a", 2, 3, "the last statement has no full stop"),
        ("p(a\nq(b).", 4, 5, "found `q`, expected `,`, `)` or an operator"),
        ("p(a)\nq(b).", 5, 6, "found `q`, expected `,`, `:-`, an operator or a full stop"),
        ("p :- q :- r.", 7, 9, "found `:-`, expected a full stop"),
        ("p :- X = Y = Z.", 11, 12, "found `=`, expected `,` or a full stop"),
        ("p([a b]).", 5, 6, "found `b`, expected `,`, `|`, `]` or an operator"),
        ("p (a).", 2, 3, "found `(`, expected `,`, `:-`, an operator or a full stop"),
        ("p :- .", 5, 6, "found `.`, expected a term"),
        (".", 0, 1, "found `.`, expected a term or `:-`"),
    ] {
        let (statements, faults) = read(source);
        assert_eq!(statements, [], "{source}");
        let [fault] = &faults[..] else { panic!("{source}: {faults:?}") };
        assert_eq!((fault.to_string().as_str(), fault.span()), (message, Span::new(start, end)), "{source}");
    }
}

#[test]
fn a_missing_full_stop_is_suspected_at_the_start_of_a_line() {
    let mut sources = crate::syntax::Sources::new();
    let help = |source: &str| {
        let file = sources.add("p.pl", source);
        read(source).1[0].to_diagnostic(file, 0).help().to_vec()
    };
    let texts = ["p(a)\n  q(b).", "p(a) q(b).", "p(a\nq(b)."];
    assert_eq!(
        texts.map(help),
        [
            vec!["if a new statement starts here, put a full stop after the one before".to_owned()],
            vec![],
            vec![],
        ]
    );
}

#[test]
fn reading_goes_on_after_each_fault() {
    let (statements, faults) = read("\u{FEFF}a. b(. c('x). d(1). e. f.g. h(1e999). i");
    assert_eq!(statements.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a.", "d(1).", "e."]);
    assert_eq!(faults.iter().map(|fault| fault.span().start).collect::<Vec<_>>(), [8, 12, 27, 33, 41]);
}

#[test]
fn one_clause_or_a_conjunction() {
    assert_eq!(read_clause("p. q.").unwrap_err()[0].to_string(), "found a second clause, expected only one");
    assert_eq!(read_clause(" % no\n").unwrap_err()[0].to_string(), "found no clause");
    assert_eq!(read_clause("p(. q(.").unwrap_err().len(), 2);
    let goals = read_conjunction("student(A), (professor(B), \\+ A = B)").unwrap();
    assert_eq!(
        goals.iter().map(canonical).collect::<Vec<_>>(),
        ["student(A)", "professor(B)", "\\+(=(A B))"]
    );
    for (source, message) in [
        ("", "found the end of the text, expected a term"),
        ("a,", "found the end of the text, expected a term"),
        ("a. b", "found `.`, expected `,` or an operator"),
        ("'a", "this quote is not closed"),
    ] {
        assert_eq!(read_conjunction(source).unwrap_err()[0].to_string(), message, "{source}");
    }
}

#[test]
fn nesting_is_bounded_and_long_clauses_are_not() {
    let n = 100_000;
    for deep in [
        format!("{}a{}.", "f(".repeat(n), ")".repeat(n)),
        format!("p :- X = {}Y.", "a + ".repeat(n)),
        format!("p({}a{}).", "[a|".repeat(n), "]".repeat(n)),
        format!("p({}a).", "- ".repeat(n)),
        format!("p :- {}a.", "\\+ ".repeat(n)),
        format!("p(({}a)).", "a, ".repeat(n)),
        format!("p :- {}a.", "a ; ".repeat(n)),
    ] {
        let faults = read_clause(&deep).unwrap_err();
        assert_eq!(faults[0].code(), crate::syntax::codes::TOO_DEEP);
        assert_eq!(faults[0].to_string(), "this term is nested more than 500 deep");
    }
    let deepest = format!("{}a{}.", "f(".repeat(MAX_DEPTH - 1), ")".repeat(MAX_DEPTH - 1));
    assert_eq!(read_clause(&deepest).unwrap().to_string(), deepest);
    assert!(read_clause(&format!("{}a{}.", "f(".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH))).is_err());
    assert_eq!(read_clause(&format!("p :- {}a.", "a, ".repeat(n))).unwrap().body.len(), n + 1);
    assert!(
        read_clause(&format!("p({}a{}).", "(".repeat(n), ")".repeat(n))).is_ok(),
        "brackets alone nest nothing"
    );
}

#[test]
fn unclosed_quotes_take_linear_time() {
    for piece in ["'\\", "\"\\", "'\\\"\\"] {
        let source = piece.repeat(1_000_000);
        assert_eq!(read(&source).1.len(), 1);
    }
}

/// It also compares spans, which the equality of terms ignores.
fn same(a: &Statement<'_>, b: &Statement<'_>) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

fn lexical_piece() -> impl Strategy<Value = String> {
    let fixed = &[
        "p",
        "'q r'",
        "'it''s'",
        "(",
        ")",
        ",",
        " ",
        "-",
        "1",
        "-2.5",
        "1e5",
        "\"t\\n\"",
        "`c`",
        "{",
        "}",
        "X",
        "[",
        "]",
        "|",
        "is",
        "mod",
        "*",
        "=",
        "#",
        "a(",
        "b)",
        "\n",
        "% c\n",
        "99999999999999999999",
        "é",
        "!",
        "'\\q'",
        ".",
        ". ",
        ":-",
    ];
    prop_oneof![8 => prop::sample::select(&fixed[..]).prop_map(str::to_owned), 1 => "\\PC{0,3}"]
}

fn constant_source() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][a-zA-Z0-9_é]{0,5}",
        "'[a-z ,.()%]{0,5}'",
        "\"[A-Z ,.é]{0,5}\"",
        "-?[0-9]{1,6}",
        "-?[0-9]{1,3}\\.[0-9]{1,3}"
    ]
}

/// The first statement by the fast path and by the parser; `None` where the fast path leaves it.
fn both_paths(source: &str) -> Option<(Statement<'_>, Result<Statement<'_>, SyntaxFault>)> {
    let mut reader = Reader::new(source);
    let mut fault = None;
    reader.lex_statement(&mut fault);
    let fast = fact(source, &reader.raws).filter(|_| fault.is_none())?;
    Some((fast, reader.parse()))
}

const PROGRAM: &str = "% trains\n:- modeb(*, has_car(+train, -car)).\n:- determination(e/1, '='/2).\n\
    p(X, -0.117) :- q(X, [a, b|T]), \\+ r(\"s\\n\", 'it''s'), X is 2 * (3 - 1) mod 4, Y =< 1e10.\n\
    /* c */ car(c_1). load(c_1, é, 3). :- dynamic f/1.\n(a ; b -> c) :- !, _ = 'x\\x41\\'.\n";

proptest! {
    #[test]
    fn fast_path_and_parser_agree_on_facts(name in "[a-z]{1,3}|'[A-Z ]'", args in prop::collection::vec(constant_source(), 0..5)) {
        let args = if args.is_empty() { String::new() } else { format!("({} )", args.join(" , ")) };
        let source = format!(" {name}{args} .");
        let (fast, parsed) = both_paths(&source).expect("a fact takes the fast path");
        assert!(same(&fast, &parsed.unwrap()), "{source}");
    }

    #[test]
    fn fast_path_and_parser_agree_on_anything(pieces in prop::collection::vec(lexical_piece(), 0..9)) {
        let source = format!("p({}).", pieces.concat());
        if let Some((fast, parsed)) = both_paths(&source) {
            assert!(same(&fast, &parsed.unwrap()), "{source}");
        }
    }

    #[test]
    fn edited_programs_never_panic(edits in prop::collection::vec((0..4, prop::num::u8::ANY, prop::num::u8::ANY.prop_map(usize::from), Just(())), 1..6), places in prop::collection::vec(proptest::arbitrary::any::<Index>(), 6)) {
        let mut bytes = PROGRAM.as_bytes().to_vec();
        for ((kind, byte, length, ()), place) in edits.into_iter().zip(places) {
            let at = place.index(bytes.len() + 1);
            let end = (at + length % 7).min(bytes.len());
            match kind {
                0 => bytes.insert(at, byte),
                1 => drop(bytes.drain(at..end)),
                2 => bytes.extend_from_within(at..end),
                _ => bytes.insert(at, b"'\"()[].,|\\-%/*"[usize::from(byte % 14)]),
            }
        }
        let mut sources = crate::syntax::Sources::new();
        match sources.add_bytes("edited", bytes) {
            Err(message) => drop(crate::syntax::render(&[message], &sources, false)),
            Ok(file) => {
                let source = sources.get(file).text();
                let (statements, faults) = read(source);
                for fault in &faults {
                    assert!(source.get(fault.span().start..fault.span().end).is_some(), "{source} {fault:?}");
                    assert!(!fault.to_string().is_empty());
                }
                for statement in &statements {
                    assert!(read_clause(&statement.to_string()).unwrap() == *statement, "{statement}");
                }
                drop(read_conjunction(source));
                let messages: Vec<_> = faults.iter().map(|fault| fault.to_diagnostic(file, 0)).collect();
                drop(crate::syntax::render(&messages, &sources, true));
            }
        }
    }
}

#[test]
fn the_program_of_the_edit_test_has_no_faults() {
    let (statements, faults) = read(PROGRAM);
    assert_eq!((statements.len(), faults), (7, Vec::new()));
}
