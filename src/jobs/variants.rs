//! Several settings in one run: `--learner A --learner B`, `--vary SETTING=VALUE,VALUE`, `--variant
//! SETTING=VALUE,SETTING=VALUE`.

use crate::experiment::comparing::side_by_side::VariantName;
use crate::experiment::runs::split::SplitSettings;
use crate::experiment::{catalog, diagnostic_of};
use gleaner_lang::program::settings::{LEARNER, SettingFault, SettingGroup, Settings};
use gleaner_lang::syntax::codes;

use super::failure::Failure;
use super::session::Made;

/// The variants asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariantsAsked {
    /// Values of a setting each, as `score=f1,laplace`.
    pub(crate) vary: Vec<String>,
    /// Settings of a variant each, as `learner=aleph,seeds=20`.
    pub(crate) variant: Vec<String>,
    /// The settings that are made for all, and the learners.
    pub(crate) made: Vec<Made>,
}

/// One of the settings that a command compares.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// The name that tells the variant from the others, as `score=f1 votes=equal`; empty where there is only one.
    pub(crate) name: String,
    /// As `name`, without the names of settings that all variants have in common: `f1 equal`.
    pub(crate) short_name: String,
    /// The settings of the variant.
    pub(crate) settings: Settings,
}

impl Variant {
    /// The names of the variant.
    pub(crate) fn named(&self) -> VariantName {
        VariantName { name: self.name.clone(), short_name: self.short_name.clone() }
    }
}

/// The variants asked for: each `--variant`, or every combination of the varied values, over the settings given. The
/// first value of each comes first.
pub(crate) fn variants(flags: &VariantsAsked, settings: &Settings) -> Result<Vec<Variant>, Failure> {
    let made = &flags.made;
    let only = Variant { name: String::new(), short_name: String::new(), settings: settings.clone() };
    let values_made = |name: &str| made.iter().find(|made| made.name == name).map(|made| &*made.values);
    let learners = values_made(LEARNER).unwrap_or_default();
    if !flags.variant.is_empty() {
        if learners.len() > 1 || !flags.vary.is_empty() {
            return Err(Failure::usage(
                codes::SETTINGS_APART,
                "⁅variant⁆ lists all variants: it goes with neither ⁅vary⁆ nor a second ⁅learner⁆",
            ));
        }
        let names = |text: &str, setting: &str| {
            values_of(text).iter().any(|part| {
                let name = part.split_once('=').map_or("", |(name, _)| name.trim());
                catalog().find(name).is_ok_and(|known| known.about().name == setting)
            })
        };
        if let Some(made) = made.iter().find(|made| flags.variant.iter().all(|text| names(text, made.name))) {
            return Err(usage(made.name, "it is given twice: every ⁅variant⁆ sets it too"));
        }
        return distinct(
            flags.variant.iter().map(|text| listed_variant(&only, text)).collect::<Result<_, _>>()?,
        );
    }
    let mut lists: Vec<(&str, Vec<&str>)> = Vec::new();
    let lists_learners = |setting: &str| setting == LEARNER && learners.len() > 1;
    if learners.len() > 1 {
        lists.push((LEARNER, learners.iter().map(String::as_str).collect()));
    }
    for given in &flags.vary {
        let (name, values) = given.split_once('=').ok_or_else(|| {
            usage(given, "⁅vary⁆ takes a setting with its values, as ⁅vary=score=f1,laplace⁆")
        })?;
        lists.push((name, values_of(values)));
    }
    let mut variants = vec![only];
    let mut known: Vec<&str> = Vec::new();
    for (name, values) in lists {
        let setting = setting_named(name)?;
        if known.contains(&setting) || !lists_learners(setting) && values_made(setting).is_some() {
            return Err(usage(setting, "it is given twice: name all its values in one place"));
        }
        known.push(setting);
        variants = varied(&variants, setting, &values)?;
    }
    distinct(variants)
}

