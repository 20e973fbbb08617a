//! RDF graphs in N-Triples (`.nt`) and Turtle (`.ttl`): each triple `s p o` is a fact `p(s, o)`.
//!
//! The facts of `--target` are the positive examples, as in `triples`. `rdf:type` is a relation as any other:
//! `s rdf:type c` is `type(s, c)`. A folder holds one graph, for names are made short within a file.
//!
//! An IRI goes by its ending after the last `#` or `/`, if no other IRI of the graph has this ending. Relations and
//! things count apart. Otherwise the whole IRI is the name. A blank node keeps its label; one without a label gets a
//! number in the order of the text: `_:[1]`. A literal is a number, `true` or `false` if its datatype says so.
//! Otherwise it is a string, with its language if it has one: `"chat@fr"`.

use std::path::{Path, PathBuf};

use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::Number;
use gleaner_lang::syntax::{Diagnostic, Span, codes, quote_atom, quote_text};
use oxrdf::{BlankNode, Literal, NamedOrBlankNode, Term, Triple};
use oxttl::TurtleParser;

use crate::formats::file_format::{About, Asked, Clue, FileFormat, entries, has_ending};
use crate::gather::{DataFile, FileReading, Files, Habits, MakeReader, whole};
use crate::provisional::{Provisional, number_text};
use crate::texts::number_texts::{decimal_number, whole_number};

/// The layout of RDF graphs.
#[derive(Debug)]
pub(super) struct Rdf;

impl FileFormat for Rdf {
    fn about(&self) -> About {
        About {
            name: "rdf",
            files_in_words: "*.nt, *.ttl",
            habits: Habits {
                is_foreign: true,
                has_positives_among_facts: true,
                is_one_graph: true,
                ..Habits::default()
            },
            clue: Clue::Graphs,
        }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        if path.is_dir() { !self.problems(path).is_empty() } else { is_graph(path) }
    }

    fn problems(&self, path: &Path) -> Vec<PathBuf> {
        entries(path).into_iter().filter(|entry| is_graph(entry)).collect()
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        is_graph(path).then_some(|| whole(read_graph))
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let path =
            if asked.path.is_dir() { self.problems(asked.path).pop() } else { Some(asked.path.to_owned()) };
        Ok(path.map(|path| Files::undivided(vec![DataFile::read_by(path, || whole(read_graph))])))
    }
}

/// Whether a file's name says that it is a graph.
fn is_graph(path: &Path) -> bool {
    has_ending(path, "nt") || has_ending(path, "ttl")
}

/// Reads a graph. N-Triples are a part of Turtle, and are read as Turtle.
fn read_graph(text: &str, reading: &mut FileReading<'_>) {
    let graph = Graph::read(text);
    for fault in graph.faults {
        reading.tell(bad_statement(&fault, reading));
    }
    let mut names = Names::new(&graph.triples);
    for triple in &graph.triples {
        let place = reading.place_in_file(triple.line);
        let subject = names.subject(triple, &mut reading.statements.symbols);
        let object = names.object(triple, &mut reading.statements.symbols);
        let fold = reading.fold;
        reading.fact_row(names.relation(triple), &[subject, object], fold, place);
    }
}

fn bad_statement(fault: &BadStatement, reading: &FileReading<'_>) -> Diagnostic {
    Diagnostic::error(codes::ODD_LINE, format!("this is no triple: {}", fault.message))
        .at(reading.place_in_file(fault.span), "here")
        .with_help("a triple is `<subject> <predicate> <object> .`, or the short forms of Turtle")
}

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

/// For each ending, the only IRI with it; none if several have it.
type Endings = FixedMap<String, Option<String>>;

/// The names of one graph.
#[derive(Debug)]
pub(super) struct Names {
    relations: Endings,
    things: Endings,
    unlabelled: FixedMap<BlankNode, usize>,
}

