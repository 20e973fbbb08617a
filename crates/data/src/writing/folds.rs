//! Folds in layouts that have none, or use other names for them.

use gleaner_base::{ConstantId, FixedSet, PredicateId};

use super::losses::Losses;
use super::material::Material;

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
