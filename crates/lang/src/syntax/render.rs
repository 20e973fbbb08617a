//! Shows diagnostics as a compiler does: code, place, source line, caret, help.
//!
//! Text of other people's files must not control the terminal, so [`visible`] shows it. A control character can move
//! the cursor, colour or hide printed text, or ring. A bidirectional control can show text in another order
//! (CVE-2021-42574). Both are shown as escapes, such as `\u{202e}`.

use std::borrow::Cow;
use std::ops::Range;

use codespan_reporting::files::Files;
use codespan_reporting::term::termcolor::Ansi;
use codespan_reporting::term::{Chars, Config};
use codespan_reporting::{diagnostic as codespan, files, term};

use super::ast::Span;
use super::codes::Code;
use super::diagnostic::{Diagnostic, FileId, Place, Severity};
use super::source::{SourceFile, Sources, floor_boundary};

/// The most messages of one code to show in full: a file in a wrong format has a fault in each line.
const MOST_OF_A_CODE: usize = 20;

/// The most bytes of a source line to show, and how many of them come before the place.
const WINDOW: usize = 200;

const WINDOW_BEFORE: usize = 80;

const CUT: &str = "...";

/// The messages as text for a terminal (`colour`: with ANSI escapes). Errors come before warnings, then messages
/// without a place, then the others by file and position. After the first 20 messages of one code, a line at the end
/// counts the rest. Lines longer than 200 bytes are cut around the place. Row and column name a place in a table that
/// is no text. File names and contents go through [`visible`], so that none of their escapes reaches a terminal.
///
/// # Panics
///
/// When a label points into a file of other `Sources`.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|message| {
        (message.severity(), message.labels().first().map(|label| (label.place().file(), label.place())))
    });
    let config = Config { chars: Chars::ascii(), ..Config::default() };
    // Few codes occur at once: a list in order of appearance.
    let mut counts: Vec<(Code, Severity, usize)> = Vec::new();
    let mut shown = Vec::new();
    for message in sorted {
        let found = counts
            .iter()
            .position(|(code, severity, _)| (*code, *severity) == (message.code(), message.severity()));
        let idx = found.unwrap_or_else(|| {
            counts.push((message.code(), message.severity(), 0));
            counts.len() - 1
        });
        counts[idx].2 += 1;
        if counts[idx].2 <= MOST_OF_A_CODE {
            emit(&mut shown, message, sources, &config, colour);
        }
    }
    for (code, severity, count) in counts.into_iter().filter(|(_, _, count)| *count > MOST_OF_A_CODE) {
        let more = count - MOST_OF_A_CODE;
        let rest = codespan::Diagnostic::new(severity.into())
            .with_code(code.to_string())
            .with_message(format!("{more} more of this code ({}) not shown", code.title()));
        write(&mut shown, &Excerpts(Vec::new()), &rest, &config, colour);
    }
    String::from_utf8_lossy(&shown).into_owned()
}

impl From<Severity> for codespan::Severity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
        }
    }
}

fn emit(shown: &mut Vec<u8>, message: &Diagnostic, sources: &Sources, config: &Config, colour: bool) {
    let mut excerpts = Excerpts(Vec::new());
    let (mut labels, mut notes) = (Vec::new(), Vec::new());
    for (idx, label) in message.labels().iter().enumerate() {
        match label.place() {
            Place::Bytes(file, span) => {
                let (excerpt, range) = excerpts.place(file, span, sources.get(file));
                let style =
                    if idx == 0 { codespan::LabelStyle::Primary } else { codespan::LabelStyle::Secondary };
                labels.push(codespan::Label::new(style, excerpt, range).with_message(visible(label.text())));
            }
            // A table has no line to show.
            place @ Place::Row(..) => {
                let said = if label.text().is_empty() { "" } else { ": " };
                notes.push(format!("{}{said}{}", visible(&sources.in_words(place)), visible(label.text())));
            }
        }
    }
    notes.extend(message.help().iter().map(|help| format!("help: {}", visible(help))));
    let full = codespan::Diagnostic::new(message.severity().into())
        .with_code(message.code().to_string())
        .with_message(visible(message.message()))
        .with_labels(labels)
        .with_notes(notes);
    write(shown, &excerpts, &full, config, colour);
}

fn write(
    shown: &mut Vec<u8>,
    excerpts: &Excerpts<'_>,
    message: &codespan::Diagnostic<usize>,
    config: &Config,
    colour: bool,
) {
    let result = if colour {
        term::emit_to_write_style(&mut Ansi::new(shown), config, excerpts, message)
    } else {
        term::emit_to_io_write(shown, config, excerpts, message)
    };
    result.expect("excerpts hold their labels, and writing to memory does not fail");
}

/// The part of a line to show around a place; of a short line, all. Escaped characters count with their escaped length.
fn window(text: &str, line: Range<usize>, at: usize) -> (usize, usize) {
    let fits = |part: &str| part.len() <= WINDOW && visible(part).len() <= WINDOW;
    if fits(&text[line.clone()]) {
        return (line.start, line.end);
    }
    // The bytes of the first characters that fit into this room.
    let within = |characters: &mut dyn Iterator<Item = char>, room: usize| {
        let mut n_left = room;
        let shown = characters.take_while(|&c| {
            let fits = visible_len(c) <= n_left;
            n_left = n_left.saturating_sub(visible_len(c));
            fits
        });
        shown.map(char::len_utf8).sum::<usize>()
    };
    let at = at.min(line.end);
    let start = at - within(&mut text[line.start..at].chars().rev(), WINDOW_BEFORE);
    (start, start + within(&mut text[start..line.end].chars(), WINDOW))
}

