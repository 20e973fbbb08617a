//! The known links of the target that proofs of an example may not use.

/// The known links of the target that reveal an example's class; its proofs may not use them.
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

/// An argument of an example, and an argument of known links. Where both are the same entity, the example is proved
/// without the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedEnd {
    /// The argument of the example, from 0.
    pub of_example: usize,
    /// The argument of the link, from 0.
    pub of_link: usize,
}

/// The known links that proofs of an example may not use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Withheld {
    /// Links that state the example itself.
    pub own_links: OwnLinks,
    /// Links of the example's own entities, ascending. Later examples lack such links, because their entities are new.
    pub ends: Vec<SharedEnd>,
}
