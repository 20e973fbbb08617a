//! Aleph's files: `NAME.b`, `NAME.f` and `NAME.n`, or one with sections.
//!
//! `pos.pl` and `neg.pl` beside a program of another system. Its modes and rules are Aleph's, not those of the own
//! layout, which uses the same file names.
//!
//! A background, positives and negatives under names of their own, as `BK.pl`, `pos_example.f` and `neg_example.n`: the names say
//! which is which, and a warning says what was taken for what.

use std::path::{Path, PathBuf};

use crate::faults;
use crate::formats::file_format::{
    About, Asked, Clue, FileFormat, Writer, content, entries, fold_folders, found, single_program,
    uncompressed, with_ending,
};
use crate::formats::own::names::{BACKGROUND, MODES, NEGATIVES, POSITIVES};
use crate::formats::progol::headless_example;
use crate::gather::{DataFile, FileReader, FileReading, Files, Habits, MakeReader, Role, SetDirective, make};
use crate::writing::{
    ConvertedFile, Losses, Material, Page, determination, modes_and_determinations, settings, told_of_folds,
};
use gleaner_lang::program::PredicateName;
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::program::settings::Catalog;
use gleaner_lang::syntax::{Diagnostic, Statement, Term};

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
                None if asked.path.is_dir() => mixed_files(asked).map(Some),
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

/// Whether a folder holds examples under the own layout's file names, and a program that is not in the own layout.
pub(in crate::formats) fn is_mixed(folder: &Path) -> bool {
    let has = |name: &str| found(folder.join(name)).is_some();
    if !has(POSITIVES) && !has(NEGATIVES) || has(MODES) || !fold_folders(folder).is_empty() {
        return false;
    }
    match found(folder.join(BACKGROUND)).map(|background| content(&background)) {
        Some(background) => has_modes(&background) && has_cuts(&background),
        None => programs(folder).iter().any(|program| has_modes(&content(program))),
    }
}

/// The lines of a program without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split('%').next().unwrap_or_default().trim())
}

/// Whether a program declares modes.
fn has_modes(text: &str) -> bool {
    let is_mode = |line: &str| {
        let directive = line.strip_prefix(":-").map(str::trim_start);
        directive.is_some_and(|goal| ["modeb(", "modeh(", "mode("].iter().any(|name| goal.starts_with(name)))
    };
    lines(text).any(is_mode)
}

/// Whether a rule has a cut. Rules of the own layout may have one, but seldom do; and both layouts mean the same by it.
fn has_cuts(text: &str) -> bool {
    let is_cut = |line: &str| {
        let mut goals = line.split([',', '.']).map(str::trim);
        goals.any(|goal| goal == "!" || goal.ends_with(":- !") || goal.ends_with(":-!"))
    };
    lines(text).any(is_cut)
}

/// The programs that are neither examples nor modes.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let is_program = |entry: &PathBuf| {
        let plain = uncompressed(entry);
        let name = plain.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".pl") && ![POSITIVES, NEGATIVES, MODES].contains(&name)
    };
    entries(folder).into_iter().filter(is_program).collect()
}

/// All programs are background. Without examples, the data can only be inspected.
fn mixed_files(asked: &Asked<'_>) -> Result<Files, Vec<Diagnostic>> {
    let background = programs(asked.path).into_iter().map(|path| (path, Role::Background));
    let mut mixed_files: Vec<DataFile> = background
        .map(|(path, role)| DataFile { reader: make::<Sections>, ..DataFile::new(path, role) })
        .collect();
    let modes = found(asked.path.join(MODES));
    mixed_files
        .extend(modes.map(|path| DataFile { reader: make::<Sections>, ..DataFile::new(path, Role::Modes) }));
    let mut missing = Vec::new();
    for (name, role, is_needed, meaning) in [
        (POSITIVES, Role::Positives, asked.needs_examples, "the positive examples"),
        (NEGATIVES, Role::Negatives, asked.needs_negatives, "the negative examples"),
    ] {
        match found(asked.path.join(name)) {
            Some(path) => {
                mixed_files.push(DataFile { reader: make::<Examples>, ..DataFile::new(path, role) })
            }
            None if is_needed && !asked.is_inspection => {
                missing.push(faults::missing_file(&asked.path.join(name), meaning));
            }
            None => {}
        }
    }
    if missing.is_empty() { Ok(Files::undivided(mixed_files)) } else { Err(missing) }
}

/// Reads examples. A negative example may be written as a headless clause.
#[derive(Debug, Default)]
struct Examples;

