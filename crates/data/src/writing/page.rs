//! Files made of gathered data, statement by statement.
//!
//! Folds in layouts that have none, or use other names for them.

use gleaner_base::{ConstantId, FixedSet, PredicateId};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::quote_atom;

use crate::gather::SetDirective;
use crate::mode_terms::{ModeSide, RawMode};
use crate::writing::losses::Losses;
use crate::writing::material::{Fold, Material};
use crate::writing::texts::{determination, mode_text, setting};

/// The numbers of statements in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Facts.
    pub facts: usize,
    /// Rules.
    pub rules: usize,
    /// Positive examples.
    pub positives: usize,
    /// Negative examples.
    pub negatives: usize,
    /// Modes, determinations and settings.
    pub declarations: usize,
}

/// One file of a converted problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedFile {
    /// The path of the file, relative to the problem's folder and with `/` between folders.
    pub path: String,
    /// The whole text, UTF-8, each line ended by one line feed.
    pub text: String,
    /// The numbers of its statements.
    pub counts: Counts,
}

/// A file while it is written.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) text: String,
    pub(crate) counts: Counts,
}

impl Page {
    pub(crate) fn file(self, path: impl Into<String>) -> ConvertedFile {
        ConvertedFile { path: path.into(), text: self.text, counts: self.counts }
    }

    pub(crate) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Writes the facts of these parts together.
    pub(crate) fn facts(&mut self, material: &Material<'_>, parts: &[Fold]) {
        for &predicate in &material.predicates {
            self.facts_of(material, predicate, parts);
        }
    }

    /// Writes the facts of one predicate.
    pub(crate) fn facts_of(&mut self, material: &Material<'_>, predicate: PredicateId, parts: &[Fold]) {
        let name = quote_atom(&material.predicate(predicate).name);
        for row in material.facts(predicate, parts) {
            push_atom(&mut self.text, &name, row, material);
            self.text.push_str(".\n");
            self.counts.facts += 1;
        }
    }

    /// Writes the rules, after declarations of the predicates that they call and nothing defines.
    pub(crate) fn rules(&mut self, material: &Material<'_>) {
        material.empty_predicates().iter().for_each(|goal| self.line(&format!(":- {goal}.")));
        for rule in material.rules() {
            self.line(&rule);
            self.counts.rules += 1;
        }
    }

    /// Writes the examples of one class in these parts, each once, but only of predicates for which `keep` is true.
    pub(crate) fn examples(
        &mut self,
        material: &Material<'_>,
        parts: &[Fold],
        is_positive: bool,
        keep: impl Fn(&PredicateName) -> bool,
    ) {
        for text in example_texts(material, parts, is_positive, keep) {
            self.example(&format!("{text}."), is_positive);
        }
    }

    pub(crate) fn example(&mut self, line: &str, is_positive: bool) {
        self.line(line);
        let count = if is_positive { &mut self.counts.positives } else { &mut self.counts.negatives };
        *count += 1;
    }

    /// Writes directives with these goals.
    pub(crate) fn directives(&mut self, goals: &[String]) {
        for goal in goals {
            self.line(&format!(":- {goal}."));
            self.counts.declarations += 1;
        }
    }
}

/// The examples of one class in these parts as atoms, each once.
pub(crate) fn example_texts(
    material: &Material<'_>,
    parts: &[Fold],
    is_positive: bool,
    keep: impl Fn(&PredicateName) -> bool,
) -> Vec<String> {
    let mut texts = Vec::new();
    for &predicate in &material.predicates {
        if !keep(material.predicate(predicate)) {
            continue;
        }
        let name = quote_atom(&material.predicate(predicate).name);
        let mut rows: Vec<&[ConstantId]> = material
            .examples(predicate, parts)
            .into_iter()
            .filter(|example| example.is_positive == is_positive)
            .map(|example| example.row)
            .collect();
        material.sort_rows(&mut rows);
        for row in rows {
            let mut text = String::new();
            push_atom(&mut text, &name, row, material);
            texts.push(text);
        }
    }
    texts
}

fn push_atom(text: &mut String, name: &str, row: &[ConstantId], material: &Material<'_>) {
    text.push_str(name);
    for (position, &constant) in row.iter().enumerate() {
        text.push(if position == 0 { '(' } else { ',' });
        text.push_str(&material.text(constant));
    }
    if !row.is_empty() {
        text.push(')');
    }
}

