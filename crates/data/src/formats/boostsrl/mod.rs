//! BoostSRL's folders: `*_facts.txt`, `*_pos.txt` and `*_neg.txt`, of folds, halves or alone.
//!
//! Written are `background.txt` with modes and global statements, and facts and examples of each half.

mod text;

use std::path::{Path, PathBuf};

use crate::faults;
use crate::formats::file_format::{
    About, Asked, Clue, FileFormat, Writer, content, entries, file_ending, fold_folders, found, uncompressed,
    with_ending,
};
use crate::gather::{
    Class, DataFile, Division, FileReader, FileReading, Files, Habits, MakeReader, Role, Statements, make,
    read_text,
};
use crate::mode_terms::RawMode;
use crate::writing::{ConvertedFile, Fold, Losses, Material, Page, mode_text, written_folders};
use gleaner_base::ConstantId;
use gleaner_lang::program::lower::{atom_parts, ground_constant};
use gleaner_lang::syntax::ast::Statement;
use gleaner_lang::syntax::{Diagnostic, Span, TermKind};

use text::translate;

/// BoostSRL's layout.
#[derive(Debug)]
pub(super) struct Boostsrl;

impl FileFormat for Boostsrl {
    fn about(&self) -> About {
        About {
            name: "boostsrl",
            files_in_words: "background.txt, foldN/{train,test}/*_{facts,pos,neg}.txt",
            habits: Habits { is_foreign: true, ignores_case: true, ..Habits::default() },
            clue: Clue::Names,
        }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        if !path.is_dir() {
            // Another system's file of the same name takes precedence.
            return !path.exists() && found(with_ending(path, ".b")).is_none() && self.is_prefix(path);
        }
        let has_halves = |folder: &Path| folder.join("test").is_dir() || folder.join("train").is_dir();
        !flat_stems(path).is_empty()
            || is_bare(path)
            || has_halves(path)
            || fold_folders(path).iter().any(|(_, folder)| has_halves(folder))
    }

    fn is_prefix(&self, path: &Path) -> bool {
        !flat_stems(path).is_empty()
    }

    fn problems(&self, path: &Path) -> Vec<PathBuf> {
        if fold_folders(path).is_empty() { flat_stems(path) } else { Vec::new() }
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        files(asked).map(Some)
    }

    fn program(&self) -> MakeReader {
        make::<WillText>
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        let plain = uncompressed(path);
        let name = plain.file_name().and_then(|name| name.to_str());
        name.filter(|name| name.ends_with("_facts.txt")).map(|_| make::<WillText> as MakeReader)
    }

    fn writer(&self) -> Option<Writer> {
        Some(written_files)
    }
}

/// A text of WILL, BoostSRL's engine: translated to the common grammar, then read.
#[derive(Debug, Default)]
struct WillText;

impl FileReader for WillText {
    fn is_program(&self) -> bool {
        false
    }

    fn text(&mut self, text: &str, reading: &mut FileReading<'_>) -> Vec<String> {
        let translated = translate(text);
        if let Some(style) = translated.variable_style {
            reading.notes.variable_style = style;
        }
        for span in &translated.weighted {
            let fault = faults::unsupported(reading.place_in_file(*span), "a rule with a weight");
            reading.tell(fault.into_warning(faults::RULE_LEFT_OUT));
        }
        match translated.falsity.filter(|_| reading.role == Role::Positives) {
            None => self.read(&translated.text, reading),
            Some(falsity) => self.both_classes(&translated.text, falsity, reading),
        }
        translated.imports
    }

    /// Takes `regressionExample(medv(id1), 24.0)`: the example `medv(id1)` with a number.
    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let head = statement.head.as_ref().filter(|_| statement.body.is_empty());
        let is_example = reading.role == Role::Positives;
        let Some((REGRESSION, [atom, number])) = head.filter(|_| is_example).and_then(atom_parts) else {
            return false;
        };
        #[expect(clippy::cast_precision_loss, reason = "a target is a number with a point")]
        let number = match number.kind {
            TermKind::Integer(number) => number as f64,
            TermKind::Float(number) => number,
            _ => return false,
        };
        let Some((name, arguments)) = atom_parts(atom) else { return false };
        let Statements { symbols, examples, .. } = &mut *reading.statements;
        let row: Option<Vec<ConstantId>> =
            arguments.iter().map(|argument| ground_constant(argument, symbols)).collect();
        let Some(row) = row else { return false };
        let class = Class::Number(examples.number_label(number));
        reading.table_row(name, &row, class, reading.fold, reading.place(statement.span));
        true
    }
}

