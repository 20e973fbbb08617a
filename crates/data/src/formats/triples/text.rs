//! The triples of a text, a line each, as people and programs write them; and the constants of their cells.

use crate::cells::cell_constant;
use crate::provisional::Provisional;
use gleaner_base::{ConstantId, FixedSet};
use gleaner_lang::syntax::{Span, quote_atom};

/// What a line must be, in words.
pub(super) const ACCEPTED: &str = "three cells with tabs between: head, relation, tail; or three words";

/// A fact `relation(head, tail)`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Triple<'text> {
    pub(super) relation: &'text str,
    pub(super) arguments: [&'text str; 2],
    pub(super) span: Span,
}

/// A text of triples, and how it writes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct TripleText<'text> {
    text: &'text str,
    /// Whether cells have tabs between them, and not blanks.
    has_tabs: bool,
    /// Whether an id stands before each triple, as in YAGO's tables.
    has_ids: bool,
    /// Whether a full stop ends each triple, as in N-Triples. Then names stand in angle brackets.
    has_stops: bool,
}

impl<'text> TripleText<'text> {
    /// Finds how a text writes its triples: by its first line, and by all lines where there are more than three cells or a full
    /// stop behind the last.
    pub(super) fn new(text: &'text str) -> Self {
        let first = contents(text).next().map_or("", |(_, line)| line);
        let mut this = Self { text, has_tabs: first.contains('\t'), has_ids: false, has_stops: false };
        let mut cells: Vec<&str> = this.cells(first).collect();
        this.has_stops = cells.len() > 3 && cells.last() == Some(&".");
        if this.has_stops {
            cells.pop();
        } else if this.has_tabs {
            this.has_stops = !first.is_empty() && contents(text).all(|(_, line)| line.ends_with(STOP));
        }
        this.has_ids = cells.len() > 3 && this.are_first_cells_ids();
        this
    }

    /// Whether cells have tabs between them, and not blanks.
    pub(super) const fn has_tabs(self) -> bool {
        self.has_tabs
    }

    /// Whether the first line, of words all lines, is a triple.
    pub(super) fn is_recognised(self) -> bool {
        let is_triple = |(_, line): (usize, &str)| self.triple(line, Span::default()).is_some();
        if self.has_tabs {
            return contents(self.text).next().is_some_and(is_triple);
        }
        // The last line may be cut off.
        let whole = self.text.rsplit_once('\n').map_or(self.text, |(whole, _)| whole);
        // Facts and rules of programs have brackets, or a full stop at the end of a word.
        let is_plain = |word: &str| {
            !word.contains(['(', ')', '{', '}', ',']) && (word == "." || !word.ends_with(['.', ';', ':']))
        };
        contents(whole).next().is_some()
            && contents(whole).all(|line| is_triple(line) && self.cells(line.1).all(is_plain))
    }

    /// The first line, if a full stop behind a blank ends the last cell of all lines.
    pub(super) fn stop(self) -> Option<Span> {
        let (at, line) = contents(self.text).next().filter(|_| self.has_tabs && self.has_stops)?;
        line.ends_with(STOP).then(|| Span::new(at + line.len() - 1, at + line.len()))
    }

    /// The first line that is a comment, and how many there are.
    pub(super) fn comments(self) -> Option<(Span, usize)> {
        let mut comments = lines(self.text).filter(|(_, line)| is_comment(line));
        let (at, line) = comments.next()?;
        Some((Span::new(at, at + line.len()), 1 + comments.count()))
    }

