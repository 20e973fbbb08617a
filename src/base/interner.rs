//! Symbols while a program is read: each distinct text once, in an arena, numbered as it comes.
//!
//! The numbers are provisional. When loading ends they are replaced by canonical ones, so that the
//! order of the input files never reaches a result (see `program::Constants`).

use bumpalo::Bump;
use hashbrown::HashTable;

use super::hash::hash_text;

/// Distinct texts, numbered in the order of their first appearance.
pub struct Interner<'arena> {
    arena: &'arena Bump,
    table: HashTable<u32>,
    texts: Vec<&'arena str>,
}

impl std::fmt::Debug for Interner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Interner").field("len", &self.texts.len()).finish_non_exhaustive()
    }
}

impl<'arena> Interner<'arena> {
    /// An empty interner whose texts will live in `arena`.
    #[must_use]
    pub fn new(arena: &'arena Bump) -> Self {
        Self { arena, table: HashTable::new(), texts: Vec::new() }
    }

    /// The number of `text`, given now if it is new. Cost: one hash of the text, amortised.
    ///
    /// # Panics
    ///
    /// When 2^32 distinct texts are exceeded.
    pub fn intern(&mut self, text: &str) -> u32 {
        let hash = hash_text(text);
        let texts = &self.texts;
        if let Some(&found) = self.table.find(hash, |&id| texts[id as usize] == text) {
            return found;
        }
        let id = u32::try_from(self.texts.len()).expect("fewer than 2^32 distinct symbols");
        self.texts.push(self.arena.alloc_str(text));
        let texts = &self.texts;
        self.table.insert_unique(hash, id, |&other| hash_text(texts[other as usize]));
        id
    }

    /// The number of `text` if it is known.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<u32> {
        self.table.find(hash_text(text), |&id| self.texts[id as usize] == text).copied()
    }

    /// The text with this number.
    #[must_use]
    pub fn text(&self, id: u32) -> &'arena str {
        self.texts[id as usize]
    }

    /// All texts, by number.
    #[must_use]
    pub fn texts(&self) -> &[&'arena str] {
        &self.texts
    }
}
