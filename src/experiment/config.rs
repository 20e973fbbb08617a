//! From settings to the learners' checked configurations.

use std::collections::BTreeMap;

use crate::bias::SaturationConfig;
use crate::learn::LearnerConfig;
use crate::learn::boost::{BoostConfig, BoostVariant};
use crate::learn::covering::{CoveringConfig, Induction, TheoryWeights};
use crate::learn::gleaner::config::{default_min_positives, default_threshold_bins};
use crate::learn::gleaner::{
    Duplicates, Emphasis, GleanerConfig, Keep, OperatingPoint, Partition, Selection, TheoryRule,
    ThresholdRule, ThresholdSet, VoteWeights,
};
use crate::problem::SetDirective;
use crate::program::settings::{
    LengthsText, Setting, SettingFault, Settings, parse_integers, parse_keep, parse_lengths,
    parse_operating_point, parse_shares,
};
use crate::search::directed::Scale;
use crate::search::{Lengths, Score, SearchConfig, SearchKind, SearchLimits};
use crate::syntax::{Diagnostic, codes};

/// The settings of the files, overridden by those of the command line, and what was odd.
///
/// # Errors
///
/// Unknown names and values outside their ranges; in files of other systems, names that mean nothing here
/// are warnings.
pub fn resolve_settings(
    directives: &[SetDirective],
    command_line: &[(String, String)],
) -> Result<(Settings, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut settings = Settings::default();
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let mut last: BTreeMap<&str, &SetDirective> = BTreeMap::new();
    for directive in directives {
        let Err(fault) = settings.set(&directive.name, &directive.value) else {
            let name = Setting::find(&directive.name).map_or("", |setting| setting.name);
            if let Some(earlier) = last.insert(name, directive) {
                warnings.push(set_again(name, earlier, directive));
            }
            continue;
        };
        let diagnostic = if directive.is_foreign {
            warnings.push(
                Diagnostic::warning(codes::UNUSED_SETTING, format!("{fault}: it is ignored"))
                    .with_label(directive.file, directive.span, "has no effect")
                    .with_help(fault.help()),
            );
            continue;
        } else {
            diagnostic_of(&fault).with_label(directive.file, directive.span, "here")
        };
        errors.push(diagnostic);
    }
    for (name, value) in command_line {
        if let Err(fault) = settings.set(name, value) {
            errors.push(diagnostic_of(&fault));
        }
    }
    if errors.is_empty() { Ok((settings, warnings)) } else { Err(errors) }
}

/// The last of several directives counts.
fn set_again(name: &str, earlier: &SetDirective, later: &SetDirective) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_SETTING, format!("the setting {name} is made twice"))
        .with_label(earlier.file, earlier.span, "has no effect")
        .with_label(later.file, later.span, "this one counts")
        .with_help("remove one of them")
}

fn diagnostic_of(fault: &SettingFault) -> Diagnostic {
    let code = match fault {
        SettingFault::Unknown(..) => codes::UNKNOWN_SETTING,
        SettingFault::Value(..) | SettingFault::Score(..) => codes::SETTING_VALUE,
    };
    Diagnostic::error(code, fault.to_string()).with_help(fault.help())
}

/// Gleaner's configuration; `auto` settings depend on the number of train positives.
///
/// # Panics
///
/// When a setting holds a value outside the table's range, which its constructor rules out.
#[must_use]
pub fn gleaner_config(settings: &Settings, n_train_positives: usize) -> GleanerConfig {
    let (min_positives, min_tune_positives) = default_min_positives(n_train_positives);
    let size = |name: &str| settings.size(name).expect("the setting has a default");
    let n_bins = size("bins");
    let theories = if settings.word("theories") == "bins" { TheoryRule::Bins } else { TheoryRule::Union };
    GleanerConfig {
        n_seeds: size("seeds"),
        n_bins,
        limits: search_limits(settings, min_positives),
        checkpoints: parse_integers(&settings.word("learning-curve")).expect("checked when it was set"),
        search: search_config(settings),
        saturation: saturation_config(settings),
        max_literals: size("max-literals"),
        min_tune_positives: settings.size("min-tune-pos").unwrap_or(min_tune_positives),
        partition: if settings.word("partition") == "roc" { Partition::Roc } else { Partition::Recall },
        emphasis: match settings.word("emphasis").as_str() {
            "salt" => Emphasis::Salt,
            "multiply" => Emphasis::Multiply,
            _ => Emphasis::None,
        },
        keep: match parse_keep(&settings.word("keep")) {
            Some(Some(1)) => Keep::Best,
            Some(Some(few)) => Keep::BestFew(few),
            _ => Keep::BestPerRestart,
        },
        selection: if settings.word("selection") == "sorted" { Selection::Sorted } else { Selection::All },
        theories,
        votes: match settings.word("votes").as_str() {
            "precision" => VoteWeights::Precision,
            "shared" => VoteWeights::Shared,
            "naive-bayes" => VoteWeights::NaiveBayes,
            _ => VoteWeights::Equal,
        },
        duplicates: if settings.word("duplicates") == "count" {
            Duplicates::Count
        } else {
            Duplicates::Merge
        },
        n_threshold_bins: settings
            .size("threshold-bins")
            .unwrap_or_else(|| default_threshold_bins(theories, n_bins)),
        thresholds: if settings.word("thresholds") == "own-bin" {
            ThresholdRule::OwnBin
        } else {
            ThresholdRule::BestOverlap
        },
        threshold_set: if settings.word("threshold-set") == "tune" {
            ThresholdSet::Tune
        } else {
            ThresholdSet::TrainAndTune
        },
        operating_point: operating_point(settings),
    }
}

