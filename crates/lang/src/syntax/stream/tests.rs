use std::collections::BTreeSet;
use std::io::Cursor;

use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};

use super::super::files::Blocks;
use super::super::{Span, Statement, SyntaxFault, Term, TermKind, quote_atom, read_statements};
use super::{PlainFact, ProgramSink, plain_constant, read_blocks, read_program};

/// The result of a read: statements and faults in order, each with its place.
#[derive(Debug, Default, PartialEq)]
struct Read {
    events: Vec<(Span, String)>,
    faults: Vec<(Span, String)>,
    /// Texts of constants that were seen.
    known: BTreeSet<String>,
    n_plain: usize,
}

/// A constant's text in the form of problems: an atom keeps its quotes even where an argument needs none.
fn text(term: &Term<'_>) -> String {
    match &term.kind {
        TermKind::Atom(name) => quote_atom(name).into_owned(),
        _ => term.to_string(),
    }
}

impl Read {
    /// Notes the ground terms in a term, and returns whether the term itself is ground.
    fn learn(&mut self, term: &Term<'_>) -> bool {
        let inner: Vec<&Term<'_>> = match &term.kind {
            TermKind::Variable(_) => return false,
            TermKind::Compound(_, arguments) => arguments.iter().collect(),
            TermKind::List(items, tail) => items.iter().chain(tail.as_deref()).collect(),
            _ => Vec::new(),
        };
        // It must note the ground terms in every inner term, also after one that is not ground.
        let n_ground = inner.iter().filter(|term| self.learn(term)).count();
        let is_ground = n_ground == inner.len();
        if is_ground {
            self.known.insert(text(term));
        }
        is_ground
    }
}

impl ProgramSink for Read {
    fn fact(&mut self, fact: &PlainFact<'_>, start: usize) -> bool {
        let is_plain = |text: &str| self.known.contains(text) || plain_constant(text).is_some();
        if !fact.arguments().all(is_plain) {
            return false;
        }
        let arguments: Vec<&str> = fact.arguments().collect();
        self.known.extend(arguments.iter().map(|&argument| argument.to_owned()));
        assert_eq!(fact.arity(), arguments.len());
        let text = format!("{}({}).", quote_atom(fact.name), arguments.join(", "));
        self.events.push((Span::new(start + fact.span.start, start + fact.span.end), text));
        self.n_plain += 1;
        true
    }

    fn replaced(&mut self) {}

    fn statement(&mut self, statement: &Statement<'_>, start: usize) {
        for term in statement.head.iter().chain(&statement.body) {
            self.learn(term);
        }
        let span = Span::new(start + statement.span.start, start + statement.span.end);
        let shown = match &statement.head {
            Some(Term { kind: TermKind::Compound(name, arguments), .. }) if statement.body.is_empty() => {
                let arguments: Vec<String> = arguments.iter().map(text).collect();
                format!("{}({}).", quote_atom(name), arguments.join(", "))
            }
            _ => statement.to_string(),
        };
        self.events.push((span, shown));
    }

    fn fault(&mut self, fault: &SyntaxFault, start: usize) {
        let span = Span::new(start + fault.span().start, start + fault.span().end);
        self.faults.push((span, fault.to_string()));
    }
}

/// The reader's word.
fn slowly(text: &str) -> Read {
    let mut read = Read::default();
    let faults = read_statements(text, &mut |statement| read.statement(&statement, 0));
    faults.iter().for_each(|fault| read.fault(fault, 0));
    read
}

