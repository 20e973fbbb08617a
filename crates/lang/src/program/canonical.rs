//! The canonical form of a clause: the same for all orders of its body and names of its variables.
//!
//! Literals are ordered by their *looks* while the variables of the clause are numbered one by one. Of literals that
//! can be exchanged without a change to the rest of the clause, one order is enough.

use gleaner_base::VariableId;

use super::atom::{Term, Token};
use super::clause::Clause;
use super::literal::Literal;

/// The effort before ties are broken by position; clauses of at most ten literals stay far below its limits.
struct Effort {
    /// How many tied orders may still be tried.
    orders: usize,
    /// How many literals may still be looked at: with hundreds of literals few orders take seconds.
    looks: usize,
}

impl Effort {
    const MOST: Self = Self { orders: 4_096, looks: 1 << 20 };

    /// Whether `n_orders` more orders may be tried; if so, it counts them.
    fn may_try(&mut self, n_orders: usize) -> bool {
        let may = self.looks > 0 && self.orders > n_orders;
        self.orders -= if may { n_orders } else { 0 };
        may
    }

    fn count_looks(&mut self, n_literals: usize) {
        self.looks = self.looks.saturating_sub(n_literals);
    }
}

/// The clause with its body in canonical order, and its variables renumbered by first occurrence.
///
/// The method places literals one by one: first those whose variables are all known, then those that share a known
/// variable. It places negations and comparisons only when their variables are known. Among equal candidates it places
/// the smallest literal under the numbering so far. Where several are equal, it tries each, and the smallest clause
/// wins. Of literals that can be exchanged without a change to the rest, it tries one. Clauses that are equal up to
/// order and names give the same result, unless too many orders tie: it tries at most 4,096, and fewer in a body of
/// many literals. Cost: `O(b^2)` for a body of `b` literals without ties.
pub fn canonical(clause: &Clause) -> Clause {
    canonical_from(clause).0
}

/// As [`canonical`]; with it, for each new variable number, the variable of the given clause.
pub fn canonical_from(clause: &Clause) -> (Clause, Vec<VariableId>) {
    let mut numbering = Numbering::new(clause.n_variables);
    for term in &clause.head.arguments {
        numbering.learn_term(*term);
    }
    let rest: Vec<&Literal> = clause.body.iter().collect();
    let body = smallest_order(rest, numbering, &mut { Effort::MOST });
    let original: Vec<Literal> = body.into_iter().cloned().collect();
    Clause::renumbered_from(&clause.head, &original)
}

/// The order with the smallest looks of literals; it tries all tied choices within the effort.
fn smallest_order<'a>(
    mut rest: Vec<&'a Literal>,
    mut numbering: Numbering,
    effort: &mut Effort,
) -> Vec<&'a Literal> {
    let mut order = Vec::with_capacity(rest.len());
    let mut looks = Looks::default();
    while !rest.is_empty() {
        looks.clear();
        rest.iter().for_each(|literal| looks.add(literal, &numbering));
        effort.count_looks(rest.len());
        let tied = choices(&rest, &looks, &numbering, effort);
        if tied.len() > 1 && effort.may_try(tied.len()) {
            let mut tails: Vec<Vec<&Literal>> = Vec::with_capacity(tied.len());
            for choice in tied {
                // Each order that is begun takes one look for each literal that is left.
                if !tails.is_empty() && effort.looks == 0 {
                    break;
                }
                let mut branch = numbering.clone();
                branch.learn(rest[choice]);
                let mut tail = smallest_order(without(&rest, choice), branch, effort);
                tail.insert(0, rest[choice]);
                tails.push(tail);
            }
            let best = tails.into_iter().min_by_key(|tail| looks_in_order(tail, &numbering));
            let best = best.expect("there are tied choices");
            order.extend(best);
            return order;
        }
        let chosen = rest.remove(tied[0]);
        numbering.learn(chosen);
        order.push(chosen);
    }
    order
}

/// The positions of the literals that may be placed next: those of the smallest look, but only one of literals that can
/// be exchanged. Once the effort is spent, only the first.
fn choices(rest: &[&Literal], looks: &Looks, numbering: &Numbering, effort: &mut Effort) -> Vec<usize> {
    let mut firsts: Vec<usize> = Vec::new();
    let smallest = (0..rest.len()).min_by_key(|&at| looks.get(at)).expect("the rest is not empty");
    // Literals with equal looks and without new variables are the same literal.
    if looks.is_closed(smallest) {
        return vec![smallest];
    }
    for position in smallest..rest.len() {
        if looks.get(position) != looks.get(smallest) {
            continue;
        }
        if effort.looks == 0 {
            return vec![smallest];
        }
        let mut is_exchanged = |&first: &usize| {
            let (is_exchanged, n_looks) = can_be_exchanged(rest[first], rest[position], rest, numbering);
            effort.count_looks(n_looks);
            is_exchanged
        };
        if !firsts.iter().any(&mut is_exchanged) {
            firsts.push(position);
        }
    }
    firsts
}

