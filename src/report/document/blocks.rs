//! The blocks of a document.

use gleaner_lang::syntax::marks::{Wording, worded};

/// An answer, block by block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The blocks in order.
    pub blocks: Vec<Block>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A title of the blocks below it.
    Heading(Level, String),
    /// Prose: lines that stay apart. A line feed within a line is only where a terminal is full.
    Lines(Vec<String>),
    /// An empty line on a terminal. Other renderers set blocks apart anyway.
    Gap,
    /// A table.
    Table(Table),
    /// Lines of a program or of a file.
    Code {
        /// The name of their language; empty where they have none.
        language: &'static str,
        /// Spaces before each line on a terminal.
        indent: usize,
        /// The lines.
        lines: Vec<String>,
    },
    /// Documents that a terminal shows side by side, others one after the other.
    Beside {
        /// Columns of a terminal for each.
        width: usize,
        /// The documents.
        documents: Vec<Document>,
    },
}

/// The level of a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// All of the document.
    Page,
    /// A part of it.
    Section,
}

/// Rows of cells below titles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// A line of cells above the titles, for terminals; the columns' names carry the same information.
    pub above: Vec<Cell>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows. One may have fewer cells than there are columns: it ends early.
    pub rows: Vec<Row>,
    /// Spaces before the remarks of a row on a terminal.
    pub remark_indent: usize,
    /// Whether spaces within cells carry meaning, as those of a tree.
    pub is_drawing: bool,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The column's title on a terminal. A table whose titles are all empty has no line of titles there.
    pub title: String,
    /// The column's title where there is room, and everywhere a table needs titles.
    pub name: String,
    /// The side that its cells stand at.
    pub align: Align,
    /// Characters of its cells on a terminal; a longer cell takes more.
    pub width: usize,
    /// Spaces before its cells on a terminal, however long the cells before are.
    pub gap: usize,
    /// How many characters are too many for a cell on a terminal: it is shortened there.
    pub most: Option<usize>,
    /// Whether its cells are clauses or literals.
    pub is_code: bool,
    /// Whether its cells are sentences of ours, which may name settings.
    pub is_prose: bool,
}

/// A side of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<Cell>,
    /// Lines about the row.
    pub remarks: Vec<String>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The text of the cell; numbers are formatted. A line feed is only where a terminal is full.
    pub text: String,
    /// The number of columns that the cell takes.
    pub span: usize,
    /// The side that it stands at, if not that of its column.
    pub align: Option<Align>,
}

impl Document {
    /// A document of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The document with the settings that its prose names in the words of a surface. Code and other cells stay: they are data.
    #[must_use]
    pub fn worded(mut self, say: Wording) -> Self {
        let reword = |text: &mut String| *text = worded(text, say).into_owned();
        for block in &mut self.blocks {
            match block {
                Block::Heading(_, title) => reword(title),
                Block::Lines(lines) => lines.iter_mut().for_each(reword),
                Block::Table(Table { columns, rows, .. }) => {
                    for Row { cells, remarks } in rows {
                        let cells = columns.iter().zip(cells).filter(|(column, _)| column.is_prose);
                        cells.map(|(_, cell)| &mut cell.text).chain(remarks).for_each(reword);
                    }
                }
                Block::Beside { documents, .. } => {
                    documents
                        .iter_mut()
                        .for_each(|document| *document = std::mem::take(document).worded(say));
                }
                Block::Gap | Block::Code { .. } => {}
            }
        }
        self
    }

    /// Whether the document has no blocks.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Adds the title of a part.
    pub fn heading(&mut self, title: impl Into<String>) {
        self.blocks.push(Block::Heading(Level::Section, title.into()));
    }

    /// Adds a line of prose.
    pub fn line(&mut self, line: impl Into<String>) {
        if let Some(Block::Lines(lines)) = self.blocks.last_mut() {
            lines.push(line.into());
        } else {
            self.blocks.push(Block::Lines(vec![line.into()]));
        }
    }

    /// Adds all lines of a text, as learners write of themselves: an empty one is a gap, one after `== ` a title.
    pub fn lines(&mut self, text: &str) {
        for line in text.lines() {
            match line.strip_prefix("== ") {
                Some(title) => self.heading(title),
                None if line.is_empty() => self.gap(),
                None => self.line(line),
            }
        }
    }

    /// The answer for one class of many: its name, and the document about it.
    pub fn of_class(name: &str, answer: Self) -> [Self; 2] {
        let [mut title, mut document] = [Self::new(), answer];
        title.heading(format!("class {name}"));
        title.gap();
        document.gap();
        [title, document]
    }

    /// Adds an empty line.
    pub fn gap(&mut self) {
        self.blocks.push(Block::Gap);
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    /// Adds clauses.
    pub fn clauses(&mut self, clauses: Vec<String>) {
        self.blocks.push(Block::Code { language: "prolog", indent: 0, lines: clauses });
    }

    /// Adds all of another document.
    pub fn extend(&mut self, other: Self) {
        for block in other.blocks {
            match block {
                Block::Lines(lines) => lines.into_iter().for_each(|line| self.line(line)),
                block => self.blocks.push(block),
            }
        }
    }

    /// Adds another document after a gap; adds nothing if it is empty.
    pub fn extend_apart(&mut self, other: Self) {
        if !other.is_empty() {
            self.gap();
            self.extend(other);
        }
    }
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), ..Self::default() }
    }

    /// Adds a row.
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.remarked_row(cells, Vec::new());
    }

    /// Adds a row with lines about it.
    pub fn remarked_row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>, remarks: Vec<String>) {
        self.rows.push(Row { cells: cells.into_iter().map(Into::into).collect(), remarks });
    }

    /// The same table with rows of these cells.
    pub fn with_rows<C: Into<Cell>, R: IntoIterator<Item = C>>(
        mut self,
        rows: impl IntoIterator<Item = R>,
    ) -> Self {
        rows.into_iter().for_each(|row| self.row(row));
        self
    }

    /// The same table with a column as wide as its widest cell.
    pub fn fitted(mut self, column: usize) -> Self {
        let cells = self.rows.iter().filter_map(|row| row.cells.get(column));
        self.columns[column].width = cells.map(|cell| cell.text.chars().count()).max().unwrap_or(0);
        self
    }
}

impl Column {
    /// A column of texts.
    pub fn text(title: impl Into<String>, width: usize) -> Self {
        let title = title.into();
        Self {
            name: title.clone(),
            title,
            align: Align::Left,
            width,
            gap: 0,
            most: None,
            is_code: false,
            is_prose: false,
        }
    }

    /// A column of numbers.
    pub fn number(title: impl Into<String>, width: usize) -> Self {
        Self { align: Align::Right, ..Self::text(title, width) }
    }

    /// A column of clauses or literals, as wide as each is.
    pub fn code(title: impl Into<String>) -> Self {
        Self { is_code: true, ..Self::text(title, 0) }
    }

    /// A column of sentences of ours.
    pub fn prose(title: impl Into<String>) -> Self {
        Self { is_prose: true, ..Self::text(title, 0) }
    }

    /// The column with this many spaces before it.
    pub fn after(self, gap: usize) -> Self {
        Self { gap, ..self }
    }

    /// The column with its cells shortened to less than `most` characters on a terminal.
    pub fn below(self, most: usize) -> Self {
        Self { most: Some(most), ..self }
    }

    /// The same with this title where there is room.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }
}

impl Cell {
    /// A cell that takes some columns.
    pub fn spanning(text: impl Into<String>, span: usize) -> Self {
        Self { text: text.into(), span, align: None }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::spanning(text, 1)
    }
}
