//! Settings as they are given, before they are read.

use super::listener::Listener;

/// A setting that is made.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its values, as often as it is given; there is a first.
    pub(crate) values: Vec<String>,
}

/// Says which settings of the command line a command does not read.
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
