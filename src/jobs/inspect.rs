//! The job that describes data, with every fault found.

use gleaner_data::{LoadPurpose, LoadRequest, schema_of};
use gleaner_lang::program::settings::SettingGroup;
use gleaner_lang::syntax::{Diagnostic, Sources, codes};

use crate::experiment::Split;
use crate::experiment::loading::inspect::InspectAnswer;
use crate::experiment::loading::modes_estimate::{Asked, ModesEstimate};
use crate::experiment::runs::split::SplitSettings;
use crate::experiment::settings::without_effect::Use;

use super::failure::Failure;
use super::listener::{Listener, Means};
use super::session::{Made, Session, warn_of_others};

/// A problem that is to be looked at; a class may have no examples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inspect {
    /// The settings that are made beside the data.
    pub(crate) made: Vec<Made>,
}

/// The result of an inspection.
pub(crate) enum Inspected {
    /// Modes that were proposed, where they were asked for.
    Modes(String),
    /// All of it.
    Data(Box<InspectAnswer>),
}

impl Inspect {
    /// Looks at it.
    pub(crate) fn run(&self, session: &Session, means: Means<'_>) -> Result<Inspected, Failure> {
        let Means { listener, limits } = means;
        let of_split = SplitSettings::declarations();
        let is_read =
            |name: &str| name == "depth" || of_split.iter().any(|setting| setting.about().name == name);
        warn_of_others("inspect", &self.made, is_read, listener);
        if let Some(modes) = session.problem.proposed_modes().filter(|_| session.request.propose_modes) {
            limits.lift();
            return Ok(Inspected::Modes(modes.to_owned()));
        }
        session.warn_of_division(Use::Runs, listener);
        session.warn_of_depth(listener);
        let splits = splits(session, listener)?;
        let request = LoadRequest { purpose: LoadPurpose::Learn, ..session.request.clone() };
        let asked =
            Asked { settings: &session.settings, split: session.split_request, budget: limits.loaded() };
        let estimates_modes = session.problem.labels().are_decided();
        let modes_estimate =
            if estimates_modes { ModesEstimate::of(&session.problem, &request, asked) } else { None };
        limits.lift();
        let answer = InspectAnswer::of(&session.problem, &session.settings, &splits);
        Ok(Inspected::Data(Box::new(InspectAnswer { modes_estimate, ..answer })))
    }
}

/// The schema of a database as a file, to be edited.
pub(crate) fn proposed_schema(request: &LoadRequest, listener: &dyn Listener) -> Result<String, Failure> {
    let mut sources = Sources::new();
    match schema_of(request, &mut sources) {
        Ok((schema, warnings)) => {
            listener.warnings(&warnings, &sources);
            schema.ok_or_else(|| {
                Failure::usage(codes::SETTINGS_APART, "⁅propose-schema⁆ needs the tables of a database")
            })
        }
        Err(faults) => Err(Failure::Data(faults, sources)),
    }
}

/// The runs of cross-validation. Empty for a problem that cannot be divided, which may be inspected all the same.
fn splits(session: &Session, listener: &dyn Listener) -> Result<Vec<Split>, Failure> {
    let examples = session.problem.examples();
    match session.splits() {
        // Loading already reported a class without examples.
        Err(_) if examples.n_positives() == 0 || examples.n_positives() == examples.len() => Ok(Vec::new()),
        Err(Failure::Data(faults, sources)) => {
            let told: Vec<Diagnostic> = faults
                .into_iter()
                .map(|fault| fault.into_warning("`inspect` can read it all the same"))
                .collect();
            listener.warnings(&told, &sources);
            Ok(Vec::new())
        }
        found => found,
    }
}
