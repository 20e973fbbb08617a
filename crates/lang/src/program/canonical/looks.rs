//! The looks of literals while the variables of a clause are numbered one by one.

use crate::program::atom::{Term, Token};
use crate::program::literal::Literal;
use gleaner_base::VariableId;

/// Canonical numbers of the variables placed so far.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    numbers: Vec<Option<u32>>,
    next: u32,
}

impl Numbering {
    /// A numbering of `n_variables` variables, none of which has a number yet.
    pub(super) fn new(n_variables: usize) -> Self {
        Self { numbers: vec![None; n_variables], next: 0 }
    }

    /// Whether a variable has no number yet.
    pub(super) fn is_new(&self, variable: VariableId) -> bool {
        self.numbers[variable.index()].is_none()
    }

    /// Numbers a term's variable if it is new.
    pub(super) fn learn_term(&mut self, term: Term) {
        if let Term::Variable(variable) = term
            && self.is_new(variable)
        {
            self.numbers[variable.index()] = Some(self.next);
            self.next += 1;
        }
    }

    /// Numbers the new variables of a literal, in order.
    pub(super) fn learn(&mut self, literal: &Literal) {
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
pub(super) struct Looks {
    words: Vec<u64>,
    /// Where each look ends.
    ends: Vec<usize>,
    /// New variables of the literal whose look is being added.
    new: Vec<VariableId>,
}

impl Looks {
    /// Forgets all looks.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
    }

    /// The words of all looks, one look after the other.
    pub(super) fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// The look that was added as the `idx`th, from 0.
    pub(super) fn get(&self, idx: usize) -> &[u64] {
        let start = if idx == 0 { 0 } else { self.ends[idx - 1] };
        &self.words[start..self.ends[idx]]
    }

    /// Whether all variables of the literal have numbers.
    pub(super) fn is_closed(&self, idx: usize) -> bool {
        self.get(idx)[0] == Readiness::Closed as u64
    }

    /// Adds the look of a literal.
    pub(super) fn add(&mut self, literal: &Literal, numbering: &Numbering) {
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
