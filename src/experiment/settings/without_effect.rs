//! Settings that have no effect beside the others. A message names each: nothing is ignored in silence.

use std::collections::BTreeSet;

use gleaner_data::Division;
use gleaner_engine::mining::{MINED, MINED_OR_SEARCHED, MiningConfig};
use gleaner_lang::program::clause::{OBJECT_IDENTITY, ObjectIdentity};
use gleaner_lang::program::settings::{About, DataSummary, Declaration, LEARNER, SettingGroup, Settings};
use gleaner_learn::learner_named;
use gleaner_learn::settings::{is_declared_by, is_of_learners, is_read_by, is_shared, of_learning};

use crate::experiment::runs::split::SplitSettings;

/// The settings that have no effect beside the others, a sentence for each. A user did not write the settings of a
/// preset one by one: one message reports them if none has an effect.
///
/// If a learner learns by others, a setting has an effect if it affects any of these.
pub fn without_effect(settings: &Settings) -> Vec<String> {
    let learner = settings.learner();
    let others = of_learning(settings);
    if matches!(&others[..], [only] if only == settings) {
        return messages_of(settings).into_iter().map(|ignored| ignored.message).collect();
    }
    let of_others: Vec<Vec<Ignored>> = others.iter().map(messages_of).collect();
    let Some((first, further)) = of_others.split_first() else { return Vec::new() };
    let ignored_by = |ignored: &[Ignored], name: &str| ignored.iter().any(|known| known.setting == name);
    let by_all = first.iter().filter(|ignored| {
        !is_declared_by(&learner, ignored.setting)
            && further.iter().all(|of_other| ignored_by(of_other, ignored.setting))
    });
    by_all
        .map(|Ignored { setting, message }| {
            let is_said_by_all = further.iter().flatten().filter(|known| known.message == *message).count();
            if is_said_by_all >= further.len() {
                message.clone()
            } else {
                format!("⁅{setting}⁆ has no effect with ⁅{LEARNER}={learner}⁆")
            }
        })
        .collect()
}

/// A setting that has no effect, or a preset.
struct Ignored {
    setting: &'static str,
    message: String,
}

impl Ignored {
    fn new(setting: &'static str, beside: &str) -> Self {
        Self { setting, message: format!("⁅{setting}⁆ has no effect{beside}") }
    }
}

/// The settings that have no effect with a learner that learns by itself.
fn messages_of(settings: &Settings) -> Vec<Ignored> {
    let learner = settings.learner();
    let set: Vec<&About> = settings
        .catalog()
        .iter()
        .map(Declaration::about)
        .filter(|about| settings.is_chosen(about.name) && is_of_learners(about.name))
        .collect();
    // Settings of other learners come first, then shared settings that this one does not read.
    let mut ignored: Vec<&&About> = set.iter().filter(|about| !is_read_by(&learner, about.name)).collect();
    ignored.sort_by_key(|about| is_shared(about.name));
    let of_relatives = set
        .iter()
        .filter(|about| is_read_by(&learner, about.name))
        .filter(|about| about.is_ruled_out_by(LEARNER, &learner));
    let mut messages: Vec<Ignored> = ignored
        .into_iter()
        .chain(of_relatives)
        .map(|about| Ignored::new(about.name, &format!(" with ⁅{LEARNER}={learner}⁆")))
        .collect();
    // Settings that the words of other settings rule out, if the learner reads these.
    for about in &set {
        for only in about.only.iter().flatten().filter(|only| is_read_by(&learner, only.setting)) {
            let word =
                settings.value(only.setting).map_or_else(|| "auto".to_owned(), |value| value.to_string());
            if about.is_ruled_out_by(only.setting, &word) {
                messages.push(Ignored::new(about.name, &format!(" with ⁅{}={word}⁆", only.setting)));
            }
        }
    }
    messages.extend(ruled_out_by_mining(settings, &set));
    messages.extend(ruled_out_of_identity(settings, &learner));
    messages.extend(of_preset(settings, &learner));
    messages.extend(ruled_out_by_numbers(settings, &learner));
    messages
}

/// The settings, by name, that have no effect where clauses are given: only the search reads them. Empty if the learner
/// takes no clauses.
pub fn without_effect_beside_clauses(settings: &Settings) -> BTreeSet<&'static str> {
    let only_of_search = learner_named(&settings.learner()).and_then(|known| known.only_of_search(settings));
    only_of_search.into_iter().flatten().map(|setting| setting.about().name).collect()
}

/// The settings that only a search of clauses reads, where queries are mined instead.
fn ruled_out_by_mining(settings: &Settings, set: &[&About]) -> Vec<Ignored> {
    let learner = settings.learner();
    let word = settings.value(MINED_OR_SEARCHED).map(|value| value.to_string()).unwrap_or_default();
    if !is_read_by(&learner, MINED_OR_SEARCHED) || !MINED.contains(&word.as_str()) {
        return Vec::new();
    }
    let mut of_search = without_effect_beside_clauses(settings);
    of_search.remove(MINED_OR_SEARCHED);
    let of_mining: BTreeSet<&str> =
        MiningConfig::declarations().iter().map(|mining| mining.about().name).collect();
    of_search.retain(|name| !of_mining.contains(name));
    let ruled_out = set.iter().filter(|about| of_search.contains(about.name));
    ruled_out.map(|about| Ignored::new(about.name, &format!(" with ⁅{MINED_OR_SEARCHED}={word}⁆"))).collect()
}