impl FileReader for Examples {
    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let Some(goal) = headless_example(statement) else {
            // Any other headless clause is a directive.
            statement
                .body
                .iter()
                .filter(|_| statement.head.is_none())
                .for_each(|goal| reading.directive(goal));
            return statement.head.is_none();
        };
        reading.example(goal, statement.span, true, false);
        true
    }
}

/// The endings of the files of programs.
const ENDINGS: [&str; 4] = ["pl", "b", "f", "n"];

/// The usual name of the file of each role, the words that other names have, and what the role is called.
const ROLES: [(&str, &[&str], &str); 4] = [
    (BACKGROUND, &["bk", "bg", "background", "kb"], "background"),
    (POSITIVES, &["pos", "positive", "positives"], "positives"),
    (NEGATIVES, &["neg", "negative", "negatives"], "negatives"),
    (MODES, &["mode", "modes"], "modes"),
];

/// Words beside these that say nothing.
const OTHERS: [&str; 11] =
    ["example", "examples", "ex", "exs", "e", "knowledge", "facts", "file", "data", "set", "all"];

/// The files of a folder by what their names say.
struct Named {
    /// The background, the positives, the negatives and the modes.
    files: [Option<PathBuf>; 4],
    /// Programs whose names say nothing.
    others: Vec<PathBuf>,
}

/// The role that a name says: of its words one is of a role, and no other says something else.
fn role(path: &Path) -> Option<usize> {
    let plain = uncompressed(path);
    let stem = plain.file_stem()?.to_str()?.to_lowercase();
    let words = stem.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let mut found = None;
    for word in words {
        match ROLES.iter().position(|(_, words, _)| words.contains(&word)) {
            Some(_) if found.is_some() => return None,
            Some(role) => found = Some(role),
            None if OTHERS.contains(&word) => {}
            None => return None,
        }
    }
    found
}

fn name(path: &Path) -> String {
    let plain = uncompressed(path);
    plain.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Named {
    /// Those of a folder, if it holds positives and a background or negatives, no two of one role, and not all names are usual.
    fn of(folder: &Path) -> Option<Self> {
        let is_program = |entry: &PathBuf| {
            let plain = uncompressed(entry);
            let ending = plain.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            entry.is_file() && ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
        };
        let mut named = Self { files: [const { None }; 4], others: Vec::new() };
        for entry in entries(folder).into_iter().filter(is_program) {
            match role(&entry) {
                None => named.others.push(entry),
                Some(role) if named.files[role].is_some() => return None,
                Some(role) => named.files[role] = Some(entry),
            }
        }
        let [background, positives, negatives, _] = &named.files;
        let is_problem = positives.is_some() && (background.is_some() || negatives.is_some());
        let is_odd = |(file, (usual, ..)): (&Option<PathBuf>, &(&str, &[&str], &str))| {
            file.as_ref().is_some_and(|file| name(file) != *usual)
        };
        (is_problem && named.files.iter().zip(&ROLES).any(is_odd)).then_some(named)
    }

    /// The files by their roles, with the usual name where none has it.
    fn files(self, asked: &Asked<'_>) -> Result<Files, Vec<Diagnostic>> {
        let told = self.told();
        let mut files = self.files.into_iter().zip(ROLES);
        let [background, positives, negatives] = std::array::from_fn(|_| {
            let (file, (usual, ..)) = files.next().unwrap_or((None, ROLES[0]));
            file.unwrap_or_else(|| asked.path.join(usual))
        });
        let modes = files.next().and_then(|(file, _)| file);
        let mut files = given([background, positives, negatives], asked)?;
        files.files.extend(modes.map(|modes| program(modes, Role::Modes)));
        files.warnings.push(told);
        Ok(files)
    }

    /// Says what was taken for what.
    fn told(&self) -> Diagnostic {
        let taken = |(file, (_, _, role)): (&Option<PathBuf>, &(&str, &[&str], &str))| {
            Some(format!("{} as the {role}", name(file.as_ref()?)))
        };
        let taken: Vec<String> = self.files.iter().zip(&ROLES).filter_map(taken).collect();
        let usual = |(file, (usual, ..)): (&Option<PathBuf>, &(&'static str, &[&str], &str))| {
            file.as_ref().map(|_| *usual)
        };
        let usual: Vec<&str> = self.files.iter().zip(&ROLES).filter_map(usual).collect();
        let others: Vec<String> = self.others.iter().map(|path| name(path)).collect();
        faults::files_by_name(&taken, &usual, &others)
    }
}