fn looks_in_order(literals: &[&Literal], numbering: &Numbering) -> Vec<u64> {
    let mut numbering = numbering.clone();
    let mut looks = Looks::default();
    for literal in literals {
        looks.add(literal, &numbering);
        numbering.learn(literal);
    }
    looks.into_words()
}

fn without<'a>(rest: &[&'a Literal], position: usize) -> Vec<&'a Literal> {
    rest[..position].iter().chain(&rest[position + 1..]).copied().collect()
}

/// Canonical numbers of the variables placed so far.
#[derive(Clone, Debug)]
struct Numbering {
    numbers: Vec<Option<u32>>,
    next: u32,
}

impl Numbering {
    /// A numbering of `n_variables` variables, none of which has a number yet.
    fn new(n_variables: usize) -> Self {
        Self { numbers: vec![None; n_variables], next: 0 }
    }

    /// Whether a variable has no number yet.
    fn is_new(&self, variable: VariableId) -> bool {
        self.numbers[variable.index()].is_none()
    }

    /// Numbers a term's variable if it is new.
    fn learn_term(&mut self, term: Term) {
        if let Term::Variable(variable) = term
            && self.is_new(variable)
        {
            self.numbers[variable.index()] = Some(self.next);
            self.next += 1;
        }
    }

    /// Numbers the new variables of a literal, in order.
    fn learn(&mut self, literal: &Literal) {
        literal.visit_variables(&mut |variable| self.learn_term(Term::Variable(variable)));
    }
}

/// In a word of a look: the term is a constant.
const CONSTANT: u64 = 1 << 32;

/// The word for `_`; no constant and no variable has it.
const ANY: u64 = 1 << 33;

/// The looks of some literals under a numbering.
///
/// A look is a list of words: the readiness of the literal, then the literal with numbers in place of variables. New
/// variables take the next numbers. Looks compare as their readiness and literals do. No look is the beginning of
/// another, so sequences of looks compare as the looks do one by one. All words are in one list, as separate literals
/// took half of the time.
#[derive(Debug, Default)]
struct Looks {
    words: Vec<u64>,
    /// Where each look ends.
    ends: Vec<usize>,
    /// New variables of the literal whose look is being added.
    new: Vec<VariableId>,
}

impl Looks {
    /// Forgets all looks.
    fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
    }

    /// The words of all looks, one look after the other.
    fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// The look that was added as the `idx`th, from 0.
    fn get(&self, idx: usize) -> &[u64] {
        let start = if idx == 0 { 0 } else { self.ends[idx - 1] };
        &self.words[start..self.ends[idx]]
    }

    /// Whether all variables of the literal have numbers.
    fn is_closed(&self, idx: usize) -> bool {
        self.get(idx)[0] == Readiness::Closed as u64
    }

    /// Adds the look of a literal.
    fn add(&mut self, literal: &Literal, numbering: &Numbering) {
        let start = self.words.len();
        self.new.clear();
        self.words.push(0);
        let mut any_known = false;
        let mut pushing = Pushing { looks: self, numbering, any_known: &mut any_known };
        literal.visit_tokens(&mut |token| match token {
            Token::Word(word) => pushing.word(word),
            Token::Term(term) => pushing.term(term),
        });
        let is_positive = literal.positive_atom().is_some();
        let readiness = match (self.new.is_empty(), is_positive, any_known) {
            (true, _, _) => Readiness::Closed,
            (false, true, true) => Readiness::Linked,
            (false, true, false) => Readiness::Apart,
            (false, false, _) => Readiness::Waiting,
        };
        self.words[start] = readiness as u64;
        self.ends.push(self.words.len());
    }
}

/// The readiness of a literal; lower ones are placed first.
#[derive(Clone, Copy)]
enum Readiness {
    /// All variables have numbers.
    Closed,
    /// Positive, with a variable that has a number.
    Linked,
    /// Positive, with new variables only.
    Apart,
    /// A negation or comparison with a new variable.
    Waiting,
}

/// Writes the words of one literal.
struct Pushing<'a> {
    looks: &'a mut Looks,
    numbering: &'a Numbering,
    any_known: &'a mut bool,
}

impl Pushing<'_> {
    fn term(&mut self, term: Term) {
        let word = match term {
            Term::Constant(constant) => CONSTANT | u64::from(constant.raw()),
            Term::Variable(variable) => self.variable(variable),
            Term::Any => ANY,
        };
        self.word(word);
    }

    fn variable(&mut self, variable: VariableId) -> u64 {
        if let Some(number) = self.numbering.numbers[variable.index()] {
            *self.any_known = true;
            return u64::from(number);
        }
        let new = &mut self.looks.new;
        let position = new.iter().position(|&known| known == variable).unwrap_or_else(|| {
            new.push(variable);
            new.len() - 1
        });
        u64::from(self.numbering.next) + position as u64
    }

    fn word(&mut self, word: u64) {
        self.looks.words.push(word);
    }
}

