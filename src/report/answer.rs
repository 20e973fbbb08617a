//! The interface of every command's answer: the data serialise to the last event, and a document shows them.
//!
//! `experiment`, or the room that knows it, makes an answer. To show answers in another form, such as HTML, add a
//! renderer of documents.

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::document::Document;

/// The version of the events.
pub const EVENTS_VERSION: u32 = 2;

/// The form of a command's answer for programs. It serialises to its last event, `done`.
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

/// The form of a command's answer for people.
pub trait Answer: Events {
    /// The whole text of the answer, for any renderer.
    fn document(&self) -> Document;
}

/// An answer as it is shown, whatever it is of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// For people.
    pub document: Document,
    /// For programs, in order.
    pub events: Vec<Json>,
}

impl Shown {
    /// The document and the events of an answer.
    pub fn of(answer: &impl Answer) -> Self {
        Self { document: answer.document(), events: answer.events() }
    }
}

/// Data as an event of this name.
///
/// # Panics
///
/// When the data are not plain fields by name, which is a bug.
pub fn event<T: Serialize + ?Sized>(name: &str, data: &T) -> Json {
    let mut event = serde_json::to_value(data).expect("answers are plain data");
    event["event"] = json!(name);
    event
}

/// The last event, which has the version too.
///
/// # Panics
///
/// When the data are not plain fields by name, which is a bug.
pub fn done<T: Serialize + ?Sized>(data: &T) -> Json {
    versioned("done", data)
}

/// An event with its version.
///
/// # Panics
///
/// When the data are not plain fields by name, which is a bug.
pub fn versioned<T: Serialize + ?Sized>(name: &str, data: &T) -> Json {
    let mut event = event(name, data);
    event["version"] = json!(EVENTS_VERSION);
    event
}
