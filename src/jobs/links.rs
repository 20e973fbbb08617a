//! Graphs as jobs read them, and what they say where one cannot be used.

use std::path::Path;

use gleaner_data::LoadRequest;
use gleaner_data::graph::{LoadedGraph, load_graph};
use gleaner_lang::program::examples::GraphData;
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_learn::links::Interrupted;
use gleaner_learn::links::saved::LinkModelError;

use super::bad_model::said_of;
use super::failure::Failure;
use super::listener::Listener;

/// Reads a graph.
pub(crate) fn read(request: &LoadRequest, listener: &dyn Listener) -> Result<GraphData, Failure> {
    Ok(load_links(request, listener)?.0.graph)
}

/// Reads a graph, with its warnings and sources.
pub(crate) fn load_links(
    request: &LoadRequest,
    listener: &dyn Listener,
) -> Result<(LoadedGraph, Sources), Failure> {
    let mut sources = Sources::new();
    match load_graph(&request.path, request.tables.as_deref(), &mut sources) {
        Ok(loaded) => {
            listener.has_read(&sources)?;
            listener.warnings(&loaded.warnings, &sources);
            Ok((loaded, sources))
        }
        Err(faults) => Err(Failure::Data(faults, sources)),
    }
}

/// The budget ran out before there was a result.
pub(crate) fn stopped(Interrupted(reason): Interrupted) -> Failure {
    Failure::stopped(reason, "all links were counted")
}

/// The failure that a file is no model of links.
pub(crate) fn bad_links(path: &Path, error: &LinkModelError) -> Failure {
    let code =
        if matches!(error, LinkModelError::Version(_)) { codes::MODEL_VERSION } else { codes::BAD_MODEL };
    Failure::fault(
        Diagnostic::error(code, said_of(path, error))
            .with_help("a model of links is what `gleaner learn DATA ⁅target=all⁆ -o MODEL` writes"),
    )
}
