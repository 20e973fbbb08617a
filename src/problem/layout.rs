//! Layouts: which file of a data set plays which part.

use std::path::{Path, PathBuf};

use crate::syntax::{Diagnostic, read_head};

use super::faults;
use super::{Division, LoadRequest};

mod alchemy;
mod aleph;
mod boostsrl;
mod interpretations;
mod own;
mod popper;
mod progol;
mod tables;
mod triples;

pub use tables::encoded_name;
pub(super) use tables::named_predicate;

/// The layouts that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// `background.pl`, `modes.pl`, `pos.pl`, `neg.pl`, and folders `foldN/` of the same.
    Own,
    /// `NAME.b`, `NAME.f`, `NAME.n`; or one file with sections (`:- begin_in_pos.`).
    Aleph,
    /// `background.txt` and `foldN/{train,test}/…_{facts,pos,neg}.txt`, or `{train,test}/` alone, or the
    /// files alone.
    Boostsrl,
    /// `bk.pl`, `exs.pl` with `pos(…)` and `neg(…)`, `bias.pl`; or `bk_train.pl`, `exs_train.pl`,
    /// `bk_test.pl`, `exs_test.pl`.
    Popper,
    /// Programs whose headless clauses (`:- active(d38).`) are negatives: one, or a folder of folds; Golem's.
    Progol,
    /// cplint's input: `output(…)`, a bias, and models by a first argument or between `begin(model(…))` and
    /// `end(model(…))`.
    #[serde(rename = "cplint")]
    Interpretations,
    /// Alchemy's evidence (`.db`) with or without declarations (`.mln`).
    Alchemy,
    /// `head TAB relation TAB tail`: a table, or a folder with `train.txt`, `valid.txt` and `test.txt`.
    Triples,
    /// `NAME.csv`, a table for each predicate; `modes.pl` and `background.pl` beside them.
    Csv,
    /// `*.jsonl`, a statement as an object in each line; `modes.pl` and `background.pl` beside them.
    #[serde(rename = "json-lines")]
    JsonLines,
}

impl Format {
    /// The layouts with their names on the command line.
    pub const NAMES: [(&'static str, Self); 10] = [
        ("own", Self::Own),
        ("aleph", Self::Aleph),
        ("boostsrl", Self::Boostsrl),
        ("popper", Self::Popper),
        ("progol", Self::Progol),
        ("cplint", Self::Interpretations),
        ("alchemy", Self::Alchemy),
        ("triples", Self::Triples),
        ("csv", Self::Csv),
        ("json-lines", Self::JsonLines),
    ];

    /// The layouts that can be written.
    pub const WRITTEN: [Self; 6] =
        [Self::Own, Self::Aleph, Self::Boostsrl, Self::Popper, Self::Csv, Self::JsonLines];

    /// Whether the facts of the target are its positive examples.
    #[must_use]
    pub const fn has_positives_among_facts(self) -> bool {
        matches!(self, Self::Progol | Self::Interpretations | Self::Alchemy | Self::Triples)
    }

    /// Whether it is another system's: what only that system knows is told and left out.
    #[must_use]
    pub const fn is_foreign(self) -> bool {
        !matches!(self, Self::Own | Self::Csv | Self::JsonLines)
    }

    /// The layout of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// The layout's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// Facts, rules and directives.
    Background,
    /// Directives, or modes without a keyword.
    Modes,
    /// Positive examples.
    Positives,
    /// Negative examples.
    Negatives,
    /// Examples of both classes: `pos(…)` and `neg(…)`.
    Labelled,
    /// Popper's bias.
    Bias,
    /// A whole problem; headless clauses are negatives.
    Program,
    /// cplint's program.
    Interpretations,
    /// Alchemy's ground atoms.
    Evidence,
    /// Alchemy's declarations and formulas.
    Declarations,
    /// Alchemy's query: names the target.
    Query,
    /// Facts that are known.
    Triples,
    /// Facts of which only the target's are read, as examples.
    HiddenTriples,
    /// A table of facts or examples.
    Table,
    /// Statements as lines of JSON.
    Lines,
}

impl Role {
    /// Whether it is read as clauses, as they stand.
    pub(super) const fn is_program(self) -> bool {
        matches!(
            self,
            Self::Background
                | Self::Modes
                | Self::Positives
                | Self::Negatives
                | Self::Labelled
                | Self::Program
                | Self::Interpretations
        )
    }
}

/// One file and its part.
#[derive(Clone, Debug)]
pub(super) struct LayoutFile {
    pub(super) path: PathBuf,
    pub(super) role: Role,
    /// The fold that its facts or examples belong to; `None` for global ones.
    pub(super) fold: Option<usize>,
}

/// All files of a data set, in the order read.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) format: Format,
    pub(super) files: Vec<LayoutFile>,
    pub(super) fold_names: Vec<String>,
    pub(super) division: Division,
}

