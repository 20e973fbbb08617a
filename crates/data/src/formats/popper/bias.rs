//! Popper's bias: predicates, types and directions, from which modes are made.
//!
//! A bias file is an answer-set program. Its facts, and rules over its facts, declare the modes. Its constraints prune
//! Popper's search, which differs from this one; they are left out.

use std::collections::BTreeMap;

use gleaner_base::FixedSet;
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::ast::{Span, Statement, Term};
use gleaner_lang::syntax::{Diagnostic, Place, TermKind};

use crate::faults;
use crate::gather::{FileReader, FileReading, read_text};
use crate::mode_terms::{ANY_TYPE, Marker, ModeSide, RawMode};
use gleaner_lang::program::lower::atom_parts;

/// The predicates that a rule of a bias file may have as its head.
const DECLARATIONS: [&str; 4] = ["head_pred", "body_pred", "type", "direction"];

/// Declares that any argument of a predicate may be the known one, however many answers a call has. Popper does not
/// know this fact, and ignores it.
pub(super) const ANY_DIRECTION: &str = "any_direction";

/// A bias file while it is read.
#[derive(Debug, Default)]
pub(super) struct BiasFile(Bias);

impl FileReader for BiasFile {
    fn is_program(&self) -> bool {
        false
    }

    fn has_plain_facts(&self) -> bool {
        false
    }

    fn text(&mut self, text: &str, reading: &mut FileReading<'_>) -> Vec<String> {
        let translated = translate(text);
        for span in translated.constraints {
            reading.tell(faults::ignored_constraint(reading.place_in_file(span)));
        }
        read_text(&translated.text, self, reading);
        for (name, value, place) in self.0.settings() {
            if name == "enable_recursion" {
                reading.tell(faults::no_recursion(place));
                continue;
            }
            if name == "max_body" {
                reading.set("max-literals".to_owned(), with_head(&value), place);
            } else {
                reading.set(name.to_owned(), value, place);
            }
        }
        Vec::new()
    }

    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let place = reading.place(statement.span);
        if !self.0.add(statement, place) {
            reading.tell(faults::ignored_constraint(place));
        }
        true
    }

    fn finish(&mut self, reading: &mut FileReading<'_>) {
        let mut diagnostics = Vec::new();
        let modes = self.0.modes(&mut diagnostics);
        let without_meaning = self.0.without_meaning().into_iter();
        diagnostics.extend(without_meaning.map(|fact| faults::ignored_bias(fact.place, &fact.name)));
        reading.messages.extend(diagnostics);
        let declarations = &mut reading.statements.declarations;
        declarations.modes.extend(modes);
        for (name, place) in self.0.undirected() {
            declarations.undirected.push((name, place));
        }
    }
}

/// The most literals of a clause whose body has at most so many. What is no number is left as it is, to be told.
fn with_head(max_body: &str) -> String {
    let with_head = max_body.parse::<u32>().ok().and_then(|n_literals| n_literals.checked_add(1));
    with_head.map_or_else(|| max_body.to_owned(), |n_literals| n_literals.to_string())
}

/// A bias file in the common grammar, and the constraints that were blanked.
#[derive(Debug)]
struct Translated {
    text: String,
    constraints: Vec<Span>,
}

/// Blanks constraints (`:- …`) and the final comma of a tuple of one (`(train,)`), and writes `\=` for `!=`. It works
/// byte by byte, so that places stay true. Cost: one pass.
fn translate(text: &str) -> Translated {
    let mut bytes = text.as_bytes().to_vec();
    let mut constraints = Vec::new();
    let mut at = 0;
    while let Some(start) = statement_start(&bytes, at) {
        let end = statement_end(&bytes, start);
        let is_constraint = bytes[start..].starts_with(b":-");
        if is_constraint {
            constraints.push(Span::new(start, end));
            bytes[start..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        } else {
            translate_statement(&mut bytes[start..end]);
        }
        at = end;
    }
    // Only whole statements and single ASCII bytes were overwritten, by ASCII blanks.
    let text = String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned());
    Translated { text, constraints }
}

