//! The command that makes a run again, from its record.

use std::collections::BTreeMap;

use gleaner_lang::program::settings::Value;

use super::config::default_settings;
use super::run_record::RunRecord;

/// A flag that is written once for each of its values.
const REPEATED: &str = "background";

/// The words of the command, without the program's name: `cv DATA --seed 1 ...`. `data` stands for the data's path. Files
/// beside the data are called by their names alone.
pub(crate) fn command_words(record: &RunRecord, data: &str) -> Vec<String> {
    let request = &record.request;
    let mut words = Words(vec![request.command.clone(), data.to_owned()]);
    for (name, value) in &request.flags {
        let values = if name == REPEATED { value.split(',').collect() } else { vec![value.as_str()] };
        values.into_iter().for_each(|value| words.flag(name, Some(value)));
    }
    words.flag("fold", request.fold);
    words.flag("seed", Some(request.rng_seed));
    words.flag("where", request.restriction.as_ref());
    words.flag("negatives", request.negatives.as_ref());
    words.flag("negatives-test", request.negatives_test.as_ref());
    words.flag("target-in-body", request.target_in_body.as_ref());
    words.flag("group", request.group);
    words.flag("class-argument", request.class_argument);
    words.flag("number-argument", request.number_argument.as_ref());
    request.frozen.iter().for_each(|frozen| words.flag("frozen", Some(frozen)));
    words.flag("exclude-inverse", request.exclude_inverse.then_some(""));
    words.flag("count-filtered", request.count_filtered.then_some(""));
    words.flag("repeats", Some(record.n_repeats() + record.repeats_left_out).filter(|&n| n > 1));
    for (name, value) in chosen_settings(record) {
        words.flag(name, Some(setting_text(value)));
    }
    words.0
}

struct Words(Vec<String>);

impl Words {
    /// Adds a flag, if it has a value; an empty value is none.
    fn flag(&mut self, name: &str, value: Option<impl ToString>) {
        if let Some(value) = value.map(|value| value.to_string()) {
            self.0.push(format!("--{name}"));
            self.0.extend((!value.is_empty()).then_some(value));
        }
    }
}

/// The settings of a run that are not the defaults.
pub(crate) fn chosen_settings(record: &RunRecord) -> impl Iterator<Item = (&str, Option<&Value>)> {
    let defaults = default_settings();
    let usual: BTreeMap<String, Option<Value>> =
        defaults.recorded().map(|(name, value)| (name.to_owned(), value)).collect();
    let all = record.settings.iter();
    let chosen = all.filter(move |(name, value)| usual.get(*name).is_none_or(|known| known != *value));
    chosen.map(|(name, value)| (name.as_str(), value.as_ref()))
}

/// A value as a flag takes it.
pub(crate) fn setting_text(value: Option<&Value>) -> String {
    value.map_or_else(|| "auto".to_owned(), ToString::to_string)
}
