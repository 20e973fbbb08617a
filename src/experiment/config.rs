//! From settings to the learners' checked configurations.

use std::collections::BTreeMap;

use crate::learn::LearnerConfig;
use crate::learn::boost::{BoostConfig, BoostVariant};
use crate::learn::covering::CoveringConfig;
use crate::learn::gleaner::GleanerConfig;
use crate::problem::SetDirective;
use crate::program::settings::{Setting, SettingFault, Settings};
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

/// The configuration of the learner that is set.
#[must_use]
pub fn learner_config(settings: &Settings, n_train_positives: usize) -> LearnerConfig {
    let learner = settings.word("learner");
    if BoostVariant::named(&learner).is_some() {
        return LearnerConfig::Boost(BoostConfig::of(settings, n_train_positives));
    }
    match learner.as_str() {
        "aleph" | "aleph-ensemble" => {
            LearnerConfig::Covering(CoveringConfig::of(settings, n_train_positives))
        }
        _ => LearnerConfig::Gleaner(GleanerConfig::of(settings, n_train_positives)),
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
