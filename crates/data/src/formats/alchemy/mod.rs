//! Alchemy's folders: evidence (`.db`), declarations (`.mln`).

use std::path::{Path, PathBuf};

use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Span};

use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, entries, has_ending, stem_name};
use crate::gather::{DataFile, FileReading, Files, Habits, MakeReader, whole};

/// Alchemy's layout.
#[derive(Debug)]
pub(super) struct Alchemy;

impl FileFormat for Alchemy {
    fn about(&self) -> About {
        About {
            name: "alchemy",
            files_in_words: "*.db",
            habits: Habits { is_foreign: true, has_positives_among_facts: true, ..Habits::default() },
            clue: Clue::Endings,
        }
    }

    /// A file of evidence, or a folder with one.
    fn is_recognised(&self, path: &Path) -> bool {
        if path.is_dir() { !ending(path, "db").is_empty() } else { has_ending(path, "db") }
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        has_ending(path, "db").then_some(|| whole(read_evidence))
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        files(asked.path).map(Some)
    }
}

/// Reads ground atoms, true or false.
fn read_evidence(text: &str, reading: &mut FileReading<'_>) {
    for line in ground_atoms(text) {
        match line {
            Ok(atom) => take_atom(&atom, reading),
            Err(OddLine(span)) => {
                let accepted = "a ground atom, as `Follows(A1,A2)` or `!Follows(A1,A3)`";
                reading.tell(faults::odd_line(reading.place_in_file(span), accepted));
            }
        }
    }
}

/// Takes an atom. A false atom is a negative example of the target; false atoms of other predicates say nothing new.
fn take_atom(atom: &GroundAtom<'_>, reading: &mut FileReading<'_>) {
    let place = reading.place_in_file(atom.span);
    let is_query =
        || reading.statements.declarations.is_query(&PredicateName::new(atom.name, atom.arguments.len()));
    if atom.is_false && !is_query() {
        return reading.notes.false_facts.add(place);
    }
    let row: Vec<_> = atom.arguments.iter().map(|cell| reading.cell(cell)).collect();
    let fold = reading.fold;
    if atom.is_false {
        reading.example_row(atom.name, &row, false, fold, place);
    } else {
        reading.fact_row(atom.name, &row, fold, place);
    }
}

/// Reads the atoms of a query; the first one names the target.
fn read_query(text: &str, reading: &mut FileReading<'_>) {
    for atom in ground_atoms(text).flatten() {
        reading.name_target(|| PredicateName::new(atom.name, atom.arguments.len()).into());
    }
}

/// Reads types of arguments; formulas are left out.
fn read_declarations(text: &str, reading: &mut FileReading<'_>) {
    let read = declarations(text);
    for (predicate, types, span) in read.predicates {
        let place = reading.place_in_file(span);
        reading.statements.declarations.declared_types.push((predicate, types, place));
    }
    if let Some(&first) = read.formulas.first() {
        reading.tell(faults::ignored_formulas(reading.place_in_file(first), read.formulas.len()));
    }
}

fn ending(path: &Path, ending: &str) -> Vec<PathBuf> {
    entries(path).into_iter().filter(|entry| has_ending(entry, ending)).collect()
}

/// Finds the files. Several files of evidence are folds, each with facts of its own. A file whose name contains `query`
/// is a query.
fn files(path: &Path) -> Result<Files, Vec<Diagnostic>> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or_else(|| Path::new(".")) };
    let is_query = |file: &PathBuf| {
        file.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().contains("query"))
    };
    let databases = if path.is_dir() { ending(path, "db") } else { vec![path.to_path_buf()] };
    let (queries, evidence): (Vec<PathBuf>, Vec<PathBuf>) = databases.into_iter().partition(is_query);
    if evidence.is_empty() {
        return Err(vec![faults::missing_file(&folder.join("*.db"), "the evidence")]);
    }
    let mut files: Vec<DataFile> = ending(folder, "mln")
        .into_iter()
        .map(|file| DataFile::read_by(file, || whole(read_declarations)))
        .collect();
    files.extend(queries.into_iter().map(|file| DataFile::read_by(file, || whole(read_query))));
    let mut fold_names = Vec::new();
    for file in &evidence {
        let fold = (evidence.len() > 1).then_some(fold_names.len());
        if fold.is_some() {
            fold_names.push(stem_name(file));
        }
        files.push(DataFile::read_by(file.clone(), || whole(read_evidence)).in_fold(fold));
    }
    Ok(Files::in_folds(files, fold_names))
}

/// A line of a `.db` file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GroundAtom<'text> {
    pub(super) name: &'text str,
    pub(super) arguments: Vec<&'text str>,
    /// Whether the atom is written with `!`, and so is false.
    pub(super) is_false: bool,
    pub(super) span: Span,
}

