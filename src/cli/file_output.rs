//! A file that a command writes, by `-o`: `-` is standard output.

use std::path::{Path, PathBuf};

use crate::store::{Place, WholeFile, check_place, write_elsewhere, write_whole};

use super::failure::Failure;
use super::output::Output;

/// Where a file goes, tried before the work begins.
#[derive(Debug)]
pub(super) enum FileOutput {
    /// To standard output, by `-` or as `/dev/stdout`.
    Standard,
    /// To what stands at the path.
    File(PathBuf),
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
            Place::StandardOutput if output.is_json() => Err(Failure::Usage(format!(
                "{flag} {shown}: --json writes events to standard output; give {flag} a file"
            ))),
            Place::StandardOutput => Ok(Self::Standard),
            Place::InPlace(_) => {
                output.note(&format!(
                    "warning: {shown} is written in place: it has several names (hard links), or its folder takes no new \
                     file; if the command is killed, it may hold only a part"
                ));
                Ok(Self::File(path.to_owned()))
            }
            Place::Through(_) | Place::Beside(_) => Ok(Self::File(path.to_owned())),
        }
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
            Some(_) => Err(Failure::Usage(format!(
                "{flag} {}: this command reads that file; give {flag} another path",
                path.display()
            ))),
        }
    }

    /// Where the command's own text goes: to standard error, where its file takes standard output.
    pub(super) const fn beside(&self, output: &Output) -> Output {
        match self {
            Self::Standard => output.without_text(),
            Self::File(_) => *output,
        }
    }

    /// Writes all of it.
    pub(super) fn write(&self, text: &str, output: &Output) -> Result<(), Failure> {
        match self {
            Self::Standard => output.data(text),
            Self::File(path) => {
                write_whole(path, text.as_bytes()).map_err(|error| Failure::write(path, &error))
            }
        }
    }

    /// As [`Self::write`], of what took long to find: where that fails it goes to a file of this name in another folder,
    /// which the message names.
    pub(super) fn write_or_save(&self, name: &str, text: &str, output: &Output) -> Result<(), Failure> {
        self.write(text, output).map_err(|failure| match write_elsewhere(|sink| sink(name, text)) {
            Ok(folder) => failure.with_help(format!("it is in {}", folder.join(name).display())),
            Err(error) => failure.with_help(format!("a temporary folder does not take it either: {error}")),
        })
    }

    /// A file for what comes piece by piece; none on standard output.
    pub(super) fn begin(&self) -> Result<Option<WholeFile>, Failure> {
        match self {
            Self::Standard => Ok(None),
            Self::File(path) => {
                WholeFile::create(path).map(Some).map_err(|error| Failure::write(path, &error))
            }
        }
    }
}
