//! Settings that a text names. The text marks them, and each surface writes them in its own words: where a message says
//! ⁅min-pos=3⁆, a command line writes `--min-pos 3` and a library `min_pos=3`.
//!
//! A mark holds the name of a setting as the catalog spells it, and its value after the first `=`. So a message stays one
//! literal that reads as a sentence, and a program can still ask for the settings that it advises. No language writes these
//! brackets, so names in users' data are not taken for marks.

use std::borrow::Cow;

/// The bracket before a name.
const OPEN: char = '⁅';

/// The bracket after a name or its value.
const CLOSE: char = '⁆';

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Words, which are the same for all.
    Words(&'t str),
    /// A setting.
    Setting {
        /// The name, as `min-pos`.
        name: &'t str,
        /// The value, if the text gives one.
        value: Option<&'t str>,
    },
}

/// How a surface writes a setting, from its name and its value.
pub type Wording = fn(&str, Option<&str>) -> String;

/// The pieces of a text in order.
///
/// # Example
///
/// ```
/// use gleaner_lang::syntax::marks::{Piece, pieces};
/// let found: Vec<Piece<'_>> = pieces("lower ⁅min-pos=3⁆, or hold back more").collect();
/// let setting = Piece::Setting { name: "min-pos", value: Some("3") };
/// assert_eq!(found, [Piece::Words("lower "), setting, Piece::Words(", or hold back more")]);
/// ```
pub fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if let Some((setting, after)) = setting_at_start(rest) {
            rest = after;
            return Some(setting);
        }
        let mark = rest.char_indices().skip(1).find(|&(_, sign)| sign == OPEN);
        let (words, after) = rest.split_at(mark.map_or(rest.len(), |(at, _)| at));
        rest = after;
        (!words.is_empty()).then_some(Piece::Words(words))
    })
}

fn setting_at_start(text: &str) -> Option<(Piece<'_>, &str)> {
    let (inside, after) = text.strip_prefix(OPEN)?.split_once(CLOSE)?;
    let (name, value) = inside.split_once('=').map_or((inside, None), |(name, value)| (name, Some(value)));
    let is_name = name.starts_with(|sign: char| sign.is_ascii_lowercase())
        && name.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-');
    is_name.then_some((Piece::Setting { name, value }, after))
}

/// The text with its settings in the words of a surface.
///
/// A quoted command keeps settings that the surface writes as flags. Others stand behind it, as no shell takes them.
///
/// # Example
///
/// ```
/// use gleaner_lang::syntax::marks::{in_library, worded};
/// assert_eq!(worded("give ⁅loss=poisson⁆ or lower ⁅min-pos⁆", in_library), "give loss=poisson or lower min_pos");
/// let command = worded("`gleaner inspect DATA ⁅propose-modes⁆ > modes.pl` writes them", in_library);
/// assert_eq!(command, "`gleaner inspect DATA > modes.pl` with propose_modes writes them");
/// ```
pub fn worded(text: &str, say: Wording) -> Cow<'_, str> {
    if !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, command, after)) = next_command(rest) {
        said.push_str(&all_worded(before, say));
        said.push_str(&command_worded(command, say));
        rest = after;
    }
    said.push_str(&all_worded(rest, say));
    Cow::Owned(said)
}

fn all_worded(text: &str, say: Wording) -> String {
    let words = |piece: Piece<'_>| match piece {
        Piece::Words(words) => words.to_owned(),
        Piece::Setting { name, value } => say(name, value),
    };
    pieces(text).map(words).collect()
}

/// The first command in backticks that has a setting, between what stands before and behind it.
fn next_command(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('`').find_map(|(start, _)| {
        let end = start + 2 + text[start + 1..].find('`')?;
        let command = &text[start..end];
        let is_command = command[1..].starts_with(|sign: char| sign.is_ascii_lowercase());
        (is_command && command.contains(OPEN)).then(|| (&text[..start], command, &text[end..]))
    })
}

fn command_worded(command: &str, say: Wording) -> String {
    let mut words = String::new();
    let mut settings = Vec::new();
    for piece in pieces(command) {
        match piece {
            Piece::Setting { name, value } => settings.push(say(name, value)),
            Piece::Words(more) => {
                if words.ends_with(' ') && more.starts_with([' ', '`']) {
                    words.pop();
                }
                words.push_str(more);
            }
        }
    }
    if settings.iter().all(|setting| setting.starts_with('-')) {
        return all_worded(command, say);
    }
    format!("{words} with {}", settings.join(" and "))
}

/// As a library writes a setting: a name of its own language, and the value after `=`.
pub fn in_library(name: &str, value: Option<&str>) -> String {
    let name = name.replace('-', "_");
    value.map_or_else(|| name.clone(), |value| format!("{name}={value}"))
}

#[cfg(test)]
mod tests {
    use super::{Piece, in_library, pieces, worded};

    #[test]
    fn a_value_may_hold_an_equals_sign_and_nothing_else_is_a_mark() {
        let of = |text| pieces(text).collect::<Vec<_>>();
        let setting = |name, value| Piece::Setting { name, value };
        assert_eq!(of("⁅label=a.b=c⁆"), [setting("label", Some("a.b=c"))]);
        assert_eq!(of("⁅group=⁆⁅all⁆"), [setting("group", Some("")), setting("all", None)]);
        assert_eq!(of(""), []);
        for words in ["no mark", "⁅", "⁅⁆", "⁅Name⁆", "⁅a b⁆", "⁅=1⁆", "⁅-a⁆", "depth⁆"]
        {
            assert_eq!(of(words), [Piece::Words(words)], "{words}");
        }
        assert_eq!(of("⁅⁅all⁆"), [Piece::Words("⁅"), setting("all", None)]);
        assert_eq!(worded("⁅⁅max-neg=2⁆ é", in_library), "⁅max_neg=2 é");
    }

    #[test]
    fn quoted_commands_are_what_a_shell_takes() {
        let text = "`it's` a run of `cv DATA ⁅run=DIR⁆ ⁅quiet⁆`, as `⁅to=pl⁆` or ⁅to=sql⁆";
        let as_flag = |name: &str, value: Option<&str>| format!("-{name} {}", value.unwrap_or_default());
        assert_eq!(
            worded(text, in_library),
            "`it's` a run of `cv DATA` with run=DIR and quiet, as `to=pl` or to=sql"
        );
        assert_eq!(
            worded(text, as_flag),
            "`it's` a run of `cv DATA -run DIR -quiet `, as `-to pl` or -to sql"
        );
        assert_eq!(worded("one ` and ⁅a⁆", in_library), "one ` and a");
    }
}
