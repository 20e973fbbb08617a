//! Reading: every statement of every file into provisional tables.

use std::path::PathBuf;

use crate::base::{ConstantId, FixedMap, PredicateId};
use crate::program::{Clause, FactTable, PredicateName};
use crate::syntax::{Place, Sources};

use super::faults;
use super::layout::{Format, Layout, LayoutFile, Role};
use super::lower::Variables;
use super::messages::Messages;
use super::mode_terms::RawMode;
use super::popper::Bias;
use super::provisional::Provisional;
use super::{Division, LoadRequest, SetDirective, TargetName};

mod csv_records;
mod csv_tables;
mod interpretations;
mod json_lines;
mod reading;
mod statements;
mod tables;

pub(super) use csv_records::record_text;
pub(super) use csv_tables::{FOLD, LABEL, type_header};
pub(super) use statements::plain_text;

use reading::Reading;

/// A rule with its place and the names of its variables.
#[derive(Debug)]
pub(super) struct RawRule {
    pub(super) clause: Clause,
    pub(super) variables: Variables,
    pub(super) place: Place,
}

/// An example as read.
#[derive(Debug)]
pub(super) struct RawExample {
    pub(super) predicate: PredicateId,
    /// Its row among those of the predicate in `Gathered::example_rows`.
    pub(super) row: usize,
    pub(super) fold: Option<usize>,
    pub(super) is_positive: bool,
    pub(super) place: Place,
}

/// Everything the files say.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) symbols: Provisional,
    pub(super) global: FactTable,
    pub(super) folds: Vec<FactTable>,
    /// The folds' names: those of the layout, then those that rows of tables name.
    pub(super) fold_names: Vec<String>,
    pub(super) division: Division,
    /// Whether predicates in capitals and without are the same.
    pub(super) ignores_case: bool,
    pub(super) rules: Vec<RawRule>,
    /// The heads of rules outside the language, in files of other systems; then all that is left out with them.
    pub(super) incomplete: Vec<PredicateId>,
    pub(super) modes: Vec<RawMode>,
    pub(super) determinations: Vec<(PredicateName, PredicateName, Place)>,
    pub(super) settings: Vec<SetDirective>,
    pub(super) bias: Bias,
    /// The target that the request or the files ask for, where its facts are the positive examples.
    pub(super) query: Option<TargetName>,
    /// Types that tables and declarations without directions give to arguments; an empty one is not known.
    pub(super) declared_types: Vec<(PredicateName, Vec<String>, Place)>,
    /// The fold that a model's examples are in.
    folds_of_models: Vec<(ConstantId, String)>,
    /// What is said to be false of other predicates than the target.
    pub(super) false_facts: Counted,
    /// What is kept back for tests of other relations than the target.
    pub(super) hidden_facts: Counted,
    pub(super) examples: Vec<RawExample>,
    /// The examples' arguments, by predicate, in the order given.
    pub(super) example_rows: FactTable,
    /// Where each predicate first has a fact.
    pub(super) first_facts: FixedMap<PredicateId, Place>,
    pub(super) diagnostics: Messages,
}

/// How many there are, and the first.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub(super) first: Option<Place>,
    pub(super) n: usize,
}

impl Counted {
    fn add(&mut self, place: Place) {
        self.first.get_or_insert(place);
        self.n += 1;
    }
}

impl Gathered {
    /// Whether the target is this predicate, as far as it is known.
    fn is_query(&self, predicate: &PredicateName) -> bool {
        self.query.as_ref().is_some_and(|query| query.is(predicate))
    }

    /// Makes positive examples of the facts of the target that were read before it was known.
    fn take_positives(&mut self) {
        let predicates = self.symbols.predicates();
        let Some(id) = predicates.iter().position(|predicate| self.is_query(predicate)) else { return };
        self.fit_tables();
        let id = PredicateId::new(id);
        let place = self.first_facts.remove(&id).unwrap_or_default();
        let tables = std::iter::once((None, &mut self.global)).chain((0..).map(Some).zip(&mut self.folds));
        for (fold, table) in tables {
            let taken = table.take_rows(id);
            for position in 0..taken.len() {
                let rows = self.example_rows.rows_mut(id);
                rows.push(taken.row(position));
                let row = rows.len() - 1;
                self.examples.push(RawExample { predicate: id, row, fold, is_positive: true, place });
            }
        }
    }

    /// The arguments of an example.
    pub(super) fn arguments(&self, example: &RawExample) -> &[ConstantId] {
        self.example_rows.rows(example.predicate).row(example.row)
    }

    /// Tells of what was not taken, once for all.
    fn tell_of_counted(&mut self) {
        if let Some(place) = self.false_facts.first {
            self.diagnostics.push(faults::false_facts(place, self.false_facts.n));
        }
        if let Some(place) = self.hidden_facts.first {
            self.diagnostics.push(faults::hidden_facts(place, self.hidden_facts.n));
        }
    }