    /// The triples of the text, or the place of a line that does not have their cells. Lines end with LF or CR LF;
    /// empty lines are skipped, and so are comments and a header.
    pub(super) fn triples(self) -> impl Iterator<Item = Result<Triple<'text>, Span>> {
        let n_skipped = usize::from(self.header().is_some());
        contents(self.text).skip(n_skipped).map(move |(at, line)| {
            let span = Span::new(at, at + line.len());
            self.triple(line, span).ok_or(span)
        })
    }

    /// The first line, if it names the columns: its words say so, and no other line has its relation.
    pub(super) fn header(self) -> Option<Triple<'text>> {
        const NAMES: [[&[&str]; 3]; 2] = [
            [
                &[
                    "head",
                    "h",
                    "subject",
                    "s",
                    "subj",
                    "from",
                    "source",
                    "src",
                    "entity1",
                    "e1",
                    "headentity",
                ],
                &[
                    "relation",
                    "rel",
                    "r",
                    "predicate",
                    "p",
                    "pred",
                    "property",
                    "edge",
                    "type",
                    "relationtype",
                ],
                &["tail", "t", "object", "o", "obj", "to", "target", "dst", "entity2", "e2", "tailentity"],
            ],
            [
                &["headid", "subjectid", "fromid", "sourceid"],
                &["relationid", "predicateid", "relid"],
                &["tailid", "objectid", "toid", "targetid"],
            ],
        ];
        let mut lines = contents(self.text);
        let (at, line) = lines.next()?;
        let first = self.triple(line, Span::new(at, at + line.len()))?;
        let [head, tail] = first.arguments;
        let words = [head, first.relation, tail].map(|cell| {
            let signs = |c: &char| c.is_alphanumeric();
            cell.chars().filter(signs).flat_map(char::to_lowercase).collect::<String>()
        });
        let are =
            |names: &[&[&str]; 3]| words.iter().zip(names).all(|(word, names)| names.contains(&&**word));
        if !NAMES.iter().any(are) {
            return None;
        }
        let relation = |(_, line): (usize, &'text str)| Some(self.triple(line, Span::default())?.relation);
        let is_only = !lines.filter_map(relation).any(|other| other == first.relation);
        is_only.then_some(first)
    }

    fn cells(self, line: &'text str) -> impl Iterator<Item = &'text str> {
        let (tabs, blanks) = match self.has_tabs {
            true => (Some(line.split('\t')), None),
            false => (None, Some(line.split_ascii_whitespace())),
        };
        tabs.into_iter().flatten().chain(blanks.into_iter().flatten())
    }

    fn triple(self, line: &'text str, span: Span) -> Option<Triple<'text>> {
        let mut cells = self.cells(line).skip(usize::from(self.has_ids));
        let (head, relation, tail) = (cells.next()?, cells.next()?, cells.next()?);
        let ends = |cell: &str| cell.is_empty() && self.has_ids || cell == "." && self.has_stops;
        let tail =
            Some(tail).filter(|_| self.has_stops).and_then(|tail| tail.strip_suffix(STOP)).unwrap_or(tail);
        let is_whole = cells.all(ends) && ![head, relation, tail].contains(&"");
        let bare = |cell: &'text str| {
            let within = cell.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
            within.filter(|_| self.has_stops).unwrap_or(cell)
        };
        is_whole.then_some(Triple { relation: bare(relation), arguments: [bare(head), bare(tail)], span })
    }

    /// Whether the first cells of the lines are all different, as ids are; a line may lack one.
    fn are_first_cells_ids(self) -> bool {
        let mut known: FixedSet<&str> = FixedSet::default();
        let mut firsts: Vec<&str> =
            contents(self.text).filter_map(|(_, line)| self.cells(line).next()).collect();
        // The beginning of a file may end within a line.
        if firsts.len() > 2 && !self.text.ends_with('\n') {
            firsts.pop();
        }
        firsts.iter().filter(|cell| !cell.is_empty()).all(|cell| known.insert(cell)) && known.len() > 1
    }
}

/// What ends a triple behind its last cell, as N-Triples do.
const STOP: &str = " .";

/// Whether a line says something to people: `# a comment`. A name may begin with the sign, too.
fn is_comment(line: &str) -> bool {
    let rest = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#'));
    rest.is_some_and(|rest| (rest.is_empty() || rest.starts_with(' ')) && !line.contains('\t'))
}

/// The lines that are not empty and no comments, each with its place.
fn contents(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text).filter(|(_, line)| !is_comment(line))
}

/// The lines that are not empty, each with its place.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        let content = line.trim_end_matches(['\n', '\r']);
        (!content.is_empty()).then_some((at, content))
    })
}

/// The constant of a cell. Digits alone are an entity's name until all triples are known.
pub(super) fn entity(cell: &str, symbols: &mut Provisional) -> ConstantId {
    if cell.bytes().all(|byte| byte.is_ascii_digit()) {
        return symbols.constant(&quote_atom(cell), None);
    }
    cell_constant(cell, symbols)
}

