//! The job that writes data in another layout.
//!
//! The job that writes a synthetic problem, and measures its planted theory.
//!
//! The job that describes data, with every fault found.
//!
//! The job that makes a problem of a corpus of texts.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use gleaner_data::convert::{Converted, ConvertedFile, convert};
use gleaner_data::{ClassRequest, Format, LoadPurpose, LoadRequest, Negatives, schema_of};
use gleaner_generate::{
    AccountsConfig, GenerateError, Generated, GeneratedFile, SentencesConfig, Shop, ShopConfig,
    UniversityConfig, accounts, sentences, shop, university,
};
use gleaner_lang::program::settings::SettingGroup;
use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_text::{Candidates, TextProblem, TextRequest, TextSummary, pairs_of_phrases, problem, read};

use crate::experiment::clauses::planted::{GenerateAnswer, PlantedTheory, planted_theory, planted_votes};
use crate::experiment::loading::inspect::InspectAnswer;
use crate::experiment::loading::modes_estimate::{Asked, ModesEstimate};
use crate::experiment::runs::split::SplitSettings;
use crate::experiment::settings::without_effect::Use;
use crate::experiment::{Split, catalog};
use crate::report::files::{ConvertAnswer, TextAnswer};

use super::failure::Failure;
use super::files::read_text;
use super::folder_output::{Earlier, FolderOutput};
use super::listener::{Listener, Means};
use super::session::{Made, Session, load_problem, warn_of_others};

/// Data that are to be written in another layout.
#[derive(Clone, Debug)]
pub(crate) struct Convert {
    /// The data.
    pub(crate) request: LoadRequest,
    /// The layout.
    pub(crate) to: Format,
    /// The folder to write: a new or an empty one.
    pub(crate) folder: PathBuf,
    /// Replace earlier files of the same names in it.
    pub(crate) overwrite: bool,
}

/// The files that were written.
#[derive(Debug)]
pub(crate) struct Written {
    to: Format,
    files: Vec<ConvertedFile>,
}

impl Written {
    /// The answer about these files.
    pub(crate) fn answer(&self) -> ConvertAnswer<'_> {
        ConvertAnswer::new(self.to, &self.files)
    }
}

impl Convert {
    /// Reads and writes.
    pub(crate) fn run(&self, listener: &dyn Listener) -> Result<Written, Failure> {
        let Self { request, to, folder, overwrite } = self;
        let made = [
            (request.restriction.is_some(), "⁅where⁆", ""),
            (request.negatives.is_some(), "⁅negatives⁆", ""),
            (request.negatives_test != Negatives::All, "⁅negatives-test⁆", ""),
            (request.classes != ClassRequest::default(), "⁅class-argument⁆, or several targets,", ""),
            (request.number.is_some(), "⁅number-argument⁆", ""),
            (request.max_derived_facts.is_some(), "⁅max-derived-facts⁆", ""),
            (request.propose_aggregates, "⁅propose-aggregates⁆", ""),
            (
                request.propose_modes,
                "⁅propose-modes⁆",
                "; `gleaner inspect ⁅propose-modes⁆` writes modes for ⁅modes⁆",
            ),
        ];
        if let Some((_, flag, hint)) = made.iter().find(|(is_given, _, _)| *is_given) {
            let why = "has no effect here: convert writes the data as read, before rules are run";
            return Err(Failure::usage(codes::SETTINGS_APART, format!("{flag} {why}{hint}")));
        }
        let mut sources = Sources::new();
        let Converted { files, warnings } = match convert(request, *to, catalog(), &mut sources) {
            Ok(converted) => converted,
            Err(diagnostics) => return Err(Failure::Data(diagnostics, sources)),
        };
        listener.warnings(&warnings, &sources);
        // Other files left there would be read with the new ones.
        let written = files.iter().map(|file| file.path.clone()).collect();
        let place = FolderOutput::claim(folder, Earlier::Problem(written), *overwrite, listener)?;
        place.write(|sink| files.iter().try_for_each(|file| sink(&file.path, &file.text)))?;
        Ok(Written { to: *to, files })
    }
}

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

/// A corpus that becomes a problem.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// The corpus.
    pub(crate) corpus: PathBuf,
    /// What the arguments are.
    pub(crate) candidates: Candidates,
    /// Within how many sentences in a row both arguments stand.
    pub(crate) window: usize,
    /// The kind of relations that are positive.
    pub(crate) relation: Option<String>,
    /// Whether both orders of a pair are examples, in a corpus without relations.
    pub(crate) is_directed: bool,
    /// How many folds the documents make, if that is said.
    pub(crate) n_folds: Option<usize>,
    /// Lists of words with their names.
    pub(crate) dictionaries: Vec<(String, PathBuf)>,
    /// The seed of the division.
    pub(crate) rng_seed: u64,
    /// The folder to write.
    pub(crate) folder: PathBuf,
    /// Replace earlier files of the same names in it.
    pub(crate) overwrite: bool,
}