/// The configuration of the learner that is set.
#[must_use]
pub fn learner_config(settings: &Settings, n_train_positives: usize) -> LearnerConfig {
    let learner = settings.word("learner");
    if let Some(variant) = BoostVariant::named(&learner) {
        return LearnerConfig::Boost(boost_config(settings, n_train_positives, variant));
    }
    match learner.as_str() {
        "aleph" => LearnerConfig::Covering(covering_config(settings, n_train_positives, false)),
        "aleph-ensemble" => LearnerConfig::Covering(covering_config(settings, n_train_positives, true)),
        _ => LearnerConfig::Gleaner(gleaner_config(settings, n_train_positives)),
    }
}

/// A covering learner's configuration; `auto` settings depend on the number of train positives.
fn covering_config(settings: &Settings, n_train_positives: usize, is_ensemble: bool) -> CoveringConfig {
    let (min_positives, min_tune_positives) = default_min_positives(n_train_positives);
    let size = |name: &str| settings.size(name).expect("the setting has a default");
    let curve = parse_integers(&settings.word("curve-clauses")).expect("checked when it was set");
    let limits = search_limits(settings, min_positives);
    let clauses = settings.integer("theory-nodes").unwrap_or(limits.clauses);
    CoveringConfig {
        n_theories: if is_ensemble { size("ensemble-size") } else { 1 },
        max_clauses: settings.size("theory-clauses"),
        induction: match settings.word("induction").as_str() {
            "induce-cover" => Induction::InduceCover,
            "induce-max" => Induction::InduceMax,
            _ => Induction::Induce,
        },
        limits: SearchLimits { clauses, ..limits },
        search: search_config(settings),
        saturation: saturation_config(settings),
        max_literals: size("max-literals"),
        min_tune_positives: settings.size("min-tune-pos").unwrap_or(min_tune_positives),
        is_ensemble,
        curve_clauses: curve.into_iter().filter_map(|size| usize::try_from(size).ok()).collect(),
        weights: TheoryWeights::named(&settings.word("theory-weights"))
            .expect("the table lists the weights that exist"),
        operating_point: operating_point(settings),
    }
}

/// A boosting learner's configuration; `auto` settings depend on the number of train positives.
fn boost_config(settings: &Settings, n_train_positives: usize, variant: BoostVariant) -> BoostConfig {
    let (min_positives, _) = default_min_positives(n_train_positives);
    let size = |name: &str| settings.size(name).expect("the setting has a default");
    let curve = parse_integers(&settings.word("curve-rounds")).expect("checked when it was set");
    let n_rounds = size("rounds");
    BoostConfig {
        variant,
        n_rounds,
        n_first_rounds: settings.size("first-rounds").unwrap_or(n_rounds / 2),
        patience: settings.size("patience"),
        n_round_seeds: size("round-seeds"),
        literal_share: settings.real("literal-share"),
        looks_ahead: settings.integer("lookahead") == Some(2),
        refits: settings.word("refit") == "train-and-tune",
        clauses: settings.integer("clauses").expect("the setting has a default"),
        min_positives: settings.size("min-pos").unwrap_or(min_positives),
        max_literals: size("max-literals"),
        saturation: saturation_config(settings),
        curve_rounds: curve.into_iter().filter_map(|size| usize::try_from(size).ok()).collect(),
        operating_point: operating_point(settings),
    }
}

/// The limits of one search.
fn search_limits(settings: &Settings, min_positives: usize) -> SearchLimits {
    SearchLimits {
        clauses: settings.integer("clauses").expect("the setting has a default"),
        min_positives: settings.size("min-pos").unwrap_or(min_positives),
        min_precision: settings.real("min-precision"),
        score: Score::parse(&settings.word("score")).expect("checked when it was set"),
    }
}

fn saturation_config(settings: &Settings) -> SaturationConfig {
    let depth = settings.integer("depth").and_then(|depth| u32::try_from(depth).ok());
    SaturationConfig {
        depth: depth.expect("the range of depth fits"),
        max_bottom_literals: settings.size("max-bottom-literals").expect("the setting has a default"),
    }
}

