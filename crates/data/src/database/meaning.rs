//! What the relations of a database are, by its schema alone: for forms of a model that ask the user's own tables.

use std::collections::BTreeMap;

use gleaner_lang::syntax::FileId;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::notations::bound_name;
use super::star::{Seen, Star, is_far};
use super::times::{TimeSources, cut_off, has_further_times};
use crate::database::calendar::{CalendarPart, parts_of};
use crate::database::star::{AGE, RECENCY};
use crate::tables::schema::{
    ColumnSchema, Composite, GivenComposite, GivenSchema, Kind, Says, Schema, TableSchema, key, name_stems,
    stem,
};

/// A database by its schema.
#[derive(Debug)]
pub struct DatabaseSchema {
    schema: Schema,
    star: Star,
    sources: TimeSources,
    /// By table, what says when its rows came to be, its own time first; empty for tables without times. None where
    /// examples have no cut-off.
    times: Option<Vec<Vec<SeenColumn>>>,
    relations: BTreeMap<String, Vec<DatabaseRelation>>,
}

/// A column of a table. Both are numbered from 0, in the order of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnPlace {
    /// The table.
    pub table: usize,
    /// The column.
    pub column: usize,
}

/// A column as the rows of a table see it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeenColumn {
    /// The table whose rows see it.
    pub table: usize,
    /// The foreign keys that lead to it, in order.
    pub path: Vec<ColumnPlace>,
    /// The column at the end.
    pub end: ColumnPlace,
    /// What its cells hold.
    pub holds: CellKind,
}

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellKind {
    /// Words, or keys of rows.
    Name,
    /// Numbers.
    Number,
    /// Lengths of time as texts, which are numbers of seconds.
    Duration,
    /// Dates or date-times.
    Time,
}

/// What a relation of two arguments is. The first argument is a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DatabaseRelation {
    /// What rows see, whatever the cut-off.
    Value(SeenColumn),
    /// A foreign key of rows that exist from a time on.
    Link(SeenColumn),
    /// The year of a time, with the part of it that has passed.
    Year(SeenColumn),
    /// A part of a time of examples.
    Calendar(SeenColumn, CalendarPart),
    /// The days from a time that examples see to their cut-off; none for later times.
    AgeOfExample(SeenColumn),
    /// The days from a time of rows to the cut-off. A row has it from that time on.
    Age(SeenColumn),
    /// The days from the time of rows of this table to the cut-off.
    AgeOfRow(usize),
    /// The places of rows among those with the same value of a foreign key, the latest first.
    Recency(SeenColumn),
    /// What the latest row points to of those that hang on what an example points to.
    Latest(LatestLink),
}

/// What an example points to by the latest row that hangs on something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LatestLink {
    /// What the example points to.
    pub up: SeenColumn,
    /// The foreign key of the rows that hang on it.
    pub down: SeenColumn,
    /// The foreign key that the latest of these rows points by.
    pub to: ColumnPlace,
}

/// The examples of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleColumns {
    /// Their table.
    pub table: usize,
    /// The foreign keys that are arguments of the target.
    pub links: Vec<ColumnPlace>,
    /// The column of the cut-off, which is the last argument.
    pub cut_off: Option<ColumnPlace>,
    /// The column of folds.
    pub fold: Option<ColumnPlace>,
}

impl DatabaseSchema {
    /// Reads a schema that has a line for each column; none where the text is no such schema, or has no labels.
    pub fn read(text: &str) -> Option<Self> {
        let schema = whole_schema(text)?;
        let mut star = Star::new(&schema);
        let sources = TimeSources::new(&schema);
        let times = times(&schema, &star, &sources);
        star.do_examples_hang = times.is_none();
        let mut this = Self { schema, star, sources, times, relations: BTreeMap::new() };
        this.relations = this.all_relations();
        Some(this)
    }

    /// How many tables there are.
    pub fn n_tables(&self) -> usize {
        self.schema.tables.len()
    }

