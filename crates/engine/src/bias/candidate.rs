//! The bottom clause, which is the most specific clause within the bias that covers a seed example; its candidates,
//! which are legal subsets of its literals; and the steps between candidates.
//!
//! Whether a clause is a candidate of a bottom clause: the one question that modes alone cannot answer.
//!
//! A literal within the modes may still be missing from a seed's bottom clause. A limit may have cut it, or the seed
//! gives one value to two of the clause's variables, which then are one variable of the bottom clause.

use std::borrow::Cow;
use std::sync::Arc;

use rand::{Rng, RngExt};

use gleaner_base::{ConstantId, FixedMap, VariableId};
use gleaner_lang::program::clause::Distinctions;
use gleaner_lang::program::{
    Atom, Clause, ComparisonOperator, FixedThresholds, Literal, Number, Subject, Term, Threshold,
};

/// A body literal of a bottom clause, with the variables that it needs and those that it gives.
///
/// A threshold has the seed's own value. If it is open, each candidate that has it takes the best number for itself
/// ([`FixedThresholds`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BottomLiteral {
    /// The literal, over the bottom clause's variables.
    pub literal: Literal,
    /// Alternative sets of input variables, each sorted: one for each mode that produced the literal.
    /// The literal may stand where all variables of one set are known.
    pub input_sets: Vec<Vec<VariableId>>,
    /// All variables of the literal, ascending; they are known once the literal stands.
    pub variables: Vec<VariableId>,
    /// The round of saturation that added it, from 1.
    pub depth: u32,
    /// Whether it is an open threshold.
    pub is_open: bool,
}

/// A limit that left literals out of a bottom clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitCut {
    /// A mode's instantiation limit cut the answers of at least one call.
    InstantiationLimit,
    /// The limit on literals of the bottom clause was reached.
    BottomLiterals,
}

/// A seed example's most specific clause. [GLEANER §2.3]
///
/// **Invariant**: literals are distinct, and each has an input set whose variables occur in the head
/// or in literals before it. `saturate` builds it so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BottomClause {
    /// The head; its terms are variables, or constants where the head mode says `#`.
    pub head: Atom,
    /// The body.
    pub literals: Vec<BottomLiteral>,
    /// How many variables head and body have.
    pub n_variables: usize,
    /// The limits that cut, ascending.
    pub cuts: Vec<LimitCut>,
    /// The distinctions that object identity demands of clauses, if it is on.
    pub distinctions: Option<Arc<Distinctions>>,
    /// Whether some literal is an open threshold.
    pub has_open: bool,
    /// Most thresholds of a candidate.
    pub max_thresholds: usize,
    /// The literals that searches made of open thresholds. Their positions follow those of the bottom clause's own.
    pub thresholds: Arc<FixedThresholds>,
}

impl BottomClause {
    /// The distinct variables of the head, ascending.
    pub fn head_variables(&self) -> Vec<VariableId> {
        let mut variables: Vec<_> = self.head.arguments.iter().filter_map(|term| term.variable()).collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// The clause made of the head and the body literals at these positions. They are in an order in which those before
    /// each enable it, and variables are renumbered by first occurrence. Inequalities that object identity demands come
    /// last.
    pub fn clause(&self, positions: &[u16]) -> Clause {
        let mut body: Vec<Literal> =
            self.enabled_order(positions).iter().map(|&position| self.literal(position)).collect();
        let in_bottom = positions.iter().map(|&position| self.thresholds.in_bottom(position));
        let in_bottom: Vec<u16> = in_bottom.collect();
        body.extend(self.distinctions.iter().flat_map(|distinctions| distinctions.of(&in_bottom)));
        Clause::renumbered(&self.head, &body)
    }

    /// The literal at a position, fixed thresholds among them.
    pub fn literal(&self, position: u16) -> Literal {
        self.thresholds.literal(position).unwrap_or_else(|| self.at(position).literal.clone())
    }

    /// The bottom literal at a position; for a fixed threshold, the open one that it was made of.
    #[inline]
    pub fn at(&self, position: u16) -> &BottomLiteral {
        let own = self.literals.get(usize::from(position));
        own.unwrap_or_else(|| &self.literals[usize::from(self.thresholds.in_bottom(position))])
    }

    /// The threshold at a position, if it is open.
    #[inline]
    pub fn open_threshold(&self, position: u16) -> Option<Threshold> {
        if !self.has_open {
            return None;
        }
        let literal = self.literals.get(usize::from(position))?;
        literal.is_open.then(|| Threshold::of(&literal.literal)).flatten()
    }

    /// The candidate that has a number for an open threshold, in place of any number that it had for it. `None`: there
    /// are too many fixed thresholds.
    pub fn with_threshold(
        &self,
        candidate: &Candidate,
        open: u16,
        constant: ConstantId,
    ) -> Option<Candidate> {
        let fixed = self.thresholds.fix(open, &self.at(open).literal, constant)?;
        let others = candidate.positions().iter().copied();
        let mut positions: Vec<u16> =
            others.filter(|&position| self.thresholds.in_bottom(position) != open).collect();
        positions.push(fixed);
        Some(Candidate::new(positions))
    }

    /// Positions in an order in which each literal's inputs are known; those that nothing enables
    /// come last, in their own order.
    fn enabled_order(&self, positions: &[u16]) -> Vec<u16> {
        let mut known = vec![false; self.n_variables];
        for variable in self.head_variables() {
            known[variable.index()] = true;
        }
        let mut rest = positions.to_vec();
        let mut ordered = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let next = rest.iter().position(|&position| self.is_enabled(position, &known)).unwrap_or(0);
            let position = rest.remove(next);
            for variable in &self.at(position).variables {
                known[variable.index()] = true;
            }
            ordered.push(position);
        }
        ordered
    }

