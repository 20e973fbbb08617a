//! Our own layout.

use super::names::{BACKGROUND, MODES, NEGATIVES, POSITIVES};
use crate::gather::are_parts;
use crate::writing::{ConvertedFile, Fold, Losses, Material, Page, declarations, fold_folders};
use gleaner_lang::syntax::Diagnostic;

pub(super) fn files(material: &Material<'_>, losses: &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic> {
    let mut files = Vec::new();
    let mut background = Page::default();
    background.facts(material, &[None]);
    background.rules(material);
    if !background.text.is_empty() {
        files.push(background.file(BACKGROUND));
    }
    let mut modes = Page::default();
    modes.directives(&declarations(material, losses));
    files.push(modes.file(MODES));
    if !material.is_divided() || material.has_examples(None) {
        push_examples(&mut files, material, "", None);
    }
    let names = &material.statements.examples.fold_names;
    let folders = if are_parts(names) { names.clone() } else { fold_folders(material, losses) };
    for (fold, folder) in folders.into_iter().enumerate() {
        if material.has_facts(Some(fold)) {
            let mut background = Page::default();
            background.facts(material, &[Some(fold)]);
            files.push(background.file(format!("{folder}/{BACKGROUND}")));
        }
        push_examples(&mut files, material, &format!("{folder}/"), Some(fold));
    }
    Ok(files)
}

fn push_examples(files: &mut Vec<ConvertedFile>, material: &Material<'_>, folder: &str, part: Fold) {
    for (name, is_positive) in [(POSITIVES, true), (NEGATIVES, false)] {
        let mut page = Page::default();
        page.examples(material, &[part], is_positive, |_| true);
        files.push(page.file(format!("{folder}{name}")));
    }
}
