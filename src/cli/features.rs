//! `gleaner features MODEL|CLAUSES DATA -o FILE`: what clauses cover, as a table that other learners read.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::experiment::clauses::cover::FeatureMatrix;
use crate::jobs::features::{ClauseSource, Features};
use crate::jobs::files::warn_of_other_run;
use crate::jobs::{Failure, Means, Session};
use crate::report::answer::done;
use crate::report::features::{CsvRows, LibsvmRows, npz};
use crate::store::WholeFile;
use gleaner_lang::syntax::codes;

use super::conduct::{Conduct, end_after, on_threads};
use super::file_output::{FileOutput, Sparing};
use super::flags::{ProblemFlags, ResourceFlags, SetFlags, TimeFlag};
use super::opening::opening;
use super::output::Output;
use super::setting_flags::Dividing;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A model file of `learn`, or a file of clauses of the target.
    #[arg(value_name = "MODEL|CLAUSES", help_heading = None)]
    source: PathBuf,
    #[command(flatten)]
    problem: ProblemFlags<Dividing>,
    /// Write the table to this file; - is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The format of the table; by default the end of the file's name decides: .csv, .libsvm or .npz.
    #[arg(long = "as", value_name = "FORMAT")]
    form: Option<Form>,
    #[command(flatten)]
    set: SetFlags,
    #[command(flatten)]
    resources: ResourceFlags,
    #[command(flatten)]
    time: TimeFlag,
}

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A row for each example, a column of 0 and 1 for each clause.
    Csv,
    /// Labels and the numbers of the clauses that cover, with names in comments.
    Libsvm,
    /// A compressed sparse matrix of NumPy and SciPy, with names, labels and weights beside it.
    Npz,
}

impl Form {
    /// What a file's name says.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "csv" => Some(Self::Csv),
            "libsvm" | "svm" | "svmlight" => Some(Self::Libsvm),
            "npz" => Some(Self::Npz),
            _ => None,
        }
    }
}

pub(super) fn features(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    end_after(arguments.time, output);
    let path = &arguments.output;
    let form = arguments.form.or_else(|| Form::of(path)).ok_or_else(|| {
        let message = "the name does not end in .csv, .libsvm or .npz; say --as csv, libsvm or npz";
        Failure::usage(codes::SETTING_VALUE, format!("-o {}: {message}", path.display()))
    })?;
    let read = arguments.problem.data.files().chain([&*arguments.source]);
    FileOutput::spare(path, "-o", read)?;
    let file = FileOutput::check(path, "-o", output)?;
    if form == Form::Npz && matches!(file, FileOutput::Standard) {
        return Err(Failure::usage(codes::SETTINGS_APART, "--as npz writes no text: give -o a file"));
    }
    warn_of_other_run(&arguments.source, output);
    let job = Features { source: ClauseSource::File(arguments.source.clone()), set: arguments.set.chosen() };
    let opening = opening(&arguments.problem, output)?;
    let sparing = Sparing::of(Some(path), "-o", output);
    let conduct = Conduct::of_whole(&arguments.resources)?;
    on_threads(&arguments.resources, || {
        let matrix =
            job.run(Session::load(opening, &sparing)?, Means { listener: output, limits: &conduct })?;
        write(&matrix, form, &file, output)?;
        output.note(&format!("{} examples, {} clauses", matrix.examples.len(), matrix.clauses.len()));
        output.event(&done(&matrix.answer()))
    })
}

fn write(matrix: &FeatureMatrix, form: Form, file: &FileOutput, output: &Output) -> Result<(), Failure> {
    let texts: Box<dyn Iterator<Item = String>> = match form {
        Form::Csv => Box::new(CsvRows::of(matrix)),
        Form::Libsvm => Box::new(LibsvmRows::of(matrix)),
        Form::Npz => {
            let Some(whole) = file.begin()? else { return Ok(()) };
            let path = whole.path().to_owned();
            let bytes = npz(matrix).map_err(|error| Failure::write(&path, &error.into()))?;
            return finish(whole, std::iter::once(bytes));
        }
    };
    match file.begin()? {
        Some(whole) => finish(whole, texts.map(String::into_bytes)),
        None => {
            for text in texts {
                output.data(&text)?;
            }
            Ok(())
        }
    }
}

fn finish(mut whole: WholeFile, pieces: impl Iterator<Item = Vec<u8>>) -> Result<(), Failure> {
    let path = whole.path().to_owned();
    for piece in pieces {
        whole.write(&piece).map_err(|error| Failure::write(&path, &error))?;
    }
    whole.finish().map_err(|error| Failure::write(&path, &error))
}