    /// Whether the literal at a position may stand where these variables are known.
    pub fn is_enabled(&self, position: u16, known: &[bool]) -> bool {
        self.at(position)
            .input_sets
            .iter()
            .any(|inputs| inputs.iter().all(|variable| known[variable.index()]))
    }
}

/// A subset of the bottom clause's body literals.
///
/// **Invariant**: positions ascend and are distinct, so equal sets are equal candidates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Candidate(Box<[u16]>);

impl Candidate {
    /// The candidate of these positions, in any order.
    pub fn new(mut positions: Vec<u16>) -> Self {
        positions.sort_unstable();
        positions.dedup();
        Self(positions.into_boxed_slice())
    }

    /// The positions, ascending.
    pub fn positions(&self) -> &[u16] {
        &self.0
    }

    /// The number of literals of the clause, head included.
    pub fn n_literals(&self) -> usize {
        self.0.len() + 1
    }

    fn with(&self, position: u16) -> Self {
        let at = self.0.partition_point(|&known| known < position);
        let mut positions = Vec::with_capacity(self.0.len() + 1);
        positions.extend_from_slice(&self.0[..at]);
        positions.push(position);
        positions.extend_from_slice(&self.0[at..]);
        Self(positions.into_boxed_slice())
    }
}

/// The space of candidates of one bottom clause. [GLEANER §3.1.1]
///
/// A candidate is *legal* when its literals have an order in which each literal is enabled: all variables of one of
/// its input sets are in the head or in literals before it.
#[derive(Debug)]
pub struct RefinementSpace<'a> {
    bottom: &'a BottomClause,
    head_variables: Vec<VariableId>,
    max_literals: usize,
}

impl<'a> RefinementSpace<'a> {
    /// The space of clauses of at most `max_literals` literals, head included.
    pub fn new(bottom: &'a BottomClause, max_literals: usize) -> Self {
        Self { bottom, head_variables: bottom.head_variables(), max_literals }
    }

