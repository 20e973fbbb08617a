//! Standoff of brat: `NAME.txt` holds a text, and `NAME.ann` what is marked in it, a line each. Tabs divide the fields.
//!
//! ```text
//! T1  protein 0 4             SigK
//! T2  protein 11 15;20 24     GerE gene
//! R1  binds Arg1:T1 Arg2:T2
//! *   Equiv T1 T2
//! E1  Regulation:T3 Theme:T2 Cause:T1
//! ```
//!
//! - Offsets count characters of the text, and the end is exclusive. Where two characters end a line, both count.
//! - The text of an entity is compared with what stands there; parts of it are joined by blanks.
//! - A relation `R` is directed from `Arg1` to `Arg2`. If they are called otherwise, it is from the first to the second.
//! - `Equiv` says that its entities are names of one thing: pairs of them are no examples. Other words after `*` relate each two.
//! - An event is a directed relation of its type from each `Cause` or `Agent` to each `Theme`, `Target` or `Patient`, also
//!   `Theme2`. Without the former, it relates each two of the same role, `Theme` and `Theme2`, without a direction.
//! - Of other pairs of its arguments it says something, but not that they are related so: they are no examples. Neither are
//!   the entities of an event that is an argument, with those beside it.
//! - Attributes (`A`, `M`), normalisations (`N`) and notes (`#`) are skipped, so a negated relation is one.
//! - A text without a file of annotations is no document.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gleaner_lang::syntax::{Diagnostic, FileId, Sources, Span, check_within, codes};

use super::shared::{DocumentBuilder, Places, lines, malformed};
use crate::corpus::{Document, Entity};

/// Reads a file of annotations, and its text.
pub(super) fn read(path: &Path, sources: &mut Sources) -> Result<Vec<Document>, Vec<Diagnostic>> {
    let text_path = path.with_extension("txt");
    if sources.held_text(&text_path).is_none() && !text_path.is_file() {
        let what = format!("{} has annotations, but there is no {}", path.display(), text_path.display());
        return Err(vec![
            Diagnostic::error(codes::BAD_CORPUS, what).with_help("put the text beside its annotations"),
        ]);
    }
    if sources.held_text(&text_path).is_none() {
        check_within(&text_path, path).map_err(|fault| vec![fault])?;
    }
    let file = sources.load(path).map_err(|fault| vec![fault])?;
    let text = sources.load(&text_path).map_err(|fault| vec![fault])?;
    let text = sources.get(text).text().to_owned();
    let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let places = Places::of(&text);
    let builder = DocumentBuilder::new(Document { id, text, ..Document::default() }, file);
    let mut reading = Reading { file, places, builder, events: BTreeMap::new() };
    let all: Vec<Line<'_>> = lines(sources.get(file).text()).filter_map(Line::of).collect();
    // Relations may stand before their ends.
    for is_first in [true, false] {
        for line in &all {
            let read = if is_first { reading.end(line) } else { reading.relation(line) };
            reading.builder.faults.extend(read.err());
        }
    }
    let (mut documents, mut faults) = (Vec::new(), Vec::new());
    reading.builder.finish(&mut documents, &mut faults);
    if faults.is_empty() { Ok(documents) } else { Err(faults) }
}

/// The word for names of one thing, as brat and the shared tasks on events have it.
const EQUIVALENT: &str = "Equiv";

/// The roles of those who act in an event, and of those upon whom.
const ACTORS: [&str; 2] = ["Cause", "Agent"];
const TARGETS: [&str; 3] = ["Theme", "Target", "Patient"];

/// A role without its number: `Theme2` is a `Theme`.
fn bare(role: &str) -> &str {
    role.trim_end_matches(|sign: char| sign.is_ascii_digit())
}

fn is_one_of(roles: &[&str], role: &str) -> bool {
    roles.contains(&bare(role))
}

/// A line of annotations.
struct Line<'t> {
    span: Span,
    id: &'t str,
    /// What it says: a type, and the places or ends.
    body: &'t str,
    /// The text of an entity.
    said: Option<&'t str>,
}

impl<'t> Line<'t> {
    fn of((span, line): (Span, &'t str)) -> Option<Self> {
        let mut fields = line.splitn(3, '\t');
        let (id, body) = (fields.next()?, fields.next().unwrap_or_default());
        (!line.trim().is_empty()).then_some(Self { span, id, body, said: fields.next() })
    }
}

struct Reading<'t> {
    file: FileId,
    places: Places,
    builder: DocumentBuilder,
    /// The names of events, and those of their arguments but for their trigger.
    events: BTreeMap<&'t str, Vec<&'t str>>,
}

impl<'t> Reading<'t> {
    /// Reads what relations may have for an end: an entity, or the name of an event.
    fn end(&mut self, line: &Line<'t>) -> Result<(), Diagnostic> {
        match line.id.chars().next() {
            Some('T') => self.entity(line),
            Some('E') => {
                let arguments = line.body.split_whitespace().skip(1);
                let ids = arguments.filter_map(|word| word.split_once(':')).map(|(_, id)| id);
                self.events.insert(line.id, ids.collect());
                Ok(())
            }
            Some('R' | '*' | 'A' | 'M' | 'N' | '#') => Ok(()),
            _ => Err(self.malformed(line, "this is no annotation", "begin it as T1, R1, E1 or *, and a tab")),
        }
    }

