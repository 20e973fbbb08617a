//! Short names for the nodes and relations of a graph.
//!
//! An IRI goes by its ending after the last `#` or `/`, if no other IRI of the graph has this ending. Relations and
//! things count apart. Otherwise the whole IRI is the name. A blank node keeps its label; one without a label gets a
//! number in the order of the text: `_:[1]`. A literal is a number, `true` or `false` if its datatype says so.
//! Otherwise it is a string, with its language if it has one: `"chat@fr"`.

use oxrdf::{BlankNode, Literal, NamedOrBlankNode, Term};

use crate::provisional::{Provisional, number_text};
use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::Number;
use gleaner_lang::syntax::{quote_atom, quote_text};

use super::graph::PlacedTriple;

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
        | "unsignedByte" => value.parse().ok().map(Number::Integer),
        "decimal" | "double" | "float" => {
            value.parse().ok().filter(|value: &f64| value.is_finite()).map(Number::Float)
        }
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