/// The first byte at or after `at` that is neither white space nor in a comment.
fn statement_start(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            byte if byte.is_ascii_whitespace() => at += 1,
            b'%' => at += bytes[at..].iter().position(|&byte| byte == b'\n')?,
            _ => return Some(at),
        }
    }
}

/// One past the full stop of the statement: a dot before white space, a comment or the end.
fn statement_end(bytes: &[u8], start: usize) -> usize {
    let mut quote = None;
    let mut at = start;
    while at < bytes.len() {
        match (quote, bytes[at]) {
            (Some(open), byte) if byte == open || byte == b'\n' => quote = None,
            (Some(_), _) => {}
            (None, byte @ (b'"' | b'\'')) => quote = Some(byte),
            (None, b'%') => {
                at += bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            (None, b'.') => {
                let next = bytes.get(at + 1);
                if next.is_none_or(|&next| next.is_ascii_whitespace() || next == b'%') {
                    return at + 1;
                }
            }
            (None, _) => {}
        }
        at += 1;
    }
    bytes.len()
}

fn translate_statement(statement: &mut [u8]) {
    for at in 0..statement.len() {
        let rest = &statement[at + 1..];
        let next = rest.iter().copied().find(|byte| !byte.is_ascii_whitespace());
        if statement[at..].starts_with(b"!=") {
            statement[at] = b'\\';
        }
        if statement[at] == b',' && next == Some(b')') {
            statement[at] = b' ';
        }
    }
}

/// A term of a bias file: constants as they are written, tuples flat.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Constant(String),
    Variable(String),
    Tuple(Vec<Value>),
}

impl Value {
    fn of(term: &Term<'_>) -> Self {
        match &term.kind {
            TermKind::Variable(name) => Self::Variable(name.to_string()),
            TermKind::Compound(comma, sides) if comma == "," => {
                let mut items = Vec::new();
                sides.iter().for_each(|side| match Self::of(side) {
                    Self::Tuple(inner) => items.extend(inner),
                    item => items.push(item),
                });
                Self::Tuple(items)
            }
            TermKind::Atom(text) | TermKind::Text(text) => Self::Constant(text.to_string()),
            _ => Self::Constant(term.to_string()),
        }
    }

    /// The items of a tuple; a constant is a tuple of one.
    fn items(&self) -> Vec<String> {
        match self {
            Self::Constant(text) => vec![text.clone()],
            Self::Tuple(items) => items.iter().flat_map(Self::items).collect(),
            Self::Variable(_) => Vec::new(),
        }
    }

    /// The term with its variables replaced by their values.
    fn with(&self, values: &BTreeMap<String, Value>) -> Self {
        match self {
            Self::Variable(name) => values.get(name).unwrap_or(self).clone(),
            Self::Tuple(items) => Self::Tuple(items.iter().map(|item| item.with(values)).collect()),
            Self::Constant(_) => self.clone(),
        }
    }
}

/// `name(values)`, with its place.
#[derive(Clone, Debug)]
struct Fact {
    name: String,
    values: Vec<Value>,
    place: Place,
}

impl Fact {
    fn of(term: &Term<'_>, place: Place) -> Option<Self> {
        let (name, arguments) = atom_parts(term)?;
        Some(Self { name: name.to_owned(), values: arguments.iter().map(Value::of).collect(), place })
    }

    /// The values of variables, beside the known ones, that make this fact equal to another.
    fn matched(&self, fact: &Self, known: &BTreeMap<String, Value>) -> Option<BTreeMap<String, Value>> {
        if self.name != fact.name || self.values.len() != fact.values.len() {
            return None;
        }
        let mut known = known.clone();
        for (pattern, value) in self.values.iter().zip(&fact.values) {
            match pattern.with(&known) {
                Value::Variable(name) if name.starts_with('_') => {}
                Value::Variable(name) => {
                    known.insert(name, value.clone());
                }
                pattern if pattern == *value => {}
                _ => return None,
            }
        }
        Some(known)
    }
}