fn operating_point(settings: &Settings) -> OperatingPoint {
    match parse_operating_point(&settings.word("operating-point")) {
        Some(("recall", share)) => OperatingPoint::Recall(share),
        Some(("precision", share)) => OperatingPoint::Precision(share),
        _ => OperatingPoint::BestF1,
    }
}

/// The search that the settings name.
fn search_config(settings: &Settings) -> SearchConfig {
    let size = |name: &str| settings.size(name).expect("the setting has a default");
    let count = |name: &str| settings.integer(name).expect("the setting has a default");
    let kind = SearchKind::named(&settings.word("search"));
    SearchConfig {
        kind: kind.expect("the table lists the searches that exist"),
        lengths: match parse_lengths(&settings.word("lengths")) {
            Some(LengthsText::Exact) => Lengths::Exact,
            Some(LengthsText::Weighted(weights)) => Lengths::Weighted(weights),
            _ => Lengths::Uniform,
        },
        restart_evaluations: count("restart-evaluations"),
        walk: settings.real("walk"),
        beam_width: size("beam-width"),
        general_clauses: count("general-clauses"),
        climbs: size("climbs"),
        neighbours: size("neighbours"),
        alphas: parse_shares(&settings.word("alphas")).expect("checked when it was set"),
        scale: if settings.word("weight-scale") == "product" { Scale::Product } else { Scale::GeometricMean },
        transfers: settings.word("transfer") == "seeds",
    }
}

/// What only Gleaner has an ear for.
const OF_GLEANER: [&str; 14] = [
    "seeds",
    "bins",
    "keep",
    "partition",
    "emphasis",
    "theories",
    "votes",
    "duplicates",
    "selection",
    "threshold-bins",
    "thresholds",
    "threshold-set",
    "learning-curve",
    "transfer",
];

/// What only covering learners have an ear for.
const OF_COVERING: [&str; 5] =
    ["theory-clauses", "theory-nodes", "induction", "curve-clauses", "theory-weights"];

/// What only boosting has an ear for.
const OF_BOOSTING: [&str; 8] = [
    "rounds",
    "first-rounds",
    "patience",
    "round-seeds",
    "literal-share",
    "lookahead",
    "refit",
    "curve-rounds",
];

/// What boosting has no ear for, beside what other learners have for themselves: it climbs by its own areas.
const NOT_OF_BOOSTING: [&str; 14] = [
    "ensemble-size",
    "score",
    "search",
    "min-precision",
    "min-tune-pos",
    "restart-evaluations",
    "lengths",
    "walk",
    "beam-width",
    "general-clauses",
    "climbs",
    "neighbours",
    "alphas",
    "weight-scale",
];

/// Settings of single searches.
const OF_SEARCHES: [(&str, &[&str]); 8] = [
    ("restart-evaluations", &["rrr", "directed", "gsat", "walksat"]),
    ("lengths", &["rrr", "directed", "scs", "gsat", "walksat", "hill-climbing"]),
    ("walk", &["walksat"]),
    ("beam-width", &["beam"]),
    ("climbs", &["directed"]),
    ("neighbours", &["directed"]),
    ("alphas", &["directed"]),
    ("weight-scale", &["directed"]),
];

/// What was set and has no effect beside the rest, each in a sentence.
#[must_use]
pub fn without_effect(settings: &Settings) -> Vec<String> {
    let (learner, search) = (settings.word("learner"), settings.word("search"));
    let set = |names: &[&'static str]| -> Vec<&'static str> {
        names.iter().copied().filter(|name| settings.is_set(name)).collect()
    };
    let is_boosting = BoostVariant::named(&learner).is_some();
    let mut deaf = match learner.as_str() {
        "gleaner" => set(&[&OF_COVERING[..], &OF_BOOSTING, &["ensemble-size"]].concat()),
        "aleph" => set(&[&OF_GLEANER[..], &OF_BOOSTING, &["ensemble-size"]].concat()),
        // Theories vote, not their clauses.
        "aleph-ensemble" => set(&[&OF_GLEANER[..], &OF_BOOSTING, &["theory-weights"]].concat()),
        _ => set(&[&OF_GLEANER[..], &OF_COVERING, &NOT_OF_BOOSTING].concat()),
    };
    if is_boosting && learner != "two-stage" {
        deaf.extend(set(&["first-rounds"]));
    }
    deaf.dedup();
    let mut messages: Vec<String> =
        deaf.iter().map(|name| format!("--{name} has no effect with --learner {learner}")).collect();
    if is_boosting {
        // It has a search of its own.
        return messages;
    }
    for (name, searches) in OF_SEARCHES {
        if settings.is_set(name) && !searches.contains(&search.as_str()) {
            messages.push(format!("--{name} has no effect with --search {search}"));
        }
    }
    if settings.is_set("transfer") && search != "directed" {
        messages.push(format!("--transfer has no effect with --search {search}"));
    }
    messages
}
