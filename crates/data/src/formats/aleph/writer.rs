//! Aleph: `NAME.b`, `NAME.f` and `NAME.n`.

use crate::gather::SetDirective;
use crate::writing::{
    ConvertedFile, Losses, Material, Page, determination, modes_and_determinations, settings, told_of_folds,
};
use gleaner_lang::program::PredicateName;
use gleaner_lang::program::settings::Catalog;
use gleaner_lang::syntax::Diagnostic;

pub(super) fn files(material: &Material<'_>, losses: &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic> {
    let name = material.name();
    told_of_folds(material, losses);
    let all = material.parts();
    let mut background = Page::default();
    let mut goals = modes_and_determinations(material);
    let is_determined = |target: &&PredicateName| {
        material.declarations.determinations.iter().any(|(known, ..)| known == *target)
    };
    for target in material.targets.iter().filter(|target| !is_determined(target)) {
        // Without determinations Aleph uses no mode.
        for mode in material.body_modes() {
            let goal = determination(target, &mode.subject.name());
            if !goals.contains(&goal) {
                goals.push(goal);
            }
        }
    }
    goals.extend(settings(material, losses, |directive| aleph_name(material.catalog, directive)));
    background.directives(&goals);
    background.facts(material, &all);
    background.rules(material);
    let mut files = vec![background.file(format!("{name}.b"))];
    for (ending, is_positive) in [("f", true), ("n", false)] {
        let mut page = Page::default();
        page.examples(material, &all, is_positive, |_| true);
        files.push(page.file(format!("{name}.{ending}")));
    }
    Ok(files)
}

/// Aleph's name of a numeric setting. Its `depth` differs from ours: our `depth` is its `i`.
fn aleph_name<'d>(catalog: &Catalog, directive: &'d SetDirective) -> &'d str {
    let name = directive.name.replace('_', "-");
    let ours = catalog.iter().find(|setting| !directive.is_foreign && setting.about().name == name);
    ours.filter(|setting| setting.form().is_number())
        .and_then(|setting| setting.about().aleph_name)
        .unwrap_or(&directive.name)
}
