//! Messages about settings that cannot be, that are made twice, or that do not go together.

use gleaner_data::SetDirective;
use gleaner_lang::program::settings::{Declaration, Need, SettingFault, Settings};
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::settings::{is_read_by, of_learning};

/// The last of several directives counts.
pub(crate) fn overruled(name: &str, earlier: &SetDirective, later: &SetDirective) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_SETTING, made_twice(name))
        .at(earlier.place, "has no effect")
        .at(later.place, "this one counts")
        .with_help("remove one of them")
}

/// Settings of another system's files that are none here, or take other values: one message for all of them.
pub(crate) fn ignored(settings: &[(&SetDirective, SettingFault)]) -> Option<Diagnostic> {
    let (first, fault) = settings.first()?;
    let mut names: Vec<&str> = settings.iter().map(|(directive, _)| directive.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let (what, help) = match names.as_slice() {
        [_] => (format!("{fault}: it is ignored"), fault.help()),
        several => (
            format!("{} settings of another system are ignored: {}", several.len(), several.join(", ")),
            "`gleaner learn ⁅help⁆` lists the settings that have an effect".to_owned(),
        ),
    };
    let warning = Diagnostic::warning(codes::UNUSED_SETTING, what);
    Some(warning.at(first.place, "has no effect").with_help(help))
}

/// One file of settings makes no setting twice.
pub(crate) fn set_again(name: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_SETTINGS_FILE, made_twice(name)).with_help("remove one of them")
}

fn made_twice(name: &str) -> String {
    format!("the setting {name} is made twice")
}

/// The message of a setting that is refused.
pub fn diagnostic_of(fault: &SettingFault) -> Diagnostic {
    let code = match fault {
        SettingFault::Unknown { .. } => codes::UNKNOWN_SETTING,
        SettingFault::Value { .. } => codes::SETTING_VALUE,
        SettingFault::Apart { .. } => codes::SETTINGS_APART,
    };
    Diagnostic::error(code, fault.to_string()).with_help(fault.help())
}

/// Checks that no setting has a word that needs another word of a second setting. Settings that the learner does not
/// read, and a second setting that is `auto`, are not checked.
///
/// # Errors
///
/// Each pair of settings that do not go together.
pub fn check_agreement(settings: &Settings) -> Result<(), Vec<Diagnostic>> {
    let mut faults: Vec<SettingFault> = Vec::new();
    for settings in of_learning(settings) {
        let learner = settings.learner();
        let read = settings.catalog().iter().map(Declaration::about);
        let read = read.filter(|about| is_read_by(&learner, about.name));
        for fault in read.filter_map(|about| apart(&settings, about.name, &about.needs?)) {
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.iter().map(diagnostic_of).collect()) }
}

fn apart(settings: &Settings, name: &'static str, need: &Need) -> Option<SettingFault> {
    let word = |name: &str| settings.value(name).map(|value| value.to_string());
    let own = word(name).filter(|own| need.words.contains(&own.as_str()))?;
    let other = word(need.setting).filter(|other| !need.others.contains(&other.as_str()))?;
    Some(SettingFault::Apart { one: (name, own), other: (need.setting, other), others: need.others })
}
