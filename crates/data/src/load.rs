//! Loading: from files to a problem.

use gleaner_lang::syntax::{Diagnostic, Sources};

use super::build::build;
use super::frozen::Loaded;
use super::gather::gather;
use super::recognise::{recognise, with_lenient_format};
use super::request::LoadRequest;

/// Loads a problem; adds the files that it reads to `sources`, for messages.
///
/// # Errors
///
/// Every fault of the files that was found, with the warnings beside them.
pub fn load(request: &LoadRequest, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    let (format, files) = recognise(request)?;
    let gathered = gather(&files, sources);
    let built = build(&request.of_build(), format, &files, gathered);
    built.map_err(|faults| with_lenient_format(faults, format, &request.path, request.format))
}
