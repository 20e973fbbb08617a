//! All settings, where they are made, and presets: files of settings inside the program, by one name.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gleaner_data::SetDirective;
use gleaner_lang::program::settings::{Catalog, SettingGroup, Settings};
use gleaner_lang::syntax::{Diagnostic, FileId};
use gleaner_learn::calibration::CalibrationConfig;
use gleaner_learn::links::LinkConfig;
use gleaner_learn::settings::{declarations, own_defaults};

use crate::experiment::runs::split::SplitSettings;
use crate::experiment::settings::file::{FileSetting, diagnostic_of, file_settings, ignored, overruled};

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
pub fn catalog() -> &'static Catalog {
    &CATALOG
}

/// Settings that all have their defaults.
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
pub static PRESETS: [Preset; 3] = [
    Preset {
        name: "thesis",
        help: "the thesis's Gleaner: a theory for each bin, from the clauses with the best precision times recall, chosen \
               on tune",
        text: include_str!("presets/thesis.toml"),
    },
    Preset {
        name: "aleph-ensemble",
        help: "the thesis's ensembles of Aleph theories, to which it compares Gleaner: clauses by Laplace's estimate, of \
               precision .75 at least",
        text: include_str!("presets/aleph-ensemble.toml"),
    },
    Preset {
        name: "mlynx",
        help: "the mLynx of its paper: the one set of frequent queries, of 100, whose naive Bayes makes fewest errors",
        text: include_str!("presets/mlynx.toml"),
    },
];

