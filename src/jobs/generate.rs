//! The job that writes a synthetic problem, and measures its planted theory.

use std::path::{Path, PathBuf};

use crate::experiment::planted::{GenerateAnswer, PlantedTheory, planted_theory};
use gleaner_data::{ClassRequest, LoadRequest};
use gleaner_generate::{
    AccountsConfig, GeneratedFile, SentencesConfig, UniversityConfig, accounts, sentences, university,
};

use super::failure::Failure;
use super::folder_output::{Earlier, FolderOutput};
use super::listener::Listener;
use super::session::load_problem;

/// The kind of the generated problem, with its sizes and its seed.
#[derive(Clone, Debug)]
pub enum Domain {
    /// Who advises whom.
    University(UniversityConfig),
    /// Relations between phrases of sentences.
    Sentences(SentencesConfig),
    /// The class of an account, one of several.
    Accounts(AccountsConfig),
}

/// A problem that is to be generated.
#[derive(Clone, Debug)]
pub(crate) struct Generate {
    /// The domain of the problem.
    pub(crate) domain: Domain,
    /// The folder to write.
    pub(crate) folder: PathBuf,
    /// Replace an earlier problem of the same files in it.
    pub(crate) overwrite: bool,
}

impl Generate {
    /// Generates the problem, writes it, and reads it again to measure the planted theory.
    pub(crate) fn run(self, listener: &dyn Listener) -> Result<GenerateAnswer, Failure> {
        let Self { domain, folder, overwrite } = self;
        let generated = match domain {
            Domain::University(config) => university(&config),
            Domain::Sentences(config) => sentences(&config),
            Domain::Accounts(config) => accounts(&config),
        };
        let mut generated = generated.map_err(|error| Failure::Usage(error.to_string()))?;
        // Files that another problem left there would be loaded with this one.
        generated.files.extend(source_note(&folder));
        let written = generated.files.iter().map(|file| file.path.clone()).collect();
        let place = FolderOutput::claim(&folder, Earlier::Problem(written), overwrite, listener)?;
        place.write(|sink| generated.files.iter().try_for_each(|file| sink(&file.path, &file.text)))?;
        let classes = match generated.classes.as_slice() {
            [] => ClassRequest::default(),
            // The last argument gives the class.
            _ => ClassRequest { argument: Some(1), ..ClassRequest::default() },
        };
        let request = LoadRequest { path: folder, classes, ..LoadRequest::default() };
        let (problem, _) = load_problem(&request, listener)?;
        let PlantedTheory { metrics, accuracy, counts } = planted_theory(&problem, &generated.planted)?;
        Ok(GenerateAnswer {
            positives: generated.n_positives,
            negatives: generated.n_negatives,
            planted: generated.planted,
            metrics,
            accuracy,
            counts,
            summary: generated.summary,
        })
    }
}

/// A note on where the problem is from, which is its owner's and stays.
fn source_note(folder: &Path) -> Option<GeneratedFile> {
    let path = "SOURCE.md".to_owned();
    let text = std::fs::read_to_string(folder.join(&path)).ok()?;
    Some(GeneratedFile { path, text })
}