    fn entity(&mut self, line: &Line<'_>) -> Result<(), Diagnostic> {
        const AS: &str = "write an entity as T1, a tab, protein 0 4, a tab and its text";
        let (kind, offsets) = line
            .body
            .trim()
            .split_once(' ')
            .ok_or_else(|| self.malformed(line, "an entity has no offset", AS))?;
        let mut ranges = Vec::new();
        for part in offsets.split(';') {
            let mut numbers = part.split_whitespace().map(|number| number.parse().ok());
            let (Some(Some(start)), Some(Some(end)), None) = (numbers.next(), numbers.next(), numbers.next())
            else {
                return Err(self.malformed(line, format!("{part} is no offset"), AS));
            };
            let Some(range) = self.places.bytes(start, end, 0) else {
                let what = format!("the entity {} stands at {part}, which is not in its text", line.id);
                let help = "count characters from 0; the end is the first after it";
                self.builder.misplaced(line.span, what, help);
                return Ok(());
            };
            ranges.push(range);
        }
        let entity = Entity { id: line.id.to_owned(), kind: kind.to_owned(), ranges };
        self.builder.entity(entity, line.said, line.span);
        Ok(())
    }

    fn relation(&mut self, line: &Line<'t>) -> Result<(), Diagnostic> {
        let mut words = line.body.split_whitespace();
        let kind = words.next().unwrap_or_default();
        match line.id.chars().next() {
            Some('R') => {
                let mut ends = self.arguments(line, words)?;
                // Those that are called otherwise keep their order.
                ends.sort_by_key(|(role, _)| role.strip_prefix("Arg"));
                let [(_, first), (_, second)] = ends[..] else {
                    let help = "write a relation as R1, a tab and binds Arg1:T1 Arg2:T2";
                    return Err(self.malformed(line, "a relation needs two ends", help));
                };
                self.pair(line, kind, [first, second], true);
            }
            Some('*') => {
                let ends: Vec<&str> = words.collect();
                if ends.len() < 2 {
                    let help = "write it as *, a tab and Equiv T1 T2";
                    return Err(self.malformed(line, "an equivalence needs two entities", help));
                }
                for (at, first) in ends.iter().enumerate() {
                    for second in &ends[at + 1..] {
                        match kind {
                            EQUIVALENT => self.leave_out(line, kind, [first, second]),
                            _ => self.pair(line, kind, [first, second], false),
                        }
                    }
                }
            }
            Some('E') => self.event(line)?,
            _ => {}
        }
        Ok(())
    }

    fn event(&mut self, line: &Line<'t>) -> Result<(), Diagnostic> {
        let arguments: Vec<(&'t str, &'t str)> = self.arguments(line, line.body.split_whitespace())?;
        let [(kind, trigger), others @ ..] = &arguments[..] else {
            let help = "write an event as E1, a tab and Regulation:T3 Theme:T1 Cause:T2";
            return Err(self.malformed(line, "an event needs a type", help));
        };
        // Each is looked up, so that one that is not there is told.
        let n_faults = self.builder.faults.len();
        for id in [trigger].into_iter().chain(others.iter().map(|(_, id)| id)) {
            if !self.events.contains_key(id) {
                self.builder.end(id, line.span);
            }
        }
        if self.builder.faults.len() > n_faults {
            return Ok(());
        }
        let has_actor = others.iter().any(|(role, _)| is_one_of(&ACTORS, role));
        for (at, &(role, id)) in others.iter().enumerate() {
            for &(other_role, other) in &others[at + 1..] {
                let acts = |role: &str, on: &str| is_one_of(&ACTORS, role) && is_one_of(&TARGETS, on);
                let are_alike = !has_actor && is_one_of(&TARGETS, role) && bare(role) == bare(other_role);
                if acts(role, other_role) {
                    self.pair(line, kind, [id, other], true);
                } else if acts(other_role, role) {
                    self.pair(line, kind, [other, id], true);
                } else if are_alike {
                    self.pair(line, kind, [id, other], false);
                } else {
                    self.leave_out(line, kind, [id, other]);
                }
            }
        }
        Ok(())
    }

    /// Relates two entities. Where one is an event, the pairs of its entities are left out.
    fn pair(&mut self, line: &Line<'t>, kind: &str, ends: [&'t str; 2], is_directed: bool) {
        if ends.iter().any(|end| self.events.contains_key(end)) {
            self.leave_out(line, kind, ends);
        } else {
            self.builder.relation(kind, ends, is_directed, line.span);
        }
    }

    /// Leaves out the pairs of the entities of one end with those of the other.
    fn leave_out(&mut self, line: &Line<'t>, kind: &str, ends: [&'t str; 2]) {
        let [ones, others] = ends.map(|end| self.entities_of(end));
        for one in ones {
            for &other in others.iter().filter(|&&other| other != one) {
                self.builder.unclear(kind, [one, other], line.span);
            }
        }
    }

    /// An entity, or those of an event and of the events in it. Their names ascend.
    fn entities_of(&self, id: &'t str) -> BTreeSet<&'t str> {
        let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![id]);
        while let Some(id) = open.pop() {
            match self.events.get(id) {
                None => {
                    found.insert(id);
                }
                Some(arguments) if seen.insert(id) => open.extend(arguments),
                Some(_) => {}
            }
        }
        found
    }

    /// Words as `Arg1:T1`.
    fn arguments<'w>(
        &self,
        line: &Line<'_>,
        words: impl Iterator<Item = &'w str>,
    ) -> Result<Vec<(&'w str, &'w str)>, Diagnostic> {
        let argument = |word: &'w str| {
            word.split_once(':').ok_or_else(|| {
                self.malformed(line, format!("{word} is no argument"), "write an argument as Theme:T1")
            })
        };
        words.map(argument).collect()
    }

    fn malformed(&self, line: &Line<'_>, what: impl Into<String>, help: &str) -> Diagnostic {
        malformed(self.file, line.span, what).with_help(help)
    }
}
