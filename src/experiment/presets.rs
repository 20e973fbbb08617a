//! Settings that go together, by one name: files of settings inside the program.

use gleaner_lang::program::settings::Catalog;
use gleaner_lang::syntax::{Diagnostic, FileId};

use super::settings_file::{FileSetting, file_settings};

/// Settings of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The preset's name on the command line.
    pub name: &'static str,
    /// A description of the preset, in a line.
    pub help: &'static str,
    /// The text of its file, as `--config` takes it.
    pub text: &'static str,
}

/// All presets, in the order of the help.
pub static PRESETS: [Preset; 1] = [Preset {
    name: "thesis",
    help: "the thesis's Gleaner: a theory for each bin, from the clauses with the best precision times recall, chosen on \
           tune",
    text: include_str!("presets/thesis.toml"),
}];

impl Preset {
    /// The preset of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The settings of the preset, in the order of its file.
    ///
    /// # Errors
    ///
    /// When its text is no settings file, which is a bug.
    pub fn settings(&self, catalog: &Catalog) -> Result<Vec<FileSetting>, Vec<Diagnostic>> {
        file_settings(catalog, self.text, FileId::default())
    }
}

/// All presets as files of settings, each below its name and description.
#[must_use]
pub fn listed() -> String {
    let files = PRESETS.iter().map(|Preset { name, help, text }| format!("## {name}: {help}\n\n{text}"));
    files.collect::<Vec<_>>().join("\n")
}
