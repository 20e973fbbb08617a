//! Keeping what is finished, so that a later process need not do it again.

/// Makes the text of a part of a run; none where no text holds it.
pub type PartText = Box<dyn Fn() -> Option<String> + Send>;

/// Keeps texts under names while work goes on, from any thread.
///
/// A kept text is whole or absent. A name has letters, digits and `-`. The caller makes sure that a kept text gives the
/// same bytes again.
pub trait Keeper: Sync {
    /// The text kept under a name.
    fn kept(&self, name: &str) -> Option<String>;

    /// Keeps a text under a name. Where that fails, the user gets a warning and the work goes on.
    fn keep(&self, name: &str, text: &str);

    /// Keeps a part of a run that is not finished, which took so many seconds. Its text is made and written as soon as all
    /// parts that are not written are worth it, or else when the process ends before the run does.
    fn keep_part(&self, name: &str, text: PartText, seconds: f64);

    /// Forgets all texts whose names have this beginning.
    fn forget(&self, beginning: &str);

    /// Tells the user that what was kept under a name is of no use, and that it is done again.
    fn reject(&self, name: &str, why: &str);

    /// Whether work of so many seconds, with the parts that are not written, is worth being kept before the run that it
    /// belongs to is finished.
    fn is_worth(&self, seconds: f64) -> bool;

    /// Whether the run that is kept under a name is to be done here. A run that is not has no result. It is asked once for
    /// each run, before anything is done for it.
    fn is_wanted(&self, _name: &str) -> bool {
        true
    }
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forgetful;

impl Keeper for Forgetful {
    fn kept(&self, _name: &str) -> Option<String> {
        None
    }

    fn keep(&self, _name: &str, _text: &str) {}

    fn keep_part(&self, _name: &str, _text: PartText, _seconds: f64) {}

    fn forget(&self, _beginning: &str) {}

    fn reject(&self, _name: &str, _why: &str) {}

    fn is_worth(&self, _seconds: f64) -> bool {
        false
    }
}

/// A keeper for one part of the work: it puts the same text before every name, so that parts do not overwrite each other.
pub struct KeptUnder<'a> {
    keeper: &'a dyn Keeper,
    beginning: String,
}

impl<'a> KeptUnder<'a> {
    /// Keeps in `keeper`, under names that begin with `beginning`.
    pub const fn new(keeper: &'a dyn Keeper, beginning: String) -> Self {
        Self { keeper, beginning }
    }

    fn name(&self, name: &str) -> String {
        format!("{}{name}", self.beginning)
    }
}

impl std::fmt::Debug for KeptUnder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeptUnder").field("beginning", &self.beginning).finish_non_exhaustive()
    }
}

impl Keeper for KeptUnder<'_> {
    fn kept(&self, name: &str) -> Option<String> {
        self.keeper.kept(&self.name(name))
    }

    fn keep(&self, name: &str, text: &str) {
        self.keeper.keep(&self.name(name), text);
    }

    fn keep_part(&self, name: &str, text: PartText, seconds: f64) {
        self.keeper.keep_part(&self.name(name), text, seconds);
    }

    fn forget(&self, beginning: &str) {
        self.keeper.forget(&self.name(beginning));
    }

    fn reject(&self, name: &str, why: &str) {
        self.keeper.reject(&self.name(name), why);
    }

    fn is_worth(&self, seconds: f64) -> bool {
        self.keeper.is_worth(seconds)
    }
}
