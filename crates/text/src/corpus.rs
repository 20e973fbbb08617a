//! What a corpus says: documents with their texts, entities and relations, as the files have them.

use std::ops::Range;

use gleaner_base::hash::hash_bytes;
use gleaner_lang::syntax::Place;

/// A corpus, ascending by the names of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corpus {
    /// The documents.
    pub documents: Vec<Document>,
}

/// A document. All ranges are bytes of its text, and lie between characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Its name; no two documents of a corpus have the same.
    pub id: String,
    /// Its number in its file, if the corpus does not name it.
    pub(crate) number: Option<usize>,
    /// The set that the corpus puts it into, as `train`.
    pub set: Option<String>,
    /// Where the file begins to tell of it.
    pub(crate) at: Place,
    /// The text.
    pub text: String,
    /// The sentences, ascending, if the corpus divides the text.
    pub sentences: Vec<Sentence>,
    /// The tokens, ascending, if the corpus gives them.
    pub tokens: Vec<GivenToken>,
    /// The entities.
    pub entities: Vec<Entity>,
    /// Where the file has each entity. Apart, as names of documents depend on entities, and not on their places.
    pub(crate) places: Vec<Place>,
    /// The relations between them.
    pub relations: Vec<Relation>,
    /// What the corpus says of two entities together that is no relation of theirs, as that both are part of an event. Such a
    /// pair is neither a positive nor a negative.
    pub unclear: Vec<Relation>,
    /// What the file says of it that is not read, and where: once for each time.
    pub(crate) unread: Vec<(UnreadKey, Place)>,
}

/// A key of an object that is not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UnreadKey {
    /// What the object is, in words.
    pub(crate) of: &'static str,
    /// The key.
    pub(crate) key: String,
    /// The keys that are read, in words.
    pub(crate) known: &'static str,
}

impl Document {
    /// The document; if the corpus does not name it, with what it says in its name. So names ascend by content. The only
    /// document of a file is called as the file.
    pub(crate) fn named_by_content(mut self, is_only: bool) -> Self {
        self.number = self.number.filter(|_| !is_only);
        if self.number.is_some() {
            let said =
                format!("{:?}", (&self.text, &self.sentences, &self.tokens, &self.entities, &self.relations));
            self.id = format!("{}.{:010x}", self.id, hash_bytes(said.as_bytes()) >> 24);
        }
        self
    }

    /// Ends the name by the number, if the corpus does not name the document: so it leads to its line.
    pub(crate) fn add_number(&mut self) {
        if let Some(number) = self.number.take() {
            self.id = format!("{}.{number}", self.id);
        }
    }
}

/// A sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Its name, if the corpus gives one.
    pub id: Option<String>,
    /// Where it stands.
    pub range: Range<usize>,
}

/// A token that the corpus gives, with what else it says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenToken {
    /// Where it stands.
    pub range: Range<usize>,
    /// Its dictionary form.
    pub lemma: Option<String>,
    /// Its part of speech in the names of Universal Dependencies, lower case.
    pub tag: Option<String>,
    /// The position of the token that governs it among those of the document, and the name of the arc, lower case.
    pub arc: Option<(usize, String)>,
}

/// A mention of an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Its name in the document.
    pub id: String,
    /// Its type, as `protein`.
    pub kind: String,
    /// Where it stands: one range, or several of a mention with gaps; ascending, none empty.
    pub ranges: Vec<Range<usize>>,
}

impl Entity {
    /// From its first byte to its last.
    pub fn extent(&self) -> Range<usize> {
        let start = self.ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = self.ranges.iter().map(|range| range.end).max().unwrap_or(0);
        start..end
    }
}

/// A relation between two entities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Its type, as `binds`.
    pub kind: String,
    /// The positions of its ends among the document's entities.
    pub ends: [usize; 2],
    /// Whether the first end is another one than the second: who acts, and upon whom.
    pub is_directed: bool,
    /// Whether the corpus gives the ends of a relation without a direction in an order that may be one.
    pub has_order: bool,
}
