//! Clauses that are given: those of a model or of a text, and `--feature-clauses`, which takes them in place of a search.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gleaner_base::Budget;
use gleaner_data::clauses::{Checker, ClauseReader, Next, ReadClause, Widening, usable_predicates};
use gleaner_data::{GivenClauses, Problem, folder_below};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::program::{Clause, canonical};
use gleaner_lang::syntax::codes;
use gleaner_learn::{learner_named, learners};
use sha2::{Digest, Sha256};

use crate::experiment::records::comparable::Receiving;
use crate::experiment::records::run_record::{NamedRun, RunInput};
use crate::experiment::runs::split::Split;
use crate::experiment::settings::without_effect::without_effect_beside_clauses;

use super::failure::{Failure, is_of_links};
use super::files::{read_run, read_text, record_place, warn_of_other_run};
use super::kinds::{AnyModel, model_of_text};
use super::listener::Listener;
use super::run_folder;
use super::session::{Made, Session};

/// Files of clauses, models or runs whose clauses are features, in place of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct FeatureClauses {
    /// The files.
    pub(crate) sources: Vec<PathBuf>,
    /// The settings that are made; some have no effect beside clauses.
    pub(crate) made: Vec<Made>,
}

/// The runs that clauses are given to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs<'a> {
    /// The runs of a repetition that are tested: clauses learnt from their test examples would make figures too good.
    /// Empty for a run that learns from all examples.
    pub(crate) splits: &'a [Split],
    /// Repetitions; where only one run is wanted, as many as there are clauses of.
    pub(crate) n_repeats: Option<usize>,
}

impl FeatureClauses {
    /// Whether there are any.
    pub(crate) const fn are_given(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Refuses the clauses where no learner takes any, and warns of settings that have no effect beside them.
    pub(crate) fn check<'s>(
        &self,
        variants: impl Iterator<Item = &'s Settings>,
        listener: &dyn Listener,
    ) -> Result<(), Failure> {
        if !self.are_given() {
            return Ok(());
        }
        let takes = |settings: &Settings| {
            let learner = learner_named(&settings.learner());
            learner.is_some_and(|known| known.only_of_search(settings).is_some())
        };
        let (taking, others): (Vec<&Settings>, Vec<&Settings>) =
            variants.partition(|settings| takes(settings));
        let Some(first) = taking.first() else {
            let taking = learners().filter(|known| {
                others.first().is_some_and(|settings| known.only_of_search(settings).is_some())
            });
            let names: Vec<&str> = taking.flat_map(|known| known.names()).map(|known| known.name).collect();
            return Err(Failure::usage(
                codes::SETTINGS_APART,
                format!(
                    "⁅feature-clauses⁆ needs ⁅learner={}⁆: other learners search for clauses themselves",
                    names.join(", ")
                ),
            ));
        };
        for settings in others {
            let learner = settings.learner();
            listener.warn(
                codes::UNUSED_SETTING,
                &format!("⁅feature-clauses⁆ has no effect with ⁅learner={learner}⁆"),
            );
        }
        let only_of_search = without_effect_beside_clauses(first);
        for made in self.made.iter().filter(|made| only_of_search.contains(made.name)) {
            listener.warn(
                codes::UNUSED_SETTING,
                &format!("⁅{}⁆ has no effect with ⁅feature-clauses⁆", made.name),
            );
        }
        Ok(())
    }

    /// Reads them, and gives them to the runs of a session.
    pub(crate) fn give(
        &self,
        session: &mut Session,
        runs: &Runs<'_>,
        listener: &dyn Listener,
    ) -> Result<(), Failure> {
        if !self.are_given() {
            return Ok(());
        }
        let mut given = GivenClauses::default();
        for source in &self.sources {
            warn_of_other_run(source, listener);
            if source.is_dir() {
                give_of_runs(&mut given, session, source, runs)?;
                continue;
            }
            if !runs.splits.is_empty() {
                listener.warn(codes::FLATTERING, &format!(
                    "the clauses of {} do not name the examples that they were learnt from: figures flatter if \
                     tests use these, too; the run folder of a cv over the same folds gives each run its own clauses",
                    source.display()
                ));
            }
            given.of_all.extend(read(session, source, &file_name(source))?);
        }
        session.problem = session.problem.with_given_clauses(given);
        session.clause_sources.clone_from(&self.sources);
        Ok(())
    }
}

