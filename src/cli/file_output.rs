//! A file that a command writes, by `-o`: `-` is standard output.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::store::{Place, RunNote, WholeFile, WriteError, check_place, write_elsewhere, write_whole};

use super::output::Output;
use crate::jobs::{Failure, Listener};
use crate::report::Document;
use gleaner_lang::syntax::marks::Wording;
use gleaner_lang::syntax::{Diagnostic, Sources, codes};

/// Where a file goes, tried before the work begins.
#[derive(Debug)]
pub(super) enum FileOutput {
    /// To standard output, by `-` or as `/dev/stdout`.
    Standard,
    /// To what stands at the path.
    File(PathBuf),
    /// Nowhere: nobody asked for it.
    Nowhere,
}

impl FileOutput {
    /// Says before the work begins that it could not be written, or not whole. `flag` names it where events are in its way.
    pub(super) fn check(path: &Path, flag: &str, output: &Output) -> Result<Self, Failure> {
        let place = if path.as_os_str() == "-" {
            Place::StandardOutput
        } else {
            check_place(path).map_err(|error| Failure::write(path, &error.into()))?
        };
        let shown = path.display();
        match place {
            Place::StandardOutput if output.is_json() => Err(Failure::usage(
                codes::SETTINGS_APART,
                format!("{flag} {shown}: --json writes events to standard output; give {flag} a file"),
            )),
            Place::StandardOutput => Ok(Self::Standard),
            Place::InPlace(_) => {
                output.warn(codes::IN_PLACE, &format!(
                    "{shown} is written in place: it has several names (hard links), or its folder takes no new \
                     file; a kill may leave only a part of it"
                ));
                Ok(Self::File(path.to_owned()))
            }
            Place::Through(_) | Place::Beside(_) => Ok(Self::File(path.to_owned())),
        }
    }

    /// As [`Self::check`], where a file was asked for.
    pub(super) fn check_or_none(path: Option<&Path>, flag: &str, output: &Output) -> Result<Self, Failure> {
        path.map_or(Ok(Self::Nowhere), |path| Self::check(path, flag, output))
    }

    /// Refuses a path at which one of the command's inputs stands: it would be lost.
    pub(super) fn spare<'p>(
        path: &Path,
        flag: &str,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<(), Failure> {
        let Some(there) = path.canonicalize().ok().filter(|there| there.is_file()) else { return Ok(()) };
        let is_it = |input: &&Path| input.canonicalize().is_ok_and(|input| input == there);
        match inputs.into_iter().find(is_it) {
            None => Ok(()),
            Some(_) => Err(Failure::usage(
                codes::SETTING_VALUE,
                format!("{flag} {}: this command reads that file; give {flag} another path", path.display()),
            )),
        }
    }

    /// Where the command's own text goes: to standard error, where its file takes standard output.
    pub(super) const fn beside(&self, output: &Output) -> Output {
        match self {
            Self::Standard => output.without_text(),
            Self::File(_) | Self::Nowhere => *output,
        }
    }

    /// Writes all of it.
    pub(super) fn write(&self, text: &str, output: &Output) -> Result<(), Failure> {
        match self {
            Self::Standard => output.data(text),
            Self::Nowhere => Ok(()),
            Self::File(path) => {
                write_whole(path, text.as_bytes()).map_err(|error| Failure::write(path, &error))
            }
        }
    }

    /// As [`Self::write`], of CSV.
    pub(super) fn write_table(&self, table: &str, output: &Output) -> Result<(), Failure> {
        self.write(&output.table(table), output)
    }

    /// Writes a file, and another one that goes with it. Both are written beside their places first. Then the earlier other
    /// file is removed, so that a kill never leaves files of two commands beside each other.
    pub(super) fn write_with(
        &self,
        text: &str,
        (other, of_other): (&Self, &str),
        output: &Output,
    ) -> Result<(), Failure> {
        let (ready, other_ready) = (self.ready(text)?, other.ready(of_other)?);
        if let (Self::File(path), Some(_)) = (other, &other_ready)
            && let Ok(Place::Beside(there)) = Place::of(path)
            && there.exists()
        {
            std::fs::remove_file(there).map_err(|error| other.failed(&error.into()))?;
        }
        self.finish(ready, text, output)?;
        other.finish(other_ready, of_other, output)
    }

    /// Puts a whole file in its place, or writes it where none could be made ready.
    fn finish(&self, ready: Option<WholeFile>, text: &str, output: &Output) -> Result<(), Failure> {
        match ready {
            Some(file) => file.finish().map_err(|error| self.failed(&error)),
            None => self.write(text, output),
        }
    }