impl Text {
    /// Reads the corpus, and writes a fold after the other.
    pub(crate) fn run(&self, listener: &dyn Listener) -> Result<TextAnswer, Failure> {
        let mut sources = Sources::new();
        let corpus = match read(&self.corpus, &mut sources) {
            Ok(corpus) => corpus,
            Err(faults) => return Err(Failure::Data(faults, sources)),
        };
        let mut dictionaries: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, path) in &self.dictionaries {
            dictionaries.entry(name.clone()).or_default().extend(word_list(path)?);
        }
        let request = TextRequest {
            candidates: self.candidates,
            window: self.window,
            relation: self.relation.clone(),
            is_directed: self.is_directed,
            n_folds: self.n_folds,
            dictionaries,
            rng_seed: self.rng_seed,
        };
        let problem = problem(&corpus, request).map_err(Failure::fault)?;
        listener.warnings(problem.warnings(), &sources);
        let files: BTreeSet<String> = if problem.is_unlabelled() {
            ["background.pl", "modes.pl", PAIRS].map(str::to_owned).into()
        } else {
            let names = (0..problem.n_folds()).flat_map(|fold| {
                let fold = problem.fold_name(fold);
                ["background.pl", "pos.pl", "neg.pl"].map(|name| format!("{fold}/{name}"))
            });
            names.chain(["background.pl", "modes.pl"].map(str::to_owned)).collect()
        };
        let place = FolderOutput::claim(&self.folder, Earlier::Problem(files), self.overwrite, listener)?;
        let summary = std::cell::Cell::new(TextSummary::default());
        let is_empty = || io::Error::other("the corpus has no examples");
        let written = place.write(|sink| {
            summary.set(if problem.is_unlabelled() {
                write_pairs(&problem, sink)
            } else {
                write(&problem, sink)
            }?);
            if has_examples(&problem, &summary.get()) { Ok(()) } else { Err(is_empty()) }
        });
        let summary = summary.get();
        if !has_examples(&problem, &summary) {
            let has_phrases = self.candidates == Candidates::Entities && pairs_of_phrases(&corpus) > 0;
            let fault = without_examples(&self.corpus, &summary);
            return Err(Failure::fault(match problem.is_unlabelled() && has_phrases {
                true => fault.with_help("⁅candidates=phrases⁆ pairs noun phrases, which some sentences have"),
                false => fault,
            }));
        }
        written?;
        listener.warnings(summary.lost_relations().as_slice(), &sources);
        listener.warnings(summary.unclear_pairs().as_slice(), &sources);
        let is_unlabelled = problem.is_unlabelled();
        Ok(TextAnswer {
            is_unlabelled,
            target: problem.target().to_owned(),
            folds: problem.n_folds(),
            sets: problem.sets().map(str::to_owned).collect(),
            summary: summary.into(),
        })
    }
}

/// The pairs of a corpus without relations, which `predict` takes as `--examples-file`.
const PAIRS: &str = "pairs.txt";

/// Whether there are examples to learn from, or pairs to score.
fn has_examples(problem: &TextProblem<'_>, summary: &TextSummary) -> bool {
    summary.negatives > 0 && (problem.is_unlabelled() || summary.positives > 0)
}

/// Writes the facts and the pairs of a corpus without relations.
fn write_pairs(problem: &TextProblem<'_>, sink: super::folder_output::Sink<'_>) -> io::Result<TextSummary> {
    let [rules, modes] = problem.program();
    let texts = problem.fold(0);
    sink("background.pl", &format!("{rules}{}", texts.background))?;
    sink("modes.pl", &modes)?;
    sink(PAIRS, &texts.negatives)?;
    Ok(texts.summary)
}

/// Writes the files of all folds.
fn write(problem: &TextProblem<'_>, sink: super::folder_output::Sink<'_>) -> io::Result<TextSummary> {
    let mut summary = TextSummary::default();
    let [rules, modes] = problem.program();
    sink("background.pl", &rules)?;
    sink("modes.pl", &modes)?;
    for fold in 0..problem.n_folds() {
        let texts = problem.fold(fold);
        let name = problem.fold_name(fold);
        sink(&format!("{name}/background.pl"), &texts.background)?;
        sink(&format!("{name}/pos.pl"), &texts.positives)?;
        sink(&format!("{name}/neg.pl"), &texts.negatives)?;
        summary.add(&texts.summary);
    }
    Ok(summary)
}

fn without_examples(corpus: &Path, summary: &TextSummary) -> Diagnostic {
    let what = format!(
        "{}: {} pairs are related and {} are not, and both are needed",
        corpus.display(),
        summary.positives,
        summary.negatives
    );
    Diagnostic::error(codes::NO_CANDIDATES, what).with_help(
        "an example is a pair of entities of one sentence; give entities, and relations between them",
    )
}

/// The stems of a list of words: a word in each line, or the names of the terms of an ontology in OBO.
fn word_list(path: &Path) -> Result<BTreeSet<String>, Failure> {
    Ok(gleaner_text::word_list(&read_text(path)?))
}
