use super::{Dividing, Use, without_effect, without_effect_on_division};
use crate::experiment::settings::config::{GivenSettings, PRESETS, default_settings, resolve_settings};
use gleaner_data::Division;

/// The messages for these settings, the others by default, of Gleaner unless another learner is set.
fn messages(set: &[(&str, &str)]) -> Vec<String> {
    let mut settings = default_settings();
    settings.set("learner", "gleaner").expect("a setting");
    set.iter().for_each(|(name, value)| settings.set(name, value).expect("a setting"));
    without_effect(&settings)
}

/// Settings that learners and searches do not declare have no effect with them.
#[test]
fn settings_without_effect_by_hand() {
    let with = |other: &str, names: &[&str]| -> Vec<String> {
        names.iter().map(|name| format!("⁅{name}⁆ has no effect with ⁅{other}⁆")).collect()
    };
    assert_eq!(messages(&[("clauses", "5"), ("folds", "3"), ("votes", "equal")]), [""; 0]);
    let boosting = [("learner", "mix1"), ("first-rounds", "3"), ("walk", "0.1"), ("votes", "equal")];
    assert_eq!(messages(&boosting), with("learner=mix1", &["votes", "walk", "first-rounds"]));
    assert_eq!(messages(&[("learner", "two-stage"), ("first-rounds", "3")]), [""; 0]);
    let ensemble = [("learner", "aleph-ensemble"), ("ensemble-size", "3"), ("theory-weights", "equal")];
    assert_eq!(messages(&ensemble), with("learner=aleph-ensemble", &["theory-weights"]));
    assert_eq!(
        messages(&[("learner", "aleph"), ("ensemble-size", "3")]),
        with("learner=aleph", &["ensemble-size"])
    );
    assert_eq!(
        messages(&[("search", "beam"), ("walk", "0.1"), ("beam-width", "3")]),
        with("search=beam", &["walk"])
    );
    let both = [with("learner=aleph", &["transfer"]), with("search=best-first", &["transfer"])].concat();
    assert_eq!(messages(&[("learner", "aleph"), ("transfer", "seeds")]), both);
}

/// The user did not write a preset's settings one by one; that none of them has an effect is messages.
#[test]
fn a_preset_is_not_told_setting_by_setting() {
    let messages = |learner: &str, further: &[(&str, &str)]| {
        let set = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let command_line = [("learner", learner)].iter().chain(further).map(set).collect();
        let given = GivenSettings { preset: Some(&PRESETS[0]), command_line, ..GivenSettings::default() };
        without_effect(&resolve_settings(&[], &given).expect("settings that there are").0)
    };
    assert_eq!(messages("aleph", &[]), [""; 0], "its score is the preset's");
    assert_eq!(messages("aleph", &[("votes", "equal")]), ["⁅votes⁆ has no effect with ⁅learner=aleph⁆"]);
    assert_eq!(messages("rankboost", &[]), [""; 0], "its minima are the preset's");
}

/// Gleaner smooths only votes by naive Bayes, a single theory only two kinds of weights.
#[test]
fn smoothing_without_effect_is_named() {
    let smoothing = ("smoothing", "add-one");
    assert_eq!(messages(&[smoothing]), ["⁅smoothing⁆ has no effect with ⁅votes=shared⁆"]);
    assert_eq!(messages(&[smoothing, ("votes", "naive-bayes")]), [""; 0]);
    let by = |weights| messages(&[smoothing, ("learner", "aleph"), ("theory-weights", weights)]);
    assert_eq!(by("recall"), ["⁅smoothing⁆ has no effect with ⁅theory-weights=recall⁆"]);
    assert_eq!((by("tan"), by("naive-bayes")), (Vec::new(), Vec::new()));
}

#[test]
fn numbers_that_rule_others_out_are_named() {
    let nodes = [("learner", "aleph"), ("clauses", "5"), ("theory-nodes", "3")];
    assert_eq!(messages(&nodes), ["⁅clauses⁆ has no effect with ⁅theory-nodes⁆"]);
    assert_eq!(
        messages(&[("learning-curve", "100,200"), ("clauses", "100")]),
        ["⁅learning-curve⁆ has no effect: none of its points is below ⁅clauses=100⁆"]
    );
    assert_eq!(messages(&[("learning-curve", "99,200"), ("clauses", "100")]), [""; 0]);
}

/// Folds are made where none are given, and for runs; tune is a share of train where there are few folds.
#[test]
fn folds_without_effect_by_hand() {
    let messages = |division, use_of_examples, folds: &str| {
        let mut settings = default_settings();
        settings.set("folds", folds).expect("a number");
        settings.set("tune", "0.5").expect("a share");
        let dividing = Dividing { division, n_given_folds: 5, has_group: true, use_of_examples };
        without_effect_on_division(&settings, &dividing)
    };
    let own = ": the data come with folds of their own";
    let next = "⁅tune⁆ has no effect with three folds or more: each run tunes on the next fold".to_owned();
    let because = |names: &[&str], why: &str| -> Vec<String> {
        names.iter().map(|name| format!("⁅{name}⁆ has no effect{why}")).collect()
    };
    assert_eq!(messages(Division::None, Use::Runs, "2"), [""; 0]);
    assert_eq!(messages(Division::None, Use::Runs, "3"), std::slice::from_ref(&next));
    assert_eq!(messages(Division::None, Use::Whole, "3"), because(&["folds", "group"], " without ⁅fold⁆"));
    let all = ["folds", "tune", "group"];
    assert_eq!(messages(Division::Folds, Use::Undivided, "3"), because(&all, " without ⁅fold⁆"));
    assert_eq!(
        messages(Division::Folds, Use::Runs, "2"),
        [because(&["folds", "group"], own), vec![next]].concat()
    );
    assert_eq!(messages(Division::TrainTest, Use::Whole, "3"), because(&["folds", "group"], own));
    let part = because(&["tune"], ": the data come with a tune part of their own");
    let both = [because(&["folds", "group"], own), part].concat();
    assert_eq!(messages(Division::TrainTuneTest, Use::Runs, "2"), both);
}
