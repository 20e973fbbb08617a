//! The triples of a text, each with the line that completes it.

use oxrdf::Triple;
use oxttl::TurtleParser;

use gleaner_lang::syntax::Span;

/// A triple with its place.
#[derive(Debug)]
pub(super) struct PlacedTriple {
    pub(super) triple: Triple,
    /// The line that ends it.
    pub(super) line: Span,
}

/// A statement that is no triple.
#[derive(Debug)]
pub(super) struct BadStatement {
    pub(super) span: Span,
    pub(super) message: String,
}

/// The triples and faults of a text.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) triples: Vec<PlacedTriple>,
    pub(super) faults: Vec<BadStatement>,
}

/// The most faults to keep: the parser goes on after each, and a text that is no graph has many.
const MOST_FAULTS: usize = 100;

impl Graph {
    /// Reads a graph. The parser tells the places of faults, but not of triples. It therefore gets the text line by
    /// line, and a triple that it gives after a line ends on that line. Cost: one pass.
    pub(super) fn read(text: &str) -> Self {
        let mut graph = Self::default();
        let mut parser = TurtleParser::new().low_level();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let span = Span::new(start, start + line.trim_end().len());
            start += line.len();
            parser.extend_from_slice(line.as_bytes());
            if start == text.len() {
                parser.end();
            }
            while let Some(read) = parser.parse_next() {
                match read {
                    Ok(triple) => graph.triples.push(PlacedTriple { triple, line: span }),
                    Err(error) => {
                        let at = |offset: u64| usize::try_from(offset).map_or(start, |at| at.min(text.len()));
                        let place = error.location();
                        let span = Span::new(at(place.start.offset), at(place.end.offset));
                        graph.faults.push(BadStatement { span, message: error.message().to_owned() });
                    }
                }
                if graph.faults.len() == MOST_FAULTS {
                    return graph;
                }
            }
        }
        graph
    }
}
