//! Negated literals that no mode declares: an atom that fails for the seed may tell as much as one that holds.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::mode::{ArgumentMode, BodyMode, Modes};
use super::settings::{Setting, words};

words! {
    /// Which negated literals bottom clauses may have.
    pub enum Negation {
        /// Those that modes declare, and the negation of what other modes declare.
        Proposed = "proposed",
        /// Those that modes declare.
        Modes = "modes",
        /// None.
        None = "none",
    }
}

/// Which negated literals bottom clauses may have: proposed ones too, unless the modes hold some.
pub static NEGATION: Setting<Negation> = Setting::auto("negation", (), |given| {
    if given.data.has_negated_modes { Negation::Modes } else { Negation::Proposed }
})
.help(
    "Negated literals in clauses: proposed, those of modes, or none; auto: modes if a mode \
     has one, else proposed",
)
.source("our own; the false branches of a tree say the same [TILDE §4]");

/// The modes from which bottom clauses are made: declared modes, and proposed negated ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language<'m> {
    /// The modes; proposed ones come last.
    pub modes: Cow<'m, Modes>,
    /// How many modes are declared.
    pub n_declared: usize,
}

impl Negation {
    /// The language of the modes.
    ///
    /// A mode of `p` with an input for `A` proposes `\+ p(A, _)`, once for each predicate and set of inputs. Other
    /// arguments of the mode, `-` or `#`, become `_`. Modes without inputs propose nothing. Nor do modes of the target,
    /// as a positive example would reveal its own atom.
    pub fn language(self, modes: &Modes) -> Language<'_> {
        let mut language = Language { n_declared: modes.body.len(), modes: Cow::Borrowed(modes) };
        match self {
            Self::Proposed => language.modes.to_mut().body.extend(proposed(modes)),
            Self::None if modes.has_negated() => {
                let body = &mut language.modes.to_mut().body;
                body.retain(|mode| !mode.is_negated());
                language.n_declared = body.len();
            }
            Self::Modes | Self::None => {}
        }
        language
    }
}

impl Language<'_> {
    /// Whether the mode at this position is called in this round. Proposed modes are called only in the first round,
    /// with the terms known before it. Atoms that fail for later terms are many, and say little.
    pub const fn is_called_in(&self, mode: usize, round: u32) -> bool {
        mode < self.n_declared || round == 1
    }
}

/// The negated modes that the declared ones propose, ascending.
fn proposed(modes: &Modes) -> BTreeSet<BodyMode> {
    let negated = |mode: &BodyMode| {
        let subject = mode.subject.negated()?;
        let has_input = mode.arguments.iter().any(|argument| matches!(argument, ArgumentMode::Input(_)));
        let any = |argument: &ArgumentMode| match *argument {
            ArgumentMode::Constant(type_id) => ArgumentMode::Output(type_id),
            other => other,
        };
        let is_of_target = subject.predicate() == Some(&modes.head.predicate);
        (has_input && !is_of_target).then(|| BodyMode {
            subject,
            arguments: mode.arguments.iter().map(any).collect(),
            instantiation_limit: None,
        })
    };
    let mut proposed: BTreeSet<BodyMode> = modes.body.iter().filter_map(negated).collect();
    proposed.retain(|mode| !modes.body.contains(mode));
    proposed
}
