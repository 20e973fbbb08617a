//! The literals that are evaluated for a body: without those that its rest implies on the facts, and with those that
//! object identity demands.
//!
//! Object identity adds literals to the engine's table when a body first demands them, and a search adds thresholds. Without an implied literal the
//! body covers the same examples.
//!
//! # Why nothing changes
//!
//! Let `E` be a body with the literals `k` and `l`, `k` an atom, and let no other literal of `E`, nor the head, have
//! the variables of `l` that `k` lacks. A proof of `E` without `l` gives the variables of `k` the values of a fact.
//! If each fact of `k` makes `l` true for some values of the variables that `l` shares with nothing, then the proof
//! is one of `E` as well. So `E` covers the same examples with and without `l`, in all worlds that were looked at.
//! The head can take the place of `k`: the universe's examples then take the place of facts, and `l` is true of all
//! of them.
//!
//! Literals go one after the other: each step keeps the cover, and the next step looks at the literals that are left.
//! If two literals imply each other, the later one is left out, and then nothing implies the earlier one.
//!
//! The implications hold for the universe of the store and the worlds of its examples, and for no others: those on
//! train say nothing about tune. An engine may leave literals out of its proofs; the clause that a search evaluates,
//! keeps and writes has them all.
//!
//! Two literals of one relation that agree in arguments which determine the others would also be redundant. Bottom
//! clauses have no such two: their literals hold of one example, and equal constants of one type are one variable.
//!
//! The table of an engine's literals, which grows: by the thresholds that searches fix, and by the literals that object identity demands.

use std::borrow::Cow;
use std::sync::Arc;

use crate::datalog::Background;
use gleaner_base::{ConstantId, FixedMap, PredicateId, VariableId, WorldId};
use gleaner_lang::program::clause::Distinctions;
use gleaner_lang::program::{Atom, Clause, FixedThresholds, Literal, Term};

use super::store::CoverStore;
use super::{ComponentEngine, unbound};

/// The most facts, or examples, that a check looks at; an atom or head with more counts as implying nothing. Some
/// tenths of a second.
const MOST_ROWS: usize = 1 << 20;

impl CoverStore<'_> {
    /// Whether each fact of an atom makes a literal true, in all worlds of the universe.
    fn atom_implies(&self, atom: &Atom, literal: &Literal) -> bool {
        let head = Atom { predicate: PredicateId::new(0), arguments: Vec::new() };
        let question = Clause::renumbered(&head, &[atom.clone().into(), literal.clone()]);
        self.implications.known_or(question, |question| {
            let [atom, literal] = &question.body[..] else { return false };
            let Some(atom) = atom.positive_atom() else { return false };
            let predicates = || std::iter::once(atom).chain(literal.atoms()).map(|atom| atom.predicate);
            let mut before: Option<&Background> = None;
            self.used_worlds().all(|world| {
                // Most relations have no time: what holds in one world holds in the next.
                let is_same = before
                    .replace(world)
                    .is_some_and(|before| predicates().all(|predicate| before.shares(world, predicate)));
                is_same || world.includes(atom, literal, question.n_variables, MOST_ROWS)
            })
        })
    }

    /// Whether a literal is true of all examples of the universe that unify with the head.
    fn head_implies(&self, head: &Atom, literal: &Literal) -> bool {
        let question = Clause::renumbered(head, std::slice::from_ref(literal));
        self.implications.known_or(question, |question| {
            if self.universe.all().count() > MOST_ROWS {
                return false;
            }
            let examples = self.universe.examples();
            let mut values = vec![None; question.n_variables];
            let matching = self.matching(head);
            self.universe.iter().filter(|&(position, _)| matching.contains(position)).all(|(_, example)| {
                bind(&question.head, examples.arguments(example), &mut values);
                let world = &self.worlds[examples.world(example).index()];
                world.can_hold(&question.body[0], &values)
            })
        })
    }

    fn used_worlds(&self) -> impl Iterator<Item = &Background> {
        self.used_worlds
            .get_or_init(|| {
                let examples = self.universe.examples();
                let mut worlds: Vec<WorldId> =
                    self.universe.iter().map(|(_, example)| examples.world(example)).collect();
                worlds.sort_unstable();
                worlds.dedup();
                worlds
            })
            .iter()
            .map(|world| &self.worlds[world.index()])
    }
}

