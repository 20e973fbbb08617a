//! A fold as people name it.

use gleaner_base::whole_number;

/// The user's choice of a fold: its number from 1, or its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoldChoice(String);

impl FoldChoice {
    /// The position of the chosen fold among these names, if it is one of them. A number is first the fold of that
    /// number, and only then a name.
    pub(crate) fn position(&self, names: &[&str]) -> Option<usize> {
        let number = whole_number(&self.0).and_then(|number| usize::try_from(number).ok());
        let by_number = number.and_then(|number| number.checked_sub(1)).filter(|&at| at < names.len());
        by_number.or_else(|| names.iter().position(|name| *name == self.0))
    }
}

impl std::fmt::Display for FoldChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A number from 1, or the name of a fold.
impl std::str::FromStr for FoldChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_number = text.starts_with(['-', '+']) || text.starts_with(|c: char| c.is_ascii_digit());
        if text.is_empty() || is_number && text.parse() == Ok(0) {
            return Err("give the number of a fold, from 1, or its name".to_owned());
        }
        Ok(Self(text.to_owned()))
    }
}
