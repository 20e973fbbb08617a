//! The request of a cross-validation: everything that its results depend on. Parts have names that users know, so that
//! a message can name what differs between two requests.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::store::model_file::DivisionHeader;
use gleaner_lang::program::settings::{LEARNER, Settings, Value};

use crate::experiment::records::run_record::{NamedRun, RunInput, RunRequest};

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