/// Gives the head's variables the values that an example has at their places.
fn bind(head: &Atom, arguments: &[ConstantId], values: &mut [Option<ConstantId>]) {
    for (term, &argument) in head.arguments.iter().zip(arguments) {
        if let Term::Variable(variable) = *term {
            values[variable.index()] = Some(argument);
        }
    }
}

/// The context of an engine's questions: its store with the facts, its head and its table of literals.
pub(super) struct Facts<'e> {
    pub(super) store: &'e CoverStore<'e>,
    pub(super) head: &'e Atom,
    pub(super) literals: &'e [Literal],
}

/// The implications between an engine's literals, as far as they are known.
#[derive(Debug, Default)]
pub(super) struct KnownImplied {
    /// How many words a set of variables takes.
    n_words: usize,
    /// By literal: its variables that the head does not bind (`unbound`), and those that it binds (`bound`), as bits.
    unbound: Vec<u64>,
    bound: Vec<u64>,
    /// By literal and literal: whether the first implies the second.
    pairs: Vec<Box<[Answer]>>,
    /// By literal: whether the head implies it.
    always: Vec<Answer>,
    /// The present body, and the unbound variables that several of its literals have.
    body: Vec<u16>,
    shared: Vec<u64>,
}

/// The answer to a question, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Answer {
    #[default]
    Unknown,
    No,
    Yes,
}

impl Answer {
    const fn of(is_implied: bool) -> Self {
        if is_implied { Self::Yes } else { Self::No }
    }
}

/// Whether a set of variables is part of another.
fn is_within(part: &[u64], whole: &[u64]) -> bool {
    part.iter().zip(whole).all(|(part, whole)| part & !whole == 0)
}

impl KnownImplied {
    /// Reads the variables of these literals; all answers become unknown.
    fn read_table(&mut self, head: &Atom, literals: &[Literal]) {
        let all = literals.iter().flat_map(Literal::variables).map(VariableId::index);
        self.n_words = all.max().map_or(1, |greatest| greatest / 64 + 1);
        self.unbound = vec![0; literals.len() * self.n_words];
        self.bound = vec![0; literals.len() * self.n_words];
        for (at, literal) in literals.iter().enumerate() {
            literal.visit_variables(&mut |variable| {
                let is_bound = head.arguments.contains(&Term::Variable(variable));
                let sets = if is_bound { &mut self.bound } else { &mut self.unbound };
                sets[at * self.n_words + variable.index() / 64] |= 1 << (variable.index() % 64);
            });
        }
        self.pairs = vec![Box::default(); literals.len()];
        self.always = vec![Answer::Unknown; literals.len()];
    }

