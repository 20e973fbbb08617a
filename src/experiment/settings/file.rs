//! Files of settings: flat TOML, each key the name of a setting.
//!
//! Messages about settings that cannot be, that are made twice, or that do not go together.

use std::ops::Range;

use gleaner_base::whole_number;
use gleaner_data::SetDirective;
use gleaner_lang::program::settings::{Catalog, Declaration, Form, Need, SettingFault, Settings, nearest};
use gleaner_lang::syntax::{Diagnostic, FileId, Span, codes};
use gleaner_learn::settings::{is_read_by, of_learning};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

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

/// The last of several directives counts.
pub(crate) fn overruled(name: &str, earlier: &SetDirective, later: &SetDirective) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_SETTING, made_twice(name))
        .at(earlier.place, "has no effect")
        .at(later.place, "this one counts")
        .with_help("remove one of them")
}

/// Settings of another system's files that are none here, or take other values: one message for all of them.
pub(crate) fn ignored(settings: &[(&SetDirective, SettingFault)]) -> Option<Diagnostic> {
    let (first, fault) = settings.first()?;
    let mut names: Vec<&str> = settings.iter().map(|(directive, _)| directive.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let (what, help) = match names.as_slice() {
        [_] => (format!("{fault}: it is ignored"), fault.help()),
        several => (
            format!("{} settings of another system are ignored: {}", several.len(), several.join(", ")),
            "`gleaner learn ⁅help⁆` lists the settings that have an effect".to_owned(),
        ),
    };
    let warning = Diagnostic::warning(codes::UNUSED_SETTING, what);
    Some(warning.at(first.place, "has no effect").with_help(help))
}

/// One file of settings makes no setting twice.
pub(crate) fn set_again(name: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_SETTINGS_FILE, made_twice(name)).with_help("remove one of them")
}

fn made_twice(name: &str) -> String {
    format!("the setting {name} is made twice")
}

/// The message of a setting that is refused.
pub fn diagnostic_of(fault: &SettingFault) -> Diagnostic {
    let code = match fault {
        SettingFault::Unknown { .. } => codes::UNKNOWN_SETTING,
        SettingFault::Value { .. } => codes::SETTING_VALUE,
        SettingFault::Apart { .. } => codes::SETTINGS_APART,
    };
    Diagnostic::error(code, fault.to_string()).with_help(fault.help())
}

/// Checks that no setting has a word that needs another word of a second setting. Settings that the learner does not
/// read, and a second setting that is `auto`, are not checked.
///
/// # Errors
///
/// Each pair of settings that do not go together.
pub fn check_agreement(settings: &Settings) -> Result<(), Vec<Diagnostic>> {
    let mut faults: Vec<SettingFault> = Vec::new();
    for settings in of_learning(settings) {
        let learner = settings.learner();
        let read = settings.catalog().iter().map(Declaration::about);
        let read = read.filter(|about| is_read_by(&learner, about.name));
        for fault in read.filter_map(|about| apart(&settings, about.name, &about.needs?)) {
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.iter().map(diagnostic_of).collect()) }
}

fn apart(settings: &Settings, name: &'static str, need: &Need) -> Option<SettingFault> {
    let word = |name: &str| settings.value(name).map(|value| value.to_string());
    let own = word(name).filter(|own| need.words.contains(&own.as_str()))?;
    let other = word(need.setting).filter(|other| !need.others.contains(&other.as_str()))?;
    Some(SettingFault::Apart { one: (name, own), other: (need.setting, other), others: need.others })
}
