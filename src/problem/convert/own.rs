//! Our own layout.

use super::super::layout::Format;
use super::ConvertedFile;
use super::losses::Losses;
use super::material::{Fold, Material};
use super::statements::{Page, declarations};

pub(super) fn files(material: &Material<'_>, losses: &mut Losses) -> Vec<ConvertedFile> {
    let mut files = Vec::new();
    let mut background = Page::default();
    background.facts(material, &[None]);
    background.rules(material);
    if !background.text.is_empty() {
        files.push(background.file("background.pl"));
    }
    let mut modes = Page::default();
    modes.directives(&declarations(material, Format::Own, losses));
    files.push(modes.file("modes.pl"));
    if !material.is_divided() || material.has_examples(None) {
        push_examples(&mut files, material, "", None);
    }
    if material.is_train_test() {
        losses.folds(
            "the training and the test part become two folds",
            "each is then tested on what the other learnt; csv and json-lines keep the parts",
        );
    }
    for (fold, folder) in fold_folders(material, losses).into_iter().enumerate() {
        if material.has_facts(Some(fold)) {
            let mut background = Page::default();
            background.facts(material, &[Some(fold)]);
            files.push(background.file(format!("{folder}/background.pl")));
        }
        push_examples(&mut files, material, &format!("{folder}/"), Some(fold));
    }
    files
}

fn push_examples(files: &mut Vec<ConvertedFile>, material: &Material<'_>, folder: &str, part: Fold) {
    for (name, is_positive) in [("pos.pl", true), ("neg.pl", false)] {
        let mut page = Page::default();
        page.examples(material, &[part], is_positive, |_| true);
        files.push(page.file(format!("{folder}{name}")));
    }
}

/// The folders of the folds: their names, where those are `foldN` in ascending order, else such names.
pub(super) fn fold_folders(material: &Material<'_>, losses: &mut Losses) -> Vec<String> {
    let names = &material.gathered.fold_names;
    let number = |name: &String| -> Option<u64> { name.to_lowercase().strip_prefix("fold")?.parse().ok() };
    let numbers: Option<Vec<u64>> = names.iter().map(number).collect();
    if numbers.is_some_and(|numbers| numbers.is_sorted_by(|left, right| left < right)) {
        return names.clone();
    }
    let folders: Vec<String> = (1..=names.len()).map(|number| format!("fold{number}")).collect();
    if !material.is_train_test() {
        let renamed: Vec<String> =
            names.iter().zip(&folders).map(|(name, folder)| format!("{name} is {folder}")).collect();
        let what = format!("folds are folders foldN: {}", renamed.join(", "));
        losses.folds(&what, "csv and json-lines keep the names");
    }
    folders
}