    fn set_of<'k>(&self, sets: &'k [u64], literal: u16) -> &'k [u64] {
        let begin = usize::from(literal) * self.n_words;
        &sets[begin..begin + self.n_words]
    }

    /// Finds the variables that several literals of the body have, except those of the head.
    fn find_shared(&mut self) {
        self.shared.clear();
        self.shared.resize(self.n_words, 0);
        for word in 0..self.n_words {
            let mut met = 0;
            for &literal in &self.body {
                let variables = self.unbound[usize::from(literal) * self.n_words + word];
                self.shared[word] |= met & variables;
                met |= variables;
            }
        }
    }

    /// Whether a literal has a variable that neither the head nor another literal of the body has.
    fn has_own(&self, literal: u16) -> bool {
        !is_within(self.set_of(&self.unbound, literal), &self.shared)
    }

    /// Whether a literal has all variables that `other` shares with the body or the head; `other` must share one.
    fn has_needed(&self, literal: u16, other: u16) -> bool {
        let mut has_any = false;
        (0..self.n_words).all(|word| {
            let of = |sets: &[u64], at: u16| sets[usize::from(at) * self.n_words + word];
            let unbound = of(&self.unbound, other) & self.shared[word];
            let bound = of(&self.bound, other);
            has_any |= unbound | bound != 0;
            unbound & !of(&self.unbound, literal) == 0 && bound & !of(&self.bound, literal) == 0
        }) && has_any
    }

    /// Whether a literal shares no variable with other literals, except variables of the head.
    fn shares_none(&self, literal: u16) -> bool {
        self.set_of(&self.unbound, literal).iter().zip(&self.shared).all(|(own, shared)| own & shared == 0)
    }

    /// These literals, in their order, without those that the rest implies; all of them if `stay` is true.
    pub(super) fn without_implied(&mut self, facts: &Facts<'_>, literals: &[u16], stay: bool) -> &[u16] {
        self.begin(facts, literals, stay);
        let mut n_before = if stay { 0 } else { usize::MAX };
        while self.body.len() < n_before {
            n_before = self.body.len();
            for at in (0..n_before).rev() {
                if self.is_implied(at, facts) {
                    self.body.remove(at);
                    self.find_shared();
                }
            }
        }
        &self.body
    }

    /// Those of the literals that have no variable to themselves and that the rest implies, each taken alone; none if
    /// `stay` is true.
    pub(super) fn idle_literals(&mut self, facts: &Facts<'_>, literals: &[u16], stay: bool) -> Vec<u16> {
        self.begin(facts, literals, stay);
        if stay {
            return Vec::new();
        }
        let mut is_idle = |at: &usize| !self.has_own(literals[*at]) && self.is_implied(*at, facts);
        (0..literals.len()).filter(|at| is_idle(at)).map(|at| literals[at]).collect()
    }

    /// Makes these literals the present body.
    fn begin(&mut self, facts: &Facts<'_>, literals: &[u16], stay: bool) {
        if self.n_words == 0 {
            self.read_table(facts.head, facts.literals);
        }
        self.body.clear();
        self.body.extend_from_slice(literals);
        // Under object identity all literals stay, and the engine's table may grow beyond the one read here.
        if !stay {
            self.find_shared();
        }
    }

    /// Whether the rest of the body implies the literal at a place.
    fn is_implied(&mut self, at: usize, facts: &Facts<'_>) -> bool {
        let literal = self.body[at];
        if facts.literals[usize::from(literal)].positive_atom().is_none() && self.has_own(literal) {
            return false;
        }
        if self.shares_none(literal) && self.is_always(literal, facts) {
            return true;
        }
        (0..self.body.len()).any(|other| {
            let first = self.body[other];
            other != at && self.has_needed(first, literal) && self.implies(first, literal, facts)
        })
    }

    fn is_always(&mut self, literal: u16, facts: &Facts<'_>) -> bool {
        let answer = &mut self.always[usize::from(literal)];
        if *answer == Answer::Unknown {
            *answer = Answer::of(facts.store.head_implies(facts.head, &facts.literals[usize::from(literal)]));
        }
        *answer == Answer::Yes
    }

    fn implies(&mut self, literal: u16, other: u16, facts: &Facts<'_>) -> bool {
        let Some(atom) = facts.literals[usize::from(literal)].positive_atom() else { return false };
        let answers = &mut self.pairs[usize::from(literal)];
        if answers.is_empty() {
            *answers = vec![Answer::Unknown; self.always.len()].into_boxed_slice();
        }
        let answer = &mut answers[usize::from(other)];
        if *answer == Answer::Unknown {
            *answer = Answer::of(facts.store.atom_implies(atom, &facts.literals[usize::from(other)]));
        }
        *answer == Answer::Yes
    }
}

/// The literals that object identity adds to the bodies of one engine.
#[derive(Debug)]
pub(super) struct Identity {
    distinctions: Arc<Distinctions>,
    /// How many literals the table has without additions.
    n_own: usize,
    /// The positions of the additions.
    positions: FixedMap<Literal, u16>,
}

impl Identity {
    pub(super) fn new(distinctions: Arc<Distinctions>, n_own: usize) -> Self {
        Self { distinctions, n_own, positions: FixedMap::default() }
    }

    /// The literals that a body of the literals at these positions demands beside them.
    fn demanded(&self, literals: &[u16]) -> Vec<Literal> {
        self.distinctions.of(literals)
    }