/// A line that could not be understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OddLine(pub(super) Span);

/// The lines of a text with their places, without comments and surrounding white space.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (&str, Span)> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        let bare = line.split("//").next().unwrap_or(line);
        let content = bare.trim();
        let indent = bare.len() - bare.trim_start().len();
        (!content.is_empty()).then(|| (content, Span::new(at + indent, at + indent + content.len())))
    })
}

/// The ground atoms of a `.db` file, one a line; a full stop may follow.
fn ground_atoms(text: &str) -> impl Iterator<Item = Result<GroundAtom<'_>, OddLine>> {
    lines(text).map(|(line, span)| ground_atom(line, span).ok_or(OddLine(span)))
}

fn ground_atom(line: &str, span: Span) -> Option<GroundAtom<'_>> {
    let (is_false, atom) = match line.strip_prefix('!') {
        Some(atom) => (true, atom.trim_start()),
        None => (false, line),
    };
    let (name, arguments) = name_and_arguments(atom.strip_suffix('.').unwrap_or(atom))?;
    Some(GroundAtom { name, arguments, is_false, span })
}

/// The name and the texts between the commas of `name(a, b)`.
fn name_and_arguments(atom: &str) -> Option<(&str, Vec<&str>)> {
    let (name, rest) = atom.split_once('(')?;
    let inside = rest.trim_end().strip_suffix(')')?;
    let name = name.trim_end();
    let is_name = name.starts_with(char::is_alphabetic)
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    if !is_name {
        return None;
    }
    let mut arguments = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'(' | b')' if !is_quoted => return None,
            b',' if !is_quoted => {
                arguments.push(inside[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    arguments.push(inside[start..].trim());
    (!is_quoted && arguments.iter().all(|argument| !argument.is_empty())).then_some((name, arguments))
}

/// The content of an `.mln` file.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    /// The types of the predicates' arguments.
    pub(super) predicates: Vec<(PredicateName, Vec<String>, Span)>,
    /// The places of formulas, which are another system's model.
    pub(super) formulas: Vec<Span>,
}

/// Reads `*predicate(type, type!)`. `*` marks a closed world, and `!` an argument that depends on the others; both
/// matter only to inference. Any other line is a formula.
pub(super) fn declarations(text: &str) -> Declarations {
    let mut read = Declarations::default();
    for (line, span) in lines(text) {
        let declared = line.strip_prefix('*').unwrap_or(line);
        let types = name_and_arguments(declared).and_then(|(name, types)| {
            let types: Vec<String> = types.iter().map(|name| name.trim_end_matches('!').to_owned()).collect();
            let is_type = |name: &String| {
                name.starts_with(char::is_lowercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            };
            types.iter().all(is_type).then(|| (PredicateName::new(name, types.len()), types))
        });
        match types {
            Some((predicate, types)) => read.predicates.push((predicate, types, span)),
            None => read.formulas.push(span),
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::{OddLine, declarations, ground_atoms};

    #[test]
    fn atoms_have_no_full_stop_and_constants_of_any_case() {
        let text =
            "// twitter\nAccountType(A1,Fan)\n!Follows(A1 , A2)\r\np(\"a, b\", 3).\nx y\np(a\np(f(x))\n";
        let read: Vec<_> = ground_atoms(text).collect();
        let atoms: Vec<(&str, Vec<&str>, bool)> =
            read.iter().flatten().map(|atom| (atom.name, atom.arguments.clone(), atom.is_false)).collect();
        assert_eq!(
            atoms,
            [
                ("AccountType", vec!["A1", "Fan"], false),
                ("Follows", vec!["A1", "A2"], true),
                ("p", vec!["\"a, b\"", "3"], false),
            ]
        );
        let odd: Vec<&str> = read
            .iter()
            .filter_map(|read| read.as_ref().err())
            .map(|OddLine(span)| &text[span.start..span.end])
            .collect();
        assert_eq!(odd, ["x y", "p(a", "p(f(x))"]);
    }

    #[test]
    fn declarations_are_told_from_formulas() {
        let text = "*hasPosition(person,position)\nadvisedBy(person,person!)\n// a note\n\
                    0  professor(a1) v !taughtBy(a2,a1,a3)\n-2.3  student(a1)\nq(X).\n";
        let read = declarations(text);
        let predicates: Vec<String> =
            read.predicates.iter().map(|(name, types, _)| format!("{name} {types:?}")).collect();
        assert_eq!(
            predicates,
            ["hasPosition/2 [\"person\", \"position\"]", "advisedBy/2 [\"person\", \"person\"]"]
        );
        assert_eq!(read.formulas.len(), 3);
    }
}
