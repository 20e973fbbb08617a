//! Whether settings go together.

use gleaner_lang::program::settings::{Declaration, Need, SettingFault, Settings};
use gleaner_lang::syntax::Diagnostic;
use gleaner_learn::settings::{is_read_by, of_learning};

use super::setting_messages::diagnostic_of;

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
