//! Files of settings: flat TOML, each key the name of a setting.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use gleaner_base::whole_number;
use gleaner_lang::program::settings::{Catalog, Declaration, Form, SettingFault, nearest};
use gleaner_lang::syntax::{Diagnostic, FileId, Span, codes};

use crate::experiment::settings::messages::{diagnostic_of, set_again};

/// A setting that a file makes, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSetting {
    /// The setting's name.
    pub name: &'static str,
    /// The setting's value, as on the command line.
    pub value: String,
}

/// The settings of a file's text, in its order.
///
/// # Errors
///
/// A text that is no TOML, keys that name no setting, and values that a setting does not take, each with its place.
pub fn file_settings(
    catalog: &Catalog,
    text: &str,
    file: FileId,
) -> Result<Vec<FileSetting>, Vec<Diagnostic>> {
    let table = DeTable::parse(text).map_err(|error| {
        let span = error.span().map_or(Span::new(0, 0), |span| Span::new(span.start, span.end));
        let message = format!("this is no TOML: {}", error.message());
        let fault = Diagnostic::error(codes::BAD_SETTINGS_FILE, message).with_label(file, span, "here");
        let line = text.get(..span.start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let value = text[line..].lines().next().and_then(|line| line.split_once('='));
        let is_unquoted = value.is_some_and(|(_, value)| has_unit(value.trim()));
        let help = "put a number with k or M in quotes, as clauses = \"10k\"";
        vec![if is_unquoted { fault.with_help(help) } else { fault }]
    })?;
    let mut entries: Vec<(&Spanned<_>, &Spanned<DeValue<'_>>)> = table.get_ref().iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let (mut settings, mut faults): (Vec<FileSetting>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for (key, value) in entries {
        match setting_of(catalog, &settings, key, value, &text[value.span()]) {
            Ok(setting) => settings.push(setting),
            Err(Fault { diagnostic, span }) => {
                faults.push(diagnostic.with_label(file, Span::new(span.start, span.end), "here"));
            }
        }
    }
    if faults.is_empty() { Ok(settings) } else { Err(faults) }
}

/// A fault of an entry, with its place.
struct Fault {
    diagnostic: Diagnostic,
    span: Range<usize>,
}

/// The setting of an entry, whose value is `written` so, beside those that are `known` already.
fn setting_of(
    catalog: &Catalog,
    known: &[FileSetting],
    key: &Spanned<DeString<'_>>,
    value: &Spanned<DeValue<'_>>,
    written: &str,
) -> Result<FileSetting, Fault> {
    let of_key = |diagnostic: Diagnostic| Fault { diagnostic, span: key.span() };
    if matches!(value.get_ref(), DeValue::Table(_)) {
        let message = format!("{} is a table: a file of settings has none", key.get_ref());
        return Err(of_key(Diagnostic::error(codes::BAD_SETTINGS_FILE, message)));
    }
    let setting = named(catalog, key.get_ref()).map_err(|fault| of_key(diagnostic_of(&fault)))?;
    let name = setting.about().name;
    if known.iter().any(|known| known.name == name) {
        return Err(of_key(set_again(name)));
    }
    let value = checked(setting, value.get_ref(), written)
        .map_err(|fault| Fault { diagnostic: diagnostic_of(&fault), span: value.span() })?;
    Ok(FileSetting { name, value })
}

/// The setting that a key names. A message about a name of Aleph's gives ours.
fn named(catalog: &Catalog, key: &str) -> Result<&'static dyn Declaration, SettingFault> {
    let hyphenated = key.replace('_', "-");
    let names = || catalog.iter().map(|setting| setting.about().name);
    catalog.iter().find(|setting| setting.about().name == hyphenated).ok_or_else(|| {
        let of_aleph = catalog.iter().find(|setting| setting.about().aleph_name == Some(key));
        let nearest = of_aleph.map(|setting| setting.about().name).or_else(|| nearest(key, names()));
        SettingFault::Unknown { name: key.to_owned(), nearest }
    })
}

/// The value as the command line would have it.
fn checked(
    setting: &'static dyn Declaration,
    value: &DeValue<'_>,
    written: &str,
) -> Result<String, SettingFault> {
    let about = setting.about();
    let text = match (setting.form(), value) {
        (Form::Integer | Form::Real, DeValue::String(text)) if text == "auto" && setting.is_computed() => {
            return Ok(text.to_string());
        }
        (Form::Word | Form::List, DeValue::String(text)) => Some(text.to_string()),
        // TOML has no `10k`: it stands in quotes.
        (Form::Integer, DeValue::String(text)) if has_unit(text) => Some(text.to_string()),
        (Form::Integer, value @ (DeValue::Integer(_) | DeValue::Float(_))) => number(value),
        (Form::Real, value @ (DeValue::Integer(_) | DeValue::Float(_))) => number(value),
        (Form::List, value @ (DeValue::Integer(_) | DeValue::Float(_))) => number(value),
        (Form::List, DeValue::Array(values)) if !values.is_empty() => {
            let numbers: Option<Vec<String>> = values.iter().map(|value| number(value.get_ref())).collect();
            numbers.map(|numbers| numbers.join(","))
        }
        (Form::Integer | Form::Real | Form::Word | Form::List, _) => None,
    };
    let Some(text) = text else {
        let how = match setting.form() {
            Form::Integer | Form::Real => ", without quotes",
            Form::Word => ", in quotes",
            Form::List => ": a list of numbers in brackets, or a text in quotes",
        };
        let help = format!("{} takes {}{how}", about.name, setting.accepted());
        let (name, value) = (about.name, written.to_owned());
        return Err(SettingFault::Value { name, value, why: None, help });
    };
    setting.check(&text).map(|_| text)
}

/// Whether it is a whole number with `k` or `M`.
fn has_unit(text: &str) -> bool {
    whole_number(text).is_some() && text.ends_with(char::is_alphabetic)
}

/// A number as the command line would have it.
fn number(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number.to_string())
        }
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::String(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_)
        | DeValue::Table(_) => None,
    }
}
