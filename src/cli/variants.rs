//! Several settings in one run: `--learner A --learner B`, `--vary SETTING=VALUE,VALUE`.

use clap::ArgMatches;

use crate::program::settings::Settings;

use super::failure::Failure;

/// One of the settings that a command compares.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// What tells it from the others, as `score=f1`; empty where there is only one.
    pub(super) name: String,
    /// Its settings.
    pub(super) settings: Settings,
}

/// Every combination of the values that are to be varied, over the settings given; the first value of each
/// comes first.
pub(super) fn variants(matches: &ArgMatches, settings: &Settings) -> Result<Vec<Variant>, Failure> {
    let mut variants = vec![Variant { name: String::new(), settings: settings.clone() }];
    let learners: Vec<&str> =
        matches.get_many::<String>("learner").into_iter().flatten().map(String::as_str).collect();
    if learners.len() > 1 {
        variants = varied(&variants, "learner", &learners)?;
    }
    for given in matches.get_many::<String>("vary").into_iter().flatten() {
        let (name, values) = given
            .split_once('=')
            .ok_or_else(|| usage(given, "--vary takes SETTING=VALUE,VALUE, as score=f1,laplace"))?;
        variants = varied(&variants, name, &values_of(values))?;
    }
    let mut names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(usage(pair[0], "name each value once"));
    }
    Ok(variants)
}

fn usage(what: &str, help: &str) -> Failure {
    Failure::Usage(format!("{what} cannot be varied\nhelp: {help}"))
}

fn varied(variants: &[Variant], name: &str, values: &[&str]) -> Result<Vec<Variant>, Failure> {
    let mut all = Vec::with_capacity(variants.len() * values.len());
    for variant in variants {
        for value in values {
            let mut settings = variant.settings.clone();
            settings
                .set(name, value)
                .map_err(|fault| Failure::Usage(format!("{fault}\nhelp: {}", fault.help())))?;
            let part = if name == "learner" { (*value).to_owned() } else { format!("{name}={value}") };
            let gap = if variant.name.is_empty() { "" } else { " " };
            all.push(Variant { name: format!("{}{gap}{part}", variant.name), settings });
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
