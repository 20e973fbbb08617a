//! The request of a cross-validation: everything that its results depend on. Parts have names that users know, so that
//! a message can name what differs between two requests.
//!
//! The command that makes a run again, from its record.

use std::collections::{BTreeMap, BTreeSet};

use gleaner_lang::program::settings::{LEARNER, Settings, Value};
use gleaner_lang::syntax::marks::Wording;
use serde::{Deserialize, Serialize};

use crate::experiment::records::run_record::{NamedRun, RunInput, RunRecord, RunRequest};
use crate::experiment::settings::config::default_settings;
use crate::store::model_file::DivisionHeader;

/// The version of checkpoints; it rises when runs are kept otherwise.
const CHECKPOINT_VERSION: u32 = 4;

/// The layout, which a run record that was read does not give.
const FORMAT: &str = "format";

/// The text for a part that a request does not have.
const NOTHING: &str = "nothing";

/// The value of a setting that a request does not record: some are recorded only if they were changed.
const THE_DEFAULT: &str = "its default";

/// Each thing that was asked for, with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    gleaner_checkpoint: u32,
    /// Settings that are no settings of learning. A file that one names stands behind its name.
    given: BTreeMap<String, String>,
    /// Everything else, by its name in words.
    asked: BTreeMap<String, String>,
    variants: Vec<VariantSettings>,
}

/// The settings of a variant, by their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct VariantSettings {
    name: String,
    settings: BTreeMap<String, String>,
}

/// One part that differs between two requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The part that differs: a flag, a file, a version.
    pub what: String,
    /// The value in the earlier request.
    pub then: String,
    /// The value in the present request.
    pub now: String,
}

/// The present request of a cross-validation.
#[derive(Clone, Copy, Debug)]
pub struct CvRequest<'a> {
    /// The request for the data.
    pub request: &'a RunRequest,
    /// The layout.
    pub format: &'a str,
    /// The target, as a record names it.
    pub target: &'a str,
    /// The folds of a repetition.
    pub folds: &'a [&'a str],
    /// Repetitions.
    pub n_repeats: usize,
    /// Each variant.
    pub variants: &'a [AskedVariant<'a>],
}

/// A variant that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct AskedVariant<'a> {
    /// The name that distinguishes this variant from the others; empty if there is only one.
    pub name: &'a str,
    /// The learner, as a record names it.
    pub learner: &'a str,
    /// The settings of the variant.
    pub settings: &'a Settings,
}

impl Difference {
    /// The difference that stands for an earlier request that cannot be read.
    pub fn unreadable() -> Self {
        let [what, then, now] =
            ["what was asked for", "something that this release cannot read", "something else"]
                .map(str::to_owned);
        Self { what, then, now }
    }
}

impl Asked {
    /// The request of this cross-validation.
    pub fn of(cv: &CvRequest<'_>) -> Self {
        let mut asked = Self::of_request(cv.request, env!("CARGO_PKG_VERSION"), cv.folds, cv.n_repeats);
        asked.give(FORMAT, &cv.format);
        asked.say("target", &cv.target);
        for AskedVariant { name, learner, settings } in cv.variants {
            asked.variants.push(VariantSettings::of(name, learner, settings.recorded()));
        }
        asked
    }

    /// The request of a finished cross-validation, from its records, one for each variant. `None` if they are of no
    /// cross-validation.
    pub fn of_records(records: &[NamedRun]) -> Option<Self> {
        let first = &records.first().filter(|run| run.record.request.command == "cv")?.record;
        let folds: Vec<&str> =
            first.runs.iter().filter(|run| run.repeat == 0).map(|run| run.fold.as_str()).collect();
        let n_repeats = first.n_repeats() + first.repeats_left_out;
        let mut asked = Self::of_request(&first.request, &first.gleaner_version, &folds, n_repeats);
        asked.say("target", &first.target);
        for NamedRun { name, record } in records {
            let settings = record.settings.iter().map(|(name, value)| (name.as_str(), value.clone()));
            asked.variants.push(VariantSettings::of(name, &record.learner, settings));
        }
        Some(asked)
    }

