//! The job that makes a problem of a corpus of texts.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use gleaner_lang::syntax::{Diagnostic, Sources, codes};
use gleaner_text::{Candidates, TextProblem, TextRequest, TextSummary, pairs_of_phrases, problem, read};

use crate::report::files::TextAnswer;

use super::failure::Failure;
use super::files::read_text;
use super::folder_output::{Earlier, FolderOutput};
use super::listener::Listener;

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