#[cfg(test)]
mod tests {
    use super::TripleText;

    fn read(text: &str) -> Vec<Result<(&str, [&str; 2]), usize>> {
        let triples = TripleText::new(text).triples();
        triples
            .map(|read| read.map(|triple| (triple.relation, triple.arguments)).map_err(|span| span.start))
            .collect()
    }

    #[test]
    fn lines_have_three_cells() {
        let text = "/m/1\t/film/genre\t/m/2\r\na\tr\tb\n\na\tr\nx\tr\ty\tz\nlast\tr\te";
        assert_eq!(
            read(text),
            [
                Ok(("/film/genre", ["/m/1", "/m/2"])),
                Ok(("r", ["a", "b"])),
                Err(30),
                Err(34),
                Ok(("r", ["last", "e"])),
            ]
        );
    }

    #[test]
    fn other_programs_write_ids_stops_and_blanks() {
        let two = [Ok(("r", ["a", "b c"])), Ok(("q", ["b c", "a"]))];
        assert_eq!(read("a\tr\tb c\nb c\tq\ta\n"), two);
        assert_eq!(read("<id_1>\ta\tr\tb c\n<id_2>\tb c\tq\ta\n"), two);
        // YAGO has a cell for a value, and ids may be missing.
        assert_eq!(read("7\ta\tr\tb c\t\n9\tb c\tq\ta\t\n"), two);
        assert_eq!(read("<a>\t<r>\t<b c>\t.\n<b c>\t<q>\t<a>\t.\n"), two);
        let words = [Ok(("r", ["a", "b"])), Ok(("q", ["b", "a"]))];
        assert_eq!(read("a r b\nb  q a\n"), words);
        assert_eq!(read("1 a r b\n2 b q a\n"), words);
        // A stop behind a blank in the last cell of all lines; else it may be part of a name.
        assert_eq!(read("a\tr\tb c .\nb c\tq\ta .\n"), two);
        assert_eq!(read("1\ta\tr\tb c .\n2\tb c\tq\ta .\n"), two);
        assert_eq!(read("a\tr\tSt .\na\tq\tb\n"), [Ok(("r", ["a", "St ."])), Ok(("q", ["a", "b"]))]);
        assert_eq!(read("# of words\na\tr\tb c\n#\nb c\tq\ta\n## the end\n"), two);
        assert_eq!(read("# of words\na r b\nb q a\n"), words);
        assert_eq!(read("#a\tr\t#b\n# c\tr\td\n"), [Ok(("r", ["#a", "#b"])), Ok(("r", ["# c", "d"]))]);
        assert_eq!(read("#a r b\n"), [Ok(("r", ["#a", "b"]))]);
        // Not ids: who stands first stands there twice, and the last cell is a day.
        assert_eq!(read("a\tr\tb\t2014-01-01\na\tq\tb\t2014-01-02\n"), [Err(0), Err(17)]);
    }

    #[test]
    fn headers_are_no_triples() {
        let triple = [Ok(("r", ["a", "b"]))];
        for header in
            ["head\trelation\ttail", "Subject\tPredicate\tObject", "source_id\trelation_id\ttarget_id"]
        {
            assert_eq!(read(&format!("{header}\na\tr\tb\n")), triple, "{header}");
        }
        // A relation with other links is one, whatever it is called.
        assert_eq!(read("from\trel\tto\na\trel\tb\n").len(), 2);
        assert_eq!(read("head\tof\ttail\na\tr\tb\n").len(), 2);
    }

    #[test]
    fn programs_are_no_words() {
        for text in ["a :- b.\n", "p(a, b, c).\nq(a, b, c).\n", "a r b\na r\n", "a r b c\n", ""] {
            assert!(!TripleText::new(text).is_recognised(), "{text}");
        }
        for text in ["a r b\nb r c\na r", "a\tr\tb\nx", "1\ta\tr\tb\n2\tb\tr\ta\n", "<a> <r> <b> .\n"] {
            assert!(TripleText::new(text).is_recognised(), "{text}");
        }
    }
}
