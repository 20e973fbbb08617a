//! What is known while files are read, and the end of reading.
//!
//! Whole numbers among the objects of triples: numbers, or names of entities.
//!
//! An entity may be called `12`. So digits are names, unless the triples say that they are values: a relation has
//! numbers alone as objects, these are no subjects, they are objects of no relation that also has names, and what has
//! them is not called by digits itself.

use crate::faults;
use crate::messages::Messages;
use crate::provisional::{Provisional, number_text};
use crate::tables::DatabaseRequest;
use crate::tables::schema::GivenSchema;
use crate::tables::store::Database;
use crate::texts::number_texts::cell_number;
use crate::texts::unquoted;
use gleaner_base::{Budget, ConstantId, FixedMap, FixedSet, PredicateId};
use gleaner_lang::program::{FactTable, NumberSource};
use gleaner_lang::syntax::{Diagnostic, Place};

use super::declarations::{ClassRequest, Division, RawExamples};
use super::gathered::{Facts, Gathered, Statements};

/// Which names are variables, and which are constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum VariableStyle {
    /// Capitals and `_` begin variables.
    #[default]
    Capitals,
    /// `?` begins variables, capitals begin constants.
    QuestionMarks,
    /// Small letters begin the variables of rules, capitals begin constants; facts have constants alone.
    SmallLetters,
}

/// The data while they are read.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    pub(crate) gathered: Gathered,
    pub(crate) notes: Notes,
}

/// What only reading needs to know.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// How variables are written, if a file says it.
    pub(crate) variable_style: VariableStyle,
    /// Whether the examples are only scored, and need no class.
    pub(crate) is_scored: bool,
    /// The source of an example's class, if it is no label.
    pub(crate) classes_asked: ClassRequest,
    /// The source of an example's number, if the target is a number.
    pub(crate) number_asked: Option<NumberSource>,
    /// Whether labels may be missing.
    pub(crate) keeps_unlabelled: bool,
    /// Ends reading.
    pub(crate) budget: Budget,
    /// The number of folds that the layout names; rows name further ones.
    pub(super) n_layout_folds: usize,
    /// The tables of a database, if the layout is one, and what is asked of it.
    pub(crate) database: Option<Database>,
    pub(crate) database_request: DatabaseRequest,
    /// What `schema.toml` and the sources of the tables say of these.
    pub(crate) given_schema: GivenSchema,
    /// The folds of examples, by their first argument.
    pub(crate) folds_of_first_arguments: Vec<(ConstantId, String)>,
    /// False atoms of other predicates than the target.
    pub(crate) false_facts: Counted,
    /// Hidden facts, which test other relations than the target.
    pub(crate) hidden_facts: Counted,
    /// The names of the facts that tell the class of a model, in ACE's settings.
    pub(crate) model_classes: Vec<String>,
    /// Whether facts have keys in place of models, as those settings say.
    pub(crate) have_keys: bool,
    /// The relations of triples, whose whole numbers may be names.
    pub(crate) graph_relations: FixedSet<PredicateId>,
}

/// The number of some statements, and the place of the first.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    first: Option<Place>,
    n: usize,
}

impl Counted {
    pub(crate) fn add(&mut self, place: Place) {
        self.first.get_or_insert(place);
        self.n += 1;
    }

    /// Tells of the statements, if there are any.
    pub(super) fn tell(&self, message: impl Fn(Place, usize) -> Diagnostic, messages: &mut Messages) {
        messages.extend(self.first.map(|place| message(place, self.n)));
    }
}

