//! Interpretations: cplint's program with its settings, bias and models, or the files of ACE and Tilde.

use std::path::Path;

use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat};
use crate::formats::folder::{content, single_program};
use crate::gather::{DataFile, Files, Habits, MakeReader, make};
use gleaner_lang::syntax::Diagnostic;

mod ace;
mod models;

/// cplint's layout.
#[derive(Debug)]
pub(super) struct Cplint;

impl FileFormat for Cplint {
    fn about(&self) -> About {
        About {
            name: "cplint",
            files_in_words: "output(p/n), or ACE's NAME.kb, NAME.s",
            habits: Habits { is_foreign: true, has_positives_among_facts: true, ..Habits::default() },
            clue: Clue::Statements,
        }
    }

    /// A program that names its target by `output(…)` and holds models, or ACE's models beside their settings.
    fn is_recognised(&self, path: &Path) -> bool {
        ace::is_recognised(path)
            || single_program(path).is_some_and(|file| {
                let text = content(&file);
                let begins = |what: &str| text.lines().any(|line| line.trim_start().starts_with(what));
                begins("output(") && (begins("neg(") || begins("begin(model("))
            })
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        if let Some(stem) = ace::stem(asked.path) {
            return Ok(Some(ace::files(&stem)));
        }
        let missing = || vec![faults::missing_file(&asked.path.join("*.pl"), "the models")];
        let program = single_program(asked.path).ok_or_else(missing)?;
        Ok(Some(Files::undivided(vec![DataFile::read_by(program, make::<models::Models>)])))
    }

    fn modes(&self) -> MakeReader {
        make::<models::Models>
    }
}