    /// The bottom clause.
    pub const fn bottom(&self) -> &'a BottomClause {
        self.bottom
    }

    /// The most literals a candidate may have, head included.
    pub const fn max_literals(&self) -> usize {
        self.max_literals
    }

    fn n_positions(&self) -> u16 {
        u16::try_from(self.bottom.literals.len()).expect("the limit on bottom literals is below 2^16")
    }

    fn head_known(&self) -> Vec<bool> {
        let mut known = vec![false; self.bottom.n_variables];
        self.learn(&self.head_variables, &mut known);
        known
    }

    #[expect(clippy::unused_self, reason = "reads as a step of the space")]
    fn learn(&self, variables: &[VariableId], known: &mut [bool]) {
        for variable in variables {
            known[variable.index()] = true;
        }
    }

    /// The variables known in a legal candidate: those of the head and of its literals.
    fn known(&self, candidate: &Candidate) -> Vec<bool> {
        let mut known = self.head_known();
        for &position in candidate.positions() {
            self.learn(&self.bottom.at(position).variables, &mut known);
        }
        known
    }

    /// The largest legal subset of these positions. Cost: `O(n^2)` in the number of positions.
    fn legal_part(&self, positions: &[u16]) -> Candidate {
        let mut known = self.head_known();
        let mut rest = positions.to_vec();
        let mut kept = Vec::with_capacity(rest.len());
        loop {
            let before = rest.len();
            rest.retain(|&position| {
                let enabled = self.bottom.is_enabled(position, &known);
                if enabled {
                    self.learn(&self.bottom.at(position).variables, &mut known);
                    kept.push(position);
                }
                !enabled
            });
            if rest.len() == before {
                return Candidate::new(kept);
            }
        }
    }

    /// Whether a candidate is legal.
    pub fn is_legal(&self, candidate: &Candidate) -> bool {
        self.legal_part(candidate.positions()) == *candidate
    }

    /// Whether literals may take one more at a position: the limit of thresholds leaves room, if it is one.
    pub fn has_room(&self, literals: &[u16], position: u16) -> bool {
        let most = self.bottom.max_thresholds;
        let is_threshold = |at: u16| Threshold::of(&self.bottom.at(at).literal).is_some();
        most == usize::MAX
            || !is_threshold(position)
            || literals.iter().filter(|&&at| is_threshold(at)).count() < most
    }

    /// All legal candidates with one literal more, by position of the literal; none at the length limit.
    pub fn additions(&self, candidate: &Candidate) -> Vec<Candidate> {
        self.additions_among(candidate, 0..self.n_positions())
    }

    /// The legal candidates with one literal more that stands at one of these positions of the bottom clause, in their
    /// order; none at the length limit.
    pub fn additions_among(
        &self,
        candidate: &Candidate,
        positions: impl IntoIterator<Item = u16>,
    ) -> Vec<Candidate> {
        if candidate.n_literals() >= self.max_literals {
            return Vec::new();
        }
        let known = self.known(candidate);
        positions
            .into_iter()
            .filter(|position| candidate.positions().binary_search(position).is_err())
            .filter(|&position| self.bottom.is_enabled(position, &known))
            .filter(|&position| self.has_room(candidate.positions(), position))
            .map(|position| candidate.with(position))
            .collect()
    }

    /// All candidates with one literal less, together with the literals that only it had enabled.
    pub fn removals(&self, candidate: &Candidate) -> Vec<Candidate> {
        let positions = candidate.positions();
        (0..positions.len())
            .map(|removed| {
                let rest: Vec<u16> =
                    positions[..removed].iter().chain(&positions[removed + 1..]).copied().collect();
                self.legal_part(&rest)
            })
            .collect()
    }

    /// Draws a candidate with `n_body` body literals, or with fewer where no legal literal is left. It grows literal by
    /// literal, each drawn uniformly from the legal ones not yet in (pseudo-uniform, [Železný 2003]).
    pub fn draw(&self, n_body: usize, rng: &mut impl Rng) -> Candidate {
        let mut known = self.head_known();
        let mut positions: Vec<u16> = Vec::with_capacity(n_body);
        while positions.len() < n_body {
            let open: Vec<u16> = (0..self.n_positions())
                .filter(|position| !positions.contains(position))
                .filter(|&position| self.bottom.is_enabled(position, &known))
                .filter(|&position| self.has_room(&positions, position))
                .collect();
            if open.is_empty() {
                break;
            }
            let position = open[rng.random_range(0..open.len())];
            self.learn(&self.bottom.at(position).variables, &mut known);
            positions.push(position);
        }
        Candidate::new(positions)
    }
}

/// The most literals of the bottom clause that are tried before the question is left open. Proofs for clauses that a
/// person wrote take some hundreds.
const MOST_STEPS: usize = 200_000;

/// Whether the clause is, up to the names of its variables, a legal candidate of the bottom clause, of any length.
/// `None` where the steps allowed were too few to decide that.
///
/// Distinct variables of the clause must be distinct variables of the bottom clause, and the body may hold no literal
/// twice. Inequalities that object identity demands are no literals of bottom clauses, so the clause must come without
/// them. An open threshold may have any number that the seed's own value passes; `number` says which number a constant
/// is.
///
/// **Cost**: exponential in the number of literals at worst, as subsumption is.
pub fn is_candidate(
    clause: &Clause,
    bottom: &BottomClause,
    number: &dyn Fn(ConstantId) -> Option<Number>,
) -> Option<bool> {
    let mut by_subject: FixedMap<Subject, Vec<u16>> = FixedMap::default();
    for (position, literal) in (0..).zip(&bottom.literals) {
        by_subject.entry(literal.literal.subject()).or_default().push(position);
    }
    let space = RefinementSpace::new(bottom, usize::MAX);
    // Comparisons come last: by then their variables have names.
    let mut body = clause.body.clone();
    body.sort_by_key(|literal| literal.comparison().is_some());
    let clause = &Clause { body, ..clause.clone() };
    let mut matching = Matching {
        clause,
        space: &space,
        number,
        by_subject,
        names: vec![None; clause.n_variables],
        taken: vec![false; bottom.n_variables],
        positions: Vec::new(),
        steps_left: MOST_STEPS,
    };
    let is_found = matching.head(&bottom.head) && matching.body(0);
    (is_found || matching.steps_left > 0).then_some(is_found)
}