    /// The columns of a table, in its order, and after them its composite keys.
    pub fn columns(&self, table: usize) -> impl Iterator<Item = ColumnPlace> + '_ {
        (0..self.schema.tables[table].columns.len()).map(move |column| ColumnPlace { table, column })
    }

    /// The column that is the time of the rows of a table.
    pub fn own_time(&self, table: usize) -> Option<ColumnPlace> {
        self.schema.tables[table].time.map(|column| ColumnPlace { table, column })
    }

    /// The name of a table.
    pub fn table_name(&self, table: usize) -> &str {
        &self.schema.tables[table].name
    }

    /// The name of a column.
    pub fn column_name(&self, at: ColumnPlace) -> &str {
        &self.schema.tables[at.table].columns[at.column].name
    }

    /// The lines of a `schema.toml` that leave a column out: that of its table, and its own.
    pub fn lines_to_leave_out(&self, at: ColumnPlace) -> [String; 2] {
        let (table, column) = (key(self.table_name(at.table)), key(self.column_name(at)));
        [format!("[{table}]"), format!("{column} = \"left out\"")]
    }

    /// The name of the column of labels.
    pub fn label_name(&self) -> &str {
        self.schema.label.map_or("label", |(table, column)| &self.schema.tables[table].columns[column].name)
    }

    /// Whether the cells of a column are dates or numbers in another notation than ISO 8601 and digits with a point, or
    /// made from such cells.
    pub fn is_written_otherwise(&self, at: ColumnPlace) -> bool {
        let columns = &self.schema.tables[at.table].columns;
        let is_bound_of =
            |of: &ColumnSchema| of.notation.is_some() && columns[at.column].name == bound_name(&of.name);
        columns[at.column].notation.is_some() || columns.iter().any(is_bound_of)
    }

    /// What the cells of a column hold.
    pub fn holds(&self, at: ColumnPlace) -> CellKind {
        cell_kind(self.schema.tables[at.table].columns[at.column].kind)
    }

    /// The column that names the rows of a table; without one they are numbered from 1.
    pub fn key(&self, table: usize) -> Option<ColumnPlace> {
        self.schema.key(table).map(|column| ColumnPlace { table, column })
    }

    /// The columns by which the rows of a table have their order: the key, or else all that clauses may use.
    pub fn content_columns(&self, table: usize) -> impl Iterator<Item = ColumnPlace> + '_ {
        self.schema.tables[table].content_columns().map(move |column| ColumnPlace { table, column })
    }

    /// The columns whose values are the keys of a table that stands in no file; none for other tables.
    pub fn makers(&self, table: usize) -> impl Iterator<Item = ColumnPlace> + '_ {
        let tables = self.schema.tables.iter().enumerate().filter(move |_| self.schema.tables[table].is_made);
        tables.flat_map(move |(from, _)| {
            let pointing = self.schema.foreign_keys(from).filter(move |(_, to)| *to == table);
            pointing.map(move |(column, _)| ColumnPlace { table: from, column })
        })
    }

    /// The columns whose values a composite key or foreign key joins; none for the columns of the table itself.
    pub fn parts(&self, at: ColumnPlace) -> impl Iterator<Item = ColumnPlace> + '_ {
        let parts = &self.schema.tables[at.table].columns[at.column].parts;
        parts.iter().map(move |&column| ColumnPlace { table: at.table, column })
    }

    /// The table that a foreign key points to.
    pub fn points_to(&self, at: ColumnPlace) -> Option<usize> {
        match self.schema.tables[at.table].columns[at.column].kind {
            Kind::Foreign(to) => Some(to),
            _ => None,
        }
    }

    /// Where the time of rows of a table comes from: its own column, or the latest of these.
    pub fn time_sources(&self, table: usize) -> &[SeenColumn] {
        self.times.as_ref().map_or(&[], |times| &times[table])
    }

    /// What says from when on rows of a table see through a path of foreign keys, beside the [time of the
    /// rows](DatabaseSchema::time_sources): the latest of all.
    pub fn further_time_sources(&self, table: usize, path: &[ColumnPlace]) -> Vec<SeenColumn> {
        if self.time_sources(table).is_empty() {
            return Vec::new();
        }
        let path: Vec<usize> = path.iter().map(|at| at.column).collect();
        self.sources.through(table, &path, &self.schema).iter().map(|source| self.seen(source)).collect()
    }

    /// Whether examples name rows of a table with times, and do not see all that is said of these: the row of the very moment of their
    /// cut-offs only if this holds true, later ones never. None for other tables.
    pub fn knows_same(&self, table: usize) -> Option<bool> {
        let examples = self.star.examples;
        if table == examples || self.times.is_none() || self.sight_sources(table).is_empty() {
            return None;
        }
        let named = self.star.links(examples, &self.schema).filter(|(_, to)| *to == table);
        let are_far: Vec<bool> = named.map(|(seen, _)| is_far(seen, &self.schema)).collect();
        (!are_far.is_empty()).then(|| !are_far.contains(&true))
    }

    /// The table of a foreign key of rows that no example names: modes of the user alone lead there.
    pub fn leads_to(&self, link: &SeenColumn) -> Option<usize> {
        let to = self.points_to(link.end).filter(|&to| !self.sight_sources(to).is_empty())?;
        let mut named = self.star.links(self.star.examples, &self.schema).map(|(_, to)| to);
        (to != self.star.examples && named.all(|named| named != to)).then_some(to)
    }

    /// The column that says from when on examples see nothing, where one does.
    pub fn sight(&self) -> Option<ColumnPlace> {
        let table = self.star.examples;
        cut_off(&self.schema, &self.star).map(|column| ColumnPlace { table, column })
    }

    /// What says from when on examples see the rows of a table that they point to, as [`DatabaseSchema::time_sources`]; of
    /// a table that points to nothing it is the time of its rows. Empty where they see all rows.
    pub fn sight_sources(&self, table: usize) -> Vec<SeenColumn> {
        let is_own = |seen: &&Seen| {
            seen.path.is_empty() && seen.end.0 == table && self.schema.tables[table].time == Some(seen.end.1)
        };
        let points = self.schema.foreign_keys(table).next().is_some();
        match self.sight() {
            Some(at) if at.table != table && points => self.time_sources(table).to_vec(),
            Some(_) => self.star.seen[table].iter().filter(is_own).map(|seen| self.seen(seen)).collect(),
            None => Vec::new(),
        }
    }

    /// Whether a table has a column that is the time of its rows.
    fn has_own_time(&self, table: usize) -> bool {
        self.schema.tables[table].time.is_some()
    }

    /// The examples.
    pub fn examples(&self) -> ExampleColumns {
        let table = self.star.examples;
        let place = |column| ColumnPlace { table, column };
        let links = self.star.head_links(&self.schema).map(|(seen, _)| place(seen.end.1)).collect();
        let cut_off = self.times.as_ref().and(self.schema.tables[table].time).map(place);
        let is_fold = |column: &ColumnSchema| column.kind == Kind::Fold;
        let fold = self.schema.tables[table].columns.iter().position(is_fold).map(place);
        ExampleColumns { table, links, cut_off, fold }
    }

    /// What a relation is. It is several where relations have the same name: then it has the rows of all.
    pub fn relation(&self, name: &str) -> &[DatabaseRelation] {
        self.relations.get(name).map_or(&[], Vec::as_slice)
    }

    fn seen(&self, seen: &Seen) -> SeenColumn {
        seen_column(seen, &self.schema)
    }

    fn all_relations(&self) -> BTreeMap<String, Vec<DatabaseRelation>> {
        let mut relations: BTreeMap<String, Vec<DatabaseRelation>> = BTreeMap::new();
        for table in 0..self.schema.tables.len() {
            for seen in &self.star.seen[table] {
                for (ending, relation) in self.relations_of(seen) {
                    let name = format!("{}{ending}", seen.name);
                    relations.entry(name).or_default().push(relation);
                }
            }
        }
        for seen in &self.star.seen[self.star.examples] {
            let of = self.seen(seen);
            let is_known = self.times.is_none() || Some(of.end) == self.examples().cut_off;
            if of.holds == CellKind::Time && is_known {
                for part in parts_of(seen, &self.star) {
                    let relation = DatabaseRelation::Calendar(of.clone(), part);
                    relations.entry(part.relation(seen)).or_default().push(relation);
                }
            }
        }
        // Times behind more keys than values are seen by.
        for table in (0..self.schema.tables.len()).filter(|&table| !self.time_sources(table).is_empty()) {
            for source in
                self.sources.of_rows(table).iter().filter(|seen| !self.star.seen[table].contains(seen))
            {
                relations
                    .entry(format!("{}{AGE}", source.name))
                    .or_default()
                    .push(DatabaseRelation::AgeOfRow(table));
            }
        }
        for (name, link) in self.latest_links() {
            relations.entry(name).or_default().push(DatabaseRelation::Latest(link));
        }
        relations
    }

    /// The relations of a column that rows see, each with the end of its name.
    fn relations_of(&self, seen: &Seen) -> Vec<(&'static str, DatabaseRelation)> {
        use DatabaseRelation::{Age, AgeOfExample, AgeOfRow, Link, Recency, Value, Year};
        let (of, is_own) = (self.seen(seen), seen.path.is_empty());
        let Some(times) = &self.times else {
            let relation = if of.holds == CellKind::Time { Year(of) } else { Value(of) };
            return vec![("", relation)];
        };
        let sources = &times[seen.table];
        let is_foreign = self.points_to(of.end).is_some();
        match (of.holds, seen.table == self.star.examples) {
            (CellKind::Time, true) if Some(of.end) == self.examples().cut_off && is_own => Vec::new(),
            (CellKind::Time, true) => vec![(AGE, AgeOfExample(of))],
            (_, true) => vec![("", Value(of))],
            (CellKind::Time, false) if sources.contains(&of) => {
                // Of several sources each row has the latest; a column of its own gives its name to it.
                let is_named = is_own || !self.has_own_time(seen.table);
                is_named.then_some((AGE, AgeOfRow(seen.table))).into_iter().collect()
            }
            (CellKind::Time, false) if is_own => vec![(AGE, Age(of))],
            (CellKind::Time, false) => Vec::new(),
            (_, false) if is_foreign && !sources.is_empty() => {
                vec![("", Link(of.clone())), (RECENCY, Recency(of))]
            }
            (_, false) => vec![("", Value(of))],
        }
    }

    fn latest_links(&self) -> Vec<(String, LatestLink)> {
        let (schema, star) = (&self.schema, &self.star);
        let mut found = Vec::new();
        let hangs = |to: usize| star.links_to(to).next().is_some();
        for (up, up_to) in star.links(star.examples, schema).filter(|(_, to)| hangs(*to)) {
            for down in star.links_to(up_to).filter(|down| down.path.is_empty()) {
                if self.time_sources(down.table).is_empty() {
                    continue;
                }
                let is_event = |to: usize| !self.time_sources(to).is_empty() || self.has_own_time(to);
                let others = schema.foreign_keys(down.table).filter(|(_, to)| *to != up_to && hangs(*to));
                for (column, _) in others.filter(|(_, to)| !is_event(*to)) {
                    let of = &schema.tables[down.table];
                    let name = format!("{}_{}_{}_latest", up.name, of.stem, of.columns[column].stem);
                    let to = ColumnPlace { table: down.table, column };
                    found.push((name, LatestLink { up: self.seen(up), down: self.seen(down), to }));
                }
            }
        }
        found
    }
}

