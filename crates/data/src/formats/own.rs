//! The own layout: `modes.pl`, `background.pl`, `pos.pl`, `neg.pl`, and folders of folds.

use std::path::{Path, PathBuf};

use crate::faults;
use crate::formats::aleph::{is_mixed, is_named};
use crate::formats::file_format::{
    About, Asked, Clue, FileFormat, Writer, entries, fold_folders, found, stem_name,
};
use crate::gather::{DataFile, Files, Habits, Role, are_parts, division_of, part_rank};
use crate::writing::{ConvertedFile, Fold, Losses, Material, Page, declarations, written_folders};
use gleaner_lang::syntax::Diagnostic;

use names::{BACKGROUND, MODES, NEGATIVES, POSITIVES};

/// The names of the files, which programs of other systems have, too.
pub(crate) mod names {
    /// Facts and rules.
    pub(crate) const BACKGROUND: &str = "background.pl";
    /// Declarations of modes.
    pub(crate) const MODES: &str = "modes.pl";
    /// The positive examples.
    pub(crate) const POSITIVES: &str = "pos.pl";
    /// The negative examples.
    pub(crate) const NEGATIVES: &str = "neg.pl";
}

/// The own layout.
#[derive(Debug)]
pub(super) struct Own;

impl FileFormat for Own {
    fn about(&self) -> About {
        About {
            name: "own",
            files_in_words: "background.pl, modes.pl, pos.pl, neg.pl, foldN/",
            habits: Habits::default(),
            clue: Clue::Names,
        }
    }

    fn is_recognised(&self, path: &Path) -> bool {
        if !path.is_dir() || is_mixed(path) || is_named(path) {
            return false;
        }
        let names = [MODES, POSITIVES, BACKGROUND];
        names.iter().any(|name| found(path.join(name)).is_some()) || holds_examples(path)
    }

    /// Modes and background may lie beside tables, too.
    fn yields_to_tables(&self, path: &Path) -> bool {
        !holds_examples(path)
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        if asked.path.is_dir() { files(asked).map(Some) } else { Ok(None) }
    }

    fn writer(&self) -> Option<Writer> {
        Some(written_files)
    }
}

/// Whether a folder, or a fold of it, has positive examples.
fn holds_examples(path: &Path) -> bool {
    let holds = |folder: &Path| found(folder.join(POSITIVES)).is_some();
    holds(path) || folders(path).iter().any(|(_, folder)| holds(folder))
}

/// The folders of folds; else those of the sets of one run, `train`, perhaps `tune`, and `test`.
fn folders(path: &Path) -> Vec<(String, PathBuf)> {
    let folds = fold_folders(path);
    if !folds.is_empty() {
        return folds;
    }
    let is_part = |folder: &PathBuf| found(folder.join(POSITIVES)).is_some() && folder.is_dir();
    let mut parts: Vec<(Option<usize>, String, PathBuf)> = entries(path)
        .into_iter()
        .filter(is_part)
        .map(|folder| (part_rank(&stem_name(&folder)), stem_name(&folder), folder))
        .filter(|(rank, ..)| rank.is_some())
        .collect();
    parts.sort();
    let parts: Vec<(String, PathBuf)> = parts.into_iter().map(|(_, name, folder)| (name, folder)).collect();
    let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    if are_parts(&names) { parts } else { Vec::new() }
}

/// Help where no file holds examples: how to make them of facts.
const FACTS_AS_POSITIVES: &str =
    "if the facts of a predicate are the positives, name it: ⁅target=NAME/ARITY⁆ ⁅negatives=all⁆";

/// The same where the target is a number.
const FACTS_WITH_NUMBERS: &str = "if the facts of a predicate hold the numbers, name it: ⁅target=NAME/ARITY⁆";

/// Help where no file lists negatives: how to make them, and how to do without.
const NEGATIVES_MADE: &str = "⁅negatives=all⁆ (or N, 25%, ratio:K) makes them from tuples that are not listed; \
     where an argument says the class of each example, name it: ⁅class-argument=N⁆";

