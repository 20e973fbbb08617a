//! Aleph: `NAME.b`, `NAME.f` and `NAME.n`.

use crate::base::{ConstantId, FixedSet, PredicateId};
use crate::program::PredicateName;

use super::super::check;
use super::super::layout::Format;
use super::ConvertedFile;
use super::losses::Losses;
use super::material::Material;
use super::statements::{Page, determination, modes_and_determinations, settings};

pub(super) fn files(material: &Material<'_>, losses: &mut Losses) -> Vec<ConvertedFile> {
    let name = material.name();
    told_of_folds(material, losses);
    let all = material.parts();
    let mut background = Page::default();
    let mut goals = modes_and_determinations(material);
    let is_determined =
        |target: &&PredicateName| material.gathered.determinations.iter().any(|(known, ..)| known == *target);
    for target in material.targets.iter().filter(|target| !is_determined(target)) {
        // Without determinations Aleph uses no mode.
        for mode in material.body_modes() {
            let goal = determination(target, &check::subject_name(&mode.subject));
            if !goals.contains(&goal) {
                goals.push(goal);
            }
        }
    }
    goals.extend(settings(material, Format::Aleph, losses));
    background.directives(&goals);
    background.facts(material, &all);
    background.rules(material);
    let mut files = vec![background.file(format!("{name}.b"))];
    for (ending, is_positive) in [("f", true), ("n", false)] {
        let mut page = Page::default();
        page.examples(material, &all, is_positive, |_| true);
        files.push(page.file(format!("{name}.{ending}")));
    }
    files
}

/// Says that a layout without folds has none.
pub(super) fn told_of_folds(material: &Material<'_>, losses: &mut Losses) {
    if !material.is_divided() {
        return;
    }
    let what = format!("the {} folds are united", material.n_folds());
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
        losses.examples(&what, "without folds they contradict each other, and loading says so");
    }
}

/// Examples of a predicate that are in both classes once folds are united.
fn n_contradictions(material: &Material<'_>, predicate: PredicateId) -> usize {
    let rows = |is_positive: bool| -> FixedSet<&[ConstantId]> {
        let examples = material.examples(predicate, &material.parts()).into_iter();
        examples.filter(|example| example.is_positive == is_positive).map(|example| example.row).collect()
    };
    rows(true).intersection(&rows(false)).count()
}
