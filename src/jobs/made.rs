//! Settings as they are given, before they are read.

use super::listener::Listener;

/// A setting that is made.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// The setting's name.
    pub(crate) name: &'static str,
    /// The setting's values, one for each time it is given; there is at least one.
    pub(crate) values: Vec<String>,
}

/// Warns of settings of the command line that a command does not read.
pub(crate) fn warn_of_others(
    command: &str,
    made: &[Made],
    is_read: impl Fn(&str) -> bool,
    listener: &dyn Listener,
) {
    let others: Vec<String> =
        made.iter().filter(|made| !is_read(made.name)).map(|made| format!("--{}", made.name)).collect();
    if !others.is_empty() {
        let have = if others.len() == 1 { "has" } else { "have" };
        listener.note(&format!("warning: {} {have} no effect on {command}", others.join(", ")));
    }
}
