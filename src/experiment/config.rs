//! All settings, and where they are made.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gleaner_data::SetDirective;
use gleaner_lang::program::settings::{Catalog, SettingGroup, Settings};
use gleaner_lang::syntax::Diagnostic;
use gleaner_learn::calibration::CalibrationConfig;
use gleaner_learn::links::LinkConfig;
use gleaner_learn::settings::{declarations, own_defaults};

use super::presets::Preset;
use super::setting_messages::{diagnostic_of, ignored, overruled};
use super::settings_file::FileSetting;
use super::split::SplitSettings;

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    Catalog::new(
        declarations()
            .into_iter()
            .chain(CalibrationConfig::declarations())
            .chain(SplitSettings::declarations())
            .chain(LinkConfig::declarations()),
        own_defaults(),
    )
});

/// All settings that there are.
#[must_use]
pub fn catalog() -> &'static Catalog {
    &CATALOG
}

/// Settings that all have their defaults.
#[must_use]
pub fn default_settings() -> Settings {
    Settings::new(catalog())
}

/// Settings that are given beside the data, each kind stronger than the one before; those of the data's own files
/// stand between the preset and the file.
#[derive(Clone, Debug, Default)]
pub struct GivenSettings {
    /// The settings of a preset.
    pub preset: Option<&'static Preset>,
    /// The settings of a file.
    pub file: Vec<FileSetting>,
    /// Name and value on the command line.
    pub command_line: Vec<(String, String)>,
}

/// The settings from the data's files and from the user, with warnings.
///
/// # Errors
///
/// Unknown names and values outside their ranges; in files of other systems, names that mean nothing here
/// are warnings.
pub fn resolve_settings(
    directives: &[SetDirective],
    given: &GivenSettings,
) -> Result<(Settings, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut settings = default_settings();
    let (mut errors, mut warnings, mut foreign) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(preset) = given.preset {
        for FileSetting { name, value } in preset.settings(catalog())? {
            settings.set_by_preset(name, &value).map_err(|fault| vec![diagnostic_of(&fault)])?;
        }
    }
    let mut last: BTreeMap<&str, &SetDirective> = BTreeMap::new();
    for directive in directives {
        let Err(fault) = settings.set(&directive.name, &directive.value) else {
            let name = catalog().find(&directive.name).map_or("", |setting| setting.about().name);
            if let Some(earlier) = last.insert(name, directive) {
                warnings.push(overruled(name, earlier, directive));
            }
            continue;
        };
        if directive.is_foreign {
            foreign.push((directive, fault));
        } else {
            errors.push(diagnostic_of(&fault).at(directive.place, "here"));
        }
    }
    warnings.extend(ignored(&foreign));
    let of_file = given.file.iter().map(|setting| (setting.name, setting.value.as_str()));
    let of_command = given.command_line.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in of_file.chain(of_command) {
        if let Err(fault) = settings.set(name, value) {
            errors.push(diagnostic_of(&fault));
        }
    }
    if errors.is_empty() { Ok((settings, warnings)) } else { Err(errors) }
}

#[cfg(test)]
mod tests;