    /// As [`Self::write`], of what took long to find: where that fails it goes to a file of this name in another folder,
    /// which the message names.
    pub(super) fn write_or_save(&self, name: &str, text: &str, output: &Output) -> Result<(), Failure> {
        let written = self.write(text, output);
        if let Self::File(path) = self {
            // Of whatever run it was to be, it is of this command now.
            RunNote::remove(path);
        }
        written.map_err(|failure| saved_elsewhere(failure, name, text))
    }

    /// Writes all of it right after a run folder, which `write_run` puts in its place: what takes time is done before, and until both
    /// stand there a note beside the file says which run it is to be of. `models` are those in the folder, which stands at
    /// `run`. Both are written though the other cannot be.
    pub(super) fn write_beside_run<'m>(
        &self,
        text: &str,
        run: &Path,
        models: impl IntoIterator<Item = (String, &'m str)>,
        write_run: impl FnOnce() -> Result<(), Failure>,
        output: &Output,
    ) -> Result<(), Failure> {
        const NAME: &str = "model.json";
        let ready = self.ready(text);
        if let Self::File(path) = self
            && matches!(Place::of(path), Ok(Place::Beside(_) | Place::InPlace(_)))
        {
            // Without a note both are written all the same; only a kill between the two would not be told.
            let _ = RunNote::new(text, run, models).write(path);
        }
        let run = write_run();
        let file = match ready {
            Ok(Some(file)) => file
                .finish()
                .map_err(|error| self.failed(&error))
                .map_err(|failure| saved_elsewhere(failure, NAME, text)),
            Ok(None) => self.write_or_save(NAME, text, output),
            Err(failure) => Err(saved_elsewhere(failure, NAME, text)),
        };
        if let Self::File(path) = self {
            RunNote::remove(path);
        }
        match (file, run) {
            (Err(file), Err(folder)) => Err(file.and(folder)),
            (file, folder) => file.and(folder),
        }
    }

    /// The whole file beside its place, if that can be; none where it is written as it comes.
    fn ready(&self, text: &str) -> Result<Option<WholeFile>, Failure> {
        let Self::File(path) = self else { return Ok(None) };
        if !matches!(Place::of(path), Ok(Place::Beside(_))) {
            return Ok(None);
        }
        let written = WholeFile::create(path).and_then(|mut file| {
            file.write(text.as_bytes())?;
            file.sync()?;
            Ok(file)
        });
        written.map(Some).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &WriteError) -> Failure {
        let path = match self {
            Self::Standard | Self::Nowhere => Path::new("-"),
            Self::File(path) => path,
        };
        Failure::write(path, error)
    }

    /// A file for what comes piece by piece; none on standard output.
    pub(super) fn begin(&self) -> Result<Option<WholeFile>, Failure> {
        match self {
            Self::Standard | Self::Nowhere => Ok(None),
            Self::File(path) => {
                WholeFile::create(path).map(Some).map_err(|error| Failure::write(path, &error))
            }
        }
    }
}

/// The listener of a job that reads data and writes a file: it refuses a file that is a part of the data. Which files they
/// are is known only when they are read, as layouts, schemas and imports name them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sparing<'o> {
    output: &'o Output,
    path: Option<&'o Path>,
    flag: &'static str,
}

impl<'o> Sparing<'o> {
    /// `flag` names the path of the file, if there is one.
    pub(super) const fn of(path: Option<&'o Path>, flag: &'static str, output: &'o Output) -> Self {
        Self { output, path, flag }
    }
}

impl Listener for Sparing<'_> {
    fn note(&self, text: &str) {
        self.output.note(text);
    }

    fn say(&self, text: &str) {
        self.output.say(text);
    }

    fn warnings(&self, warnings: &[Diagnostic], sources: &Sources) {
        self.output.warnings(warnings, sources);
    }

    fn has_read(&self, sources: &Sources) -> Result<(), Failure> {
        let Some(path) = self.path else { return Ok(()) };
        FileOutput::spare(path, self.flag, sources.iter().map(|(_, file)| Path::new(file.name())))
    }

    fn begins(&self, headline: &Document) -> Result<(), Failure> {
        self.output.begins(headline)
    }

    fn wording(&self) -> Wording {
        self.output.wording()
    }

    fn table<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.output.table(text)
    }
}

/// Puts what could not be written into a temporary folder, which the message names.
fn saved_elsewhere(failure: Failure, name: &str, text: &str) -> Failure {
    match write_elsewhere(|sink| sink(name, text)) {
        Ok(folder) => failure.with_help(format!("the output is in {}", folder.join(name).display())),
        Err(error) => {
            failure.with_help(format!("the output could not be saved in a temporary folder either: {error}"))
        }
    }
}