const fn cell_kind(kind: Kind) -> CellKind {
    match kind {
        Kind::Number | Kind::Code => CellKind::Number,
        Kind::Duration => CellKind::Duration,
        Kind::Time => CellKind::Time,
        Kind::Key | Kind::Foreign(_) | Kind::Category | Kind::Label | Kind::Fold | Kind::LeftOut => {
            CellKind::Name
        }
    }
}

fn seen_column(seen: &Seen, schema: &Schema) -> SeenColumn {
    let steps = schema.steps(seen.table, &seen.path).into_iter();
    let path = steps.map(|(table, column)| ColumnPlace { table, column }).collect();
    let end = ColumnPlace { table: seen.end.0, column: seen.end.1 };
    SeenColumn { table: seen.table, path, end, holds: cell_kind(seen.kind(schema)) }
}

/// By table, where the times of its rows come from; as `times::row_times` finds them.
fn times(schema: &Schema, star: &Star, sources: &TimeSources) -> Option<Vec<Vec<SeenColumn>>> {
    let _ = cut_off(schema, star)?;
    let of_table = |table: usize| -> Vec<SeenColumn> {
        let is_timed =
            table != star.examples && star.is_met[table] && schema.foreign_keys(table).next().is_some();
        let of_rows = sources.of_rows(table).iter().filter(|_| is_timed);
        of_rows.map(|seen| seen_column(seen, schema)).collect()
    };
    let times: Vec<Vec<SeenColumn>> = (0..schema.tables.len()).map(of_table).collect();
    let has_times = times.iter().any(|sources| !sources.is_empty()) || has_further_times(schema, star);
    has_times.then_some(times)
}

