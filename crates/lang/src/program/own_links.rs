//! The known links of the target that an example is proved without.

/// The known links of the target that say too much of an example: it is proved without them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OwnLinks {
    /// Its own atom.
    #[default]
    Itself,
    /// Its own atom, and the atom with both arguments exchanged.
    ItselfAndInverse,
}

impl OwnLinks {
    /// With the exchanged atom, or without.
    #[must_use]
    pub const fn with_inverse(has_inverse: bool) -> Self {
        if has_inverse { Self::ItselfAndInverse } else { Self::Itself }
    }

    /// Whether the exchanged atom is one of them.
    #[must_use]
    pub const fn has_inverse(self) -> bool {
        matches!(self, Self::ItselfAndInverse)
    }
}

/// An argument of an example, and one of known links: where both are the same entity, the example is proved without the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedEnd {
    /// The argument of the example, from 0.
    pub of_example: usize,
    /// The argument of the link, from 0.
    pub of_link: usize,
}

/// What an example is proved without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Withheld {
    /// Links that are the example itself.
    pub own_links: OwnLinks,
    /// Links of the example's own entities, ascending: those that examples to come lack, because their entities are new.
    pub ends: Vec<SharedEnd>,
}
