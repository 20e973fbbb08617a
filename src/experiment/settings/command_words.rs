//! The command that makes a run again, from its record.

use std::collections::BTreeMap;

use gleaner_lang::program::settings::Value;
use gleaner_lang::syntax::marks::Wording;

use crate::experiment::records::run_record::RunRecord;
use crate::experiment::settings::config::default_settings;

/// The flags of reading that a record holds by their names, as [`RunRequest::flags`](crate::experiment::records::run_record::RunRequest).
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

/// The files with the settings that name them.
pub(crate) fn each_file<P>(files: &Files<P>) -> impl Iterator<Item = (&str, &P)> {
    files.iter().flat_map(|(setting, paths)| paths.iter().map(move |path| (&**setting, path)))
}

/// The command that makes a run again: its verb, and the settings of reading and learning that it gives, with their values.
pub(crate) struct RunCommand {
    pub(crate) verb: String,
    pub(crate) settings: Vec<(String, Option<String>)>,
}

impl RunCommand {
    /// The command of a record, which has no paths of `files`.
    pub(crate) fn of(record: &RunRecord, files: &Files<String>) -> Self {
        let request = &record.request;
        let mut command = Self { verb: request.command.clone(), settings: Vec::new() };
        each_file(files).for_each(|(name, path)| command.give(name, Some(path)));
        let read = request.flags.iter().filter(|(name, _)| !["modes", "background"].contains(&name.as_str()));
        read.for_each(|(name, value)| command.give(name, Some(value)));
        command.give("fold", request.fold);
        command.give("seed", Some(request.rng_seed));
        command.give("where", request.restriction.as_ref());
        command.give("negatives", request.negatives.as_ref());
        command.give("negatives-test", request.negatives_test.as_ref());
        command.give("target-in-body", request.target_in_body.as_ref());
        command.give("group", request.group);
        command.give("class-argument", request.class_argument);
        command.give("number-argument", request.number_argument.as_ref());
        request.frozen.iter().for_each(|frozen| command.give("frozen", Some(frozen)));
        command.give("exclude-inverse", request.exclude_inverse.then_some(""));
        command.give("count-filtered", request.count_filtered.then_some(""));
        command.give("repeats", Some(record.n_repeats() + record.repeats_left_out).filter(|&n| n > 1));
        for (name, value) in chosen_settings(record) {
            command.give(name, Some(setting_text(value)));
        }
        command
    }

    /// Adds a setting, if it has a value; an empty value is none.
    fn give(&mut self, name: &str, value: Option<impl ToString>) {
        if let Some(value) = value.map(|value| value.to_string()) {
            self.settings.push((name.to_owned(), Some(value).filter(|value| !value.is_empty())));
        }
    }

    /// The command as people write it, with its settings in the words of a surface. `data` stands for the data's path.
    pub(crate) fn text(&self, data: &str, say: Wording) -> String {
        let start = ["gleaner", &self.verb, data].map(str::to_owned).into_iter();
        let settings = self.settings.iter();
        let settings = settings.map(|(name, value)| say(name, value.as_deref().map(in_shell).as_deref()));
        start.chain(settings).collect::<Vec<_>>().join(" ")
    }
}

/// A word as a shell reads it.
pub(crate) fn in_shell(word: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./:,=%+@".contains(sign);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
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
