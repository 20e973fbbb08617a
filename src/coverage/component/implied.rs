//! Literals that the rest of a body implies on the facts: without them it covers the same.
//!
//! # Why nothing changes
//!
//! Let `E` be a body with the literals `k` and `l`, `k` an atom, and let no other literal of `E`, nor the head, have the variables of
//! `l` that `k` lacks. A proof of `E` without `l` gives the variables of `k` the values of a fact. If each fact of `k` makes `l` true
//! for some values of the variables that `l` shares with nothing, then the proof is one of `E` as well. So `E` covers what it covers
//! without `l`: on all examples whose worlds were looked at. The head does as well as `k`, with the universe's examples in the
//! place of facts; `l` is then true of all of them.
//!
//! This holds of one literal after the other: each step keeps the cover, and is asked of what is left. Of two literals that imply each
//! other the later goes first, and then the earlier has nothing that implies it.
//!
//! It holds for the universe of the store and the worlds of its examples, and for no others: what is known of train says nothing of
//! tune. An engine may leave literals out of what it proves; the clause that is searched, kept and written has them all.
//!
//! Two facts of one relation that agree in arguments which determine the others would also be one. Bottom clauses have no such two:
//! their literals hold of one example, and equal constants of one type are one variable.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::base::{ConstantId, FixedMap, PredicateId, VariableId, WorldId};
use crate::datalog::Background;
use crate::program::{Atom, Clause, Literal, Term};

use super::ComponentEngine;
use super::store::CoverStore;

/// Facts of an atom, or examples, that are looked at before it counts as implying nothing: some tenths of a second.
const MOST_ROWS: usize = 1 << 20;

/// What literals imply on the facts of a universe's worlds, each question answered once.
#[derive(Debug, Default)]
pub(super) struct Implications {
    /// By a clause of the head and one literal, or of two literals and a head without arguments: whether what comes first implies the
    /// last.
    known: Mutex<FixedMap<Clause, bool>>,
}

impl Implications {
    fn lock(&self) -> MutexGuard<'_, FixedMap<Clause, bool>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known_or(&self, question: Clause, answer: impl FnOnce(&Clause) -> bool) -> bool {
        if let Some(&known) = self.lock().get(&question) {
            return known;
        }
        let is_implied = answer(&question);
        self.lock().insert(question, is_implied);
        is_implied
    }
}

