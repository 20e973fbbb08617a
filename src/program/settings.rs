//! Settings: each defined once, with name, range, unit, default, help and source.
//!
//! The command line, the `set` directive of a program and the help text read this table.

mod table;

use std::collections::BTreeMap;
use std::fmt;

use super::score::{Score, ScoreFault};

pub use table::{LEARNER_DEFAULTS, SETTINGS};

/// What values a setting takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number in a range, ends included.
    Integer(i64, i64),
    /// A real number in a range, ends included.
    Real(f64, f64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A score's name, or a formula.
    Score,
    /// `best-f1`, `recall=R` or `precision=P`.
    OperatingPoint,
    /// Whole numbers, ascending, separated by commas.
    Integers,
    /// `uniform`, `exact`, or weights separated by commas.
    Lengths,
    /// `best`, `best-per-restart`, or `best-M`.
    Keep,
    /// Numbers from 0 to 1, separated by commas.
    Shares,
}

/// One setting's definition.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name on the command line, without dashes.
    pub name: &'static str,
    /// Its name in Aleph, which `:- set(name, value)` takes too.
    pub aleph_name: Option<&'static str>,
    /// What it takes.
    pub kind: Kind,
    /// The default as it would be written; `auto` where it depends on the data.
    pub default: &'static str,
    /// The unit of its value.
    pub unit: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
}

/// The top of ranges that have none.
const LARGE: i64 = 1_000_000_000_000;

/// A checked value.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Of an integer setting.
    Integer(i64),
    /// Of a real setting.
    Real(f64),
    /// Of any other setting, as written.
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Word(value) => write!(f, "{value}"),
        }
    }
}

/// Why a setting was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingFault {
    /// No setting has this name; the nearest one that exists.
    Unknown(String, Option<&'static str>),
    /// The value is outside what the setting takes: name, value, what it takes.
    Value(&'static str, String, String),
    /// The value is no score: the setting's name, the value, why.
    Score(&'static str, String, ScoreFault),
}

impl fmt::Display for SettingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name, _) => write!(f, "there is no setting {name}"),
            Self::Value(name, value, _) | Self::Score(name, value, ScoreFault::Name(_)) => {
                write!(f, "{value} is no value for {name}")
            }
            Self::Score(name, value, fault) => write!(f, "{value} is no value for {name}: {fault}"),
        }
    }
}

impl std::error::Error for SettingFault {}

impl SettingFault {
    /// What would be accepted.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::Unknown(_, Some(nearest)) => format!("did you mean {nearest}?"),
            Self::Unknown(_, None) => "see `gleaner learn --help` for the settings".to_owned(),
            Self::Value(name, _, accepted) => format!("{name} takes {accepted}"),
            Self::Score(_, _, fault) => fault.help(),
        }
    }
}

impl Setting {
    /// The setting with this name, ours (with `-` or `_` between words) or Aleph's.
    ///
    /// # Errors
    ///
    /// [`SettingFault::Unknown`] with the nearest known name.
    pub fn find(name: &str) -> Result<&'static Self, SettingFault> {
        let hyphenated = name.replace('_', "-");
        SETTINGS
            .iter()
            .find(|setting| setting.name == hyphenated || setting.aleph_name == Some(name))
            .ok_or_else(|| {
                let nearest = nearest(name, SETTINGS.iter().map(|setting| setting.name));
                SettingFault::Unknown(name.to_owned(), nearest)
            })
    }

    /// What the setting takes, in words.
    #[must_use]
    pub fn accepted(&self) -> String {
        match self.kind {
            Kind::Integer(low, LARGE) => format!("a whole number of at least {low}"),
            Kind::Integer(low, high) => format!("a whole number from {low} to {high}"),
            Kind::Real(low, high) => format!("a number from {low} to {high}"),
            Kind::Choice(words) => words.join(", "),
            Kind::Score => Score::accepted(),
            Kind::OperatingPoint => "best-f1, recall=R or precision=P with R and P from 0 to 1".to_owned(),
            Kind::Integers => "whole numbers separated by commas, as 1000,10000".to_owned(),
            Kind::Shares => "numbers from 0 to 1 separated by commas, as 0.25,0.75".to_owned(),
            Kind::Keep => "best, best-per-restart, or best-M with M from 1, as best-5".to_owned(),
            Kind::Lengths => "uniform, exact, or weights separated by commas, as 4,2,1".to_owned(),
        }
    }

    /// The value that a text stands for.
    ///
    /// # Errors
    ///
    /// [`SettingFault::Value`] or [`SettingFault::Score`] when it is outside what the setting takes.
    pub fn parse(&self, text: &str) -> Result<Value, SettingFault> {
        let fault = || SettingFault::Value(self.name, text.to_owned(), self.accepted());
        let value = match self.kind {
            Kind::Integer(low, high) => {
                let plain = text.replace('_', "");
                let value: i64 = plain.parse().map_err(|_| fault())?;
                (low..=high).contains(&value).then_some(Value::Integer(value))
            }
            Kind::Real(low, high) => {
                let value: f64 = text.parse().map_err(|_| fault())?;
                (low..=high).contains(&value).then_some(Value::Real(value))
            }
            Kind::Choice(words) => words.contains(&text).then(|| Value::Word(text.to_owned())),
            Kind::Score => match Score::parse(text) {
                Ok(_) => Some(Value::Word(text.to_owned())),
                Err(why) => return Err(SettingFault::Score(self.name, text.to_owned(), why)),
            },
            Kind::OperatingPoint => parse_operating_point(text).map(|_| Value::Word(text.to_owned())),
            Kind::Integers => parse_integers(text).map(|_| Value::Word(text.to_owned())),
            Kind::Shares => parse_shares(text).map(|_| Value::Word(text.to_owned())),
            Kind::Keep => parse_keep(text).map(|_| Value::Word(text.to_owned())),
            Kind::Lengths => parse_lengths(text).map(|_| Value::Word(text.to_owned())),
        };
        value.ok_or_else(fault)
    }
}

