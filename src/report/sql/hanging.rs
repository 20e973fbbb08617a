//! Goals over the rows that hang on what an example points to, as
//! `orders_buyer(O, S), orders_placed_at_age(O, D), D =< 30, orders_total(O, V)`: what they ask of the rows is the same for all
//! examples, which see more or fewer of them.

use gleaner_base::VariableId;
use gleaner_lang::program::{Aggregate, AggregateOperator, Atom, ComparisonOperator, Literal, Symbols, Term};

use super::source::{Age, Relation, Source};
use super::text::{cell_of, number_of};

/// The longest time that a window looks back: two ages of at most so many days differ if their microseconds do.
const MOST_DAYS: f64 = 5e4;

/// Which of the rows count.
#[derive(Clone, Copy, Debug)]
pub(super) enum Window<'g> {
    /// All that exist.
    All,
    /// So many, the latest.
    Latest(u64),
    /// Those of at most so many days before the cut-off. The atom says which time counts.
    Days(f64, &'g Atom),
    /// All that exist; the atom says whose ages are the values.
    Ages(&'g Atom),
}

/// A goal in its parts.
#[derive(Debug)]
pub(super) struct Hanging<'g> {
    /// What leads from the example to what the rows hang on.
    pub(super) ups: Vec<Literal>,
    /// The foreign key of the rows.
    pub(super) link: &'g Atom,
    /// The query of these rows.
    pub(super) rows: &'g str,
    /// The variable of what the rows hang on.
    pub(super) parent: VariableId,
    pub(super) window: Window<'g>,
    /// What is asked of the rows, whatever the example.
    pub(super) asked: Vec<Literal>,
}

/// An aggregate's goal, with what is needed to find its parts.
struct Goal<'g> {
    aggregate: &'g Aggregate,
    symbols: &'g Symbols,
    source: &'g Source,
}

impl<'g> Hanging<'g> {
    /// The parts of a goal; `None` where it has another form. `is_known` are the variables that the example gives values.
    pub(super) fn of(
        aggregate: &'g Aggregate,
        symbols: &'g Symbols,
        source: &'g Source,
        is_known: &dyn Fn(VariableId) -> bool,
    ) -> Option<Self> {
        let is_distinct = aggregate.operator == AggregateOperator::Count && aggregate.template.is_some();
        if is_distinct || aggregate.operator == AggregateOperator::Last {
            return None;
        }
        let goal = Goal { aggregate, symbols, source };
        let (link, rows) = goal.link()?;
        let [row, parent] = [link.arguments[0].variable()?, link.arguments[1].variable()?];
        if row == parent || is_known(row) {
            return None;
        }
        let (window, limits) = goal.window(row, rows)?;
        let (mut ups, mut asked) = (Vec::new(), Vec::new());
        for (at, literal) in aggregate.goal.iter().enumerate() {
            if limits.contains(&at) || literal.positive_atom().is_some_and(|atom| std::ptr::eq(atom, link)) {
                continue;
            }
            let variables = literal.variables();
            let is_up = literal.positive_atom().is_some()
                && variables.contains(&parent)
                && variables.iter().all(|&it| it == parent || is_known(it));
            let relation = literal.atoms().next().map(|atom| goal.relation(atom));
            match relation {
                Some(Some(relation)) if variables.contains(&parent) && relation.knows_same.is_some() => {
                    return None;
                }
                Some(Some(relation)) if relation.is_later => return None,
                Some(Some(relation)) if is_up && !relation.is_timed && relation.age.is_none() => {
                    ups.push(literal.clone());
                }
                None => asked.push(literal.clone()),
                Some(Some(relation)) if is_same_for_all(relation) => asked.push(literal.clone()),
                Some(_) => return None,
            }
        }
        let leads = is_known(parent) || !ups.is_empty();
        let is_of_example = |literal: &Literal| literal.variables().into_iter().any(is_known);
        // Only rows that hang on what an example itself points to have places.
        let has_places = !matches!(window, Window::Latest(_)) || ups.len() <= 1;
        let is_split = leads && has_places && !asked.iter().any(is_of_example);
        let is_template = aggregate.template_variable().is_none_or(|it| !is_known(it));
        (is_split && is_template).then_some(Self { ups, link, rows, parent, window, asked })
    }
}

/// Whether a relation has the same rows for all examples.
const fn is_same_for_all(relation: &Relation) -> bool {
    !relation.is_timed && !relation.is_of_example && relation.age.is_none()
}

impl<'g> Goal<'g> {
    fn relation(&self, atom: &Atom) -> Option<&'g Relation> {
        self.source.relations.get(self.symbols.predicate(atom.predicate))
    }

    /// The only foreign key of rows with times, and the query of its rows.
    fn link(&self) -> Option<(&'g Atom, &'g str)> {
        let atoms = self.aggregate.goal.iter().filter_map(Literal::positive_atom);
        let mut links = atoms.filter_map(|atom| Some((atom, self.relation(atom)?.rows.as_deref()?)));
        let link = links.next()?;
        links.next().is_none().then_some(link)
    }

    /// Which rows count, and the literals that say so.
    fn window(&self, row: VariableId, rows: &str) -> Option<(Window<'g>, Vec<usize>)> {
        let mut windows = Vec::new();
        for (at, literal) in self.aggregate.goal.iter().enumerate() {
            let Some(atom) = literal.positive_atom() else { continue };
            let relation = self.relation(atom)?;
            let is_latest = relation.places_of.as_deref() == Some(rows);
            if !is_latest && relation.age != Some(Age::OfRow) {
                continue;
            }
            if atom.arguments.first().and_then(|term| term.variable()) != Some(row) {
                return None;
            }
            let variable = atom.arguments.get(1)?.variable()?;
            if relation.is_row_time && self.is_only_value(variable) {
                windows.push((Window::Ages(atom), vec![at]));
                continue;
            }
            let (most, limit) = self.limit(variable)?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 0 and some thousand"
            )]
            let window = if is_latest { Window::Latest(most as u64) } else { Window::Days(most, atom) };
            windows.push((window, vec![at, limit]));
        }
        match windows.len() {
            0 => Some((Window::All, Vec::new())),
            1 => windows.pop(),
            _ => None,
        }
    }

    /// Whether all that is asked of a variable is its greatest or least value.
    fn is_only_value(&self, variable: VariableId) -> bool {
        let is_extreme = matches!(self.aggregate.operator, AggregateOperator::Min | AggregateOperator::Max);
        let n_literals = self.aggregate.goal.iter().filter(|it| it.variables().contains(&variable)).count();
        is_extreme && self.aggregate.template_variable() == Some(variable) && n_literals == 1
    }

    /// The greatest number that a variable may be, if a limit is all that is asked of it, and where that stands.
    fn limit(&self, variable: VariableId) -> Option<(f64, usize)> {
        let mut limit = None;
        let mut n_literals = 0;
        for (at, literal) in self.aggregate.goal.iter().enumerate() {
            if !literal.variables().contains(&variable) {
                continue;
            }
            n_literals += 1;
            if let Literal::Comparison(comparison) = literal
                && comparison.operator == ComparisonOperator::LessOrEqual
                && let Some([left, Term::Constant(most)]) = comparison.plain_sides()
                && left.variable() == Some(variable)
            {
                let most = number_of(&cell_of(self.symbols.constants.text(most)))?;
                limit = Some((Some(most).filter(|most| (0.0..=MOST_DAYS).contains(most))?, at));
            }
        }
        let is_free =
            self.aggregate.is_local(variable) && self.aggregate.template_variable() != Some(variable);
        limit.filter(|_| n_literals == 2 && is_free)
    }
}
