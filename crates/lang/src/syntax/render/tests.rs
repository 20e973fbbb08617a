use super::super::{Diagnostic, Place, Sources, Span, codes, read_statements};
use super::{render, visible};

#[test]
fn looks_like_a_compiler_message() {
    let mut sources = Sources::new();
    let file = sources.add("family.pl", "mother(ann,bob).\nmother(ann,).\n");
    let faults = read_statements(sources.get(file).text(), &mut |_| ());
    let messages: Vec<_> = faults.iter().map(|fault| fault.to_diagnostic(file, 0)).collect();
    let expected = "\
error[G001]: found `)`, expected a term
  --> family.pl:2:12
  |
2 | mother(ann,).
  |            ^

";
    assert_eq!(render(&messages, &sources, false), expected);
    assert!(render(&messages, &sources, true).contains("\u{1b}["));
}

#[test]
fn errors_come_first_then_files_and_positions() {
    let mut sources = Sources::new();
    let a = sources.add("a.pl", "p.\nq.\n");
    let b = sources.add("b.pl", "r.\n");
    let messages = [
        Diagnostic::warning(codes::SYNTAX, "w").with_label(a, Span::new(0, 1), ""),
        Diagnostic::error(codes::SYNTAX, "b1").with_label(b, Span::new(0, 1), ""),
        Diagnostic::error(codes::SYNTAX, "a2").with_label(a, Span::new(3, 4), "").with_help("do so"),
        Diagnostic::error(codes::SYNTAX, "a1").with_label(a, Span::new(0, 1), "").with_label(
            b,
            Span::new(0, 1),
            "see",
        ),
        Diagnostic::error(codes::UNREADABLE_FILE, "none"),
    ];
    let shown = render(&messages, &sources, false);
    let heads: Vec<_> = shown.lines().filter(|line| line.contains("[G")).collect();
    assert_eq!(
        heads,
        ["error[G005]: none", "error[G001]: a1", "error[G001]: a2", "error[G001]: b1", "warning[G001]: w"]
    );
    assert!(shown.contains("- see"), "{shown}");
    assert!(shown.contains("= help: do so"), "{shown}");
}

#[test]
fn many_messages_of_one_code_are_counted() {
    let mut sources = Sources::new();
    let file = sources.add("bad.pl", "p(.\n".repeat(55));
    let faults = read_statements(sources.get(file).text(), &mut |_| ());
    let messages: Vec<_> = faults.iter().map(|fault| fault.to_diagnostic(file, 0)).collect();
    assert_eq!(messages.len(), 55);
    let shown = render(&messages, &sources, false);
    assert_eq!(shown.matches("found `.`").count(), 20);
    assert!(shown.ends_with("error[G001]: 35 more of this code (syntax error) not shown\n\n"), "{shown}");
}

#[test]
fn a_long_line_is_cut_to_a_window() {
    let mut sources = Sources::new();
    let text = format!("p({}?{}).", "é,".repeat(5000), ",é".repeat(5000));
    let file = sources.add("long.pl", text.clone());
    let at = text.find('?').unwrap();
    let message = Diagnostic::error(codes::SYNTAX, "m")
        .with_label(file, Span::new(at, at + 1), "here")
        .with_label(file, Span::new(0, text.len()), "all");
    let shown = render(&[message], &sources, false);
    assert!(shown.lines().all(|line| line.len() < 500), "{shown}");
    assert!(shown.contains("long.pl:1:10003"), "{shown}");
    let (line, caret) = (shown.lines().nth(3).unwrap(), shown.lines().nth(4).unwrap());
    let column = |line: &str, what| line.chars().position(|c| c == what);
    assert_eq!(column(line, '?'), column(caret, '^'), "{shown}");
    assert!(line.contains("| ...") && line.ends_with("..."));
}

#[test]
fn odd_spans_are_shown_all_the_same() {
    let mut sources = Sources::new();
    let file = sources.add("é.pl", "é\r\n\té");
    for (start, end) in [(0, 0), (1, 1), (3, 2), (5, 99), (99, 100), (0, 7), (2, 3)] {
        let message = Diagnostic::error(codes::SYNTAX, "m").with_label(file, Span::new(start, end), "");
        assert!(render(&[message], &sources, true).contains("é.pl"));
    }
    let empty = sources.add("empty.pl", "");
    let message = Diagnostic::error(codes::SYNTAX, "m").with_label(empty, Span::new(0, 0), "");
    assert!(render(&[message], &sources, false).contains("empty.pl:1:1"));
}

#[test]
fn what_is_shown_escaped_takes_no_more_room_than_text() {
    let mut sources = Sources::new();
    let file = sources.add("zeros.pl", format!("{}?{}", "\0".repeat(300), "\0".repeat(300)));
    let message = Diagnostic::error(codes::SYNTAX, "m").with_label(file, Span::new(300, 301), "here");
    let shown = render(&[message], &sources, false);
    assert!(shown.contains("zeros.pl:1:301"), "{shown}");
    let (line, caret) = (shown.lines().nth(3).unwrap(), shown.lines().nth(4).unwrap());
    assert_eq!(line.find('?'), caret.find('^'), "{shown}");
    // Five characters for each zero: sixteen before the place take 80, and twenty-three the rest of 200.
    assert_eq!(line, format!("1 | ...{}?{}...", "\\u{0}".repeat(16), "\\u{0}".repeat(23)));
}

#[test]
fn rows_of_tables_without_text_are_named() {
    let mut sources = Sources::new();
    let text = sources.add("a.pl", "p.\n");
    let named = sources.add_table("sales.bin", vec!["id".to_owned(), "am\u{1b}ount".to_owned()]);
    let nameless = sources.add_table("likes/2", Vec::new());
    let messages = [
        Diagnostic::error(codes::MALFORMED_TABLE, "c").at(Place::Row(nameless, 3, Some(1)), ""),
        Diagnostic::error(codes::MALFORMED_TABLE, "b")
            .at(Place::Row(named, 12, Some(1)), "here")
            .at(Place::new(text, Span::new(0, 1)), "and there")
            .with_help("do so"),
        Diagnostic::error(codes::MALFORMED_TABLE, "a").at(Place::Row(named, 2, None), "here"),
        Diagnostic::error(codes::MALFORMED_TABLE, "of names").at(Place::Row(named, 0, Some(0)), ""),
    ];
    let expected = "\
error[G090]: of names
 = sales.bin: column id

error[G090]: a
 = sales.bin: row 2: here

error[G090]: b
  --> a.pl:1:1
  |
1 | p.
  | - and there
  |
  = sales.bin: row 12, column am\\u{1b}ount: here
  = help: do so

error[G090]: c
 = likes/2: row 3, column 2

";
    assert_eq!(render(&messages, &sources, false), expected);
    assert_eq!(sources.position(Place::Row(named, 12, Some(1))), (12, 2));
}

#[test]
fn only_what_a_terminal_would_obey_is_escaped() {
    assert_eq!(visible("\u{1b}[31mred\u{7}\r"), "\\u{1b}[31mred\\u{7}\\u{d}");
    assert_eq!(visible("a\u{202e}b\u{2066}\u{61c}\u{200f}"), "a\\u{202e}b\\u{2066}\\u{61c}\\u{200f}");
    assert_eq!(visible("\u{9b}31m\u{7f}"), "\\u{9b}31m\\u{7f}");
    let plain = "é\t漢字 \u{200d} ‹›\n";
    assert_eq!(visible(plain), plain);
}
