//! A background, positives and negatives under names of their own, as `BK.pl`, `pos_example.f` and `neg_example.n`: the names say
//! which is which, and a warning says what was taken for what.

use std::path::{Path, PathBuf};

use crate::faults;
use crate::formats::file_format::Asked;
use crate::formats::folder::{entries, uncompressed};
use crate::formats::own::names;
use crate::gather::{Files, Role};
use gleaner_lang::syntax::Diagnostic;

/// The endings of the files of programs.
const ENDINGS: [&str; 4] = ["pl", "b", "f", "n"];

/// The usual name of the file of each role, the words that other names have, and what the role is called.
const ROLES: [(&str, &[&str], &str); 4] = [
    (names::BACKGROUND, &["bk", "bg", "background", "kb"], "background"),
    (names::POSITIVES, &["pos", "positive", "positives"], "positives"),
    (names::NEGATIVES, &["neg", "negative", "negatives"], "negatives"),
    (names::MODES, &["mode", "modes"], "modes"),
];

/// Words beside these that say nothing.
const OTHERS: [&str; 11] =
    ["example", "examples", "ex", "exs", "e", "knowledge", "facts", "file", "data", "set", "all"];

/// The files of a folder by what their names say.
pub(super) struct Named {
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
    pub(super) fn of(folder: &Path) -> Option<Self> {
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
    pub(super) fn files(self, asked: &Asked<'_>) -> Result<Files, Vec<Diagnostic>> {
        let told = self.told();
        let mut files = self.files.into_iter().zip(ROLES);
        let [background, positives, negatives] = std::array::from_fn(|_| {
            let (file, (usual, ..)) = files.next().unwrap_or((None, ROLES[0]));
            file.unwrap_or_else(|| asked.path.join(usual))
        });
        let modes = files.next().and_then(|(file, _)| file);
        let mut files = super::given([background, positives, negatives], asked)?;
        files.files.extend(modes.map(|modes| super::program(modes, Role::Modes)));
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
