//! The command that makes a run again, from its record.

use std::collections::BTreeMap;

use gleaner_lang::program::settings::Value;

use super::config::default_settings;
use super::run_record::RunRecord;

/// The flags of reading that a record holds by their names, as [`RunRequest::flags`](super::run_record::RunRequest).
pub(crate) const READING_FLAGS: [&str; 12] = [
    "format",
    "target",
    "label",
    "cut-off",
    "split-time",
    "horizon",
    "group",
    "modes",
    "background",
    "propose-modes",
    "propose-aggregates",
    "max-derived-facts",
];

/// Files beside the data, by the flags that name them.
pub(crate) type Files<P> = BTreeMap<String, Vec<P>>;

/// Those of each flag, if there are any.
pub(crate) fn files_named<P>(
    modes: impl IntoIterator<Item = P>,
    background: impl IntoIterator<Item = P>,
    feature_clauses: impl IntoIterator<Item = P>,
) -> Files<P> {
    let files = [
        ("modes", modes.into_iter().collect::<Vec<P>>()),
        ("background", background.into_iter().collect()),
        ("feature-clauses", feature_clauses.into_iter().collect()),
    ];
    let given = files.into_iter().filter(|(_, paths)| !paths.is_empty());
    given.map(|(flag, paths)| (flag.to_owned(), paths)).collect()
}

/// The files beside the data by their names, which is all that a record holds of them.
pub(crate) fn files_beside(record: &RunRecord) -> Files<String> {
    let request = &record.request;
    // A run folder has an entry for each of its models, `FOLDER/fold1/model.json`. Two folders of one name have two.
    let mut clauses: BTreeMap<&str, usize> = BTreeMap::new();
    for same in request.feature_clauses.chunk_by(|one, other| one.name == other.name) {
        let given = clauses.entry(same[0].name.split('/').next().unwrap_or_default()).or_default();
        *given = same.len().max(*given);
    }
    let names = |flag: &str| request.flags.get(flag).into_iter();
    files_named(
        names("modes").cloned(),
        names("background").flat_map(|names| names.split(',')).map(str::to_owned),
        clauses.into_iter().flat_map(|(name, n)| vec![name.to_owned(); n]),
    )
}

/// The words that name files.
pub(crate) fn file_words<P: Clone + From<String>>(files: &Files<P>) -> Vec<P> {
    let named = files.iter().flat_map(|(flag, paths)| paths.iter().map(move |path| (flag, path)));
    named.flat_map(|(flag, path)| [format!("--{flag}").into(), path.clone()]).collect()
}

/// The words of the command, without the program's name: `cv DATA --seed 1 ...`. `data` stands for the data's path. The
/// record has no paths of `files`.
pub(crate) fn command_words(record: &RunRecord, data: &str, files: &Files<String>) -> Vec<String> {
    let request = &record.request;
    let mut words = Words(vec![request.command.clone(), data.to_owned()]);
    words.0.extend(file_words(files));
    let flags = request.flags.iter().filter(|(name, _)| !["modes", "background"].contains(&name.as_str()));
    flags.for_each(|(name, value)| words.flag(name, Some(value)));
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

/// A command as a shell reads it.
pub(crate) fn in_shell(words: impl Iterator<Item = impl AsRef<str>>) -> String {
    words.map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./:,=%+@".contains(sign);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

struct Words(Vec<String>);

impl Words {
    /// Adds a flag, if it has a value; an empty value is none. A value that begins as a flag does is one word with its own.
    fn flag(&mut self, name: &str, value: Option<impl ToString>) {
        match value.map(|value| value.to_string()) {
            Some(value) if value.starts_with('-') => self.0.push(format!("--{name}={value}")),
            Some(value) => {
                self.0.push(format!("--{name}"));
                self.0.extend((!value.is_empty()).then_some(value));
            }
            None => {}
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