/// The clauses of each model of a finished cross-validation, to the run of the same fold, or to one that is not tested.
fn give_of_runs(
    given: &mut GivenClauses,
    session: &mut Session,
    folder: &Path,
    runs: &Runs<'_>,
) -> Result<(), Failure> {
    let record = read_run(folder, &record_place(folder)?)?;
    let from = NamedRun { name: folder.display().to_string(), record };
    if !runs.splits.is_empty() {
        let request = run_folder::request(session, "cv", None);
        let n_repeats = runs.n_repeats.unwrap_or_else(|| from.record.n_repeats());
        let receiving =
            Receiving { request: &request, problem: &session.problem, splits: runs.splits, n_repeats };
        receiving.check(&from).map_err(Failure::fault)?;
    }
    for run in &from.record.runs {
        let model = folder_below(folder, &run.name()).join("model.json");
        let below = model.strip_prefix(folder).unwrap_or(&model);
        let name = format!("{}/{}", file_name(folder), below.display());
        let clauses = read(session, &model, &name)?;
        let of_run = if runs.splits.is_empty() {
            &mut given.of_all
        } else {
            given.of_runs.entry((run.fold.clone(), run.repeat)).or_default()
        };
        of_run.extend(clauses);
    }
    Ok(())
}

/// Reads the clauses of a file, and notes their hash under the name.
fn read(session: &mut Session, source: &Path, name: &str) -> Result<Vec<Clause>, Failure> {
    let (read, widening) = read_clauses(&session.problem, source)?;
    let worlds = widening.worlds(&session.problem);
    session.problem = session.problem.with_facts(Arc::clone(widening.symbols()), worlds);
    let mut digest = Sha256::new();
    for clause in &read {
        digest.update(clause.text.as_bytes());
        digest.update(b"\n");
    }
    let sha256 = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    session.feature_clauses.push(RunInput { name: name.to_owned(), sha256 });
    Ok(read.iter().map(|read| canonical(&read.clause)).collect())
}

/// The name of a file or folder; of a path that ends with none, as `..`, the path.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Reads a model file, which must not be one of links.
fn model_of_examples(source: &Path) -> Result<AnyModel, Failure> {
    let model = model_of_text(source, &read_text(source)?)?;
    if model.models().is_empty() { Err(is_of_links(source)) } else { Ok(model) }
}

/// The clauses, each as often as it is written, and the problem's symbols with the clauses' own constants. Clauses of a
/// model ascend by text.
pub(crate) fn read_clauses(problem: &Problem, source: &Path) -> Result<(Vec<ReadClause>, Widening), Failure> {
    let usable = usable_predicates(problem);
    let mut checker = Checker::new(problem, &usable);
    if is_model(source) {
        let mut texts: Vec<String> =
            model_of_examples(source)?.models().iter().flat_map(|file| file.clause_texts()).collect();
        texts.sort_unstable();
        texts.dedup();
        let read = texts.iter().map(|text| checker.read_one("a clause of the model", text));
        let read = read.map(|written| written.map(|written| written.read)).collect::<Result<_, _>>()?;
        Ok((read, Widening::new(problem, checker.names())))
    } else {
        let mut reader = ClauseReader::open(source, checker)?;
        let mut all = Vec::new();
        while let Next::Clauses(some) = reader.next(&Budget::unlimited())? {
            all.extend(some);
        }
        let widening = Widening::new(problem, reader.names());
        Ok((all, widening))
    }
}

/// Clauses of a program, each a text of its own.
pub(crate) fn read_texts(
    problem: &Problem,
    texts: &[String],
) -> Result<(Vec<ReadClause>, Widening), Failure> {
    let usable = usable_predicates(problem);
    let mut checker = Checker::new(problem, &usable);
    let read_one = |(at, text): (usize, &String)| {
        checker.read_one(&format!("clause {}", at + 1), text).map(|written| written.read)
    };
    let read = texts.iter().enumerate().map(read_one).collect::<Result<_, _>>()?;
    Ok((read, Widening::new(problem, checker.names())))
}

/// Whether a file is a model: JSON begins with a brace, a clause never does. A pipe is read once, so it holds clauses.
/// A file that cannot be read is reported by its reader.
fn is_model(source: &Path) -> bool {
    let first =
        |file: BufReader<File>| file.bytes().map_while(Result::ok).find(|byte| !byte.is_ascii_whitespace());
    source.is_file() && File::open(source).ok().map(BufReader::new).and_then(first) == Some(b'{')
}
