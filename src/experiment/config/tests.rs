use super::{GivenSettings, catalog, default_settings, resolve_settings};
use crate::experiment::presets::PRESETS;
use gleaner_engine::bias::SaturationConfig;
use gleaner_engine::search::MIN_POSITIVES;
use gleaner_lang::program::settings::{DataSummary, Given, Setting, SettingFault, Settings, Source};
use gleaner_learn::covering::CoveringConfig;
use gleaner_learn::shared_config::MIN_TUNE_POSITIVES;

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
        assert_eq!(settings.value(own.setting).map(|value| value.to_string()).as_deref(), Some(own.default));
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
            assert!(only.words.iter().all(|word| is_taken(only.setting, word)), "{}: {only:?}", about.name);
        }
        for need in about.needs.iter() {
            assert!(need.words.iter().all(|word| is_taken(about.name, word)), "{}: {need:?}", about.name);
            assert!(need.others.iter().all(|word| is_taken(need.setting, word)), "{}: {need:?}", about.name);
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