/// The message that proposed object identity has no effect on mined queries. In these, all variables differ, or none
/// has to.
fn ruled_out_of_identity(settings: &Settings, learner: &str) -> Option<Ignored> {
    let identity = OBJECT_IDENTITY.about().name;
    let word = |name: &str| settings.value(name).map(|value| value.to_string()).unwrap_or_default();
    let mines = is_read_by(learner, "query-length")
        && (!is_read_by(learner, MINED_OR_SEARCHED) || MINED.contains(&&*word(MINED_OR_SEARCHED)));
    let is_ruled_out =
        mines && settings.is_chosen(identity) && word(identity) == ObjectIdentity::Proposed.word();
    is_ruled_out.then(|| Ignored {
        setting: identity,
        message: format!("⁅{identity}={}⁆ has no effect on mined queries", word(identity)),
    })
}

/// The message that a preset has no effect at all.
fn of_preset(settings: &Settings, learner: &str) -> Option<Ignored> {
    let mut made = settings.made_by_preset().peekable();
    made.peek()?;
    (!made.any(|name| is_read_by(learner, name)))
        .then(|| Ignored::new("preset", &format!(" with ⁅{LEARNER}={learner}⁆")))
}

/// The settings that the values of other settings rule out.
fn ruled_out_by_numbers(settings: &Settings, learner: &str) -> Vec<Ignored> {
    let is_chosen = |name: &str| settings.is_chosen(name) && is_read_by(learner, name);
    let text = |name: &str| settings.value(name).map(|value| value.to_string());
    let mut messages = Vec::new();
    if is_chosen("clauses") && is_chosen("theory-nodes") {
        messages.push(Ignored::new("clauses", " with ⁅theory-nodes⁆"));
    }
    for (curve, whole) in [("learning-curve", "clauses"), ("curve-rounds", "rounds")] {
        let (Some(points), Some(most)) = (text(curve).filter(|_| is_chosen(curve)), text(whole)) else {
            continue;
        };
        let most_so_far: Option<u64> = most.parse().ok();
        let smallest = points.split(',').filter_map(|point| point.parse::<u64>().ok()).min();
        if smallest >= most_so_far && most_so_far.is_some() {
            messages.push(Ignored::new(curve, &format!(": none of its points is below ⁅{whole}={most}⁆")));
        }
    }
    messages
}

/// The use of the examples by a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Train, tune and test of the runs of cross-validation.
    Runs,
    /// All for train and tune, as `learn` without `--fold`.
    Whole,
    /// All alike.
    Undivided,
}

/// The division of examples, and its purpose.
#[derive(Clone, Copy, Debug)]
pub struct Dividing {
    /// How the data are divided.
    pub division: Division,
    /// The number of folds in the data.
    pub n_given_folds: usize,
    /// Whether `--group` is given.
    pub has_group: bool,
    /// The use that the command makes of the examples.
    pub use_of_examples: Use,
}

/// The settings for the division of examples that have no effect, a sentence for each.
pub fn without_effect_on_division(settings: &Settings, dividing: &Dividing) -> Vec<String> {
    let Dividing { division, n_given_folds, has_group, use_of_examples } = *dividing;
    let is_given = |name: &str| if name == "group" { has_group } else { settings.is_chosen(name) };
    let because = |names: &[&str], why: &str| -> Vec<String> {
        names
            .iter()
            .filter(|name| is_given(name))
            .map(|name| format!("⁅{name}⁆ has no effect{why}"))
            .collect()
    };
    let mut messages = match (use_of_examples, division) {
        (Use::Undivided, _) => return because(&["folds", "tune", "group"], " without ⁅fold⁆"),
        (Use::Runs | Use::Whole, Division::Folds | Division::TrainTest | Division::TrainTuneTest) => {
            because(&["folds", "group"], ": the data come with folds of their own")
        }
        (Use::Whole, Division::None) => because(&["folds", "group"], " without ⁅fold⁆"),
        (Use::Runs, Division::None) => Vec::new(),
    };
    let n_made_folds = SplitSettings::of(settings, DataSummary::default()).n_folds as usize;
    let tune_is_a_fold = match (use_of_examples, division) {
        (Use::Runs, Division::None) => n_made_folds >= 3,
        (Use::Runs, Division::Folds) => n_given_folds >= 3,
        (Use::Runs | Use::Whole | Use::Undivided, _) => false,
    };
    if division == Division::TrainTuneTest {
        messages.extend(because(&["tune"], ": the data come with a tune part of their own"));
    } else if tune_is_a_fold {
        messages.extend(because(&["tune"], " with three folds or more: each run tunes on the next fold"));
    }
    messages
}

#[cfg(test)]
mod tests;
