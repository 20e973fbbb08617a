//! Layouts: which file of a data set plays which part.

use std::path::{Path, PathBuf};

use crate::syntax::Diagnostic;

use super::faults;
use super::{Division, LoadRequest};

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
}

impl Format {
    /// The layouts with their names on the command line.
    pub const NAMES: [(&'static str, Self); 4] =
        [("own", Self::Own), ("aleph", Self::Aleph), ("boostsrl", Self::Boostsrl), ("popper", Self::Popper)];

    /// Whether it is another system's: what only that system knows is told and left out.
    #[must_use]
    pub const fn is_foreign(self) -> bool {
        !matches!(self, Self::Own)
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
    let aleph_stem = aleph_stem(path);
    if !path.exists() && aleph_stem.is_none() {
        return Err(vec![faults::no_such_path(path)]);
    }
    let format = request.format.or_else(|| recognise_format(path, aleph_stem.as_deref()));
    let mut layout = match (format, aleph_stem) {
        (Some(Format::Own), _) if path.is_dir() => own(path)?,
        (Some(Format::Aleph), Some(stem)) => aleph(&stem, request.is_inspection)?,
        (Some(Format::Aleph), None) if single_aleph(path).is_some() => Layout {
            format: Format::Aleph,
            files: single_aleph(path).map(|file| global(file, Role::Background)).into_iter().collect(),
            fold_names: Vec::new(),
            division: Division::None,
        },
        (Some(Format::Boostsrl), _) if path.is_dir() => boostsrl(path)?,
        (Some(Format::Popper), _) => popper(path)?,
        (format, _) => {
            let stems: Vec<String> =
                aleph_stems(path).iter().map(|stem| stem.display().to_string()).collect();
            return Err(vec![faults::unknown_layout(path, format.map(Format::name), &stems)]);
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
    if is_popper(path) {
        return Some(Format::Popper);
    }
    if path.is_dir() {
        let own = ["modes.pl", "pos.pl", "background.pl"].iter().any(|name| found(path.join(name)).is_some());
        let folds = fold_folders(path);
        let has_halves = |folder: &Path| folder.join("test").is_dir() || folder.join("train").is_dir();
        if own || folds.iter().any(|(_, folder)| found(folder.join("pos.pl")).is_some()) {
            return Some(Format::Own);
        }
        if is_flat_boostsrl(path) || has_halves(path) || folds.iter().any(|(_, folder)| has_halves(folder)) {
            return Some(Format::Boostsrl);
        }
    }
    (aleph_stem.is_some() || single_aleph(path).is_some()).then_some(Format::Aleph)
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

fn own(path: &Path) -> Result<Layout, Vec<Diagnostic>> {
    let folds = fold_folders(path);
    let mut missing = Vec::new();
    let mut files = Vec::new();
    let mut add = |folder: &Path, name: &str, role, fold, needed: Option<&str>| {
        if let Some(path) = found(folder.join(name)) {
            files.push(LayoutFile { path, role, fold });
        } else if let Some(role) = needed {
            missing.push(faults::missing_file(&folder.join(name), role));
        }
    };
    let needed_at_root = folds.is_empty();
    add(path, "background.pl", Role::Background, None, None);
    add(path, "modes.pl", Role::Modes, None, Some("the modes"));
    add(path, "pos.pl", Role::Positives, None, needed_at_root.then_some("the positive examples"));
    add(path, "neg.pl", Role::Negatives, None, needed_at_root.then_some("the negative examples"));
    for (fold_idx, (_, folder)) in folds.iter().enumerate() {
        let fold = Some(fold_idx);
        add(folder, "background.pl", Role::Background, fold, None);
        add(folder, "pos.pl", Role::Positives, fold, Some("the fold's positive examples"));
        add(folder, "neg.pl", Role::Negatives, fold, Some("the fold's negative examples"));
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    let division = if folds.is_empty() { Division::None } else { Division::Folds };
    let fold_names = folds.into_iter().map(|(name, _)| name).collect();
    Ok(Layout { format: Format::Own, files, fold_names, division })
}

/// `DIR/NAME` of each `NAME.b` in a folder.
fn aleph_stems(path: &Path) -> Vec<PathBuf> {
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
fn aleph_stem(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        let mut stems = aleph_stems(path);
        return if stems.len() == 1 { stems.pop() } else { None };
    }
    let named = uncompressed(path);
    if named.extension().is_some_and(|extension| extension == "b" || extension == "f" || extension == "n") {
        return Some(named.with_extension(""));
    }
    found(with_ending(path, ".b")).map(|_| path.to_path_buf())
}

/// The file with sections of examples: the path itself, or the one `*.pl` of a folder.
fn single_aleph(path: &Path) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "pl");
    let file = if path.is_dir() {
        let mut programs = entries(path).into_iter().filter(is_program);
        programs.next().filter(|_| programs.next().is_none())?
    } else {
        path.to_path_buf()
    };
    let text = std::fs::read(&file).ok()?;
    let marker = b"begin_in_pos";
    text.windows(marker.len()).any(|window| window == marker).then_some(file)
}

/// Without examples it can be looked at.
fn aleph(stem: &Path, is_inspection: bool) -> Result<Layout, Vec<Diagnostic>> {
    let file = |ending: &str| {
        let plain = with_ending(stem, ending);
        found(plain.clone()).unwrap_or(plain)
    };
    let files = vec![
        global(file(".b"), Role::Background),
        global(file(".f"), Role::Positives),
        global(file(".n"), Role::Negatives),
    ];
    let missing: Vec<Diagnostic> = files
        .iter()
        .zip(["the background and modes", "the positive examples", "the negative examples"])
        .filter(|(file, _)| !file.path.exists())
        .filter(|(file, _)| !is_inspection || file.role == Role::Background)
        .map(|(file, role)| faults::missing_file(&file.path, role))
        .collect();
    if missing.is_empty() {
        let files = files.into_iter().filter(|file| file.path.exists()).collect();
        Ok(Layout { format: Format::Aleph, files, fold_names: Vec::new(), division: Division::None })
    } else {
        Err(missing)
    }
}

/// Whether it is a folder with Popper's files, or a file of examples in such a folder.
fn is_popper(path: &Path) -> bool {
    let is_named = |name: &str| {
        path.file_name().and_then(|known| known.to_str()).is_some_and(|known| known.starts_with(name))
    };
    if path.is_dir() {
        let has = |name: &str| found(path.join(name)).is_some();
        return (has("bk.pl") && has("exs.pl")) || (has("bk_train.pl") && has("exs_train.pl"));
    }
    is_named("exs") && path.parent().is_some_and(|folder| found(folder.join("bk.pl")).is_some())
}

fn popper(path: &Path) -> Result<Layout, Vec<Diagnostic>> {
    let is_folder = path.is_dir();
    let folder = if is_folder { path } else { path.parent().unwrap_or_else(|| Path::new(".")) };
    let has_halves = is_folder && found(folder.join("exs.pl")).is_none();
    let (mut files, mut missing) = (Vec::new(), Vec::new());
    let mut add = |name: &str, role, fold, meaning| match found(folder.join(name)) {
        Some(path) => files.push(LayoutFile { path, role, fold }),
        None => missing.push(faults::missing_file(&folder.join(name), meaning)),
    };
    if has_halves {
        for (fold, half) in ["train", "test"].into_iter().enumerate() {
            add(&format!("bk_{half}.pl"), Role::Background, Some(fold), "the background");
            add(&format!("exs_{half}.pl"), Role::Labelled, Some(fold), "the examples");
        }
    } else {
        add("bk.pl", Role::Background, None, "the background");
        if is_folder {
            add("exs.pl", Role::Labelled, None, "the examples");
        }
    }
    if !is_folder {
        files.push(global(path.to_path_buf(), Role::Labelled));
    }
    files.extend(file_ending(folder, "bias.pl").map(|bias| global(bias, Role::Bias)));
    if !missing.is_empty() {
        return Err(missing);
    }
    let (division, fold_names) = if has_halves {
        (Division::TrainTest, ["train", "test"].map(str::to_owned).into())
    } else {
        (Division::None, Vec::new())
    };
    Ok(Layout { format: Format::Popper, files, fold_names, division })
}

fn boostsrl(path: &Path) -> Result<Layout, Vec<Diagnostic>> {
    let folds = fold_folders(path);
    let mut files = Vec::new();
    let mut missing = Vec::new();
    // The test halves are the folds: a training half repeats the other folds' facts, and pairs their
    // people across folds as negatives.
    let (division, halves): (Division, Vec<(Option<String>, PathBuf)>) = if !folds.is_empty() {
        let half = |(name, folder): &(String, PathBuf)| (Some(name.clone()), folder.join("test"));
        (Division::Folds, folds.iter().map(half).collect())
    } else if is_flat_boostsrl(path) {
        (Division::None, vec![(None, path.to_path_buf())])
    } else {
        (Division::TrainTest, ["train", "test"].map(|half| (Some(half.to_owned()), path.join(half))).into())
    };
    let modes = boostsrl_modes(path, &folds);
    files.extend(modes.map(|modes| global(modes, Role::Modes)));
    for (fold_idx, (name, folder)) in halves.iter().enumerate() {
        let fold = name.is_some().then_some(fold_idx);
        let parts = [
            ("_facts.txt", Role::Background, "the facts"),
            ("_pos.txt", Role::Positives, "the positive examples"),
            ("_neg.txt", Role::Negatives, "the negative examples"),
        ];
        for (suffix, role, meaning) in parts {
            match file_ending(folder, suffix) {
                Some(path) => files.push(LayoutFile { path, role, fold }),
                None => missing.push(faults::missing_file(&folder.join(format!("*{suffix}")), meaning)),
            }
        }
    }
    if missing.is_empty() {
        let fold_names = halves.into_iter().filter_map(|(name, _)| name).collect();
        Ok(Layout { format: Format::Boostsrl, files, fold_names, division })
    } else {
        Err(missing)
    }
}

/// Whether facts and examples lie in the folder itself.
fn is_flat_boostsrl(path: &Path) -> bool {
    ["_facts.txt", "_pos.txt", "_neg.txt"].iter().all(|suffix| file_ending(path, suffix).is_some())
}

/// `background.txt` or a `*_bk.txt`, in the folder itself, its `train`, or its first fold.
fn boostsrl_modes(path: &Path, folds: &[(String, PathBuf)]) -> Option<PathBuf> {
    let first_fold = folds.first().map(|(_, folder)| folder.clone());
    let folders: Vec<PathBuf> = [Some(path.to_path_buf()), Some(path.join("train"))]
        .into_iter()
        .chain([first_fold.clone(), first_fold.map(|folder| folder.join("train"))])
        .flatten()
        .chain(path.parent().map(Path::to_path_buf))
        .collect();
    folders
        .iter()
        .find_map(|folder| found(folder.join("background.txt")))
        .or_else(|| folders[..folders.len().min(4)].iter().find_map(|folder| file_ending(folder, "_bk.txt")))
}

fn file_ending(folder: &Path, suffix: &str) -> Option<PathBuf> {
    entries(folder).into_iter().find(|entry| {
        let plain = uncompressed(entry);
        plain.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(suffix))
    })
}