/// What BoostSRL calls an example with a number.
const REGRESSION: &str = "regressionExample";

impl WillText {
    /// Reads a text with the same places as the file.
    fn read(&mut self, text: &str, reading: &mut FileReading<'_>) {
        let quoted = text::quote_constants(text, reading.notes.variable_style);
        reading.insertions = quoted.insertions;
        read_text(&quoted.text, self, reading);
    }

    /// Reads positive examples up to the comment that declares the rest to be false.
    fn both_classes(&mut self, text: &str, falsity: Span, reading: &mut FileReading<'_>) {
        let (positives, negatives) = text.split_at(falsity.end);
        self.read(positives, reading);
        reading.role = Role::Negatives;
        // The text before becomes blank, so that places stay true.
        let blank: String = positives.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        self.read(&(blank + negatives), reading);
        reading.tell(faults::classes_by_comment(reading.place_in_file(falsity)));
    }
}

fn program(path: PathBuf, role: Role) -> DataFile {
    DataFile { reader: make::<WillText>, ..DataFile::new(path, role) }
}

/// A set of files with facts and examples.
struct Part {
    /// The fold that the set is.
    fold: Option<String>,
    folder: PathBuf,
    /// The beginning of the files' names, if the folder may hold other files.
    stem: String,
}

impl Part {
    fn of_fold(name: &str, folder: PathBuf) -> Self {
        Self { fold: Some(name.to_owned()), folder, stem: String::new() }
    }

    fn file(&self, suffix: &str) -> Option<PathBuf> {
        if self.stem.is_empty() {
            // Without a prefix the name is `facts.txt`.
            return file_ending(&self.folder, suffix).or_else(|| bare(&self.folder, suffix));
        }
        found(self.folder.join(format!("{}{suffix}", self.stem)))
    }
}

/// The file of this suffix without its underscore.
fn bare(folder: &Path, suffix: &str) -> Option<PathBuf> {
    found(folder.join(suffix.trim_start_matches('_')))
}

/// Whether a folder holds `facts.txt` with `pos.txt` or `neg.txt`.
fn is_bare(folder: &Path) -> bool {
    let has = |suffix: &str| bare(folder, suffix).is_some();
    has("_facts.txt") && (has("_pos.txt") || has("_neg.txt"))
}

