//! Settings whose values are words: an enum, with each word beside its variant.

use super::fault::Refusal;
use super::kinds::{Form, SettingType};

/// An enum whose variants users name by words.
pub trait Word: Copy + PartialEq + 'static {
    /// Every variant with its word, in the order of the help.
    const WORDS: &'static [(&'static str, Self)];

    /// Aleph's words that differ from ours, each with ours of the same meaning.
    const ALEPH_WORDS: &'static [(&'static str, &'static str)] = &[];

    /// The variant of a word.
    #[must_use]
    fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, variant)| *variant)
    }
}

impl<T: Word> SettingType for T {
    type Range = ();

    const FORM: Form = Form::Word;
    const VALUE_NAME: &'static str = "WORD";
    const IS_LISTED: bool = true;

    fn accepted(_: &()) -> String {
        Self::words().join(", ")
    }

    fn words() -> Vec<&'static str> {
        T::WORDS.iter().map(|(word, _)| *word).collect()
    }

    fn parse(text: &str, _: &()) -> Result<Self, Refusal> {
        Self::of_word(text).ok_or(Refusal::NotAccepted)
    }

    fn of_aleph(text: &str) -> &str {
        T::ALEPH_WORDS.iter().find(|(theirs, _)| *theirs == text).map_or(text, |(_, ours)| ours)
    }
}

/// Defines an enum whose variants have words: `Roc = "roc"`. The one list of its words is made of it. Aleph's word,
/// if it has another, comes after: `DepthFirst = "depth-first" or "df"`.
#[macro_export]
macro_rules! words {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $word:literal $(or $aleph:literal)?,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $($(#[$of_variant])* $variant,)+
        }

        impl $name {
            /// The word that users write.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl $crate::program::settings::Word for $name {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)+];

            const ALEPH_WORDS: &'static [(&'static str, &'static str)] = &[$($(($aleph, $word),)?)+];
        }
    };
}
pub use words;