    fn of_request(request: &RunRequest, version: &str, folds: &[&str], n_repeats: usize) -> Self {
        let mut asked = Self {
            gleaner_checkpoint: CHECKPOINT_VERSION,
            given: BTreeMap::new(),
            asked: BTreeMap::new(),
            variants: Vec::new(),
        };
        let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| NOTHING.to_owned());
        let group = request.group.map(|group| group.to_string());
        asked.say("the version of gleaner", &version);
        asked.give("seed", &request.rng_seed);
        asked.give("where", &or_none(&request.restriction));
        asked.give("negatives", &or_none(&request.negatives));
        if request.count_filtered {
            asked.give("count-filtered", &true);
        }
        asked.give("negatives-test", &or_none(&request.negatives_test));
        asked.give("target-in-body", &or_none(&request.target_in_body));
        if request.exclude_inverse {
            asked.give("exclude-inverse", &true);
        }
        if request.number_argument.is_some() {
            asked.give("number-argument", &or_none(&request.number_argument));
        }
        asked.give("group", &or_none(&group));
        if let Some(DivisionHeader { split_time, horizon, group }) = &request.division {
            let parts = [("split-time", split_time), ("horizon", horizon), ("group", group)];
            for (name, value) in parts.into_iter().filter(|(_, value)| value.is_some()) {
                asked.give(name, &or_none(value));
            }
        }
        if let Some(time) = request.flags.get("cut-off") {
            asked.give("cut-off", time);
        }
        if !request.frozen.is_empty() {
            asked.give("frozen", &request.frozen.join(","));
        }
        asked.say("modes proposed from the data", &request.proposed_modes);
        asked.give("repeats", &n_repeats);
        asked.say("the list of folds", &folds.join(", "));
        asked.asked.extend(hashes("the file", &request.inputs));
        asked.given.extend(hashes("feature-clauses", &request.feature_clauses));
        asked
    }

    fn give(&mut self, name: &str, value: &dyn ToString) {
        self.given.insert(name.to_owned(), value.to_string());
    }

    fn say(&mut self, what: &str, value: &dyn ToString) {
        self.asked.insert(what.to_owned(), value.to_string());
    }

    /// The text of a file.
    ///
    /// # Panics
    ///
    /// Never: it is plain data.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a map of texts is plain data");
        text.push('\n');
        text
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// When the text is no request.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Each part that differs from an earlier request, by name. A request that was read from a run's records holds only
    /// parts that records hold.
    pub fn differences(&self, then: &Self) -> Vec<Difference> {
        let mut differences = Vec::new();
        if self.gleaner_checkpoint != then.gleaner_checkpoint {
            differences.push(Difference {
                what: "the version of checkpoints".to_owned(),
                then: then.gleaner_checkpoint.to_string(),
                now: self.gleaner_checkpoint.to_string(),
            });
        }
        // The record of a run that was read does not give the layout.
        let both_give = [then, self].iter().all(|asked| asked.given.contains_key(FORMAT));
        let given = |asked: &Self| {
            let mut given = asked.given.clone();
            given.retain(|name, _| name != FORMAT || both_give);
            given
        };
        differences.extend(of_settings(different(&given(then), &given(self), NOTHING)));
        differences.extend(different(&then.asked, &self.asked, NOTHING));
        let names = |asked: &Self| -> Vec<String> {
            let name = |variant: &VariantSettings| match variant.name.as_str() {
                "" => "one without a name".to_owned(),
                name => name.to_owned(),
            };
            asked.variants.iter().map(name).collect()
        };
        let (names_then, names_now) = (names(then), names(self));
        if names_then != names_now {
            let [then, now] = [names_then, names_now].map(|names| names.join(", "));
            differences.push(Difference { what: "the list of variants".to_owned(), then, now });
            return differences;
        }
        for (then, now) in then.variants.iter().zip(&self.variants) {
            let of = if now.name.is_empty() { String::new() } else { format!(" of {}", now.name) };
            let of_variant = of_settings(different(&then.settings, &now.settings, THE_DEFAULT));
            differences.extend(of_variant.map(|mut difference| {
                difference.what.push_str(&of);
                difference
            }));
        }
        differences
    }
}

impl VariantSettings {
    fn of<'s>(name: &str, learner: &str, settings: impl Iterator<Item = (&'s str, Option<Value>)>) -> Self {
        let text = |value: Option<Value>| value.map_or_else(|| "auto".to_owned(), |value| value.to_string());
        let mut settings: BTreeMap<String, String> =
            settings.map(|(name, value)| (name.to_owned(), text(value))).collect();
        settings.insert(LEARNER.to_owned(), learner.to_owned());
        Self { name: name.to_owned(), settings }
    }
}

/// The differences between two maps, by name. `unsaid` stands for the value of a name that one map lacks.
fn different(
    then: &BTreeMap<String, String>,
    now: &BTreeMap<String, String>,
    unsaid: &str,
) -> Vec<Difference> {
    let names: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
    let said =
        |map: &BTreeMap<String, String>, name: &str| map.get(name).map_or(unsaid, String::as_str).to_owned();
    let of_name = |name: &String| {
        let (then, now) = (said(then, name), said(now, name));
        (then != now).then(|| Difference { what: name.clone(), then, now })
    };
    names.into_iter().filter_map(of_name).collect()
}

/// The same differences, with the settings marked that they name.
fn of_settings(differences: Vec<Difference>) -> impl Iterator<Item = Difference> {
    differences.into_iter().map(|difference| {
        let what = match difference.what.split_once(' ') {
            Some((name, file)) => format!("⁅{name}⁆ {file}"),
            None => format!("⁅{}⁆", difference.what),
        };
        Difference { what, ..difference }
    })
}

/// The hashes of files, each after `what` and the file's name. They distinguish two files of one name.
fn hashes(what: &str, inputs: &[RunInput]) -> BTreeMap<String, String> {
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for input in inputs {
        files.entry(&input.name).or_default().push(&input.sha256);
    }
    let hashes =
        |(name, of): (&str, Vec<&str>)| (format!("{what} {name}"), format!("SHA-256 {}", of.join(", ")));
    files.into_iter().map(hashes).collect()
}

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
    "aggregates",
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