impl CoverStore<'_> {
    /// Whether each fact of an atom makes a literal true, in all worlds of the universe.
    fn atom_implies(&self, atom: &Atom, literal: &Literal) -> bool {
        let head = Atom { predicate: PredicateId::new(0), arguments: Vec::new() };
        let question = Clause::renumbered(&head, &[Literal::Positive(atom.clone()), literal.clone()]);
        self.implications.known_or(question, |question| {
            let [Literal::Positive(atom), literal] = &question.body[..] else { return false };
            self.used_worlds().all(|world| world.includes(atom, literal, question.n_variables, MOST_ROWS))
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

/// What one engine knows of its literals.
#[derive(Debug, Default)]
pub(super) struct KnownImplied {
    /// Words of a set of variables.
    n_words: usize,
    /// By literal: which of the variables that the head does not bind it has, and which of those that it binds.
    unbound: Vec<u64>,
    bound: Vec<u64>,
    /// By literal and literal: what is known of whether the first implies the second.
    pairs: Vec<Box<[Answer]>>,
    /// By literal: what is known of whether the head implies it.
    always: Vec<Answer>,
    /// The body that is looked at, and the variables that several of its literals have.
    body: Vec<u16>,
    shared: Vec<u64>,
}

/// What is known of a question.
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
    /// Nothing is known yet of these literals.
    fn begin(&mut self, head: &Atom, literals: &[Literal]) {
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

    /// Finds the variables that several literals of the body have, the head's apart.
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

    /// Whether a literal has a variable that no other of the body has, nor the head.
    fn has_own(&self, literal: u16) -> bool {
        !is_within(self.set_of(&self.unbound, literal), &self.shared)
    }

    /// Whether a literal has all variables that another shares with the body or with the head, and one at least.
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

    /// Whether no variable of a literal is another's, the head's apart.
    fn shares_none(&self, literal: u16) -> bool {
        self.set_of(&self.unbound, literal).iter().zip(&self.shared).all(|(own, shared)| own & shared == 0)
    }
}

impl ComponentEngine<'_> {
    /// The same literals without those that the rest implies on the facts, in their order: a body that covers the same in this
    /// universe.
    ///
    /// Under object identity all stay, for a literal's absence would take what it demands with it.
    ///
    /// **Cost**: of pairs that were asked for before, some words for each; of others a pass over the facts of a literal up to the
    /// first that does not imply. **Memory**: a byte for each pair of literals.
    #[must_use]
    pub fn without_implied(&mut self, literals: &[u16]) -> &[u16] {
        let mut known = self.begin_implied(literals);
        if self.identity.is_none() {
            let mut n_before = usize::MAX;
            while known.body.len() < n_before {
                n_before = known.body.len();
                for at in (0..n_before).rev() {
                    if self.is_implied(at, &mut known) {
                        known.body.remove(at);
                        known.find_shared();
                    }
                }
            }
        }
        self.implied = known;
        &self.implied.body
    }

    /// Of these literals those that the rest implies on the facts, each by itself, and that have no variable of their own: each
    /// body with more literals covers without such a one what it covers.
    ///
    /// **Cost**: as of [`Self::without_implied`].
    #[must_use]
    pub fn idle_literals(&mut self, literals: &[u16]) -> Vec<u16> {
        let mut known = self.begin_implied(literals);
        let mut idle = Vec::new();
        if self.identity.is_none() {
            let is_idle = |at: &usize| !known.has_own(literals[*at]) && self.is_implied(*at, &mut known);
            idle.extend((0..literals.len()).filter(is_idle).map(|at| literals[at]));
        }
        self.implied = known;
        idle
    }

    /// What is known, out of the engine, as to ask needs all of it; with a body to look at.
    fn begin_implied(&mut self, literals: &[u16]) -> KnownImplied {
        let mut known = std::mem::take(&mut self.implied);
        if known.n_words == 0 {
            known.begin(&self.head, &self.literals);
        }
        known.body.clear();
        known.body.extend_from_slice(literals);
        // Under object identity the table grows by literals that no body here has.
        if self.identity.is_none() {
            known.find_shared();
        }
        known
    }

    /// Whether the rest of the body implies its literal at a place.
    fn is_implied(&self, at: usize, known: &mut KnownImplied) -> bool {
        let literal = known.body[at];
        if !matches!(self.literals[usize::from(literal)], Literal::Positive(_)) && known.has_own(literal) {
            return false;
        }
        if known.shares_none(literal) && self.is_always(literal, known) {
            return true;
        }
        (0..known.body.len()).any(|other| {
            let first = known.body[other];
            other != at && known.has_needed(first, literal) && self.implies(first, literal, known)
        })
    }

    fn is_always(&self, literal: u16, known: &mut KnownImplied) -> bool {
        let answer = &mut known.always[usize::from(literal)];
        if *answer == Answer::Unknown {
            *answer = Answer::of(self.store.head_implies(&self.head, &self.literals[usize::from(literal)]));
        }
        *answer == Answer::Yes
    }

    fn implies(&self, literal: u16, other: u16, known: &mut KnownImplied) -> bool {
        let Literal::Positive(atom) = &self.literals[usize::from(literal)] else { return false };
        let answers = &mut known.pairs[usize::from(literal)];
        if answers.is_empty() {
            *answers = vec![Answer::Unknown; known.always.len()].into_boxed_slice();
        }
        let answer = &mut answers[usize::from(other)];
        if *answer == Answer::Unknown {
            *answer = Answer::of(self.store.atom_implies(atom, &self.literals[usize::from(other)]));
        }
        *answer == Answer::Yes
    }
}