/// The content of bias files.
#[derive(Debug, Default)]
struct Bias {
    facts: Vec<Fact>,
    rules: Vec<(Fact, Vec<Fact>)>,
}

/// The declared types or directions of arguments, by predicate.
type Arguments = BTreeMap<PredicateName, Vec<String>>;

impl Bias {
    /// Takes a fact or rule of a bias file. False if the statement is neither, or a rule whose head is no declaration.
    fn add(&mut self, statement: &Statement<'_>, place: Place) -> bool {
        let Some(head) = statement.head.as_ref().and_then(|head| Fact::of(head, place)) else { return false };
        let body: Option<Vec<Fact>> = statement.body.iter().map(|goal| Fact::of(goal, place)).collect();
        match body {
            Some(body) if body.is_empty() => self.facts.push(head),
            Some(body) if DECLARATIONS.contains(&&*head.name) => self.rules.push((head, body)),
            _ => return false,
        }
        true
    }

    /// The facts, with those that follow from them by rules.
    fn all(&self) -> Vec<Fact> {
        let mut all = self.facts.clone();
        for (head, body) in &self.rules {
            let mut found = vec![BTreeMap::new()];
            for goal in body {
                found = found
                    .iter()
                    .flat_map(|known| self.facts.iter().filter_map(move |fact| goal.matched(fact, known)))
                    .collect();
            }
            all.extend(found.iter().map(|values| Fact {
                values: head.values.iter().map(|value| value.with(values)).collect(),
                ..head.clone()
            }));
        }
        all
    }

    /// The modes. A body predicate with directions has one for them, and one with all arguments known. Without
    /// directions it has one for each argument as the known one, and one with all known. Malformed declarations get a
    /// message, and are left out.
    fn modes(&self, diagnostics: &mut Vec<Diagnostic>) -> Vec<RawMode> {
        let all = self.all();
        let types = arguments(&all, "type", diagnostics);
        let directions = arguments(&all, "direction", diagnostics);
        let mut modes: Vec<RawMode> = Vec::new();
        for fact in &all {
            let side = match &*fact.name {
                "head_pred" => ModeSide::Head,
                "body_pred" => ModeSide::Body,
                _ => continue,
            };
            let Some(name) = name_and_arity(fact) else {
                let accepted = "a predicate is `body_pred(name, arity)`";
                diagnostics.push(faults::bad_declaration(fact.place, "this is no predicate", accepted));
                continue;
            };
            let untyped = vec![ANY_TYPE.to_owned(); name.arity];
            let types = types.get(&name).unwrap_or(&untyped);
            for markers in markers(side, &name, directions.get(&name)) {
                let mode = RawMode {
                    side,
                    subject: name.clone().into(),
                    arguments: markers.into_iter().zip(types.iter().cloned()).collect(),
                    instantiation_limit: None,
                    place: fact.place,
                };
                let is_known = |known: &RawMode| {
                    known.side == mode.side
                        && known.subject == mode.subject
                        && known.arguments == mode.arguments
                };
                if !modes.iter().any(is_known) {
                    modes.push(mode);
                }
            }
        }
        modes
    }

    /// Body predicates of several arguments without directions.
    fn undirected(&self) -> Vec<(PredicateName, Place)> {
        let all = self.all();
        // Making the modes has already told of faults in directions.
        let directions = arguments(&all, "direction", &mut Vec::new());
        let any: Vec<PredicateName> =
            all.iter().filter(|fact| fact.name == ANY_DIRECTION).filter_map(name_and_arity).collect();
        let body = all.iter().filter(|fact| fact.name == "body_pred");
        let named = body.filter_map(|fact| Some((name_and_arity(fact)?, fact.place)));
        let open = named.filter(|(name, _)| name.arity > 1 && !directions.contains_key(name));
        open.filter(|(name, _)| !any.contains(name)).collect()
    }

