//! Progol's programs and folders of examples: a file for each fold, negatives written as headless clauses.
//!
//! Headless clauses (`:- active(d38).`): negative examples in files for Progol, Golem and similar systems.

use std::path::{Path, PathBuf};

use crate::faults;
use crate::formats::file_format::{
    About, Asked, Clue, FileFormat, content, entries, found, single_program, stem_name, uncompressed,
};
use crate::formats::own::names;
use crate::gather::{DataFile, FileReader, FileReading, Files, Habits, MakeReader, Role, make, read_text};
use crate::mode_terms::ModeSide;
use gleaner_lang::program::PredicateName;
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::syntax::{Diagnostic, Statement, Term};

/// Progol's layout.
#[derive(Debug)]
pub(super) struct Progol;

impl FileFormat for Progol {
    fn about(&self) -> About {
        About {
            name: "progol",
            files_in_words: "*.pl with `:- target(a).`",
            habits: Habits { is_foreign: true, has_positives_among_facts: true, ..Habits::default() },
            clue: Clue::Predicates,
        }
    }

    /// A program, or a folder with one, in which some predicate has both facts and headless clauses.
    fn is_recognised(&self, path: &Path) -> bool {
        let programs =
            if path.is_dir() { programs(path) } else { single_program(path).into_iter().collect() };
        programs.iter().any(|program| has_headless_facts(&content(program)))
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        files(asked.path).map(Some)
    }

    fn program(&self) -> MakeReader {
        make::<ProgolProgram>
    }
}

/// A program of Progol or Golem: headless clauses are negative examples.
#[derive(Debug, Default)]
struct ProgolProgram;

impl FileReader for ProgolProgram {
    fn is_program(&self) -> bool {
        false
    }

    fn text(&mut self, text: &str, reading: &mut FileReading<'_>) -> Vec<String> {
        read_text(&translate(text), self, reading);
        Vec::new()
    }

    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let holds_examples = matches!(reading.role, Role::Positives | Role::Negatives | Role::Mixed);
        let Some(goal) = headless_example(statement).filter(|_| holds_examples) else { return false };
        if let Some((name, arguments)) = atom_parts(goal) {
            reading.name_target(|| PredicateName::new(name, arguments.len()).into());
        }
        reading.example(goal, statement.span, true, false);
        true
    }

    fn directive(&mut self, goal: &Term<'_>, reading: &mut FileReading<'_>) -> bool {
        match atom_parts(goal) {
            Some(("modeh", [limit, subject])) => {
                let mode = reading.read_mode(ModeSide::Head, Some(limit), subject, goal.span);
                if let Some(name) = mode.as_ref().and_then(|mode| mode.subject.relation()) {
                    reading.name_target(|| name.clone().into());
                }
                reading.statements.declarations.modes.extend(mode);
            }
            Some(("mode", [subject])) => reading.mode(ModeSide::Either, None, subject, goal.span),
            _ => return false,
        }
        true
    }
}

/// Whether some predicate has facts and headless clauses too, each at the start of a line.
fn has_headless_facts(text: &str) -> bool {
    let name = |line: &str| line.split_once('(').map(|(name, _)| name.trim().to_owned());
    let is_ground = |line: &str| !line.contains([',', ' ']) || !line.contains(":-");
    let negated: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix(":-"))
        .filter(|goal| is_ground(goal.trim()))
        .filter_map(name)
        .filter(|name| name.starts_with(char::is_lowercase))
        .collect();
    if negated.is_empty() {
        return false;
    }
    text.lines().filter(|line| !line.contains(":-")).filter_map(name).any(|name| negated.contains(&name))
}

/// The programs of a folder, those with numbers in their order.
fn programs(path: &Path) -> Vec<PathBuf> {
    let mut programs: Vec<(String, u64, PathBuf)> = entries(path)
        .into_iter()
        .filter_map(|entry| {
            let plain = uncompressed(&entry);
            let name = plain.file_name()?.to_str()?.strip_suffix(".pl")?.to_owned();
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            Some((stem.to_owned(), name[stem.len()..].parse().unwrap_or(0), entry))
        })
        .collect();
    programs.sort();
    programs.into_iter().map(|(_, _, program)| program).collect()
}

