//! The star that clauses walk: from an example to the rows that it points to, to the rows that point to these.

use super::paths::{Seen, seen_by};
use super::schema::{Kind, Schema};

/// The relations of a database that clauses use.
#[derive(Debug)]
pub(crate) struct Star {
    /// The table of the examples.
    pub(crate) examples: usize,
    /// By table, what its rows see; empty for tables that no example leads to.
    pub(crate) seen: Vec<Vec<Seen>>,
    /// Whether clauses can come to the rows of a table from an example.
    pub(crate) is_met: Vec<bool>,
}

impl Star {
    /// The relations of a database with labels.
    pub(crate) fn new(schema: &Schema) -> Self {
        let examples = schema.label.map_or(0, |(table, _)| table);
        let all: Vec<Vec<Seen>> = (0..schema.tables.len()).map(|table| seen_by(table, schema)).collect();
        let mut is_met = vec![false; all.len()];
        let mut open = vec![examples];
        while let Some(table) = open.pop() {
            if std::mem::replace(&mut is_met[table], true) {
                continue;
            }
            let pointed = all[table].iter().filter_map(|seen| match seen.kind(schema) {
                Kind::Foreign(to) => Some(to),
                _ => None,
            });
            open.extend(pointed);
            open.extend(
                (0..all.len()).filter(|&child| child != examples && points(&all[child], table, schema)),
            );
        }
        let seen = all.into_iter().zip(&is_met).map(|(seen, &met)| if met { seen } else { Vec::new() });
        Self { examples, seen: seen.collect(), is_met }
    }

    /// The foreign keys, with or without a path before them, that lead from rows of a table to another table.
    pub(crate) fn links<'s>(
        &'s self,
        table: usize,
        schema: &'s Schema,
    ) -> impl Iterator<Item = (&'s Seen, usize)> + 's {
        self.seen[table].iter().filter_map(|seen| match seen.kind(schema) {
            Kind::Foreign(to) => Some((seen, to)),
            _ => None,
        })
    }

    /// The foreign keys of other tables that lead to rows of this one. Examples are no one's rows.
    pub(crate) fn links_to<'s>(
        &'s self,
        table: usize,
        schema: &'s Schema,
    ) -> impl Iterator<Item = &'s Seen> + 's {
        let others = (0..self.seen.len()).filter(move |&other| other != self.examples && other != table);
        let all = others.flat_map(move |other| self.links(other, schema));
        all.filter(move |(_, to)| *to == table).map(|(seen, _)| seen)
    }

    /// The foreign keys of examples that are arguments of the target: those to what other rows hang on.
    pub(crate) fn head_links<'s>(
        &'s self,
        schema: &'s Schema,
    ) -> impl Iterator<Item = (&'s Seen, usize)> + 's {
        let hangs = |to: usize| self.links_to(to, schema).next().is_some();
        self.links(self.examples, schema).filter(move |(seen, to)| seen.path.is_empty() && hangs(*to))
    }

    /// What rows of a table say, of themselves and of the rows that they point to.
    pub(crate) fn values<'s>(
        &'s self,
        table: usize,
        schema: &'s Schema,
    ) -> impl Iterator<Item = &'s Seen> + 's {
        let is_value = |seen: &&Seen| {
            matches!(seen.kind(schema), Kind::Category | Kind::Number | Kind::Code | Kind::Time)
        };
        self.seen[table].iter().filter(is_value)
    }
}

fn points(seen: &[Seen], table: usize, schema: &Schema) -> bool {
    seen.iter().any(|seen| seen.kind(schema) == Kind::Foreign(table))
}
