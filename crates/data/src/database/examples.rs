//! The examples of a database: the rows of the table that has the labels.

use gleaner_base::{ConstantId, FixedMap, FixedSet};
use gleaner_lang::program::{Number, PredicateName};
use gleaner_lang::syntax::Diagnostic;

use super::compile::{DatabaseRequest, declare_cut_off};
use super::faults;
use super::folds::{RowFold, RowFolds};
use super::rows::RowGraph;
use super::schema::Schema;
use super::star::Star;
use super::store::{Database, LONG, StoredTable};
use super::times::RowTimes;
use crate::cells::{atom_name, cell_number};
use crate::gather::{Class, Gathered};
use crate::provisional::Provisional;
use crate::rows::CellValue;

/// The target of a database: the column of labels, of a row, of what it points to, and of its cut-off if it has one.
pub(super) fn target(schema: &Schema, star: &Star, has_cut_off: bool) -> PredicateName {
    let name = schema.label.map_or_else(String::new, |(table, column)| {
        let table = &schema.tables[table];
        format!("{}_{}", table.stem, table.columns[column].stem)
    });
    PredicateName::new(name, 1 + star.head_links(schema).count() + usize::from(has_cut_off))
}

/// The argument of an example that points to nothing.
const NOTHING: &str = "nothing";

/// What examples are made of.
pub(super) struct ExamplesOf<'e> {
    pub(super) database: &'e Database,
    pub(super) schema: &'e Schema,
    pub(super) graph: &'e RowGraph<'e>,
    pub(super) star: &'e Star,
    pub(super) times: Option<&'e RowTimes>,
    pub(super) folds: &'e RowFolds,
}

/// By row of the examples, whether it is positive; none where its class is not known.
pub(super) type RowClasses = Vec<Option<bool>>;

impl ExamplesOf<'_> {
    /// Gives the class of each row. Adds an example for each row with a label; where examples are only scored, for each row. Tells of rows without a
    /// cut-off: nothing says what is known of them.
    ///
    /// # Errors
    ///
    /// Labels that are no two classes.
    pub(super) fn add(
        &self,
        request: &DatabaseRequest,
        gathered: &mut Gathered,
    ) -> Result<RowClasses, Diagnostic> {
        let Self { database, schema, star, times, folds, .. } = *self;
        let Some((table, column)) = schema.label else { return Ok(Vec::new()) };
        let stored = &database.tables[table];
        let target = target(schema, star, times.is_some());
        let classes = Classes::of(stored, column, request, gathered)?;
        let predicate = gathered.statements.symbols.predicate(&target.name, target.arity);
        gathered.fit_tables();
        let cut_offs = times.map(|times| &stored.columns[times.cut_off]);
        let links: Vec<usize> = star.head_links(schema).map(|(seen, _)| seen.end.1).collect();
        let nothing = gathered.statements.symbols.constant(NOTHING, None).raw();
        let (mut without_cut_off, mut with_examples) = (Vec::new(), FixedSet::default());
        for row in 0..stored.n_rows {
            let class = classes.class(stored.columns[column].cells[row]);
            let is_left_out = folds.of_rows[row] == RowFold::LeftOut;
            if is_left_out || class == Class::Unknown && !request.is_scored {
                continue;
            }
            if cut_offs.is_some_and(|cut_offs| cut_offs.cells[row] >= LONG) {
                without_cut_off.push(row);
                continue;
            }
            let arguments = self.arguments(row, &links, nothing);
            let fold = folds
                .name(row)
                .map(|name| gathered.statements.examples.fold_named(name, &mut gathered.facts));
            if let RowFold::In(fold) = folds.of_rows[row] {
                with_examples.insert(fold);
            }
            let examples = &mut gathered.statements.examples;
            let is_positive = matches!(class, Class::Known(true) | Class::Number(_));
            examples.add(predicate, &arguments, is_positive, fold, stored.columns[column].place);
            if let Some(example) = examples.listed.last_mut() {
                match class {
                    Class::Number(number) => example.class = number,
                    Class::Unknown => example.forget_class(),
                    Class::Known(_) | Class::NotSaid => {}
                }
            }
        }
        for name in folds.without_examples(&with_examples) {
            gathered.statements.examples.fold_named(name, &mut gathered.facts);
        }
        if let Some(cut_offs) = cut_offs.filter(|_| !without_cut_off.is_empty()) {
            gathered.messages.push(faults::rows_without_cut_off(stored, cut_offs, &without_cut_off));
        }
        gathered.statements.examples.has_labels = true;
        if times.is_some() {
            declare_cut_off(&target, request, gathered);
        }
        let is_positive = |&cell: &u32| match classes.class(cell) {
            Class::Known(is_positive) => Some(is_positive),
            Class::Number(_) | Class::Unknown | Class::NotSaid => None,
        };
        Ok(stored.columns[column].cells.iter().map(is_positive).collect())
    }

    /// The row, what it points to, and its cut-off if it has one.
    fn arguments(&self, row: usize, links: &[usize], nothing: u32) -> Vec<ConstantId> {
        let table = self.star.examples;
        let stored = &self.database.tables[table];
        let link = |&link: &usize| {
            let cell = Some(stored.columns[link].cells[row]).filter(|&cell| cell < LONG);
            cell.unwrap_or(nothing)
        };
        let own = std::iter::once(self.graph.names(table)[row].raw());
        let cut_off = self.times.map(|times| stored.columns[times.cut_off].cells[row]);
        own.chain(links.iter().map(link)).chain(cut_off).map(ConstantId::from_raw).collect()
    }
}