/// Whether two literals of equal looks can be exchanged: `rest` stays the same set of literals when their new variables
/// are exchanged. Then each order that begins with one literal has an equal order that begins with the other. With the
/// answer, the number of literals looked at.
///
/// **Cost**: two passes over `rest` for each of its literals with a new variable of either literal.
fn can_be_exchanged(
    left: &Literal,
    right: &Literal,
    rest: &[&Literal],
    numbering: &Numbering,
) -> (bool, usize) {
    let Some(exchange) = Exchange::of(left, right, numbering) else { return (false, 0) };
    let n_equal = |wanted: &Literal| rest.iter().filter(|literal| **literal == wanted).count();
    let n_images = |wanted: &Literal| rest.iter().filter(|literal| exchange.maps(wanted, literal)).count();
    let mut n_looks = rest.len();
    let can_be = rest.iter().all(|literal| {
        !exchange.changes(literal) || {
            n_looks += 2 * rest.len();
            n_equal(literal) == n_images(literal)
        }
    });
    (can_be, n_looks)
}

/// Pairs of variables to exchange.
struct Exchange(Vec<(VariableId, VariableId)>);

impl Exchange {
    /// The exchange of both literals' new variables; `None` where a variable would have two partners.
    fn of(left: &Literal, right: &Literal, numbering: &Numbering) -> Option<Self> {
        let new_variables = |literal: &Literal| {
            let mut new = Vec::new();
            literal.visit_variables(&mut |variable| new.push(variable));
            new.retain(|&variable| numbering.is_new(variable));
            new
        };
        let exchange = Self(new_variables(left).into_iter().zip(new_variables(right)).collect());
        let is_consistent = exchange
            .0
            .iter()
            .all(|&(left, right)| exchange.variable(left) == right && exchange.variable(right) == left);
        is_consistent.then_some(exchange)
    }

    fn variable(&self, variable: VariableId) -> VariableId {
        let other = |&(left, right): &(VariableId, VariableId)| {
            if left == variable { Some(right) } else { (right == variable).then_some(left) }
        };
        self.0.iter().find_map(other).unwrap_or(variable)
    }

    fn term(&self, term: Term) -> Term {
        match term {
            Term::Variable(variable) => Term::Variable(self.variable(variable)),
            other @ (Term::Constant(_) | Term::Any) => other,
        }
    }

    fn changes(&self, literal: &Literal) -> bool {
        let mut changes = false;
        literal.visit_variables(&mut |variable| changes |= self.variable(variable) != variable);
        changes
    }

    /// Whether the exchange turns the literal `from` into `to`.
    fn maps(&self, from: &Literal, to: &Literal) -> bool {
        from.maps_to(to, &mut |term| self.term(term))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};

    use gleaner_base::{ConstantId, PredicateId, VariableId};

    use super::super::arithmetic::{Comparison, ComparisonOperator, Expression};
    use super::super::{Atom, Clause, Literal, Term};
    use super::canonical;

    fn term() -> impl Strategy<Value = Term> {
        prop::sample::select((0..7_u32).collect::<Vec<_>>()).prop_map(|number| {
            if number < 5 {
                Term::Variable(VariableId::from_raw(number))
            } else {
                Term::Constant(ConstantId::from_raw(number))
            }
        })
    }

    fn literal() -> impl Strategy<Value = Literal> {
        let negation = (any::<bool>(), any::<bool>());
        (0..3_u32, prop::collection::vec(term(), 2), negation).prop_map(
            |(predicate, mut arguments, negation)| {
                let (negate, has_any) = negation;
                if negate && has_any {
                    arguments[1] = Term::Any;
                }
                let atom = Atom { predicate: PredicateId::from_raw(predicate), arguments };
                if negate { Literal::Negative(atom) } else { Literal::Positive(atom) }
            },
        )
    }

    /// The canonical clause by its definition: it tries every tied choice, and compares literals directly.
    fn every_order(clause: &Clause) -> Clause {
        let mut numbers: Vec<Option<u32>> = vec![None; clause.n_variables];
        clause.head.arguments.iter().for_each(|&term| number(term, &mut numbers));
        let (_, body) = smallest(&clause.body, &numbers);
        Clause::renumbered(&clause.head, &body)
    }

    fn number(term: Term, numbers: &mut [Option<u32>]) {
        let next = u32::try_from(numbers.iter().flatten().count()).expect("few");
        if let Term::Variable(variable) = term {
            numbers[variable.index()].get_or_insert(next);
        }
    }

