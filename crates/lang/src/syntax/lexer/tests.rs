use super::{Lexed, Raw, Token, Tokens};
use crate::syntax::ast::Span;
use crate::syntax::read_statements;
use logos::Logos;

/// The grammar's tokens of a text without lexical faults.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let raws: Vec<Lexed> = Raw::lexer(source)
        .spanned()
        .map(|(raw, span)| Lexed { raw: raw.unwrap(), span: Span::new(span.start, span.end) })
        .collect();
    Tokens::new(source, &raws).map(|token| token.unwrap().1).collect()
}

fn atom(name: &str) -> Token<'_> {
    Token::Atom(name.into())
}

fn functor(name: &str) -> Token<'_> {
    Token::Functor(name.into())
}

#[test]
fn names_and_variables() {
    assert_eq!(tokens("a aB_9 élan 東京 aé ñ1"), ["a", "aB_9", "élan", "東京", "aé", "ñ1"].map(atom));
    assert_eq!(tokens("X _ _a Éa Xé"), ["X", "_", "_a", "Éa", "Xé"].map(Token::Variable));
    assert_eq!(tokens("! 'A b' '' 'it''s'"), ["!", "A b", "", "it's"].map(atom));
    assert_eq!(
        tokens(r#"'\\\'\n\t\x41\\xe9\' "a""b\"\x1F600\""#),
        [atom("\\'\n\tAé"), Token::Text("a\"b\"😀".into())]
    );
    assert_eq!(
        tokens("f( f ( 'f g'("),
        [functor("f"), Token::Open, atom("f"), Token::Open, functor("f g"), Token::Open]
    );
}

#[test]
fn numbers() {
    use Token::{Float, Integer, Sign};
    assert_eq!(
        tokens("0 42 1.5 1e10 1.5e-3 2E+3"),
        [Integer(0), Integer(42), Float(1.5), Float(1e10), Float(1.5e-3), Float(2e3)]
    );
    let least = tokens("-9223372036854775808 -0.117");
    assert_eq!(least[..2], [Integer(i64::MIN), Sign("-")], "after a term a minus subtracts");
    assert_eq!(tokens("(-0.117"), [Token::Open, Float(-0.117)]);
    assert_eq!(tokens("- 1"), [Sign("-"), Integer(1)]);
    assert_eq!(tokens("X-1"), [Token::Variable("X"), Sign("-"), Integer(1)]);
    assert_eq!(tokens("1.\n"), [Integer(1), Token::Stop]);
    assert_eq!(tokens("1.5."), [Float(1.5), Token::Stop]);
}

/// The notations of whole numbers in ISO Prolog and SWI-Prolog 9.
#[test]
fn whole_numbers_in_other_notations() {
    use Token::Integer;
    let written = "0x1F 0o17 0b101 1_000_000 0'c 0'A 0'  0''' 0'\\n 0'\\\\ 0'é";
    let numbers = [31, 15, 5, 1_000_000, 99, 65, 32, 39, 10, 92, 233].map(Integer);
    assert_eq!(tokens(written), numbers);
    assert_eq!(tokens("(-0x10"), [Token::Open, Integer(-16)]);
    assert_eq!(tokens("f(0'.)."), [functor("f"), Token::Open, Integer(46), Token::Close, Token::Stop]);
    assert_eq!(tokens(r#"'\e\s' "\e""#), [atom("\u{1b} "), Token::Text("\u{1b}".into())]);
    for (source, code) in [
        ("p(0x).", "G001"),
        ("p(0b12).", "G001"),
        ("p(1_).", "G001"),
        ("p(0'", "G002"),
        ("p(0xFFFFFFFFFFFFFFFF).", "G003"),
    ] {
        let found = faults(source);
        assert!(found.iter().any(|fault| fault.0 == code), "{source}: {found:?}");
    }
}

/// What SWI-Prolog 9.0.4 reads: a text in back quotes is a list of codes, and braces are the functor `{}`. Each pair is one
/// term for `==`.
#[test]
fn back_quotes_and_braces_are_what_swi_prolog_reads() {
    let read = |source: &'static str| {
        let mut found = Vec::new();
        let faults = read_statements(source, &mut |statement| found.push(statement));
        assert!(faults.is_empty(), "{source}: {faults:?}");
        found
    };
    for (written, plain) in [
        ("p(`abc`).", "p([97, 98, 99])."),
        ("p(``).", "p([])."),
        ("p(`a``b\\n\\`é`).", "p([97, 96, 98, 10, 96, 233])."),
        ("p(`a.b`, x).", "p([97, 46, 98], x)."),
        ("p({}).", "p('{}')."),
        ("p({a}).", "p('{}'(a))."),
        ("p({a, b}).", "p('{}'((a, b)))."),
        ("p({a :- b ; c}).", "p('{}'((a :- (b ; c))))."),
        ("p({[X], {Y}}) :- q(X, Y).", "p('{}'(([X], '{}'(Y)))) :- q(X, Y)."),
        ("p({-}).", "p('{}'(-))."),
        ("p({a}-1).", "p('{}'(a) - 1)."),
        // A functor before its arguments: `write_canonical/1` of SWI-Prolog 9.0.4 shows one term for both.
        ("p({}(a)).", "p({a})."),
        ("p({ }(a), -{}(b)).", "p({a}, - {b})."),
        ("p({}({}(X))) :- q(X).", "p({{X}}) :- q(X)."),
        ("p({}(a, b)).", "p('{}'(a, b))."),
    ] {
        assert_eq!(read(written), read(plain), "{written}");
    }
    for (source, code) in [("p(`a).", "G002"), ("p({a).", "G001"), ("p(a}).", "G001"), ("p(`\\q`).", "G001")]
        .into_iter()
        .chain([("p({} (a)).", "G001"), ("p({}()).", "G001"), ("p(f{}(a)).", "G001")])
    {
        let found = faults(source);
        assert!(matches!(&found[..], [fault] if fault.0 == code), "{source}: {found:?}");
    }
    let long = format!("p(`{}`).", "a".repeat(600_000));
    assert!(matches!(&faults(&long)[..], [fault] if fault.3.contains("more than 500000")));
}

#[test]
fn operators() {
    let compare = [
        "=", "\\=", "==", "\\==", "<", ">", "=<", ">=", "is", "=:=", "=\\=", "=..", "@<", "@>", "@=<", "@>=",
    ];
    for op in compare {
        assert_eq!(tokens(&format!("X {op} Y"))[1], Token::Compare(op));
    }
    for op in ["*", "/", "//", "mod"] {
        assert_eq!(tokens(&format!("X {op} Y"))[1], Token::Product(op));
    }
    for op in ["^", "**"] {
        assert_eq!(tokens(&format!("X {op} Y"))[1], Token::Power(op));
    }
    assert_eq!(
        tokens("X ; Y -> Z : W")[1..6],
        [Token::Semicolon, Token::Variable("Y"), Token::Arrow, Token::Variable("Z"), Token::Colon]
    );
    assert_eq!(
        tokens("?- [X | #y] :- \\+ p"),
        [
            Token::Neck,
            Token::OpenList,
            Token::Variable("X"),
            Token::Bar,
            Token::Hash,
            atom("y"),
            Token::CloseList,
            Token::Neck,
            Token::Not,
            atom("p"),
        ]
    );
}

#[test]
fn operators_without_work_are_atoms_or_functors() {
    assert_eq!(tokens("(*, +) [-|#] *.")[1], atom("*"));
    assert_eq!(tokens("=/2"), [atom("="), Token::Product("/"), Token::Integer(2)]);
    assert_eq!(tokens("is(X) =(")[0], functor("is"));
    assert_eq!(tokens("(-(")[1], functor("-"));
    assert_eq!(tokens("X-(")[1], Token::Sign("-"));
    assert_eq!(tokens("- (")[0], Token::Sign("-"));
}

#[test]
fn layout_and_comments_are_skipped() {
    assert_eq!(tokens("a% b.\r\n/* c. * / */d.% e"), [atom("a"), atom("d"), Token::Stop]);
}

/// Code, start, end and message of each fault.
fn faults(source: &str) -> Vec<(String, usize, usize, String)> {
    let faults = read_statements(source, &mut |_| ());
    let shown = faults
        .iter()
        .map(|fault| (fault.code().to_string(), fault.span().start, fault.span().end, fault.to_string()));
    shown.collect()
}

#[test]
fn faults_of_characters_have_their_place() {
    for (source, code, start, end, message) in [
        ("p('a).\nq.", "G002", 2, 3, "this quote is not closed"),
        ("p(\"a\n\").", "G002", 2, 3, "this quote is not closed"),
        ("q. p /* a.", "G002", 5, 7, "this comment is not closed"),
        ("q. /*", "G002", 3, 5, "this comment is not closed"),
        ("p(9223372036854775808).", "G003", 2, 21, "number out of range: `9223372036854775808`"),
        ("p(-9223372036854775809).", "G003", 2, 22, "number out of range: `-9223372036854775809`"),
        ("p(1e999).", "G003", 2, 7, "number out of range: `1e999`"),
        ("p(a&b).", "G001", 3, 4, "unexpected character `&`"),
        ("p(a\u{A0}).", "G001", 3, 5, "unexpected character U+00A0"),
        ("p.q.", "G001", 1, 2, "a full stop must be followed by white space or a comment"),
        ("p(3d).", "G001", 2, 4, "a name cannot start with a digit: `3d`"),
        (r"p('a\qb').", "G001", 4, 6, r"unknown escape `\q`"),
        (r"p('\x41').", "G001", 3, 7, r"unknown escape `\x41`"),
        (r"p('\xD800\').", "G001", 3, 9, r"unknown escape `\xD800`"),
        (r"p('\é').", "G001", 3, 6, r"unknown escape `\é`"),
    ] {
        assert_eq!(faults(source), [(code.to_owned(), start, end, message.to_owned())], "{source}");
    }
}
