//! Triples: `head TAB relation TAB tail`, a line each; and the constants of their cells.

use crate::cells::cell_constant;
use crate::provisional::Provisional;
use gleaner_base::ConstantId;
use gleaner_lang::syntax::{Span, quote_atom};

/// A fact `relation(head, tail)`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Triple<'text> {
    pub(super) relation: &'text str,
    pub(super) arguments: [&'text str; 2],
    pub(super) span: Span,
}

/// The triples of a text, or the place of a line that does not have three cells. Lines end with LF or CR LF; empty
/// lines are skipped.
pub(super) fn triples(text: &str) -> impl Iterator<Item = Result<Triple<'_>, Span>> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        let content = line.trim_end_matches(['\n', '\r']);
        let span = Span::new(at, at + content.len());
        (!content.is_empty()).then(|| triple(content, span).ok_or(span))
    })
}

fn triple(line: &str, span: Span) -> Option<Triple<'_>> {
    let mut cells = line.split('\t');
    let (head, relation, tail) = (cells.next()?, cells.next()?, cells.next()?);
    let is_whole = cells.next().is_none() && ![head, relation, tail].contains(&"");
    is_whole.then_some(Triple { relation, arguments: [head, tail], span })
}

/// The constant of a cell. Digits alone are an entity's name, not a number.
pub(super) fn entity(cell: &str, symbols: &mut Provisional) -> ConstantId {
    if cell.bytes().all(|byte| byte.is_ascii_digit()) {
        return symbols.constant(&quote_atom(cell), None);
    }
    cell_constant(cell, symbols)
}

#[cfg(test)]
mod tests {
    use super::triples;

    #[test]
    fn lines_have_three_cells() {
        let text = "/m/1\t/film/genre\t/m/2\r\na\tr\tb\n\na\tr\nx\tr\ty\tz\nlast\tr\te";
        let read: Vec<_> = triples(text)
            .map(|read| read.map(|triple| (triple.relation, triple.arguments)).map_err(|span| span.start))
            .collect();
        assert_eq!(
            read,
            [
                Ok(("/film/genre", ["/m/1", "/m/2"])),
                Ok(("r", ["a", "b"])),
                Err(30),
                Err(34),
                Ok(("r", ["last", "e"])),
            ]
        );
    }
}
