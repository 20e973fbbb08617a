//! BoostSRL: `background.txt` with modes and global statements, and facts and examples of each half.

use crate::mode_terms::RawMode;
use crate::writing::{ConvertedFile, Fold, Losses, Material, Page, fold_folders, mode_text};
use gleaner_lang::syntax::Diagnostic;

use super::text::translate;

pub(super) fn files(material: &Material<'_>, losses: &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic> {
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
    let mut files = vec![background.file("background.txt")];
    if !material.is_divided() {
        push_half(&mut files, material, &format!("{}_", material.name()), &[None], &[None]);
        return Ok(files);
    }
    if material.has_examples(None) {
        losses.examples(
            "examples outside the folds are written to the training halves",
            "the test halves read back as the folds; own, csv and json-lines keep such examples",
        );
    }
    if material.is_train_test() {
        push_half(&mut files, material, "train/train_", &[Some(0)], &[None, Some(0)]);
        push_half(&mut files, material, "test/test_", &[Some(1)], &[Some(1)]);
        return Ok(files);
    }
    for (fold, folder) in fold_folders(material, losses).into_iter().enumerate() {
        let others: Vec<Fold> = (0..material.n_folds()).filter(|&other| other != fold).map(Some).collect();
        let train: Vec<Fold> = std::iter::once(None).chain(others.iter().copied()).collect();
        push_half(&mut files, material, &format!("{folder}/train/train_"), &others, &train);
        push_half(&mut files, material, &format!("{folder}/test/test_"), &[Some(fold)], &[Some(fold)]);
    }
    Ok(files)
}

/// The facts and the examples of these parts.
fn push_half(
    files: &mut Vec<ConvertedFile>,
    material: &Material<'_>,
    prefix: &str,
    facts: &[Fold],
    examples: &[Fold],
) {
    let mut page = Page::default();
    page.facts(material, facts);
    files.push(page.file(format!("{prefix}facts.txt")));
    for (class, is_positive) in [("pos", true), ("neg", false)] {
        let mut page = Page::default();
        page.examples(material, examples, is_positive, |_| true);
        files.push(page.file(format!("{prefix}{class}.txt")));
    }
}

/// Writes the global facts. Beside the modes, a fact whose arguments all look marked would read as a mode.
fn global_facts(page: &mut Page, material: &Material<'_>, losses: &mut Losses) {
    for &predicate in &material.predicates {
        let is_mode = |row: &[gleaner_base::ConstantId]| {
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
