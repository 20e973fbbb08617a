//! Settings that go together, by one name.

/// Settings of one name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// Its settings with their values.
    pub settings: &'static [(&'static str, &'static str)],
}

/// All presets, in the order of the help.
pub static PRESETS: [Preset; 1] = [Preset {
    name: "thesis",
    help: "the thesis's Gleaner: a theory for each bin, of the clauses that are best by precision times recall, chosen \
           on tune",
    settings: &[
        ("score", "precision-recall"),
        ("keep", "best"),
        ("theories", "bins"),
        ("votes", "equal"),
        ("duplicates", "merge"),
        ("smoothing", "add-one"),
        ("threshold-set", "tune"),
    ],
}];

impl Preset {
    /// The preset of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }
}