    /// The fold of this name, known from now on.
    pub(super) fn fold_named(&mut self, name: &str) -> usize {
        let known = self.fold_names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.fold_names.push(name.to_owned());
            self.folds.push(FactTable::default());
            self.fold_names.len() - 1
        })
    }

    /// Orders the folds that rows named by their names, so that the order of rows does not matter.
    fn sort_named_folds(&mut self, n_of_layout: usize) {
        if self.fold_names.len() == n_of_layout {
            return;
        }
        // What is learnt from comes first.
        const PARTS: [&str; 3] = ["train", "valid", "test"];
        let rank = |name: &str| PARTS.iter().position(|part| *part == name);
        let are_parts = n_of_layout == 0
            && self.fold_names.iter().all(|name| rank(name).is_some())
            && ["train", "test"].iter().all(|part| self.fold_names.iter().any(|name| name == part));
        if self.division == Division::None {
            self.division = match (are_parts, self.fold_names.len()) {
                (true, 2) => Division::TrainTest,
                (true, _) => Division::TrainTuneTest,
                (false, _) => Division::Folds,
            };
        }
        let number = |name: &str| {
            let start = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            (name[..start].to_owned(), name[start..].parse::<u64>().unwrap_or(0))
        };
        let mut order: Vec<usize> = (n_of_layout..self.fold_names.len()).collect();
        let name = |fold: usize| self.fold_names[fold].as_str();
        if are_parts {
            order.sort_by_key(|&fold| rank(name(fold)));
        } else {
            order.sort_by_cached_key(|&fold| (number(name(fold)), name(fold).to_owned()));
        }
        let order: Vec<usize> = (0..n_of_layout).chain(order).collect();
        let mut new_numbers = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            new_numbers[old] = new;
        }
        self.fold_names = order.iter().map(|&old| std::mem::take(&mut self.fold_names[old])).collect();
        self.folds = order.iter().map(|&old| std::mem::take(&mut self.folds[old])).collect();
        for example in &mut self.examples {
            example.fold = example.fold.map(|fold| new_numbers[fold]);
        }
    }

    /// Makes room for every known predicate in every table.
    pub(super) fn fit_tables(&mut self) {
        let tables = [&mut self.global, &mut self.example_rows].into_iter().chain(&mut self.folds);
        tables.for_each(|table| fit(table, &self.symbols));
    }
}

fn fit(table: &mut FactTable, symbols: &Provisional) {
    for predicate in &symbols.predicates()[table.n_predicates()..] {
        table.add_predicate(predicate.arity);
    }
}

/// Reads all files of a layout.
pub(super) fn gather(request: &LoadRequest, layout: &Layout, sources: &mut Sources) -> Gathered {
    let before = sources.clone();
    let mut faulty: Vec<PathBuf> = Vec::new();
    loop {
        match gather_but(&faulty, (request, layout), sources) {
            Ok(gathered) => return gathered,
            // Nothing of a file that is faulty as a whole counts, and part of it was taken.
            Err(path) => faulty.push(path),
        }
        *sources = before.clone();
    }
}

/// Reads all files of a layout; fails with one that turns out to be no text, unless it is known as such.
fn gather_but(
    faulty: &[PathBuf],
    (request, layout): (&LoadRequest, &Layout),
    sources: &mut Sources,
) -> Result<Gathered, PathBuf> {
    let mut gathered = Gathered {
        folds: vec![FactTable::default(); layout.fold_names.len()],
        fold_names: layout.fold_names.clone(),
        division: layout.division,
        ignores_case: layout.format == Format::Boostsrl,
        query: request.target.clone(),
        ..Gathered::default()
    };
    let mut queue: Vec<LayoutFile> = layout.files.iter().rev().cloned().collect();
    let mut imported: Vec<PathBuf> = Vec::new();
    while let Some(file) = queue.pop() {
        let is_translated =
            matches!(layout.format, Format::Boostsrl | Format::Progol) || !file.role.is_program();
        let is_streamed = !is_translated && !faulty.contains(&file.path);
        let mut reading = Reading::new(&mut gathered, layout.format, &file, sources.next_id());
        let imports = if is_streamed {
            match sources.read(&file.path, &mut reading) {
                Ok(true) => Ok(Vec::new()),
                Ok(false) => return Err(file.path),
                Err(diagnostic) => Err(diagnostic),
            }
        } else {
            sources.load_data(&file.path).map(|id| {
                reading.is_replaced = sources.get(id).is_replaced();
                reading.whole(sources.get(id).text())
            })
        };
        let (faults, id) = (std::mem::take(&mut reading.faults), reading.id);
        let is_told = reading.is_told_not_utf8;
        gathered.diagnostics.append(faults);
        if imports.is_ok() && !is_told {
            gathered.diagnostics.extend(sources.replacement_warning(id));
        }
        let imports = imports.unwrap_or_else(|diagnostic| {
            gathered.diagnostics.push(diagnostic);
            Vec::new()
        });
        for import in imports {
            let path =
                file.path.parent().map_or_else(|| import.clone().into(), |folder| folder.join(&import));
            // A file may be named in many ways, and name itself so.
            let same = path.canonicalize().unwrap_or_else(|_| path.clone());
            if !imported.contains(&same) {
                imported.push(same);
                queue.push(LayoutFile { path, ..file.clone() });
            }
        }
    }
    if layout.format.has_positives_among_facts() {
        gathered.take_positives();
        gathered.divide_models();
        gathered.tell_of_counted();
    }
    gathered.sort_named_folds(layout.fold_names.len());
    gathered.fit_tables();
    let mut of_bias = Vec::new();
    let modes = gathered.bias.modes(&mut of_bias);
    gathered.diagnostics.extend(of_bias);
    gathered.modes.extend(modes);
    Ok(gathered)
}

#[cfg(test)]
mod tests;
