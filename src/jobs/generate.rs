//! The job that writes a synthetic problem, and measures its planted theory.

use std::path::{Path, PathBuf};

use gleaner_data::{ClassRequest, LoadRequest};
use gleaner_generate::{
    AccountsConfig, GenerateError, Generated, GeneratedFile, SentencesConfig, Shop, ShopConfig,
    UniversityConfig, accounts, sentences, shop, university,
};
use gleaner_lang::syntax::codes;

use crate::experiment::clauses::planted::{GenerateAnswer, PlantedTheory, planted_theory, planted_votes};

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
    /// Which shoppers charge back a payment, by the tables of a shop's database.
    Shop(ShopConfig),
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
    /// Generates the problem, writes it, and measures the planted theory.
    pub(crate) fn run(self, listener: &dyn Listener) -> Result<GenerateAnswer, Failure> {
        match &self.domain {
            Domain::University(config) => self.problem(university(config), listener),
            Domain::Sentences(config) => self.problem(sentences(config), listener),
            Domain::Accounts(config) => self.problem(accounts(config), listener),
            Domain::Shop(config) => self.shop(shop(config), listener),
        }
    }

    /// Writes a problem in the own layout, and reads it again to measure the planted theory.
    fn problem(
        &self,
        generated: Result<Generated, GenerateError>,
        listener: &dyn Listener,
    ) -> Result<GenerateAnswer, Failure> {
        let mut generated = generated.map_err(|error| usage(&error))?;
        // Files that another problem left there would be loaded with this one.
        generated.files.extend(source_note(&self.folder));
        let written = generated.files.iter().map(|file| file.path.clone()).collect();
        let place = FolderOutput::claim(&self.folder, Earlier::Problem(written), self.overwrite, listener)?;
        place.write(|sink| generated.files.iter().try_for_each(|file| sink(&file.path, &file.text)))?;
        let classes = match generated.classes.as_slice() {
            [] => ClassRequest::default(),
            // The last argument gives the class.
            _ => ClassRequest { argument: Some(1), ..ClassRequest::default() },
        };
        let request = LoadRequest { path: self.folder.clone(), classes, ..LoadRequest::default() };
        let problem = load_problem(&request, listener)?.0.problem;
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

    /// Writes the tables of a shop. They are a database and no problem yet, so the generator tells what the rules cover.
    fn shop(
        &self,
        generated: Result<Shop, GenerateError>,
        listener: &dyn Listener,
    ) -> Result<GenerateAnswer, Failure> {
        let shop = generated.map_err(|error| usage(&error))?;
        let note = source_note(&self.folder);
        let mut files: Vec<String> = shop.files().collect();
        files.extend(note.iter().map(|note| note.path.clone()));
        let earlier = Earlier::Problem(files.iter().cloned().collect());
        let place = FolderOutput::claim(&self.folder, earlier, self.overwrite, listener)?;
        place.write_by(&files, |file, to| match note.as_ref().filter(|note| note.path == file) {
            Some(note) => to.write_all(note.text.as_bytes()),
            None => shop.write(file, to),
        })?;
        let votes = shop.examples().map(|example| (example.covered_by, example.is_positive));
        let PlantedTheory { metrics, accuracy, counts } = planted_votes(votes);
        let positives = shop.examples().filter(|example| example.is_positive).count();
        Ok(GenerateAnswer {
            positives,
            negatives: shop.examples().count() - positives,
            planted: shop.planted().to_vec(),
            metrics,
            accuracy,
            counts,
            summary: shop.summary(),
        })
    }
}

fn usage(error: &GenerateError) -> Failure {
    Failure::usage(codes::SETTING_VALUE, error.to_string())
}

/// A note on where the problem is from, which is its owner's and stays.
fn source_note(folder: &Path) -> Option<GeneratedFile> {
    let path = "SOURCE.md".to_owned();
    let text = std::fs::read_to_string(folder.join(&path)).ok()?;
    Some(GeneratedFile { path, text })
}
