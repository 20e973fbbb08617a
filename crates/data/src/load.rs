//! Loading: the steps from files to a problem, in their order.

use gleaner_lang::syntax::{Diagnostic, Sources};

use super::build::build;
use super::classes;
use super::directions;
use super::frozen::Loaded;
use super::gather::gather;
use super::idioms;
use super::recognise::{recognise, with_lenient_format};
use super::request::LoadRequest;
use super::target_facts;
use super::universal;

/// Loads a problem; adds the files that it reads to `sources`, for messages.
///
/// # Errors
///
/// Every fault of the files that was found, with the warnings beside them.
pub fn load(request: &LoadRequest, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    let (format, files) = recognise(request)?;
    let mut gathered = gather(request.target.as_ref(), &files, sources);
    let targets = request.target.iter().chain(&request.classes.targets);
    targets.for_each(|target| target_facts::take(target, &mut gathered));
    let of_build = request.of_build();
    classes::settle(&of_build.target, &mut gathered);
    idioms::settle(&mut gathered);
    universal::expand(&mut gathered);
    directions::choose(&mut gathered);
    let built = build(&of_build, format, &files, gathered);
    built.map_err(|faults| with_lenient_format(faults, format, &request.path, request.format))
}