/// Flags of `cv` that are no settings: they hold for all variants.
const OF_ALL_VARIANTS: [&str; 18] = [
    "aggregates",
    "background",
    "config",
    "count-filtered",
    "format",
    "group",
    "max-derived-facts",
    "memory",
    "modes",
    "negatives",
    "negatives-test",
    "preset",
    "propose-modes",
    "repeats",
    "target",
    "threads",
    "time",
    "where",
];

/// The setting that a variant names.
fn setting_named(name: &str) -> Result<&'static str, Failure> {
    if OF_ALL_VARIANTS.contains(&name) {
        let help = format!(
            "⁅{name}⁆ is the same for all variants: run cv once for each value, and compare the run folders with \
             `gleaner compare`"
        );
        return Err(usage(name, &help));
    }
    Ok(catalog().find(name).map_err(|fault| fault_of(&fault))?.about().name)
}

/// A variant of several settings, as `learner=aleph,min-precision=0.1`.
fn listed_variant(base: &Variant, text: &str) -> Result<Variant, Failure> {
    let mut variant =
        Variant { name: text.to_owned(), short_name: text.to_owned(), settings: base.settings.clone() };
    for part in values_of(text) {
        let (name, value) = part.split_once('=').ok_or_else(|| {
            usage(part, "⁅variant⁆ takes settings, as ⁅variant=learner=aleph,min-precision=0.1⁆")
        })?;
        let setting = setting_named(name.trim())?;
        check_may_differ(setting)?;
        variant.settings.set(setting, value.trim()).map_err(|fault| fault_of(&fault))?;
    }
    Ok(variant)
}

/// Refuses two variants of one name, or of equal settings.
fn distinct(variants: Vec<Variant>) -> Result<Vec<Variant>, Failure> {
    for (position, variant) in variants.iter().enumerate() {
        let is_same = |other: &&Variant| other.name == variant.name || other.settings == variant.settings;
        if variants[..position].iter().any(|other| is_same(&other)) {
            return Err(usage(&variant.name, "name each value once"));
        }
    }
    Ok(variants)
}

fn fault_of(fault: &SettingFault) -> Failure {
    Failure::Usage(diagnostic_of(fault))
}

fn usage(what: &str, help: &str) -> Failure {
    Failure::usage(codes::SETTING_VALUE, format!("{what} cannot be varied so")).with_help(help)
}

/// Settings that divide examples into folds are the same for all variants.
fn divides_examples(setting: &str) -> bool {
    setting != SplitSettings::TRAIN_SHARE
        && SplitSettings::declarations().iter().any(|declaration| declaration.about().name == setting)
}

fn check_may_differ(setting: &'static str) -> Result<(), Failure> {
    if divides_examples(setting) {
        return Err(usage(setting, "variants are compared on the same examples: run them one by one"));
    }
    Ok(())
}

fn varied(variants: &[Variant], setting: &'static str, values: &[&str]) -> Result<Vec<Variant>, Failure> {
    check_may_differ(setting)?;
    let mut all = Vec::with_capacity(variants.len() * values.len());
    for variant in variants {
        for &value in values {
            let mut settings = variant.settings.clone();
            settings.set(setting, value).map_err(|fault| fault_of(&fault))?;
            let part = if setting == LEARNER { value.to_owned() } else { format!("{}={value}", setting) };
            let gap = if variant.name.is_empty() { "" } else { " " };
            all.push(Variant {
                name: format!("{}{gap}{part}", variant.name),
                short_name: format!("{}{gap}{value}", variant.short_name),
                settings,
            });
        }
    }
    Ok(all)
}

/// The values of a list; a comma within parentheses belongs to an expression.
fn values_of(text: &str) -> Vec<&str> {
    let (mut depth, mut start) = (0_usize, 0);
    let mut values = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                values.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    values.push(text[start..].trim());
    values
}

#[cfg(test)]
mod tests {
    use super::values_of;

    #[test]
    fn commas_within_parentheses_part_nothing() {
        assert_eq!(values_of("f1, min(TP,FP),x"), ["f1", "min(TP,FP)", "x"]);
        assert_eq!(values_of(")a,b"), [")a", "b"]);
    }
}