/// Finds the layout of the request's path, by `format` or by what the folder holds.
pub(super) fn recognise(request: &LoadRequest) -> Result<Layout, Vec<Diagnostic>> {
    let path = &request.path;
    let aleph_stem = aleph::aleph_stem(path);
    let flat_stems = boostsrl::flat_stems(path);
    if !path.exists() && aleph_stem.is_none() && flat_stems.is_empty() {
        return Err(vec![faults::no_such_path(path)]);
    }
    let format = request.format.or_else(|| recognise_format(path, aleph_stem.as_deref()));
    // Those that are made need not be listed.
    let needs_negatives = request.negatives.is_none();
    let mut layout = match (format, aleph_stem) {
        (Some(Format::Own), _) if path.is_dir() => own::own(path, needs_negatives)?,
        (Some(Format::Aleph), Some(stem)) => aleph::aleph(&stem, request.is_inspection, needs_negatives)?,
        (Some(Format::Aleph), None) if aleph::single_aleph(path).is_some() => Layout {
            format: Format::Aleph,
            files: aleph::single_aleph(path).map(|file| global(file, Role::Background)).into_iter().collect(),
            fold_names: Vec::new(),
            division: Division::None,
        },
        (Some(Format::Boostsrl), _) if flat_stems.len() > 1 && fold_folders(path).is_empty() => {
            return Err(vec![faults::several_problems(path, &flat_stems)]);
        }
        (Some(Format::Boostsrl), _) => boostsrl::boostsrl(path, needs_negatives)?,
        (Some(Format::Popper), _) => popper::popper(path)?,
        (Some(Format::Progol), _) => progol::progol(path)?,
        (Some(Format::Interpretations), _) => interpretations::interpretations(path)?,
        (Some(Format::Alchemy), _) => alchemy::alchemy(path)?,
        (Some(Format::Triples), _) => triples::triples(path)?,
        (Some(format @ (Format::Csv | Format::JsonLines)), _) if tables::holds(path, format) => {
            tables::layout(path, format)
        }
        (format, _) => {
            let stems = aleph::aleph_stems(path);
            return Err(vec![if stems.len() > 1 {
                faults::several_problems(path, &stems)
            } else {
                faults::unknown_layout(path, format.map(Format::name))
            }]);
        }
    };
    if let Some(modes) = &request.modes {
        layout.files.retain(|file| !matches!(file.role, Role::Modes | Role::Bias));
        layout.files.push(global(modes.clone(), Role::Modes));
    }
    layout.files.extend(request.background.iter().map(|path| global(path.clone(), Role::Background)));
    Ok(layout)
}

fn recognise_format(path: &Path, aleph_stem: Option<&Path>) -> Option<Format> {
    if !path.exists() && aleph_stem.is_none() {
        // What the names of a flat problem's files begin with.
        return Some(Format::Boostsrl);
    }
    if popper::is_popper(path) {
        return Some(Format::Popper);
    }
    let tables = tables::format_of(path);
    if path.is_dir() {
        // Modes and background may lie beside tables, too.
        let names = if tables.is_some() { &["pos.pl"][..] } else { &["modes.pl", "pos.pl", "background.pl"] };
        let own = names.iter().any(|name| found(path.join(name)).is_some());
        let folds = fold_folders(path);
        let has_halves = |folder: &Path| folder.join("test").is_dir() || folder.join("train").is_dir();
        if own || folds.iter().any(|(_, folder)| found(folder.join("pos.pl")).is_some()) {
            return Some(Format::Own);
        }
        if !boostsrl::flat_stems(path).is_empty()
            || has_halves(path)
            || folds.iter().any(|(_, folder)| has_halves(folder))
        {
            return Some(Format::Boostsrl);
        }
    }
    if aleph_stem.is_some() || aleph::single_aleph(path).is_some() {
        return Some(Format::Aleph);
    }
    if alchemy::is_alchemy(path) {
        return Some(Format::Alchemy);
    }
    if triples::is_triples(path) {
        return Some(Format::Triples);
    }
    if interpretations::is_interpretations(path) {
        return Some(Format::Interpretations);
    }
    progol::is_progol(path).then_some(Format::Progol).or(tables)
}

/// Bytes in which a layout shows.
const HEAD: u64 = 1 << 16;

/// The beginning of a file, or what of it can be read.
fn head(path: &Path) -> String {
    String::from_utf8_lossy(&read_head(path, HEAD).unwrap_or_default()).into_owned()
}

/// A whole file, or what of it can be read.
fn content(path: &Path) -> String {
    String::from_utf8_lossy(&read_head(path, u64::MAX).unwrap_or_default()).into_owned()
}

/// The program that a path names, or the one program of a folder.
fn single_program(path: &Path) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| uncompressed(path).extension().is_some_and(|ending| ending == "pl");
    if !path.is_dir() {
        return Some(path.to_path_buf()).filter(is_program);
    }
    let mut programs = entries(path).into_iter().filter(is_program);
    programs.next().filter(|_| programs.next().is_none())
}

/// How the names of compressed files end.
const COMPRESSED: &str = ".gz";

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The file, or where there is none the same compressed.
fn found(path: PathBuf) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    Some(with_ending(&path, COMPRESSED)).filter(|compressed| compressed.exists())
}

/// A path without the ending of compressed files.
fn uncompressed(path: &Path) -> PathBuf {
    let is_compressed = path.extension().is_some_and(|extension| extension == "gz");
    if is_compressed { path.with_extension("") } else { path.to_path_buf() }
}

fn global(path: PathBuf, role: Role) -> LayoutFile {
    LayoutFile { path, role, fold: None }
}

/// The folders `foldN`, in whatever case, ascending by number.
fn fold_folders(path: &Path) -> Vec<(String, PathBuf)> {
    let mut folds: Vec<(u64, String, PathBuf)> = entries(path)
        .into_iter()
        .filter(|entry| entry.is_dir())
        .filter_map(|entry| {
            let name = entry.file_name()?.to_str()?.to_owned();
            let number = name.to_lowercase().strip_prefix("fold")?.parse().ok()?;
            Some((number, name, entry))
        })
        .collect();
    folds.sort();
    folds.into_iter().map(|(_, name, folder)| (name, folder)).collect()
}

/// The entries of a folder, ascending by name; none where it cannot be read.
fn entries(path: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

fn file_ending(folder: &Path, suffix: &str) -> Option<PathBuf> {
    entries(folder).into_iter().find(|entry| {
        let plain = uncompressed(entry);
        plain.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(suffix))
    })
}