/// The class of each label.
struct Classes {
    known: FixedMap<u32, Class>,
}

impl Classes {
    fn of(
        table: &StoredTable,
        column: usize,
        request: &DatabaseRequest,
        gathered: &mut Gathered,
    ) -> Result<Self, Diagnostic> {
        let stored = &table.columns[column];
        let mut counts: FixedMap<u32, usize> = FixedMap::default();
        stored.values().for_each(|cell| *counts.entry(cell).or_insert(0) += 1);
        let mut labels: Vec<(u32, String, usize)> = counts
            .into_iter()
            .map(|(cell, n)| (cell, label_text(cell, &gathered.statements.symbols), n))
            .collect();
        labels.sort_by(|left, right| left.1.cmp(&right.1));
        let mut known = FixedMap::default();
        let is_class_named = request.label.as_ref().is_some_and(|label| label.positive.is_some());
        if request.takes_numbers && is_class_named {
            return Err(faults::number_and_class(stored));
        }
        if request.takes_numbers {
            for (cell, text, _) in &labels {
                let number = CellValue::Written(text).number();
                let number = number.ok_or_else(|| faults::label_no_number(stored, text))?;
                known.insert(*cell, Class::Number(gathered.statements.examples.number_label(number)));
            }
            return Ok(Self { known });
        }
        if let Some(positive) = request.label.as_ref().and_then(|label| label.positive.as_deref()) {
            let same = |text: &str| text == positive || is_same_number(text, positive);
            known.extend(labels.iter().map(|(cell, text, _)| (*cell, Class::Known(same(text)))));
            let has_one = labels.iter().any(|(_, text, _)| same(text));
            return match has_one || request.is_scored {
                true => Ok(Self { known }),
                false => Err(faults::no_such_label(stored, positive, &labels)),
            };
        }
        let in_words = |text: &str| CellValue::Written(text).class(false);
        if labels.iter().all(|(_, text, _)| in_words(text).is_some()) {
            known.extend(labels.iter().filter_map(|(cell, text, _)| Some((*cell, in_words(text)?))));
            return Ok(Self { known });
        }
        let [one, other] = labels.as_slice() else { return Err(faults::odd_labels(stored, &labels)) };
        // Of two words the rarer one is what people look for.
        let positive = if one.2 <= other.2 { one } else { other };
        gathered.messages.push(faults::rarer_is_positive(stored, &positive.1, positive.2));
        known.extend(labels.iter().map(|(cell, ..)| (*cell, Class::Known(*cell == positive.0))));
        Ok(Self { known })
    }

    fn class(&self, cell: u32) -> Class {
        self.known.get(&cell).copied().unwrap_or(Class::Unknown)
    }
}

/// Whether two texts write the same number: `1` and `1.0`.
fn is_same_number(one: &str, other: &str) -> bool {
    let number = |text: &str| cell_number(text).map(Number::as_f64);
    number(one).zip(number(other)).is_some_and(|(one, other)| one.total_cmp(&other).is_eq())
}

/// The text of a cell that holds a label or a fold.
pub(super) fn label_text(cell: u32, symbols: &Provisional) -> String {
    let text = symbols.constants().text(cell);
    atom_name(text).unwrap_or_else(|| text.to_owned())
}
