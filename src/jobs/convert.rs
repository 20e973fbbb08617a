//! The job that writes data in another layout.

use std::path::PathBuf;

use gleaner_data::convert::{Converted, ConvertedFile, convert};
use gleaner_data::{ClassRequest, Format, LoadRequest, Negatives};
use gleaner_lang::syntax::{Sources, codes};

use crate::experiment::catalog;
use crate::report::files::ConvertAnswer;

use super::failure::Failure;
use super::folder_output::{Earlier, FolderOutput};
use super::listener::Listener;

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
            (request.aggregates.is_some(), "⁅aggregates⁆", ""),
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