impl Gathering {
    /// Ends reading. Facts of the target become examples if the layout says so, folds get their order, and every table
    /// gets room for every predicate.
    pub(crate) fn finish(self) -> Gathered {
        let Self { mut gathered, notes } = self;
        if gathered.statements.habits.has_positives_among_facts {
            // The target's facts may stand before the statement that names it.
            let Statements { symbols, declarations, .. } = &gathered.statements;
            let query = symbols.predicates().iter().position(|predicate| declarations.is_query(predicate));
            if let Some(id) = query {
                gathered.make_examples_of_facts(PredicateId::new(id));
            }
            let Gathered { statements: Statements { examples, .. }, facts, .. } = &mut gathered;
            divide_examples(&notes.folds_of_first_arguments, examples, facts);
            notes.false_facts.tell(faults::false_facts, &mut gathered.messages);
            notes.hidden_facts.tell(faults::hidden_facts, &mut gathered.messages);
        }
        if !notes.graph_relations.is_empty() {
            gathered.fit_tables();
            take_numbers(&notes.graph_relations, &mut gathered);
        }
        sort_named_folds(notes.n_layout_folds, &mut gathered.statements.examples, &mut gathered.facts.folds);
        gathered.fit_tables();
        gathered
    }
}

/// Puts examples into the folds of their first arguments, if there are such folds.
fn divide_examples(folds: &[(ConstantId, String)], examples: &mut RawExamples, facts: &mut Facts) {
    if folds.is_empty() {
        return;
    }
    for (_, name) in folds {
        examples.fold_named(name, facts);
    }
    let RawExamples { listed, rows, fold_names, .. } = examples;
    for example in listed {
        let row = rows.rows(example.predicate).row(example.row);
        let fold = folds.iter().find(|(argument, _)| row.first() == Some(argument));
        example.fold = fold.and_then(|(_, name)| fold_names.iter().position(|known| known == name));
    }
}

/// Sorts the folds that rows name, so that the order of rows does not matter.
fn sort_named_folds(n_of_layout: usize, examples: &mut RawExamples, folds: &mut Vec<FactTable>) {
    let RawExamples { listed, fold_names, division, .. } = examples;
    if fold_names.len() == n_of_layout {
        return;
    }
    let are_parts = n_of_layout == 0 && are_parts(fold_names);
    if *division == Division::None {
        *division = if are_parts { division_of(fold_names) } else { Division::Folds };
    }
    let number = |name: &str| {
        let start = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        (name[..start].to_owned(), name[start..].parse::<u64>().unwrap_or(0))
    };
    let mut order: Vec<usize> = (n_of_layout..fold_names.len()).collect();
    let name = |fold: usize| fold_names[fold].as_str();
    if are_parts {
        order.sort_by_key(|&fold| part_rank(name(fold)));
    } else {
        order.sort_by_cached_key(|&fold| (number(name(fold)), name(fold).to_owned()));
    }
    let order: Vec<usize> = (0..n_of_layout).chain(order).collect();
    let mut new_numbers = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        new_numbers[old] = new;
    }
    *fold_names = order.iter().map(|&old| std::mem::take(&mut fold_names[old])).collect();
    *folds = order.iter().map(|&old| std::mem::take(&mut folds[old])).collect();
    for example in listed {
        example.fold = example.fold.map(|fold| new_numbers[fold]);
    }
}

/// How folds of these names divide the examples.
pub(crate) fn division_of<S: AsRef<str>>(names: &[S]) -> Division {
    match (are_parts(names), names.len()) {
        (_, 0) => Division::None,
        (true, 2) => Division::TrainTest,
        (true, _) => Division::TrainTuneTest,
        (false, _) => Division::Folds,
    }
}

/// Whether folds of these names are the sets of one run: one is train, one is test, and at most one tune.
pub(crate) fn are_parts<S: AsRef<str>>(names: &[S]) -> bool {
    let n_of = |part: usize| names.iter().filter(|name| part_rank(name.as_ref()) == Some(part)).count();
    let n_others = names.iter().filter(|name| part_rank(name.as_ref()).is_none()).count();
    n_others == 0 && n_of(0) == 1 && n_of(1) <= 1 && n_of(2) == 1
}