fn examples(path: PathBuf, role: Role) -> DataFile {
    DataFile { reader: make::<ProgolProgram>, ..DataFile::new(path, role) }
}

/// Finds the files. One file holds everything, or `pos.pl` and `neg.pl` hold the examples, or each program of a folder
/// is a fold.
fn files(path: &Path) -> Result<Files, Vec<Diagnostic>> {
    let (mut files, mut fold_names) = (Vec::new(), Vec::new());
    if let Some(program) = single_program(path) {
        files.push(DataFile::read_by(program, make::<ProgolProgram>));
    } else if let (Some(positives), Some(negatives)) =
        (found(path.join(names::POSITIVES)), found(path.join(names::NEGATIVES)))
    {
        files.extend([examples(positives, Role::Positives), examples(negatives, Role::Negatives)]);
    } else {
        for (fold, program) in programs(path).into_iter().enumerate() {
            fold_names.push(stem_name(&program));
            files.push(examples(program, Role::Positives).in_fold(Some(fold)));
        }
    }
    if files.is_empty() {
        return Err(vec![faults::missing_file(&path.join("*.pl"), "the examples")]);
    }
    Ok(Files::in_folds(files, fold_names))
}

/// Writes `.` for a `?` that ends a clause and `:-` for a `!-` that opens one. Cost: one pass.
pub(super) fn translate(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut quote = None;
    let mut is_start = true;
    let mut at = 0;
    while at < bytes.len() {
        let next = bytes.get(at + 1).copied();
        match (quote, bytes[at]) {
            (Some(open), byte) if byte == open || byte == b'\n' => quote = None,
            (Some(_), _) => {}
            (None, b'%') => {
                at += bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            (None, b'/') if next == Some(b'*') => {
                let end = bytes[at + 2..].windows(2).position(|pair| pair == b"*/");
                at += end.map_or(bytes.len() - at, |end| end + 4);
                continue;
            }
            (None, b'!') if is_start && next == Some(b'-') => bytes[at] = b':',
            (None, b'?') if next.is_none_or(|next| next.is_ascii_whitespace() || next == b'%') => {
                bytes[at] = b'.';
            }
            (None, byte @ (b'"' | b'\'')) => quote = Some(byte),
            (None, _) => {}
        }
        let ends = bytes[at] == b'.' && next.is_none_or(|next| next.is_ascii_whitespace() || next == b'%');
        is_start = quote.is_none() && (ends || is_start && bytes[at].is_ascii_whitespace());
        at += 1;
    }
    // Single ASCII bytes replaced others.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The names of headless clauses that are directives, not negative examples.
const DIRECTIVES: [&str; 14] = [
    "modeh",
    "modeb",
    "mode",
    "determination",
    "set",
    "aleph_set",
    "discontiguous",
    "dynamic",
    "multifile",
    "style_check",
    "if",
    "endif",
    "use_module",
    "commutative",
];

/// The atom of a headless clause that is a negative example.
pub(super) fn headless_example<'t, 's>(statement: &'t Statement<'s>) -> Option<&'t Term<'s>> {
    let ([goal], None) = (&*statement.body, &statement.head) else { return None };
    let (name, _) = atom_parts(goal)?;
    (!DIRECTIVES.contains(&name)).then_some(goal)
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn question_marks_end_and_exclamation_marks_open() {
        let text = "!- mode(p(+,-)).\n:- modeb(1,q(+a))? % why?\n/* !- no? */ !- set(i,2)?\np('is it? ').";
        let expected =
            ":- mode(p(+,-)).\n:- modeb(1,q(+a)). % why?\n/* !- no? */ :- set(i,2).\np('is it? ').";
        assert_eq!(translate(text), expected);
    }

    #[test]
    fn a_cut_is_no_opening() {
        let text = "a(X) :- b(X), !.\n!- c.\n";
        assert_eq!(translate(text), "a(X) :- b(X), !.\n:- c.\n");
    }
}