fn files(asked: &Asked<'_>) -> Result<Files, Vec<Diagnostic>> {
    let &Asked { path, needs_negatives, needs_examples, .. } = asked;
    let folds = fold_folders(path);
    // The test halves are the folds: a training half repeats the other folds' facts, and pairs their
    // people across folds as negatives.
    let (division, parts): (Division, Vec<Part>) = if !folds.is_empty() {
        let half = |(name, folder): &(String, PathBuf)| Part::of_fold(name, folder.join("test"));
        (Division::Folds, folds.iter().map(half).collect())
    } else if let Some(stem) = flat_stems(path).into_iter().next() {
        let folder = stem.parent().map(Path::to_path_buf).unwrap_or_default();
        let stem = stem.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        (Division::None, vec![Part { fold: None, folder, stem }])
    } else if is_bare(path) {
        (Division::None, vec![Part { fold: None, folder: path.to_path_buf(), stem: String::new() }])
    } else if let Some(folder) = only_half(path, needs_examples) {
        (Division::None, vec![Part { fold: None, folder, stem: String::new() }])
    } else {
        let half = |half: &str| Part::of_fold(half, path.join(half));
        (Division::TrainTest, ["train", "test"].map(half).into())
    };
    let (mut files, mut missing) = (Vec::new(), Vec::new());
    let own_modes = parts.first().filter(|part| !part.stem.is_empty()).and_then(|part| part.file("_bk.txt"));
    let modes = own_modes.or_else(|| modes_file(path, &folds));
    files.extend(modes.map(|modes| program(modes, Role::Modes)));
    for (fold_idx, part) in parts.iter().enumerate() {
        let fold = part.fold.is_some().then_some(fold_idx);
        let needed = [
            ("_facts.txt", Role::Background, "the facts"),
            ("_pos.txt", Role::Positives, "the positive examples"),
            ("_neg.txt", Role::Negatives, "the negative examples"),
        ];
        for (suffix, role, meaning) in needed {
            match part.file(suffix) {
                Some(path) => files.push(program(path, role).in_fold(fold)),
                None if role == Role::Background && !asked.needs_background => {}
                None if role == Role::Negatives && (!needs_negatives || has_numbers(part)) => {}
                None if role == Role::Positives && !needs_examples => {}
                None => {
                    missing.push(faults::missing_file(&part.folder.join(format!("*{suffix}")), meaning));
                }
            }
        }
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    let fold_names = parts.into_iter().filter_map(|part| part.fold).collect();
    Ok(Files { files, fold_names, division, ..Files::default() })
}

/// Whether the examples of a part have numbers: then there are no negatives.
fn has_numbers(part: &Part) -> bool {
    part.file("_pos.txt").is_some_and(|file| has_example_with_number(&translate(&content(&file)).text))
}

/// Whether a statement of a text without comments is an example with a number. Elsewhere the word is a name as any other.
fn has_example_with_number(text: &str) -> bool {
    text.match_indices(REGRESSION).any(|(at, word)| {
        let before = text[..at].trim_end();
        let after = &text[at + word.len()..];
        (before.is_empty() || before.ends_with('.')) && after.starts_with('(')
    })
}

/// The only half of a folder, if it serves the request: `test` can be scored, and `train` learnt from.
fn only_half(path: &Path, is_learnt_from: bool) -> Option<PathBuf> {
    let [train, test] = ["train", "test"].map(|half| path.join(half));
    match (train.is_dir(), test.is_dir()) {
        (true, false) => Some(train),
        (false, true) if !is_learnt_from => Some(test),
        _ => None,
    }
}

/// `DIR/NAME` of each `NAME_facts.txt` with examples beside it in a folder, or of the path `DIR/NAME` itself.
fn flat_stems(path: &Path) -> Vec<PathBuf> {
    let has = |stem: &Path, suffix: &str| found(with_ending(stem, suffix)).is_some();
    let is_flat =
        |stem: &PathBuf| has(stem, "_facts.txt") && (has(stem, "_pos.txt") || has(stem, "_neg.txt"));
    if !path.is_dir() {
        return Some(path.to_path_buf()).filter(is_flat).into_iter().collect();
    }
    let stem = |entry: PathBuf| {
        let plain = uncompressed(&entry);
        let name = plain.file_name()?.to_str()?.strip_suffix("_facts.txt")?;
        Some(path.join(name)).filter(is_flat)
    };
    let mut stems: Vec<PathBuf> = entries(path).into_iter().filter_map(stem).collect();
    stems.dedup();
    stems
}

/// `background.txt` or a `*_bk.txt`, in the folder itself, its `train` or `test`, or its first fold.
fn modes_file(path: &Path, folds: &[(String, PathBuf)]) -> Option<PathBuf> {
    let first_fold = folds.first().map(|(_, folder)| folder.clone());
    let folders: Vec<PathBuf> = [Some(path.to_path_buf()), Some(path.join("train")), Some(path.join("test"))]
        .into_iter()
        .chain([first_fold.clone(), first_fold.map(|folder| folder.join("train"))])
        .flatten()
        .chain(path.parent().map(Path::to_path_buf))
        .collect();
    folders
        .iter()
        .find_map(|folder| found(folder.join("background.txt")))
        .or_else(|| folders[..folders.len().min(5)].iter().find_map(|folder| file_ending(folder, "_bk.txt")))
        .or_else(|| folders[..folders.len().min(5)].iter().find_map(|folder| bare(folder, "_bk.txt")))
}

fn written_files(material: &Material<'_>, losses: &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic> {
    for setting in &material.declarations.settings {
        losses.setting(&setting.name);
    }
    let mut background = Page::default();
    for line in mode_lines(material, losses) {
        background.line(&line);
        background.counts.declarations += 1;
    }
    if material.is_divided() {
        global_facts(&mut background, material, losses);
    }
    background.rules(material);
    let mut written_files = vec![background.file("background.txt")];
    if !material.is_divided() {
        push_half(&mut written_files, material, &format!("{}_", material.name()), &[None], &[None]);
        return Ok(written_files);
    }
    if material.has_examples(None) {
        losses.examples(
            "examples outside the folds are written to the training halves",
            "the test halves read back as the folds; own, csv and json-lines keep such examples",
        );
    }
    if material.is_train_test() {
        push_half(&mut written_files, material, "train/train_", &[Some(0)], &[None, Some(0)]);
        push_half(&mut written_files, material, "test/test_", &[Some(1)], &[Some(1)]);
        return Ok(written_files);
    }
    for (fold, folder) in written_folders(material, losses).into_iter().enumerate() {
        let others: Vec<Fold> = (0..material.n_folds()).filter(|&other| other != fold).map(Some).collect();
        let train: Vec<Fold> = std::iter::once(None).chain(others.iter().copied()).collect();
        push_half(&mut written_files, material, &format!("{folder}/train/train_"), &others, &train);
        push_half(
            &mut written_files,
            material,
            &format!("{folder}/test/test_"),
            &[Some(fold)],
            &[Some(fold)],
        );
    }
    Ok(written_files)
}

/// The facts and the examples of these parts.
fn push_half(
    written_files: &mut Vec<ConvertedFile>,
    material: &Material<'_>,
    prefix: &str,
    facts: &[Fold],
    examples: &[Fold],
) {
    let mut page = Page::default();
    page.facts(material, facts);
    written_files.push(page.file(format!("{prefix}facts.txt")));
    for (class, is_positive) in [("pos", true), ("neg", false)] {
        let mut page = Page::default();
        page.examples(material, examples, is_positive, |_| true);
        written_files.push(page.file(format!("{prefix}{class}.txt")));
    }
}

/// Writes the global facts. Beside the modes, a fact whose arguments all look marked would read as a mode.
fn global_facts(page: &mut Page, material: &Material<'_>, losses: &mut Losses) {
    for &predicate in &material.predicates {
        let is_mode = |row: &[ConstantId]| {
            let text = |id: &_| material.text(*id);
            let is_marked = |text: &str| {
                text.starts_with(['+', '-', '#']) && !text[1..].starts_with(|c: char| c.is_ascii_digit())
            };
            !row.is_empty() && row.iter().all(|id| is_marked(&text(id)))
        };
        if material.facts(predicate, &[None]).into_iter().any(is_mode) {
            let name = material.predicate(predicate);
            let what = format!("facts of {name} would read back as modes and are left out");
            losses.facts(&what, "their arguments are +, - or # before a term");
        } else {
            page.facts_of(material, predicate, &[None]);
        }
    }
}

/// `mode: p(+a,-b).`, each once.
fn mode_lines(material: &Material<'_>, losses: &mut Losses) -> Vec<String> {
    let heads = material.declarations.modes.iter().filter(|mode| material.is_head(mode));
    let mut lines: Vec<String> = Vec::new();
    for mode in heads.chain(material.body_modes()) {
        let text = mode_text(mode);
        match unsaid(material, mode, &text) {
            Some(why) => losses.mode(&text, why),
            None => {
                if mode.instantiation_limit.is_some() && !material.is_head(mode) {
                    losses.mode(&text, "its limit");
                }
                let line = format!("mode: {text}.");
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
    }
    lines
}

/// Why the layout cannot express a mode; none if it can.
fn unsaid(material: &Material<'_>, mode: &RawMode, text: &str) -> Option<&'static str> {
    let Some(name) = mode.subject.relation() else { return Some(mode.subject.kind()) };
    if name.arity == 0 {
        return Some("without arguments");
    }
    if material.is_target(name) && !material.is_head(mode) {
        return Some("of the target in bodies");
    }
    let has_examples_only = material.statements.is_other_target(mode);
    if material.is_head(mode) && !material.is_target(name) && !has_examples_only {
        // It would be read as a body mode.
        return Some("of a head without examples");
    }
    let read = translate(&format!("mode: {text}."));
    (read.text.trim() != format!("{text}.")).then_some("its name has signs of the layout")
}
