//! The target predicate as the user names it.

use super::PredicateName;

/// The target predicate as the user names it. Without an arity, it is the predicate of the examples that has the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetName {
    /// The predicate's name.
    pub name: String,
    /// The number of its arguments.
    pub arity: Option<usize>,
}

impl TargetName {
    /// Whether the name stands for this predicate.
    #[must_use]
    pub fn is(&self, predicate: &PredicateName) -> bool {
        self.name == predicate.name && self.arity.is_none_or(|arity| arity == predicate.arity)
    }
}

impl From<PredicateName> for TargetName {
    fn from(predicate: PredicateName) -> Self {
        Self { arity: Some(predicate.arity), name: predicate.name }
    }
}

/// Reads `advisedby/2`, or a name without an arity.
impl std::str::FromStr for TargetName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let with_arity = text
            .rsplit_once('/')
            .and_then(|(name, arity)| Some(Self { name: name.to_owned(), arity: Some(arity.parse().ok()?) }));
        Some(with_arity.unwrap_or_else(|| Self { name: text.to_owned(), arity: None }))
            .filter(|target| !target.name.is_empty())
            .ok_or_else(|| "a target is NAME/ARITY, as advisedby/2".to_owned())
    }
}

impl std::fmt::Display for TargetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.arity {
            Some(arity) => write!(f, "{}/{arity}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TargetName;

    #[test]
    fn targets_by_name_and_arity() {
        let target = |text: &str| text.parse::<TargetName>();
        let named = |name: &str, arity| Ok(TargetName { name: name.to_owned(), arity });
        assert_eq!(target("advisedby/2"), named("advisedby", Some(2)));
        assert_eq!(target("advisedby"), named("advisedby", None));
        assert_eq!(target("/people/person/nationality/2"), named("/people/person/nationality", Some(2)));
        assert!(target("").is_err() && target("/2").is_err());
    }
}