impl Names {
    /// Collects the endings of all IRIs. Cost: a look-up for each.
    pub(super) fn new(triples: &[PlacedTriple]) -> Self {
        let mut names = Self {
            relations: Endings::default(),
            things: Endings::default(),
            unlabelled: FixedMap::default(),
        };
        for PlacedTriple { triple, .. } in triples {
            add(triple.predicate.as_str(), &mut names.relations);
            if let NamedOrBlankNode::NamedNode(subject) = &triple.subject {
                add(subject.as_str(), &mut names.things);
            }
            if let Term::NamedNode(object) = &triple.object {
                add(object.as_str(), &mut names.things);
            }
        }
        names
    }

    /// The name of a triple's relation.
    pub(super) fn relation<'t>(&self, triple: &'t PlacedTriple) -> &'t str {
        short(triple.triple.predicate.as_str(), &self.relations)
    }

    /// The constant of a triple's subject.
    pub(super) fn subject(&mut self, triple: &PlacedTriple, symbols: &mut Provisional) -> ConstantId {
        match &triple.triple.subject {
            NamedOrBlankNode::NamedNode(iri) => self.thing(iri.as_str(), symbols),
            NamedOrBlankNode::BlankNode(node) => self.blank(node, symbols),
        }
    }

    /// The constant of a triple's object.
    pub(super) fn object(&mut self, triple: &PlacedTriple, symbols: &mut Provisional) -> ConstantId {
        match &triple.triple.object {
            Term::NamedNode(iri) => self.thing(iri.as_str(), symbols),
            Term::BlankNode(node) => self.blank(node, symbols),
            Term::Literal(literal) => constant(literal, symbols),
        }
    }

    fn thing(&self, iri: &str, symbols: &mut Provisional) -> ConstantId {
        symbols.constant(&quote_atom(short(iri, &self.things)), None)
    }

    /// The constant of a blank node; the parser gives a node without a label a random name.
    fn blank(&mut self, node: &BlankNode, symbols: &mut Provisional) -> ConstantId {
        let name = if node.as_ref().unique_id().is_some() {
            let next = self.unlabelled.len() + 1;
            format!("_:[{}]", self.unlabelled.entry_ref(node).or_insert(next))
        } else {
            format!("_:{}", node.as_str())
        };
        symbols.constant(&quote_atom(&name), None)
    }
}

fn add(iri: &str, endings: &mut Endings) {
    let known = endings.entry_ref(ending(iri)).or_insert_with(|| Some(iri.to_owned()));
    if known.as_deref() != Some(iri) {
        *known = None;
    }
}

/// The text after the last `#` or `/`.
fn ending(iri: &str) -> &str {
    iri.rsplit(['#', '/']).next().unwrap_or(iri)
}

/// The ending of an IRI if no other IRI has it, else the whole IRI.
fn short<'i>(iri: &'i str, endings: &Endings) -> &'i str {
    let ending = ending(iri);
    let is_clear = endings.get(ending).is_some_and(Option::is_some);
    if is_clear && !ending.is_empty() { ending } else { iri }
}

/// The namespace of XML Schema's datatypes.
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// The constant of a literal; a number that is too large to hold is a string.
fn constant(literal: &Literal, symbols: &mut Provisional) -> ConstantId {
    let value = literal.value();
    let datatype = literal.datatype().as_str().strip_prefix(XSD).unwrap_or_default();
    let number = match datatype {
        "integer" | "int" | "long" | "short" | "byte" | "nonNegativeInteger" | "positiveInteger"
        | "nonPositiveInteger" | "negativeInteger" | "unsignedInt" | "unsignedLong" | "unsignedShort"
        | "unsignedByte" => whole_number(value).map(Number::Integer),
        "decimal" | "double" | "float" => decimal_number(value).map(Number::Float),
        _ => None,
    };
    if let Some(number) = number {
        return symbols.constant(&number_text(number), Some(number));
    }
    match (datatype, value, literal.language()) {
        ("boolean", "true" | "1", _) => symbols.constant("true", None),
        ("boolean", "false" | "0", _) => symbols.constant("false", None),
        (_, value, Some(language)) => symbols.constant(&quote_text(&format!("{value}@{language}")), None),
        (_, value, None) => symbols.constant(&quote_text(value), None),
    }
}
