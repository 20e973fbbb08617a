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
/// # Example
///
/// ```
/// use gleaner_lang::syntax::marks::{in_library, worded};
/// assert_eq!(worded("give ⁅loss=poisson⁆ or lower ⁅min-pos⁆", in_library), "give loss=poisson or lower min_pos");
/// ```
pub fn worded(text: &str, say: Wording) -> Cow<'_, str> {
    if !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let words = |piece: Piece<'_>| match piece {
        Piece::Words(words) => words.to_owned(),
        Piece::Setting { name, value } => say(name, value),
    };
    Cow::Owned(pieces(text).map(words).collect())
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
}