/// `(name, share)` of an operating point; the share is 0 for `best-f1`.
#[must_use]
pub fn parse_operating_point(text: &str) -> Option<(&str, f64)> {
    if text == "best-f1" {
        return Some((text, 0.0));
    }
    let (name, share) = text.split_once('=')?;
    let share: f64 = share.parse().ok()?;
    (matches!(name, "recall" | "precision") && (0.0..=1.0).contains(&share)).then_some((name, share))
}

/// What the text of a distribution of lengths says.
#[derive(Clone, Debug, PartialEq)]
pub enum LengthsText {
    /// `uniform`.
    Uniform,
    /// `exact`.
    Exact,
    /// Weights of 1, 2, ... body literals: none negative, the first above 0, as the shortest clauses are
    /// the only ones that every space has.
    Weighted(Vec<f64>),
}

/// The shares of a list, in order.
#[must_use]
pub fn parse_shares(text: &str) -> Option<Vec<f64>> {
    let share = |part: &str| part.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share));
    text.split(',').map(share).collect()
}

/// How many clauses a seed keeps for each bin; `None` within for the best of each restart.
#[must_use]
pub fn parse_keep(text: &str) -> Option<Option<usize>> {
    match text {
        "best" => Some(Some(1)),
        "best-per-restart" => Some(None),
        _ => text.strip_prefix("best-")?.parse().ok().filter(|&few| few > 0).map(Some),
    }
}

/// Reads a distribution of lengths.
#[must_use]
pub fn parse_lengths(text: &str) -> Option<LengthsText> {
    match text {
        "uniform" => Some(LengthsText::Uniform),
        "exact" => Some(LengthsText::Exact),
        _ => {
            let weights: Vec<f64> =
                text.split(',').map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
            let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
            let is_distribution = weights.iter().sum::<f64>().is_finite()
                && weights.iter().all(is_weight)
                && weights.first().is_some_and(|&first| first > 0.0);
            is_distribution.then_some(LengthsText::Weighted(weights))
        }
    }
}

/// The numbers of a list, ascending and distinct.
#[must_use]
pub fn parse_integers(text: &str) -> Option<Vec<u64>> {
    let mut numbers: Vec<u64> =
        text.split(',').map(|part| part.trim().replace('_', "").parse().ok()).collect::<Option<_>>()?;
    numbers.sort_unstable();
    numbers.dedup();
    Some(numbers)
}

/// Resolved settings: what was set, over the defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    set: BTreeMap<&'static str, Value>,
}