/// One source line, or the shown part of a long line.
#[derive(Debug)]
struct Excerpt<'a> {
    file: FileId,
    source: &'a SourceFile,
    /// The file's name in the message.
    name: String,
    /// The shown bytes of the file.
    start: usize,
    end: usize,
    /// The shown text, with marks where it was cut.
    text: String,
    cut_before: bool,
}

/// The excerpts of one message, as files of `codespan_reporting`. They have the lines and columns of their source
/// files.
#[derive(Debug)]
struct Excerpts<'a>(Vec<Excerpt<'a>>);

impl<'a> Excerpts<'a> {
    /// The excerpt around a place, and the bytes of the place in it. A place over several lines is shown on its first
    /// line.
    fn place(&mut self, file: FileId, span: Span, source: &'a SourceFile) -> (usize, Range<usize>) {
        let text = source.text();
        let at = floor_boundary(text, span.start);
        let line = source.line_around(at);
        let line_end = line.start + text[line.start..line.end].trim_end_matches('\r').len();
        let (start, end) = window(text, line.start..line_end, at);
        let known = self.0.iter().position(|it| (it.file, it.start, it.end) == (file, start, end));
        let idx = known.unwrap_or_else(|| {
            let cut_before = start > line.start;
            let before = if cut_before { CUT } else { "" };
            let after = if end < line_end { CUT } else { "" };
            let text = format!("{before}{}{after}", visible(&text[start..end]));
            let name = visible(source.name()).into_owned();
            self.0.push(Excerpt { file, source, name, start, end, text, cut_before });
            self.0.len() - 1
        });
        let excerpt = &self.0[idx];
        let from = excerpt.to_excerpt(at);
        let to = excerpt.to_excerpt(floor_boundary(text, span.end));
        (idx, from..to.max(from))
    }

    fn excerpt(&self, id: usize) -> Result<&Excerpt<'a>, files::Error> {
        self.0.get(id).ok_or(files::Error::FileMissing)
    }
}

impl Excerpt<'_> {
    const fn margin(&self) -> usize {
        if self.cut_before { CUT.len() } else { 0 }
    }

    fn to_excerpt(&self, offset: usize) -> usize {
        let before = &self.source.text()[self.start..offset.clamp(self.start, self.end)];
        before.chars().map(visible_len).sum::<usize>() + self.margin()
    }

    /// The place in the file of the character at a byte of the excerpt.
    fn to_file(&self, byte_idx: usize) -> usize {
        let mut n_left = byte_idx.saturating_sub(self.margin());
        let shown = self.source.text()[self.start..self.end].char_indices();
        for (at, c) in shown {
            if n_left < visible_len(c) {
                return self.start + at;
            }
            n_left -= visible_len(c);
        }
        self.end
    }
}

impl<'a> Files<'a> for Excerpts<'a> {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<&'a str, files::Error> {
        Ok(&self.excerpt(id)?.name)
    }

    fn source(&'a self, id: usize) -> Result<&'a str, files::Error> {
        Ok(&self.excerpt(id)?.text)
    }

    fn line_index(&'a self, id: usize, _byte_index: usize) -> Result<usize, files::Error> {
        self.excerpt(id).map(|_| 0)
    }

    fn line_number(&'a self, id: usize, _line_index: usize) -> Result<usize, files::Error> {
        let excerpt = self.excerpt(id)?;
        Ok(excerpt.source.line_column(excerpt.start).0)
    }

    fn column_number(
        &'a self,
        id: usize,
        _line_index: usize,
        byte_index: usize,
    ) -> Result<usize, files::Error> {
        let excerpt = self.excerpt(id)?;
        Ok(excerpt.source.line_column(excerpt.to_file(byte_index)).1)
    }

    fn line_range(&'a self, id: usize, _line_index: usize) -> Result<Range<usize>, files::Error> {
        Ok(0..self.excerpt(id)?.text.len())
    }
}

/// Whether a terminal may do more than show the character. Line feeds and tabs only separate text.
fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Marks of direction, embeddings and overrides, isolates (Unicode Standard Annex 9).
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        _ => c.is_control(),
    }
}

/// The text with bidirectional controls, and control characters except line feeds and tabs, as escapes such as
/// `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_hidden) else { return Cow::Borrowed(text) };
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(&text[..first]);
    for c in text[first..].chars() {
        if is_hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// The number of bytes of a character in the output of [`visible`].
fn visible_len(c: char) -> usize {
    if is_hidden(c) { c.escape_unicode().len() } else { c.len_utf8() }
}

#[cfg(test)]
mod tests {
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
            [
                "error[G005]: none",
                "error[G001]: a1",
                "error[G001]: a2",
                "error[G001]: b1",
                "warning[G001]: w"
            ]
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
}
