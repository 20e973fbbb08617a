//! cplint's interpretations: one program with its settings, bias and models.

use std::path::Path;

use crate::syntax::Diagnostic;

use super::{Format, Layout, Role, content, faults, global, single_program};
use crate::problem::Division;

/// Whether a program names its target by `output(…)` and holds models.
pub(super) fn is_interpretations(path: &Path) -> bool {
    single_program(path).is_some_and(|file| {
        let text = content(&file);
        let begins = |what: &str| text.lines().any(|line| line.trim_start().starts_with(what));
        begins("output(") && (begins("neg(") || begins("begin(model("))
    })
}

pub(super) fn interpretations(path: &Path) -> Result<Layout, Vec<Diagnostic>> {
    let missing = || vec![faults::missing_file(&path.join("*.pl"), "the models")];
    let file = global(single_program(path).ok_or_else(missing)?, Role::Interpretations);
    Ok(Layout {
        format: Format::Interpretations,
        files: vec![file],
        fold_names: Vec::new(),
        division: Division::None,
    })
}
