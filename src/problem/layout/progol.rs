//! Progol's folders of examples: a file for each fold, negatives written as headless clauses.

use std::path::{Path, PathBuf};

use crate::syntax::Diagnostic;

use super::{
    Format, Layout, LayoutFile, Role, content, entries, faults, found, global, single_program, uncompressed,
};
use crate::problem::Division;

/// Whether a file with headless clauses, or a folder with one, all its programs being of facts.
pub(super) fn is_progol(path: &Path) -> bool {
    let programs = if path.is_dir() { programs(path) } else { single_program(path).into_iter().collect() };
    programs.iter().any(|program| has_headless_facts(&content(program)))
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

/// One file holds all; `pos.pl` and `neg.pl` the examples; or each program of a folder is a fold.
pub(super) fn progol(path: &Path) -> Result<Layout, Vec<Diagnostic>> {
    let (mut files, mut fold_names) = (Vec::new(), Vec::new());
    if let Some(program) = single_program(path) {
        files.push(global(program, Role::Program));
    } else if let (Some(positives), Some(negatives)) =
        (found(path.join("pos.pl")), found(path.join("neg.pl")))
    {
        files.extend([global(positives, Role::Positives), global(negatives, Role::Negatives)]);
    } else {
        for (fold, program) in programs(path).into_iter().enumerate() {
            let name = uncompressed(&program).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            fold_names.push(name.unwrap_or_default());
            files.push(LayoutFile { path: program, role: Role::Positives, fold: Some(fold) });
        }
    }
    if files.is_empty() {
        return Err(vec![faults::missing_file(&path.join("*.pl"), "the examples")]);
    }
    let division = if fold_names.is_empty() { Division::None } else { Division::Folds };
    Ok(Layout { format: Format::Progol, files, fold_names, division })
}