impl Settings {
    /// Sets a value; a later one replaces an earlier one.
    ///
    /// # Errors
    ///
    /// [`SettingFault`] for an unknown name or a value outside the range.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), SettingFault> {
        let setting = Setting::find(name)?;
        // Under Aleph's name stands Aleph's word.
        let is_aleph = setting.kind == Kind::Score && name != setting.name;
        let text = if is_aleph { Score::of_aleph(text) } else { text };
        if text == "auto" && setting.default == "auto" {
            self.set.remove(setting.name);
            return Ok(());
        }
        self.set.insert(setting.name, setting.parse(text)?);
        Ok(())
    }

    /// Whether a value was set.
    #[must_use]
    pub fn is_set(&self, name: &str) -> bool {
        self.set.contains_key(name)
    }

    /// The value, or the default; `None` for `auto`.
    ///
    /// # Panics
    ///
    /// When the table has no such setting, which is a bug.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<Value> {
        let setting = Setting::find(name).expect("code asks only for settings of the table");
        self.set.get(setting.name).cloned().or_else(|| {
            let default = self.learner_default(setting.name).unwrap_or(setting.default);
            (default != "auto").then(|| setting.parse(default).expect("defaults are within their range"))
        })
    }

    /// The default of the learner that is set, where it has its own.
    fn learner_default(&self, name: &str) -> Option<&'static str> {
        let learner = match self.set.get("learner") {
            Some(Value::Word(learner)) => learner,
            _ => return None,
        };
        LEARNER_DEFAULTS
            .iter()
            .find(|(known, setting, _)| known == learner && *setting == name)
            .map(|(_, _, default)| *default)
    }

    /// An integer setting's value; `None` for `auto`.
    ///
    /// # Panics
    ///
    /// When the setting is no integer one, which is a bug.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<u64> {
        self.value(name).map(|value| match value {
            Value::Integer(value) => {
                u64::try_from(value).expect("ranges of integer settings start at 0 or above")
            }
            _ => unreachable!("{name} is an integer setting"),
        })
    }

    /// An integer setting's value as a size; `None` for `auto`.
    ///
    /// # Panics
    ///
    /// When the setting is no integer one, which is a bug.
    #[must_use]
    pub fn size(&self, name: &str) -> Option<usize> {
        self.integer(name).map(|value| usize::try_from(value).expect("sizes fit in a word"))
    }

    /// A real setting's value.
    ///
    /// # Panics
    ///
    /// When the setting is no real one, which is a bug.
    #[must_use]
    pub fn real(&self, name: &str) -> f64 {
        match self.value(name) {
            Some(Value::Real(value)) => value,
            _ => unreachable!("{name} is a real setting"),
        }
    }

    /// Any other setting's value, as written.
    ///
    /// # Panics
    ///
    /// When the setting is a number, which is a bug.
    #[must_use]
    pub fn word(&self, name: &str) -> String {
        match self.value(name) {
            Some(Value::Word(word)) => word,
            _ => unreachable!("{name} is set by a word"),
        }
    }

    /// Every setting with its resolved value, in the order of the table; `None` for `auto`.
    pub fn resolved(&self) -> impl Iterator<Item = (&'static Setting, Option<Value>)> + '_ {
        SETTINGS.iter().map(|setting| (setting, self.value(setting.name)))
    }
}

/// The candidate nearest to a name, if one is near: at most a third of its letters changed.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let longest = name.chars().count().max(3);
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .min()
        .filter(|(distance, _)| *distance * 3 <= longest)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance, but two neighbours swapped count as one: `depht` is one from `depth`. Cost: product
/// of the lengths.
fn edit_distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for i in 0..left.len() {
        let mut next = vec![i + 1; right.len() + 1];
        for j in 0..right.len() {
            let substituted = row[j] + usize::from(left[i] != right[j]);
            next[j + 1] = substituted.min(next[j] + 1).min(row[j + 1] + 1);
            if i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j] {
                next[j + 1] = next[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::{LEARNER_DEFAULTS, SETTINGS, SettingFault, Settings, edit_distance, nearest};

    #[test]
    fn every_default_is_within_its_range() {
        let settings = Settings::default();
        for setting in SETTINGS {
            assert_eq!(settings.value(setting.name).is_none(), setting.default == "auto", "{}", setting.name);
        }
        for (learner, name, default) in LEARNER_DEFAULTS {
            let mut settings = Settings::default();
            settings.set("learner", learner).expect("the learner exists");
            assert_eq!(settings.value(name).map(|value| value.to_string()).as_deref(), Some(*default));
        }
    }

    #[test]
    fn unknown_names_and_bad_values_are_named() {
        let mut settings = Settings::default();
        assert_eq!(
            settings.set("clausse", "3"),
            Err(SettingFault::Unknown("clausse".to_owned(), Some("clauses")))
        );
        assert!(matches!(settings.set("depth", "0"), Err(SettingFault::Value("depth", _, _))));
        assert!(matches!(settings.set("operating-point", "recall=2"), Err(SettingFault::Value(..))));
        settings.set("min_pos", "4").expect("an underscore stands for a hyphen");
        assert_eq!(settings.integer("min-pos"), Some(4));
        settings.set("i", "3").expect("Aleph's name is taken");
        assert_eq!(settings.integer("depth"), Some(3));
    }

    #[test]
    fn distances_by_hand() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(nearest("mothr", ["father", "mother"]), Some("mother"));
        assert_eq!(nearest("x", ["father", "mother"]), None);
    }
}