    /// The readiness of a literal, and the literal with numbers in place of variables.
    type Look = (u8, Literal);

    /// How a literal looks, and what is numbered after it.
    fn look(literal: &Literal, numbers: &[Option<u32>]) -> (Look, Vec<Option<u32>>) {
        let variables = literal.variables();
        let n_known = variables.iter().filter(|variable| numbers[variable.index()].is_some()).count();
        let readiness = match (literal, n_known) {
            (_, n_known) if n_known == variables.len() => 0,
            (Literal::Positive(_), 1..) => 1,
            (Literal::Positive(_), 0) => 2,
            _ => 3,
        };
        let mut numbers = numbers.to_vec();
        let renamed = literal.map_terms(&mut |term| {
            number(term, &mut numbers);
            term.variable().map_or(term, |variable| {
                Term::Variable(VariableId::from_raw(numbers[variable.index()].expect("it was numbered")))
            })
        });
        ((readiness, renamed), numbers)
    }

    /// The smallest looks of all orders, with the literals in that order.
    fn smallest(rest: &[Literal], numbers: &[Option<u32>]) -> (Vec<Look>, Vec<Literal>) {
        let Some(next) = rest.iter().map(|literal| look(literal, numbers).0).min() else {
            return Default::default();
        };
        let tied = (0..rest.len()).filter(|&at| look(&rest[at], numbers).0 == next);
        let orders = tied.map(|at| {
            let mut others = rest.to_vec();
            let literal = others.remove(at);
            let (mut looks, mut order) = smallest(&others, &look(&literal, numbers).1);
            looks.insert(0, next.clone());
            order.insert(0, literal);
            (looks, order)
        });
        orders.min_by(|left, right| left.0.cmp(&right.0)).expect("the smallest look is one of them")
    }

    /// A body literal of the kinds that the exchange of literals must tell apart.
    fn any_literal() -> impl Strategy<Value = Literal> {
        let comparison = (term(), term()).prop_map(|(left, right)| {
            let [left, right] = [left, right].map(Expression::Term);
            Literal::Comparison(Comparison { operator: ComparisonOperator::NotUnify, left, right })
        });
        prop_oneof![4 => literal(), 1 => comparison]
    }

    #[test]
    fn literals_that_can_be_exchanged_are_not_tried_in_every_order() {
        // h(X) :- p(X, A), p(X, B), ... with twenty variables: 20! orders tie, more than the limit.
        let variable = |number: u32| Term::Variable(VariableId::from_raw(number));
        let head = Atom { predicate: PredicateId::from_raw(9), arguments: vec![variable(0)] };
        let literal = |predicate: u32, number: u32| {
            let arguments = vec![variable(0), variable(number)];
            Literal::Positive(Atom { predicate: PredicateId::from_raw(predicate), arguments })
        };
        let mut body: Vec<Literal> = (1..=20).map(|number| literal(0, number)).collect();
        body.extend([7, 3].map(|number| literal(1, number)));
        let other: Vec<Literal> = body.iter().rev().cloned().collect();
        let [one, other] = [body, other].map(|body| canonical(&Clause::renumbered(&head, &body)));
        assert_eq!(one, other);
    }

    proptest! {
        #[test]
        fn the_smallest_of_all_orders_is_found(body in prop::collection::vec(any_literal(), 0..6)) {
            let head = Atom {
                predicate: PredicateId::from_raw(9),
                arguments: vec![Term::Variable(VariableId::from_raw(0))],
            };
            let clause = Clause::renumbered(&head, &body);
            assert_eq!(canonical(&clause), every_order(&clause));
        }

        #[test]
        fn order_and_names_do_not_matter(
            (body, shuffled) in prop::collection::vec(literal(), 0..6)
                .prop_flat_map(|body| (Just(body.clone()), Just(body).prop_shuffle())),
            names in Just((0..5_u32).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let head = Atom {
                predicate: PredicateId::from_raw(9),
                arguments: vec![Term::Variable(VariableId::from_raw(0)), Term::Variable(VariableId::from_raw(1))],
            };
            let mut rename = |term| match term {
                Term::Variable(variable) => Term::Variable(VariableId::from_raw(names[variable.index()])),
                other @ (Term::Constant(_) | Term::Any) => other,
            };
            let renamed_head = head.map_terms(&mut rename);
            let renamed_body: Vec<Literal> = shuffled.iter().map(|literal| literal.map_terms(&mut rename)).collect();
            let clause = Clause::renumbered(&head, &body);
            let variant = Clause::renumbered(&renamed_head, &renamed_body);
            assert_eq!(canonical(&clause), canonical(&variant));
            assert_eq!(canonical(&canonical(&clause)), canonical(&clause));
        }
    }
}
