//! The rows that an index gives for a value.

/// Rows found through an index.
#[derive(Clone, Copy, Debug)]
pub enum RowsWith<'relation> {
    /// The rows `start..end`.
    Range(u32, u32),
    /// These rows, ascending.
    List(&'relation [u32]),
}

impl RowsWith<'_> {
    /// How many rows there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Range(start, end) => (*end - *start) as usize,
            Self::List(rows) => rows.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row at a position.
    #[must_use]
    pub const fn get(&self, position: usize) -> usize {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "a position is below the u32 row count")]
            Self::Range(start, _) => (*start + position as u32) as usize,
            Self::List(rows) => rows[position] as usize,
        }
    }

    /// The rows, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|position| self.get(position))
    }
}
