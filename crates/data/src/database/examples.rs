//! The examples of a database: the rows of the table that has the labels.

use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::Diagnostic;

use super::compile::{DatabaseRequest, declare_cut_off};
use super::faults;
use super::rows::RowGraph;
use super::schema::{Kind, Schema, TableSchema};
use super::star::Star;
use super::store::{Database, LONG, StoredTable};
use super::times::RowTimes;
use crate::cells::atom_name;
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

/// Adds an example for each row with a label; where examples are only scored, for each row.
///
/// # Errors
///
/// Labels that are no two classes.
pub(super) fn add_examples(
    database: &Database,
    schema: &Schema,
    (graph, star): (&RowGraph<'_>, &Star),
    times: Option<&RowTimes>,
    request: &DatabaseRequest,
    gathered: &mut Gathered,
) -> Result<(), Diagnostic> {
    let Some((table, column)) = schema.label else { return Ok(()) };
    let stored = &database.tables[table];
    let target = target(schema, star, times.is_some());
    let links: Vec<usize> = star.head_links(schema).map(|(seen, _)| seen.end.1).collect();
    let nothing = gathered.statements.symbols.constant(NOTHING, None).raw();
    let classes = Classes::of(stored, column, request.takes_numbers, gathered)?;
    let fold = schema.tables[table].columns.iter().position(|column| column.kind == Kind::Fold);
    let predicate = gathered.statements.symbols.predicate(&target.name, target.arity);
    gathered.fit_tables();
    let mut part = 0;
    for row in 0..stored.n_rows {
        while stored.parts[part].0 <= row {
            part += 1;
        }
        let class = classes.class(stored.columns[column].cells[row]);
        if class == Class::Unknown && !request.is_scored {
            continue;
        }
        let mut arguments = vec![ConstantId::from_raw(graph.names(table)[row])];
        for &link in &links {
            let cell = Some(stored.columns[link].cells[row]).filter(|&cell| cell < LONG);
            arguments.push(ConstantId::from_raw(cell.unwrap_or(nothing)));
        }
        if let Some(times) = times {
            let cut_off = stored.columns[times.cut_off].cells[row];
            // Without a cut-off nothing says what is known of the example.
            if cut_off >= LONG {
                continue;
            }
            arguments.push(ConstantId::from_raw(cut_off));
        }
        let fold = match fold.map(|fold| stored.columns[fold].cells[row]).filter(|&cell| cell < LONG) {
            Some(cell) => Some(fold_named(cell, gathered)),
            None => stored.parts[part].1,
        };
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
    gathered.statements.examples.has_labels = true;
    if times.is_some() {
        declare_cut_off(&target, request, gathered);
    }
    Ok(())
}

/// The fold of each row: of its column of folds, else of its file.
pub(super) fn fold_names(
    stored: &StoredTable,
    table: &TableSchema,
    gathered: &Gathered,
) -> Vec<Option<String>> {
    let column = table.columns.iter().position(|column| column.kind == Kind::Fold);
    let symbols = &gathered.statements.symbols;
    let mut part = 0;
    let of_row = |row: usize| {
        while stored.parts[part].0 <= row {
            part += 1;
        }
        match column.map(|column| stored.columns[column].cells[row]).filter(|&cell| cell < LONG) {
            Some(cell) => Some(label_text(cell, symbols)),
            None => stored.parts[part].1.map(|fold| gathered.statements.examples.fold_names[fold].clone()),
        }
    };
    (0..stored.n_rows).map(of_row).collect()
}

fn fold_named(cell: u32, gathered: &mut Gathered) -> usize {
    let text = gathered.statements.symbols.constants().text(cell);
    let name = atom_name(text).unwrap_or_else(|| text.to_owned());
    gathered.statements.examples.fold_named(&name, &mut gathered.facts)
}

/// The class of each label.
struct Classes {
    known: FixedMap<u32, Class>,
}

impl Classes {
    fn of(
        table: &StoredTable,
        column: usize,
        takes_numbers: bool,
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
        if takes_numbers {
            for (cell, text, _) in &labels {
                let number = CellValue::Written(text).number();
                let number = number.ok_or_else(|| faults::label_no_number(stored, text))?;
                known.insert(*cell, Class::Number(gathered.statements.examples.number_label(number)));
            }
            return Ok(Self { known });
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

fn label_text(cell: u32, symbols: &Provisional) -> String {
    let text = symbols.constants().text(cell);
    atom_name(text).unwrap_or_else(|| text.to_owned())
}
