//! From the files people have to one [`Problem`].
//!
//! A layout says which file plays which part (`formats`, a folder each); all are read through one grammar into
//! provisional tables (`gather`), checked together (`check`), run to a fixpoint for each world, and
//! frozen with canonical ids (`build`). Faults are gathered, never only the first.

mod asked;
mod build;
mod builder;
mod cells;
mod check;
mod classes;
pub mod clauses;
mod closed_world;
pub mod convert;
mod defined;
mod directions;
mod domains;
pub mod faults;
mod file_names;
mod formats;
mod frozen;
mod gather;
mod given_clauses;
pub mod graph;
mod idioms;
mod label_columns;
mod leaks;
mod leave_out;
mod lint;
mod made_negatives;
mod messages;
mod mode_terms;
mod propose;
mod provisional;
mod recognise;
mod request;
mod rule_graph;
mod scored;
mod sizes;
mod target_facts;
mod type_tests;
mod types;
mod universal;
mod writing;

use gleaner_lang::syntax::{Diagnostic, Sources};

pub use builder::{ProblemBuilder, Row, Value};
pub use classes::ClassRequest;
pub use file_names::{folder_below, folder_name};
pub use formats::Format;
pub use frozen::{FilteredPositives, Loaded, PredicateProfile, Problem};
pub use gather::{Division, SetDirective};
pub use given_clauses::GivenClauses;
pub use leaks::leaks;
pub use propose::{FEW_CONSTANTS, FEW_SHARED_CONSTANTS};
pub use request::{KnownTarget, LoadRequest, Negatives, SetNegatives, TargetInBody};

/// Loads a problem; the files read are added to `sources`, which messages refer to.
///
/// # Errors
///
/// Every fault of the files that was found, with the warnings beside them.
pub fn load(request: &LoadRequest, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
    let (format, files) = recognise::recognise(request)?;
    let mut gathered = gather::gather(request.target.as_ref(), &files, sources);
    let targets = request.target.iter().chain(&request.classes.targets);
    targets.for_each(|target| target_facts::take(target, &mut gathered));
    classes::settle(request, &mut gathered);
    idioms::settle(&mut gathered);
    universal::expand(&mut gathered);
    directions::choose(&mut gathered);
    let built = build::build(request, format, &files, gathered);
    built.map_err(|faults| recognise::with_lenient_format(faults, format, request))
}