fn files(asked: &Asked<'_>) -> Result<Files, Vec<Diagnostic>> {
    let &Asked { path, needs_negatives, needs_examples, has_numbers, .. } = asked;
    let folds = folders(path);
    let mut missing = Vec::new();
    let mut files = Vec::new();
    let mut add = |folder: &Path, name: &str, role, fold, needed: Option<&str>| {
        if let Some(path) = found(folder.join(name)) {
            files.push(DataFile::new(path, role).in_fold(fold));
        } else if let Some(role) = needed {
            missing.push(faults::missing_file(&folder.join(name), role));
        }
    };
    let needed_at_root = folds.is_empty();
    add(path, BACKGROUND, Role::Background, None, None);
    add(path, MODES, Role::Modes, None, None);
    let needs_root_examples = needed_at_root && needs_examples;
    add(
        path,
        POSITIVES,
        Role::Positives,
        None,
        needs_root_examples.then_some(if has_numbers { "the examples" } else { "the positive examples" }),
    );
    add(
        path,
        NEGATIVES,
        Role::Negatives,
        None,
        (needed_at_root && needs_negatives).then_some("the negative examples"),
    );
    for (fold_idx, (_, folder)) in folds.iter().enumerate() {
        let fold = Some(fold_idx);
        add(folder, BACKGROUND, Role::Background, fold, None);
        add(
            folder,
            POSITIVES,
            Role::Positives,
            fold,
            needs_examples.then_some(if has_numbers {
                "the fold's examples"
            } else {
                "the fold's positive examples"
            }),
        );
        add(
            folder,
            NEGATIVES,
            Role::Negatives,
            fold,
            needs_negatives.then_some("the fold's negative examples"),
        );
    }
    if !missing.is_empty() {
        let has = |role| files.iter().any(|file| file.role == role);
        let help = match (has(Role::Positives), has(Role::Background)) {
            (true, _) if !needed_at_root && !has(Role::Negatives) => Some(NEGATIVES_MADE),
            _ if !needed_at_root || !needs_examples => None,
            (true, _) => Some(NEGATIVES_MADE),
            (false, true) => Some(if has_numbers { FACTS_WITH_NUMBERS } else { FACTS_AS_POSITIVES }),
            (false, false) => None,
        };
        let last = missing.pop();
        let last = last.map(|fault| help.into_iter().fold(fault, Diagnostic::with_help));
        return Err(missing.into_iter().chain(last).collect());
    }
    let fold_names: Vec<String> = folds.into_iter().map(|(name, _)| name).collect();
    Ok(Files { files, division: division_of(&fold_names), fold_names, ..Files::default() })
}

fn written_files(material: &Material<'_>, losses: &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic> {
    let mut written_files = Vec::new();
    let mut background = Page::default();
    background.facts(material, &[None]);
    background.rules(material);
    if !background.text.is_empty() {
        written_files.push(background.file(BACKGROUND));
    }
    let mut modes = Page::default();
    modes.directives(&declarations(material, losses));
    written_files.push(modes.file(MODES));
    if !material.is_divided() || material.has_examples(None) {
        push_examples(&mut written_files, material, "", None);
    }
    let names = &material.statements.examples.fold_names;
    let folders = if are_parts(names) { names.clone() } else { written_folders(material, losses) };
    for (fold, folder) in folders.into_iter().enumerate() {
        if material.has_facts(Some(fold)) {
            let mut background = Page::default();
            background.facts(material, &[Some(fold)]);
            written_files.push(background.file(format!("{folder}/{BACKGROUND}")));
        }
        push_examples(&mut written_files, material, &format!("{folder}/"), Some(fold));
    }
    Ok(written_files)
}

fn push_examples(written_files: &mut Vec<ConvertedFile>, material: &Material<'_>, folder: &str, part: Fold) {
    for (name, is_positive) in [(POSITIVES, true), (NEGATIVES, false)] {
        let mut page = Page::default();
        page.examples(material, &[part], is_positive, |_| true);
        written_files.push(page.file(format!("{folder}{name}")));
    }
}