/// The goals of all declarations: modes, determinations and settings, in their order.
pub(crate) fn declarations(material: &Material<'_>, losses: &mut Losses) -> Vec<String> {
    let mut goals = modes_and_determinations(material);
    goals.extend(material.declarations.times.goals());
    losses.say_times();
    goals.extend(settings(material, losses, |directive| &directive.name));
    goals
}

/// The modes, then the determinations, each once.
pub(crate) fn modes_and_determinations(material: &Material<'_>) -> Vec<String> {
    let modes = material.declarations.modes.iter().map(|mode| mode_goal(material, mode));
    let determinations =
        material.declarations.determinations.iter().map(|(target, body, _)| determination(target, body));
    let mut goals: Vec<String> = Vec::new();
    for goal in modes.chain(determinations) {
        if !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    goals
}

/// The goals of settings, each by its name in the layout.
pub(crate) fn settings(
    material: &Material<'_>,
    losses: &mut Losses,
    name: impl Fn(&SetDirective) -> &str,
) -> Vec<String> {
    let goal = |directive: &SetDirective| setting(name(directive), &directive.value);
    material.settings(losses).into_iter().map(goal).collect()
}

/// `modeb(*, p(+a, -b))`. A mode that may be of a head or a body is a head's if it is of the target.
fn mode_goal(material: &Material<'_>, mode: &RawMode) -> String {
    let is_of_target = mode.subject.name();
    let keyword = match mode.side {
        ModeSide::Head => "modeh",
        ModeSide::Body => "modeb",
        ModeSide::Either if material.is_target(&is_of_target) => "modeh",
        ModeSide::Either if material.is_head(mode) => "mode",
        ModeSide::Either => "modeb",
    };
    let limit = mode.instantiation_limit.map_or_else(|| "*".to_owned(), |limit| limit.to_string());
    format!("{keyword}({limit}, {})", mode_text(mode))
}

/// Tells that the layout has no folds.
pub(crate) fn told_of_folds(material: &Material<'_>, losses: &mut Losses) {
    if !material.is_divided() {
        return;
    }
    let what = format!("the {} folds become one set", material.n_folds());
    let has_facts = (0..material.n_folds()).any(|fold| material.has_facts(Some(fold)));
    let help = if has_facts {
        "facts of one fold then hold for the examples of all; own, csv and json-lines keep folds"
    } else {
        "own, boostsrl, csv and json-lines keep folds"
    };
    losses.folds(&what, help);
    let n_contradictions =
        material.predicates.iter().map(|&id| n_contradictions(material, id)).sum::<usize>();
    if n_contradictions > 0 {
        let what = format!("{n_contradictions} examples are positive in one fold and negative in another");
        losses.examples(&what, "without folds they contradict each other, and loading refuses them");
    }
}

/// The number of a predicate's examples that are in both classes once folds are united.
fn n_contradictions(material: &Material<'_>, predicate: PredicateId) -> usize {
    let rows = |is_positive: bool| -> FixedSet<&[ConstantId]> {
        let examples = material.examples(predicate, &material.parts()).into_iter();
        examples.filter(|example| example.is_positive == is_positive).map(|example| example.row).collect()
    };
    rows(true).intersection(&rows(false)).count()
}

/// The folders of the folds: the folds' names if they are `foldN` in ascending order, else new names of that form.
pub(crate) fn fold_folders(material: &Material<'_>, losses: &mut Losses) -> Vec<String> {
    let names = &material.statements.examples.fold_names;
    let number = |name: &String| -> Option<u64> { name.to_lowercase().strip_prefix("fold")?.parse().ok() };
    let numbers: Option<Vec<u64>> = names.iter().map(number).collect();
    if numbers.is_some_and(|numbers| numbers.is_sorted_by(|left, right| left < right)) {
        return names.clone();
    }
    let folders: Vec<String> = (1..=names.len()).map(|number| format!("fold{number}")).collect();
    let renamed: Vec<String> =
        names.iter().zip(&folders).map(|(name, folder)| format!("{name} is {folder}")).collect();
    let what = format!("folds become folders foldN: {}", renamed.join(", "));
    losses.folds(&what, "csv and json-lines keep the names");
    folders
}
