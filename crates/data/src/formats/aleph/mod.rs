//! Aleph's files: `NAME.b`, `NAME.f` and `NAME.n`, or one with sections.

mod mixed;
mod named;

use std::path::{Path, PathBuf};

use gleaner_lang::program::PredicateName;
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::program::settings::Catalog;
use gleaner_lang::syntax::{Diagnostic, Statement, Term};
use named::Named;

use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, Writer};
use crate::formats::folder::{content, entries, found, single_program, uncompressed, with_ending};
use crate::gather::{DataFile, FileReader, FileReading, Files, Habits, MakeReader, Role, SetDirective, make};
use crate::writing::{
    ConvertedFile, Losses, Material, Page, determination, modes_and_determinations, settings, told_of_folds,
};

pub(super) use mixed::is_mixed;
/// Aleph's layout.
#[derive(Debug)]
pub(super) struct Aleph;

impl FileFormat for Aleph {
    fn about(&self) -> About {
        About {
            name: "aleph",
            files_in_words: "NAME.b, NAME.f, NAME.n",
            habits: Habits { is_foreign: true, ..Habits::default() },
            clue: Clue::Endings,
        }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        stem(path).is_some() || single_file(path).is_some() || is_mixed(path) || named(path).is_some()
    }

    fn is_prefix(&self, path: &Path) -> bool {
        stem(path).is_some()
    }

    fn problems(&self, path: &Path) -> Vec<PathBuf> {
        let stems = if named(path).is_some() { Vec::new() } else { stems(path) };
        if stems.len() > 1 && single_file(path).is_some() { Vec::new() } else { stems }
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        let file = |path| DataFile { reader: make::<Sections>, ..DataFile::new(path, Role::Background) };
        if let Some(named) = named(asked.path) {
            return named.files(asked).map(Some);
        }
        match stem(asked.path) {
            Some(stem) => files(&stem, asked).map(Some),
            None => match single_file(asked.path) {
                Some(path) => Ok(Some(Files::undivided(vec![file(path)]))),
                None if asked.path.is_dir() => mixed::files(asked).map(Some),
                None => Ok(None),
            },
        }
    }

    fn program(&self) -> MakeReader {
        make::<Sections>
    }

    fn writer(&self) -> Option<Writer> {
        Some(written)
    }
}

/// `DIR/NAME` of each `NAME.b` in a folder.
fn stems(path: &Path) -> Vec<PathBuf> {
    let mut stems: Vec<PathBuf> = entries(path)
        .into_iter()
        .map(|entry| uncompressed(&entry))
        .filter(|entry| entry.extension().is_some_and(|extension| extension == "b"))
        .map(|entry| entry.with_extension(""))
        .collect();
    stems.dedup();
    stems
}

/// `DIR/NAME` of the one `NAME.b` that a folder holds, or of a path `DIR/NAME.b` or `DIR/NAME`.
fn stem(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        let mut stems = stems(path);
        return if stems.len() == 1 { stems.pop() } else { None };
    }
    let named = uncompressed(path);
    if named.extension().is_some_and(|extension| extension == "b" || extension == "f" || extension == "n") {
        return Some(named.with_extension(""));
    }
    found(with_ending(path, ".b")).map(|_| path.to_path_buf())
}

/// The file with sections of examples: the path itself, or the one `*.pl` of a folder.
fn single_file(path: &Path) -> Option<PathBuf> {
    let file = single_program(path)?;
    content(&file).contains("begin_in_pos").then_some(file)
}

/// The files of a folder that says by their names what they are; none if the folder is in Aleph's layout by other clues.
fn named(path: &Path) -> Option<Named> {
    let has_examples =
        |stem: &PathBuf| [".f", ".n"].iter().any(|end| found(with_ending(stem, end)).is_some());
    let is_other = || is_mixed(path) || stems(path).iter().any(has_examples) || single_file(path).is_some();
    if path.is_dir() { Named::of(path).filter(|_| !is_other()) } else { None }
}

/// Whether a folder says by the names of its files what they are.
pub(super) fn is_named(path: &Path) -> bool {
    named(path).is_some()
}