/// The state of the search for a clause's literals in a bottom clause.
struct Matching<'m> {
    clause: &'m Clause,
    space: &'m RefinementSpace<'m>,
    number: &'m dyn Fn(ConstantId) -> Option<Number>,
    by_subject: FixedMap<Subject, Vec<u16>>,
    /// By variable of the clause: the matching variable of the bottom clause.
    names: Vec<Option<VariableId>>,
    /// By variable of the bottom clause: whether a variable of the clause matches it.
    taken: Vec<bool>,
    positions: Vec<u16>,
    steps_left: usize,
}

impl Matching<'_> {
    /// Matches the literals from `next` on.
    fn body(&mut self, next: usize) -> bool {
        let clause = self.clause;
        let Some(literal) = clause.body.get(next) else {
            let candidate = Candidate::new(self.positions.clone());
            return candidate.positions().len() == clause.body.len() && self.space.is_legal(&candidate);
        };
        let found = self.by_subject.get(&literal.subject()).cloned().unwrap_or_default();
        let bottom = self.space.bottom();
        for position in found {
            self.steps_left = self.steps_left.saturating_sub(1);
            if self.steps_left == 0 {
                return false;
            }
            let of_bottom = self.as_in(literal, &bottom.literals[usize::from(position)]);
            let Some(named) = self.literal(literal, &of_bottom) else { continue };
            self.positions.push(position);
            if self.body(next + 1) {
                return true;
            }
            self.positions.pop();
            self.forget(named);
        }
        false
    }

    /// A literal of the bottom clause; an open threshold has the number of the clause's, if the seed passes it.
    fn as_in<'l>(&self, literal: &Literal, bottom: &'l BottomLiteral) -> Cow<'l, Literal> {
        let own = &bottom.literal;
        if bottom.is_open
            && let (Some(asked), Some(of_seed)) = (Threshold::of(literal), Threshold::of(own))
            && let (Some(least), Some(value)) =
                ((self.number)(asked.constant), (self.number)(of_seed.constant))
        {
            let order = value.compare(least);
            if if asked.is_least { order.is_ge() } else { order.is_le() } {
                return Cow::Owned(Threshold::moved(own, asked.constant));
            }
        }
        Cow::Borrowed(own)
    }

    /// Names the variables of the head so that it equals another atom; returns whether that is possible.
    fn head(&mut self, other: &Atom) -> bool {
        let head = &self.clause.head;
        head.predicate == other.predicate && self.terms(&head.arguments, &other.arguments).is_some()
    }

    /// Names the variables of a literal so that it equals another of its subject; returns those newly named. `None`:
    /// that is impossible, and nothing changed.
    fn literal(&mut self, literal: &Literal, other: &Literal) -> Option<Vec<VariableId>> {
        let plain_terms = |literal: &Literal| literal.terms().collect::<Option<Vec<Term>>>();
        let (mut terms, other) = (plain_terms(literal)?, plain_terms(other)?);
        let named = self.terms(&terms, &other);
        // `A \= B` says the same as `B \= A`, and is proposed once.
        let is_symmetric = literal.subject().comparison() == Some(ComparisonOperator::NotUnify)
            && terms.iter().all(|term| term.variable().is_some());
        if named.is_none() && is_symmetric {
            terms.reverse();
            return self.terms(&terms, &other);
        }
        named
    }

    fn terms(&mut self, terms: &[Term], others: &[Term]) -> Option<Vec<VariableId>> {
        let mut named = Vec::new();
        let fits = terms.len() == others.len()
            && terms.iter().zip(others).all(|(term, other)| match (*term, *other) {
                (Term::Constant(constant), Term::Constant(other)) => constant == other,
                (Term::Any, Term::Any) => true,
                (Term::Variable(variable), Term::Variable(other)) => match self.names[variable.index()] {
                    Some(name) => name == other,
                    None if self.taken[other.index()] => false,
                    None => {
                        self.names[variable.index()] = Some(other);
                        self.taken[other.index()] = true;
                        named.push(variable);
                        true
                    }
                },
                _ => false,
            });
        if fits {
            return Some(named);
        }
        self.forget(named);
        None
    }

    fn forget(&mut self, named: Vec<VariableId>) {
        for variable in named {
            if let Some(name) = self.names[variable.index()].take() {
                self.taken[name.index()] = false;
            }
        }
    }
}
