//! What every command's answer has in common: the data serialise to the last event, and a document shows them.
//!
//! An answer is made by `experiment` or the room that knows it. To show answers in another way, as HTML, is one
//! more renderer of documents.

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::document::Document;

/// The version of the events.
pub const EVENTS_VERSION: u32 = 2;

/// What a program reads of a command's answer. It serialises to its last event, `done`.
pub trait Events: Serialize {
    /// The events before the last, one for each thing listed.
    fn items(&self) -> Vec<Json> {
        Vec::new()
    }

    /// All events in order.
    fn events(&self) -> Vec<Json> {
        let mut events = self.items();
        events.push(done(self));
        events
    }
}

/// What a person reads of a command's answer.
pub trait Answer: Events {
    /// All that is said, for any renderer.
    fn document(&self) -> Document;
}

/// Data as an event of this name.
///
/// # Panics
///
/// When the data are not plain fields by name, which is a bug.
#[must_use]
pub fn event<T: Serialize + ?Sized>(name: &str, data: &T) -> Json {
    let mut event = serde_json::to_value(data).expect("answers are plain data");
    event["event"] = json!(name);
    event
}

/// The last event, which tells the version too.
///
/// # Panics
///
/// When the data are not plain fields by name, which is a bug.
#[must_use]
pub fn done<T: Serialize + ?Sized>(data: &T) -> Json {
    versioned("done", data)
}

/// An event that tells its version.
///
/// # Panics
///
/// When the data are not plain fields by name, which is a bug.
#[must_use]
pub fn versioned<T: Serialize + ?Sized>(name: &str, data: &T) -> Json {
    let mut event = event(name, data);
    event["version"] = json!(EVENTS_VERSION);
    event
}