/// The files of this stem.
fn files(stem: &Path, asked: &Asked<'_>) -> Result<Files, Vec<Diagnostic>> {
    let file = |ending: &str| {
        let plain = with_ending(stem, ending);
        found(plain.clone()).unwrap_or(plain)
    };
    given([".b", ".f", ".n"].map(file), asked)
}

fn program(path: PathBuf, role: Role) -> DataFile {
    DataFile { reader: make::<Sections>, ..DataFile::new(path, role) }
}

/// The files of a background, positives and negatives. Without examples, the data can only be inspected.
fn given(
    [background, positives, negatives]: [PathBuf; 3],
    asked: &Asked<'_>,
) -> Result<Files, Vec<Diagnostic>> {
    let files = [
        program(background, Role::Background),
        program(positives, Role::Positives),
        program(negatives, Role::Negatives),
    ];
    let missing: Vec<Diagnostic> = files
        .iter()
        .zip(["the background and modes", "the positive examples", "the negative examples"])
        .filter(|(file, _)| !file.path.exists())
        .filter(|(file, _)| !asked.is_inspection || file.role == Role::Background)
        .filter(|(file, _)| asked.needs_background || file.role != Role::Background)
        .filter(|(file, _)| asked.needs_negatives || file.role != Role::Negatives)
        .filter(|(file, _)| asked.needs_examples || file.role != Role::Positives)
        .map(|(file, role)| faults::missing_file(&file.path, role))
        .collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    Ok(Files::undivided(files.into_iter().filter(|file| file.path.exists()).collect()))
}

/// A program whose directives may begin and end sections of examples.
#[derive(Debug, Default)]
pub(super) struct Sections;

impl FileReader for Sections {
    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let role = section(statement);
        reading.role = role.unwrap_or(reading.role);
        role.is_some()
    }

    fn directive(&mut self, goal: &Term<'_>, _reading: &mut FileReading<'_>) -> bool {
        matches!(atom_parts(goal), Some(("aleph", [])))
    }
}

/// The role of the statements after a directive that begins or ends a section.
fn section(statement: &Statement<'_>) -> Option<Role> {
    let ([goal], None) = (&*statement.body, &statement.head) else { return None };
    match atom_parts(goal)? {
        ("begin_in_pos", []) => Some(Role::Positives),
        ("begin_in_neg", []) => Some(Role::Negatives),
        ("begin_bg" | "end_bg" | "end_in_pos" | "end_in_neg", []) => Some(Role::Background),
        _ => None,
    }
}

fn written(material: &Material<'_>, losses: &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic> {
    let name = material.name();
    told_of_folds(material, losses);
    let all = material.parts();
    let mut background = Page::default();
    let mut goals = modes_and_determinations(material);
    let is_determined = |target: &&PredicateName| {
        material.declarations.determinations.iter().any(|(known, ..)| known == *target)
    };
    for target in material.targets.iter().filter(|target| !is_determined(target)) {
        // Without determinations Aleph uses no mode.
        for mode in material.body_modes() {
            let goal = determination(target, &mode.subject.name());
            if !goals.contains(&goal) {
                goals.push(goal);
            }
        }
    }
    goals.extend(settings(material, losses, |directive| aleph_name(material.catalog, directive)));
    background.directives(&goals);
    background.facts(material, &all);
    background.rules(material);
    let mut files = vec![background.file(format!("{name}.b"))];
    for (ending, is_positive) in [("f", true), ("n", false)] {
        let mut page = Page::default();
        page.examples(material, &all, is_positive, |_| true);
        files.push(page.file(format!("{name}.{ending}")));
    }
    Ok(files)
}

/// Aleph's name of a numeric setting. Its `depth` differs from ours: our `depth` is its `i`.
fn aleph_name<'d>(catalog: &Catalog, directive: &'d SetDirective) -> &'d str {
    let name = directive.name.replace('_', "-");
    let ours = catalog.iter().find(|setting| !directive.is_foreign && setting.about().name == name);
    ours.filter(|setting| setting.form().is_number())
        .and_then(|setting| setting.about().aleph_name)
        .unwrap_or(&directive.name)
}