/// The schema that has a line for each column, in the order of the text.
fn whole_schema(text: &str) -> Option<Schema> {
    let (given, faults) = GivenSchema::read(text, FileId::default());
    let parsed = DeTable::parse(text).ok().filter(|_| faults.is_empty())?;
    let mut tables: Vec<_> = parsed.get_ref().iter().collect();
    tables.sort_by_key(|(name, _)| name.span().start);
    let mut schema = Schema::default();
    for (name, columns) in &tables {
        let DeValue::Table(columns) = columns.get_ref() else { return None };
        let mut columns: Vec<_> = columns.iter().collect();
        columns.sort_by_key(|(name, _)| name.span().start);
        let is_column =
            |(_, says): &&(_, &Spanned<DeValue<'_>>)| matches!(says.get_ref(), DeValue::String(_));
        let names = columns.iter().filter(is_column).map(|(column, _)| column.get_ref().to_string());
        let of_column = |name: String| ColumnSchema {
            stem: stem(&name),
            name,
            kind: Kind::LeftOut,
            n_distinct: 0,
            said_by: None,
            why: String::new(),
            notation: None,
            parts: Vec::new(),
        };
        let columns = names.map(of_column).collect();
        let name = name.get_ref().to_string();
        let is_made = given.columns.iter().any(|of| of.table == name && of.says == Says::MadeKey);
        schema.tables.push(TableSchema { stem: stem(&name), name, n_rows: 0, columns, time: None, is_made });
    }
    name_stems(&mut schema);
    let position = |name: &str, schema: &Schema| schema.tables.iter().position(|table| table.name == name);
    for column in &given.columns {
        let table = position(&column.table, &schema)?;
        let at = schema.tables[table].columns.iter().position(|known| known.name == column.column)?;
        let kind = column.says.kind(|to| position(to, &schema))?;
        let of_table = &mut schema.tables[table];
        of_table.columns[at].kind = kind;
        of_table.columns[at].notation = column.notation;
        match kind {
            Kind::Label if schema.label.is_none() => schema.label = Some((table, at)),
            Kind::Time if column.says == Says::RowTime => of_table.time = Some(at),
            _ => {}
        }
    }
    let composite = |of: &GivenComposite| {
        let table = position(&of.table, &schema)?;
        let column =
            |name: &String| schema.tables[table].columns.iter().position(|known| known.name == *name);
        let kind = match &of.says {
            Says::PointsTo(to) => Kind::Foreign(position(to, &schema)?),
            _ => Kind::Key,
        };
        let columns = of.columns.iter().map(column).collect::<Option<Vec<usize>>>()?;
        Some(Composite { table, columns, kind, said_by: None, why: String::new() })
    };
    let said = given.composites.iter().filter(|of| !of.columns.is_empty());
    let composites = said.map(composite).collect::<Option<Vec<Composite>>>()?;
    schema.add_composites(composites);
    schema.label.is_some().then_some(schema)
}

#[cfg(test)]
mod tests {
    use super::{CellKind, DatabaseRelation, DatabaseSchema};

    const SHOP: &str = "\
[people]\nid = \"key\"\nborn = \"time\"\ncity = \"category\"\n\
[orders]\nid = \"key\"\nbuyer = \"-> people\"\nplaced = \"row time\"\nshop = \"-> shops\"\nprice = \"number\"\n\
[shops]\nno = \"key\"\ntown = \"category\"\n\
[returns]\nof = \"-> orders\"\non = \"row time\"\n\
[labels]\nwho = \"-> people\"\nday = \"row time\"\nback = \"label\"\n";

    #[test]
    fn relations_are_known_by_the_schema() {
        let shop = DatabaseSchema::read(SHOP).expect("a schema");
        let examples = shop.examples();
        assert_eq!(shop.table_name(examples.table), "labels");
        assert_eq!(examples.links.iter().map(|at| shop.column_name(*at)).collect::<Vec<_>>(), ["who"]);
        assert_eq!(examples.cut_off.map(|at| shop.column_name(at)), Some("day"));
        assert!(shop.key(examples.table).is_none() && shop.key(0).is_some());
        let is = |name: &str, is: &dyn Fn(&DatabaseRelation) -> bool| {
            let found = shop.relation(name);
            assert!(found.len() == 1 && is(&found[0]), "{name}: {found:?}");
        };
        is("orders_buyer", &|it| matches!(it, DatabaseRelation::Link(_)));
        is("orders_buyer_recency", &|it| matches!(it, DatabaseRelation::Recency(_)));
        is("orders_price", &|it| matches!(it, DatabaseRelation::Value(of) if of.holds == CellKind::Number));
        is("orders_placed_age", &|it| *it == DatabaseRelation::AgeOfRow(1));
        is("returns_of_buyer", &|it| matches!(it, DatabaseRelation::Link(of) if of.path.len() == 1));
        is("labels_who_born_age", &|it| matches!(it, DatabaseRelation::AgeOfExample(_)));
        is("labels_who_orders_shop_latest", &|it| matches!(it, DatabaseRelation::Latest(_)));
        assert!(shop.relation("orders_buyer_city").len() == 1 && shop.relation("orders_id").is_empty());
        let sources = shop.time_sources(3);
        assert!(sources.len() == 1 && sources[0].path.is_empty() && shop.has_own_time(3), "{sources:?}");
        let [DatabaseRelation::Link(buyer)] = shop.relation("returns_of_buyer") else { panic!("no link") };
        let further = shop.further_time_sources(3, &buyer.path);
        assert_eq!(further.len(), 1, "the time of its order: {further:?}");
        assert_eq!(further[0].path, buyer.path);
        let [DatabaseRelation::Link(of)] = shop.relation("returns_of") else { panic!("no link") };
        assert!(shop.further_time_sources(3, &of.path).is_empty());
    }

    #[test]
    fn without_cut_offs_times_are_years() {
        let text = SHOP.replace("day = \"row time\"\n", "");
        let shop = DatabaseSchema::read(&text).expect("a schema");
        assert_eq!(shop.examples().cut_off, None);
        assert!(matches!(shop.relation("orders_placed"), [DatabaseRelation::Year(_)]));
        assert!(shop.relation("orders_buyer_recency").is_empty());
    }

    #[test]
    fn other_texts_are_no_schema() {
        for text in ["", "[a\n", "[a]\nx = \"key\"\n", "[a]\nx = \"-> b\"\ny = \"label\"\n", "a = 1\n"] {
            assert!(DatabaseSchema::read(text).is_none(), "{text}");
        }
    }
}
