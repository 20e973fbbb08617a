//! Files that are no models, or models of another kind.

use std::fmt::Display;
use std::path::Path;

use crate::store::ModelError;
use gleaner_lang::syntax::{Diagnostic, codes};

use super::failure::Failure;

/// The failure that a file is no model.
pub(crate) fn bad_model(path: &Path, error: &ModelError) -> Failure {
    let code = if matches!(error, ModelError::Version(_)) { codes::MODEL_VERSION } else { codes::BAD_MODEL };
    Failure::fault(
        Diagnostic::error(code, said_of(path, error))
            .with_help("a model file is what `gleaner learn DATA -o MODEL` writes"),
    )
}

/// A message about a file; about a text without a file if the path is empty.
pub(crate) fn said_of(path: &Path, what: &dyn Display) -> String {
    if path.as_os_str().is_empty() { what.to_string() } else { format!("{}: {what}", path.display()) }
}

/// The failure that a file, or a model without one, is of links where examples are asked for.
pub(crate) fn is_of_links(path: &Path) -> Failure {
    let message = said_of(path, &"it is a model of links");
    Failure::fault(
        Diagnostic::error(codes::BAD_MODEL, message)
            .with_help("`gleaner rank MODEL DATA` ranks links by it, `gleaner show MODEL` shows its rules"),
    )
}
