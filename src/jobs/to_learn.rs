//! What is learnt from: labelled examples, or a graph.

use crate::experiment::links::record::ALL_LINKS;
use crate::experiment::resolve_settings;
use gleaner_data::LoadRequest;
use gleaner_data::graph::LoadedGraph;
use gleaner_lang::program::examples::GraphData;
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::{Sources, codes};

use super::failure::Failure;
use super::links::load_links;
use super::listener::Listener;
use super::session::{Opening, Session};

/// Data that were read to learn from.
#[derive(Clone, Debug)]
pub(crate) enum ToLearn {
    /// Labelled examples of a problem.
    Examples(Box<Session>),
    /// A graph, whose links are learnt.
    Graph(Box<Session<GraphData>>),
}

impl From<Session> for ToLearn {
    fn from(session: Session) -> Self {
        Self::Examples(Box::new(session))
    }
}

/// Whether all links of a graph are asked for.
pub(crate) fn asks_links(request: &LoadRequest) -> bool {
    let target = request.target.as_ref().filter(|_| request.classes.targets.is_empty());
    target.is_some_and(|target| target.name == ALL_LINKS && target.arity.is_none())
}

impl ToLearn {
    /// Reads the data and resolves the settings.
    pub(crate) fn load(opening: Opening, listener: &dyn Listener) -> Result<Self, Failure> {
        if !asks_links(&opening.request) {
            return Ok(Self::Examples(Box::new(Session::load_to_learn(opening, listener)?)));
        }
        let Opening { request, given, group } = opening;
        if group.is_some() {
            return Err(apart("group"));
        }
        let (settings, _) =
            resolve_settings(&[], &given).map_err(|faults| Failure::Data(faults, Sources::new()))?;
        let (LoadedGraph { graph, warnings }, sources) = load_links(&request, listener)?;
        let session = Session::of(graph, sources, settings, request, None);
        let wording = listener.wording();
        Ok(Self::Graph(Box::new(Session { warnings, wording, ..session })))
    }

    /// The settings.
    pub(crate) fn settings(&self) -> &Settings {
        match self {
            Self::Examples(session) => &session.settings,
            Self::Graph(session) => &session.settings,
        }
    }

    /// The seed of everything random.
    pub(crate) fn rng_seed(&self) -> u64 {
        match self {
            Self::Examples(session) => session.rng_seed,
            Self::Graph(session) => session.rng_seed,
        }
    }
}

/// The failure that a setting has no meaning for links.
pub(crate) fn apart(setting: &str) -> Failure {
    let message = format!("⁅{setting}⁆ does not go with ⁅target={ALL_LINKS}⁆");
    Failure::usage(codes::SETTINGS_APART, message).with_help("leave it out")
}