impl Preset {
    /// The preset of a name.
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
pub fn listed() -> String {
    let files = PRESETS.iter().map(|Preset { name, help, text }| format!("## {name}: {help}\n\n{text}"));
    files.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use gleaner_engine::bias::SaturationConfig;
    use gleaner_engine::search::MIN_POSITIVES;
    use gleaner_lang::program::settings::{DataSummary, Given, Setting, SettingFault, Settings, Source};
    use gleaner_learn::covering::CoveringConfig;
    use gleaner_learn::shared_config::MIN_TUNE_POSITIVES;
    use gleaner_learn::srl::SrlConfig;

    use super::{GivenSettings, PRESETS, catalog, default_settings, resolve_settings};

    fn read<T: gleaner_lang::program::settings::SettingType>(settings: &Settings, setting: &Setting<T>) -> T {
        setting.read(&Given { settings, data: DataSummary::default() })
    }

    #[test]
    fn every_default_is_within_its_range() {
        let settings = default_settings();
        let names: std::collections::BTreeSet<&str> =
            catalog().iter().map(|setting| setting.about().name).collect();
        assert_eq!(names.len(), catalog().iter().count(), "each setting is listed once");
        for setting in catalog().iter() {
            let about = setting.about();
            assert_eq!(settings.value(about.name).is_none(), setting.is_computed(), "{}", about.name);
            assert!(!about.help.is_empty() && !about.source.is_empty(), "{}", about.name);
        }
        for own in catalog().own_defaults() {
            let mut settings = default_settings();
            settings.set("learner", own.learner).expect("the learner exists");
            assert_eq!(
                settings.value(own.setting).map(|value| value.to_string()).as_deref(),
                Some(own.default)
            );
        }
    }

    /// The effect of a setting depends only on existing settings and on words that these take. The word `auto` stands for
    /// that default. The same holds for the words of a setting's needs.
    #[test]
    fn conditions_name_settings_and_words() {
        let is_taken = |name: &str, word: &str| {
            let setting = catalog().find(name).expect("a setting");
            setting.check(word).is_ok() || word == "auto" && setting.about().default == "auto"
        };
        for about in catalog().iter().map(|setting| setting.about()) {
            for only in about.only.iter().flatten() {
                assert!(
                    only.words.iter().all(|word| is_taken(only.setting, word)),
                    "{}: {only:?}",
                    about.name
                );
            }
            for need in about.needs.iter() {
                assert!(need.words.iter().all(|word| is_taken(about.name, word)), "{}: {need:?}", about.name);
                assert!(
                    need.others.iter().all(|word| is_taken(need.setting, word)),
                    "{}: {need:?}",
                    about.name
                );
            }
        }
    }

    #[test]
    fn unknown_names_and_bad_values_are_named() {
        let mut settings = default_settings();
        assert_eq!(
            settings.set("clausse", "3"),
            Err(SettingFault::Unknown { name: "clausse".to_owned(), nearest: Some("clauses") })
        );
        assert!(matches!(settings.set("depth", "0"), Err(SettingFault::Value { name: "depth", .. })));
        assert!(matches!(settings.set("operating-point", "recall=2"), Err(SettingFault::Value { .. })));
        settings.set("min_pos", "4").expect("an underscore stands for a hyphen");
        assert_eq!(read(&settings, &MIN_POSITIVES), 4);
        settings.set("i", "3").expect("Aleph's name is taken");
        assert_eq!(SaturationConfig::of(&settings, DataSummary::default()).depth, 3);
    }

    /// The value of an `auto` setting follows from the data or from other settings.
    #[test]
    fn defaults_that_depend_by_hand() {
        let mut settings = default_settings();
        let [few, many] = [499, 500].map(|n_train_positives| Given {
            settings: &settings,
            data: DataSummary { n_train_positives, ..DataSummary::default() },
        });
        assert_eq!((MIN_POSITIVES.read(&few), MIN_TUNE_POSITIVES.read(&few)), (2, 0));
        assert_eq!((MIN_POSITIVES.read(&many), MIN_TUNE_POSITIVES.read(&many)), (7, 2));
        settings.set("learner", "aleph").expect("a learner");
        assert_eq!(CoveringConfig::of(&settings, DataSummary::default()).limits.clauses, 1_000);
        settings.set("clauses", "300").expect("a number");
        assert_eq!(CoveringConfig::of(&settings, DataSummary::default()).limits.clauses, 300);
        settings.set("theory-nodes", "20").expect("a number");
        assert_eq!(CoveringConfig::of(&settings, DataSummary::default()).limits.clauses, 20);
        settings.set("theory-nodes", "auto").expect("the default");
        assert_eq!(CoveringConfig::of(&settings, DataSummary::default()).limits.clauses, 300);
    }

    /// A list that is given is the grid of C. Without one the classifier decides: the values of the linear program are ten
    /// times those of the others.
    #[test]
    fn the_values_of_c_are_a_setting() {
        let mut settings = default_settings();
        let costs = |settings: &Settings| SrlConfig::of(settings, DataSummary::default()).costs;
        settings.set("learner", "srl").expect("a learner");
        let of_svm = costs(&settings);
        assert_eq!((of_svm.len(), of_svm[0], of_svm[8]), (9, 0.001, 10.0));
        settings.set("classifier", "linear-program").expect("a classifier");
        assert!(of_svm.iter().zip(costs(&settings)).all(|(one, ten)| (10.0 * one - ten).abs() < 1e-9));
        settings.set("costs", "5, 0.5").expect("numbers");
        assert_eq!(costs(&settings), [5.0, 0.5]);
        for refused in ["", "0", "-1", "1,x", "nan", "inf"] {
            assert!(settings.set("costs", refused).is_err(), "{refused}");
        }
    }

    /// Presets are made of settings that there are, in their ranges.
    #[test]
    fn presets_are_made_of_settings() {
        for preset in &PRESETS {
            let given = GivenSettings { preset: Some(preset), ..GivenSettings::default() };
            let made = preset.settings(catalog()).expect("a file of settings");
            let (settings, _) = resolve_settings(&[], &given).expect("settings that there are");
            assert!(made.iter().all(|setting| settings.is_set(setting.name)), "{}", preset.name);
        }
    }
}