    /// The facts that say nothing here, the first of each name: no declarations or settings, and no rule asks for them.
    fn without_meaning(&self) -> Vec<&Fact> {
        let asked = self.rules.iter().flat_map(|(_, body)| body).map(|goal| (&goal.name, goal.values.len()));
        let mut seen: FixedSet<(&String, usize)> = asked.collect();
        let is_known = |fact: &Fact| {
            let is_setting = fact.name.starts_with("max_") || fact.values.is_empty();
            is_setting || DECLARATIONS.contains(&&*fact.name) || fact.name == ANY_DIRECTION
        };
        let facts = self.facts.iter();
        facts.filter(|fact| !is_known(fact) && seen.insert((&fact.name, fact.values.len()))).collect()
    }

    /// Settings, with their places: `max_body(6)` as `max_body`, `6`; `enable_pi` with no value.
    fn settings(&self) -> impl Iterator<Item = (&str, String, Place)> + '_ {
        let is_setting = |fact: &&Fact| fact.name.starts_with("max_") || fact.values.is_empty();
        self.facts.iter().filter(is_setting).map(|fact| {
            let value = fact.values.first().map_or_else(Vec::new, Value::items).join(",");
            (fact.name.as_str(), value, fact.place)
        })
    }
}

/// `type(name, (a, b))` or `direction(name, (in, out))`, by predicate.
fn arguments(all: &[Fact], what: &str, diagnostics: &mut Vec<Diagnostic>) -> Arguments {
    let mut found = Arguments::new();
    for fact in all.iter().filter(|fact| fact.name == what) {
        let [name, items @ ..] = &*fact.values else { continue };
        if items.len() != 1 {
            // As in `type(eq,(charge),(charge))`: the meaning is clear.
            let accepted = format!("one tuple is expected, as `{what}(name, (first, second))`");
            let told = faults::odd_declaration(fact.place, "it is read as one tuple", &accepted);
            diagnostics.push(told);
        }
        let items: Vec<String> = items.iter().flat_map(Value::items).collect();
        let name = PredicateName::new(name.items().concat(), items.len());
        found.insert(name, items);
    }
    found
}

fn name_and_arity(fact: &Fact) -> Option<PredicateName> {
    match &*fact.values {
        [Value::Constant(name), Value::Constant(arity)] => {
            Some(PredicateName::new(name.as_str(), arity.parse().ok()?))
        }
        _ => None,
    }
}

/// The markers of a predicate's modes. Examples are ground: a head's arguments are all known.
fn markers(side: ModeSide, name: &PredicateName, directions: Option<&Vec<String>>) -> Vec<Vec<Marker>> {
    let all_known = vec![Marker::Input; name.arity];
    if side == ModeSide::Head {
        return vec![all_known];
    }
    if let Some(directions) = directions {
        let marker = |direction: &String| if direction == "out" { Marker::Output } else { Marker::Input };
        // A value that the predicate gives may already be known.
        return vec![directions.iter().map(marker).collect(), all_known];
    }
    let one_known = (0..name.arity).map(|known| {
        let marker = |column| if column == known { Marker::Input } else { Marker::Output };
        (0..name.arity).map(marker).collect()
    });
    one_known.chain([all_known]).collect()
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn constraints_and_last_commas_are_blanked_in_place() {
        let text =
            "type(f,(train,)).% :- a.\n:- clause(C), #count{V : v(C,V,\"a.\")} != 1.\nq(1..3).\n:-\n p(X).";
        let translated = translate(text);
        assert_eq!(translated.text.len(), text.len());
        let lines: Vec<&str> = translated.text.lines().map(str::trim).collect();
        assert_eq!(lines, ["type(f,(train )).% :- a.", "", "q(1..3).", "", ""]);
        let constraints: Vec<&str> =
            translated.constraints.iter().map(|span| &text[span.start..span.end]).collect();
        assert_eq!(constraints, [":- clause(C), #count{V : v(C,V,\"a.\")} != 1.", ":-\n p(X)."]);
    }
}