/// Texts of whole facts, of rules and comments, and of pieces that spoil them.
fn texts() -> impl Strategy<Value = String> {
    let facts = [
        "p(a,b).\n",
        "p(a, c1).\n",
        "p(c,'D e').\n",
        "q(1).\r\n",
        "q(-3). ",
        "q(2.5).\n",
        "p('b',\"t u\").\n",
        "q(a).",
        "q(is).\n",
        "q('is').\n",
        "q('p(').\n",
        "q('a,b').\n",
        "'q'(a).\n",
        "q(007).\n",
        "q(2.50).\n",
        "q(-0).\n",
        "q('it''s').\n",
        "q('\\x41\\').\n",
        "q(\u{e9}t\u{e9}).\n",
        "q(f(a)).\n",
        "q([a,b]).\n",
        "q(a:b).\n",
        "q((a;b)).\n",
        "q(a;b).\n",
        "q(1e5).\n",
        "q(99999999999999999999).\n",
        "p(X,a) :- q(X).\n",
        "p(a)=b.\n",
        "q(#a).\n",
        "q(+a).\n",
        "q(- 1).\n",
        "q(a = b).\n",
        "q(!).\n",
        "q('!').\n",
        "q('').\n",
        "r.\n",
        "p(a,b).% c\n",
        "q(a)\n.\n",
        "q( a ).\n",
    ];
    let pieces = [
        "p(", "a", ",", ")", ".", "\n", " ", "\t", "% c . \n", "/* x. */", "/*", "*/", "'", "\"", "\\",
        "\\\n", ":-", "\r\n", "X", "_", "-", "3", "\u{e9}", "\u{0}", "\u{feff}", "\u{b}", "#", "|", "[", "]",
        "(", "?", "e", "0x",
    ];
    let piece = prop::sample::select([facts.as_slice(), &facts, &pieces].concat());
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_fast_way_says_what_the_reader_says(text in texts()) {
        let expected = slowly(&text);
        let mut read = Read::default();
        read_program(&text, &mut read);
        prop_assert_eq!(&read.events, &expected.events);
        prop_assert_eq!(&read.faults, &expected.faults);
    }

    #[test]
    fn blocks_of_any_size_say_the_same(text in texts(), block in 1..40_usize) {
        let expected = slowly(&text);
        let mut read = Read::default();
        let whole = read_blocks(Blocks::new(Box::new(Cursor::new(text.clone())), block), &mut read).unwrap();
        prop_assert_eq!(&read.events, &expected.events);
        prop_assert_eq!(&read.faults, &expected.faults);
        prop_assert_eq!(whole.0.is_none_or(|whole| whole == text), true);
        prop_assert_eq!(whole.1, None);
    }

    #[test]
    fn what_is_not_utf8_is_replaced_in_blocks_of_any_size(
        text in texts(),
        at in prop::collection::vec(0..200_usize, 1..4),
        block in 1..40_usize,
    ) {
        let mut bytes = text.into_bytes();
        at.iter().for_each(|&at| bytes.insert(at.min(bytes.len()), 0xE9));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut expected = Read::default();
        read_program(&text, &mut expected);
        let mut read = Read::default();
        let blocks = Blocks::new(Box::new(Cursor::new(bytes.clone())), block);
        let (whole, replaced) = read_blocks(blocks, &mut read).unwrap();
        prop_assert_eq!(&read.events, &expected.events);
        prop_assert_eq!(&read.faults, &expected.faults);
        prop_assert_eq!(whole.is_none_or(|whole| whole == text), true);
        prop_assert_eq!(replaced.map(|replaced| replaced.first), text.find(char::REPLACEMENT_CHARACTER));
    }
}

#[test]
fn plain_facts_are_taken_the_fast_way() {
    let text = "p(a,b).\np(c1, 'D e').\r\n% p(x).\nq(-3).\nq(2.5). q('abc').\nq(\"t\").";
    let mut read = Read::default();
    read_program(text, &mut read);
    assert_eq!(read.n_plain, 6);
    assert_eq!(read.events.len(), 6);
}

/// Blocks of any size have the same replacements of bytes that are not UTF-8 as the whole text, at the same places.
#[test]
fn bytes_that_are_not_utf8_are_replaced_at_their_places() {
    let bytes = b"p('\xE9').\nq(a, \"\xC3\x28\xFF\"). % \xE2\x82\np(b).\n\xF0\x9F(c).\n'\xED\xA0\x80'(d).";
    let text = String::from_utf8_lossy(bytes);
    let mut expected = Read::default();
    read_program(&text, &mut expected);
    for block in 1..=bytes.len() + 1 {
        let mut found = Read::default();
        let blocks = Blocks::new(Box::new(Cursor::new(bytes.to_vec())), block);
        let (whole, replaced) = read_blocks(blocks, &mut found).expect("memory can be read");
        assert!(whole.is_none_or(|whole| whole == text));
        assert_eq!(found.events, expected.events, "in blocks of {block}");
        let replaced = replaced.expect("something is replaced");
        assert_eq!((replaced.first, replaced.n_bytes), (3, 10), "in blocks of {block}");
    }
}