    /// The position of an addition; `add` makes one where there is none.
    pub(super) fn position(&mut self, addition: Literal, add: impl FnOnce(Literal) -> u16) -> u16 {
        *self.positions.entry(addition).or_insert_with_key(|addition| add(addition.clone()))
    }

    /// Forgets all additions; returns how many literals the table has without them.
    pub(super) fn forget(&mut self) -> usize {
        self.positions.clear();
        self.n_own
    }
}

/// The thresholds that searches fixed, and their positions in an engine's table.
#[derive(Debug)]
pub(super) struct Thresholds {
    pub(super) fixed: Arc<FixedThresholds>,
    /// How many literals the table has without thresholds.
    pub(super) n_own: usize,
    pub(super) positions: FixedMap<u16, u16>,
}

impl Thresholds {
    pub(super) fn new(fixed: Arc<FixedThresholds>, n_own: usize) -> Self {
        Self { fixed, n_own, positions: FixedMap::default() }
    }

    /// Whether some of these literals are fixed thresholds.
    fn are_in(&self, literals: &[u16]) -> bool {
        literals.iter().any(|&position| position >= self.fixed.n_before())
    }
}

impl ComponentEngine<'_> {
    /// Whether some of these literals are fixed thresholds.
    pub(super) fn has_fixed(&self, literals: &[u16]) -> bool {
        self.thresholds.as_ref().is_some_and(|thresholds| thresholds.are_in(literals))
    }

    /// The positions of these literals in the engine's table, where fixed thresholds have their own.
    pub(super) fn in_table<'l>(&mut self, literals: &'l [u16]) -> Cow<'l, [u16]> {
        let Some(mut thresholds) = self.thresholds.take_if(|known| known.are_in(literals)) else {
            return Cow::Borrowed(literals);
        };
        if self.literals.len() + literals.len() > usize::from(u16::MAX) {
            thresholds.positions.clear();
            if let Some(identity) = &mut self.identity {
                identity.forget();
            }
            self.cut_table(thresholds.n_own);
        }
        let position = |position: &u16| {
            if let Some(&known) = thresholds.positions.get(position) {
                return known;
            }
            let Some(literal) = thresholds.fixed.literal(*position) else { return *position };
            let added = self.add_literal(literal);
            thresholds.positions.insert(*position, added);
            added
        };
        let body = literals.iter().map(position).collect();
        self.thresholds = Some(thresholds);
        Cow::Owned(body)
    }

    /// The positions of a body in the table, and of the literals that object identity demands beside these, ascending.
    pub(super) fn with_demanded(
        &mut self,
        literals: &[u16],
        mut body: Vec<u16>,
        identity: &mut Identity,
    ) -> Vec<u16> {
        let demanded = match &self.thresholds {
            None => identity.demanded(literals),
            Some(thresholds) => {
                let in_bottom = |&position: &u16| thresholds.fixed.in_bottom(position);
                identity.demanded(&literals.iter().map(in_bottom).collect::<Vec<u16>>())
            }
        };
        if self.literals.len() + demanded.len() > usize::from(u16::MAX) {
            self.cut_table(identity.forget());
            if let Some(thresholds) = &mut self.thresholds {
                thresholds.positions.clear();
            }
            body = self.in_table(literals).into_owned();
        }
        body.extend(
            demanded.into_iter().map(|literal| identity.position(literal, |new| self.add_literal(new))),
        );
        body.sort_unstable();
        body
    }

    /// Adds a literal to the table; returns its position.
    fn add_literal(&mut self, literal: Literal) -> u16 {
        let position = u16::try_from(self.literals.len()).expect("the table is cut before it is full");
        self.unbound.push(unbound(&self.head, &literal));
        self.single_parts.push(None);
        self.literals.push(literal);
        position
    }

    /// Cuts the table to its first literals, and forgets the parts made of others.
    fn cut_table(&mut self, n_literals: usize) {
        self.literals.truncate(n_literals);
        self.unbound.truncate(n_literals);
        self.single_parts.truncate(n_literals);
        self.known_parts.clear();
        self.single_parts.fill(None);
        self.parts.clear();
        self.numbers.clear();
        self.bases.clear();
    }
}
