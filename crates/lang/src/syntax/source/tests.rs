use super::Sources;
use crate::syntax::{Span, render};

#[test]
fn lines_and_columns_count_characters_from_one() {
    let mut sources = Sources::new();
    let file = sources.add("a.pl", "p(é).\r\nq.\n");
    assert_eq!(sources.get(file).line_column(0), (1, 1));
    assert_eq!(sources.get(file).line_column(4), (1, 4), "after the two bytes of é");
    assert_eq!(sources.get(file).line_column(3), (1, 3), "inside é");
    assert_eq!(sources.get(file).line_column(8), (2, 1));
    assert_eq!(sources.get(file).line_column(999), (3, 1));
    assert_eq!(sources.get(file).line_around(8), Span::new(8, 10));
    let empty = sources.add("empty.pl", "");
    assert_eq!(sources.get(empty).line_column(0), (1, 1));
    assert_eq!(sources.iter().map(|(_, file)| file.name()).collect::<Vec<_>>(), ["a.pl", "empty.pl"]);
}

#[test]
fn the_first_byte_outside_utf8_is_shown() {
    let mut sources = Sources::new();
    let fault = sources.add_bytes("b.pl", b"p(a).\nq(\xE9t\xE9).\n".to_vec()).unwrap_err();
    let shown = render(&[fault], &sources, false);
    let expected = "error[G006]: byte 0xE9 is not UTF-8\n --> b.pl:2:3\n  |\n2 | q(\u{FFFD}t\u{FFFD}).\n  |   ^ first such byte";
    assert!(shown.replace("  --> ", " --> ").starts_with(expected), "{shown}");
    assert!(sources.add_bytes("c.pl", "p(é).".into()).is_ok());
}

#[test]
fn a_missing_file_or_a_folder_is_named_with_a_remedy() {
    let mut sources = Sources::new();
    let fault = sources.load("no/such/file.pl".as_ref()).unwrap_err();
    assert_eq!(fault.code().to_string(), "G005");
    assert!(fault.message().starts_with("cannot read no/such/file.pl: "));
    assert_eq!(fault.help(), ["check the path; it is taken from the current folder"]);
    let fault = sources.load("src".as_ref()).unwrap_err();
    assert_eq!(fault.help(), ["this is a folder; name a file in it"]);
}