/// The rank of a fold's name, in any case: train, tune or test; train comes first.
pub(crate) fn part_rank(name: &str) -> Option<usize> {
    const PARTS: [&[&str]; 3] =
        [&["train", "training"], &["tune", "val", "valid", "validation", "dev"], &["test", "testing"]];
    PARTS.iter().position(|names| names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// Puts numbers in the place of names in the relations that have values. The target's triples are examples, whose
/// arguments are entities.
///
/// **Cost**: a pass over the facts; where a relation has numbers alone, two more.
pub(crate) fn take_numbers(relations: &FixedSet<PredicateId>, gathered: &mut Gathered) {
    let mut relations: Vec<PredicateId> = relations.iter().copied().collect();
    relations.sort_unstable();
    let symbols = &gathered.statements.symbols;
    let tables = || gathered.facts.tables();
    let mut kinds = Kinds { symbols, known: FixedMap::default() };
    let mut of_numbers: Vec<PredicateId> = Vec::new();
    for &relation in &relations {
        let mut rows = tables().flat_map(|table| table.rows(relation).iter()).peekable();
        let has_rows = rows.peek().is_some();
        let mut has_named_subject = false;
        let are_numbers = rows.all(|row| {
            has_named_subject |= kinds.of(row[0]) == Kind::Word;
            matches!(kinds.of(row[1]), Kind::Digits | Kind::Number)
        });
        if has_rows && are_numbers && has_named_subject {
            of_numbers.push(relation);
        }
    }
    if of_numbers.is_empty() {
        return;
    }
    let mut entities: FixedSet<ConstantId> = FixedSet::default();
    for &relation in &relations {
        let is_of_numbers = of_numbers.contains(&relation);
        for row in tables().flat_map(|table| table.rows(relation).iter()) {
            entities.insert(row[0]);
            entities.extend((!is_of_numbers).then_some(row[1]));
        }
    }
    let examples = &gathered.statements.examples;
    for example in &examples.listed {
        entities.extend(examples.rows.rows(example.predicate).row(example.row).iter().copied());
    }
    // What one relation takes for an entity, no other takes for a number.
    loop {
        let n_before = of_numbers.len();
        of_numbers.retain(|&relation| {
            let objects = || tables().flat_map(|table| table.rows(relation).iter()).map(|row| row[1]);
            let is_kept = !objects().any(|object| entities.contains(&object));
            if !is_kept {
                entities.extend(objects());
            }
            is_kept
        });
        if of_numbers.len() == n_before {
            break;
        }
    }
    let symbols = &mut gathered.statements.symbols;
    for relation in of_numbers {
        for table in std::iter::once(&mut gathered.facts.global).chain(&mut gathered.facts.folds) {
            number_objects(table, relation, symbols);
        }
    }
}

/// Puts numbers in the place of the objects of a relation.
fn number_objects(table: &mut FactTable, relation: PredicateId, symbols: &mut Provisional) {
    let rows = table.take_rows(relation);
    for row in rows.iter() {
        let number = cell_number(unquoted(symbols.constants().text(row[1].raw())));
        let object = number.map_or(row[1], |number| symbols.constant(&number_text(number), Some(number)));
        table.rows_mut(relation).push(&[row[0], object]);
    }
}

/// What a constant is by its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    /// A whole number that is taken for a name.
    Digits,
    /// Digits that are no number, as `007`.
    Code,
    Number,
}

struct Kinds<'s> {
    symbols: &'s Provisional,
    known: FixedMap<ConstantId, Kind>,
}

impl Kinds<'_> {
    fn of(&mut self, constant: ConstantId) -> Kind {
        *self.known.entry(constant).or_insert_with(|| {
            if self.symbols.numbers().contains(constant.raw()) {
                return Kind::Number;
            }
            let text = unquoted(self.symbols.constants().text(constant.raw()));
            match cell_number(text) {
                Some(_) => Kind::Digits,
                None if text.bytes().all(|byte| byte.is_ascii_digit()) => Kind::Code,
                None => Kind::Word,
            }
        })
    }
}
