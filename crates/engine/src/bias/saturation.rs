//! Saturation: the bottom clause of a seed example, round by round. [GLEANER §2.3; Muggleton 1995]

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::datalog::Background;
use crate::relation::Relation;
use gleaner_base::budget::Poll;
use gleaner_base::{
    Budget, ConstantId, ExampleId, FixedMap, FixedSet, PredicateId, StopReason, TypeId, VariableId,
};
use gleaner_lang::program::clause::{Distinctions, LiteralTerms, OBJECT_IDENTITY, ObjectIdentity};
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, ModeSubject, Modes, NEGATION, Negation};
use gleaner_lang::program::monotone::{Orders, favourable};
use gleaner_lang::program::settings::{Setting, settings};
use gleaner_lang::program::threshold::{FixedThresholds, MAX_THRESHOLDS, THRESHOLDS, Threshold, Thresholds};
use gleaner_lang::program::{Atom, Comparison, ComparisonOperator, Examples, Expression, Literal, Term};

use super::answers::{AnswerLimit, differing_variables, inequality};
use super::candidate::{BottomClause, BottomLiteral, LimitCut};

/// Bounds of the default depth. Two rounds give clauses of two steps even where one round calls every mode.
const LEAST_DEPTH: u32 = 2;
const MOST_DEPTH: u32 = 5;

settings! {
    /// Limits of saturation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SaturationConfig {
        /// Rounds of calls (Aleph's `i`).
        pub depth: u32 = Setting::auto("depth", 1..=20, |given| given.data.callable_depth.clamp(LEAST_DEPTH, MOST_DEPTH))
            .aleph("i")
            .unit("rounds")
            .help("Rounds of saturation; auto: as many as it takes to call every mode, from 2 to 5")
            .source("Aleph's default for i is 2; with it some declared modes are never called"),
        /// Most literals in the body.
        pub max_bottom_literals: usize = Setting::within("max-bottom-literals", 1..=60_000, "5000")
            .unit("literals")
            .help("Most literals of a bottom clause")
            .source("our own: ten times what the papers' data need"),
        /// Which negated literals there may be.
        pub negation: Negation = &NEGATION,
        /// Whether distinct variables stand for distinct constants.
        pub object_identity: ObjectIdentity = &OBJECT_IDENTITY,
        /// Where the numbers of thresholds come from.
        pub thresholds: Thresholds = &THRESHOLDS,
        /// Most thresholds of a clause.
        pub max_thresholds: usize = &MAX_THRESHOLDS,
    }
}

/// The bottom clause of `seed_example`.
///
/// In each of `depth` rounds every body mode is called with every combination of known terms of its input types.
/// Answers give `-` terms to the next round and keep `#` terms as constants. Equal ground terms of equal type are one
/// variable. Answers come in canonical order, so a limit always cuts the same answers.
///
/// Numbers by which scores keep an order ([`Modes::orders`]) have a variable for each atom, and no comparison of the bottom
/// clause goes against them ([`favourable`]): so every candidate covers what it covered when such a number goes with scores.
///
/// **Cost**: calls times answers; a call already made in an earlier round is not repeated.
///
/// # Panics
///
/// Never: an unlimited budget never stops.
pub fn saturate(
    background: &Background,
    modes: &Modes,
    examples: &Examples,
    seed_example: ExampleId,
    config: SaturationConfig,
) -> BottomClause {
    saturate_within(background, modes, examples, seed_example, config, &Budget::unlimited())
        .expect("an unlimited budget never stops")
}

/// As `saturate`, within a budget. A stop drops the unfinished bottom clause, so that a result is always whole.
///
/// # Errors
///
/// The outer stop.
pub fn saturate_within(
    background: &Background,
    modes: &Modes,
    examples: &Examples,
    seed_example: ExampleId,
    config: SaturationConfig,
    budget: &Budget,
) -> Result<BottomClause, StopReason> {
    let arguments = examples.arguments(seed_example);
    let poll = Poll::new(budget, STEPS_BETWEEN_LOOKS);
    let modes = &*favourable(modes);
    let mut saturation = Saturation::new(background, modes, config, poll);
    saturation.begin_with_head(modes, arguments);
    saturation.run(modes)?;
    if config.object_identity == ObjectIdentity::Proposed {
        saturation.add_inequalities()?;
    }
    Ok(saturation.finish())
}

/// A literal that holds of known terms, over their variables and new ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The literal.
    pub literal: Literal,
    /// Its constants, with the types at their places.
    pub constants: Vec<(ConstantId, TypeId)>,
    /// Alternative sets of input variables: the literal may stand where all variables of one set are known.
    pub input_sets: Vec<Vec<VariableId>>,
    /// The round of calls that gave it, from 1.
    pub depth: u32,
    /// Whether it is a threshold with any number, in place of the one that the literal has.
    pub is_open: bool,
}

/// The literals that hold of a clause's terms in one of its proofs, and the types of all variables.
/// The literals are the answers of `config.depth` rounds of calls.
///
/// `known` gives the constants of the clause's variables, in order; several variables may stand for one constant.
/// The numbers of new variables follow those of the clause's variables. Numbers by which scores keep an order have a new
/// variable in each atom; comparisons may go with them or against them.
///
/// # Errors
///
/// The outer stop.
pub fn extensions(
    background: &Background,
    modes: &Modes,
    known: &[(ConstantId, TypeId)],
    config: SaturationConfig,
    budget: &Budget,
) -> Result<(Vec<Extension>, Vec<TypeId>), StopReason> {
    let poll = Poll::new(budget, STEPS_BETWEEN_LOOKS);
    // The caller adds inequalities to these literals.
    let config = SaturationConfig { object_identity: ObjectIdentity::Off, ..config };
    let mut saturation = Saturation::new(background, modes, config, poll);
    for &(constant, type_id) in known {
        let variable = VariableId::new(saturation.terms.len());
        saturation.variables.entry((constant, type_id)).or_insert(variable);
        saturation.terms.push(KnownTerm { constant, type_id });
    }
    saturation.run(modes)?;
    let types = saturation.terms.iter().map(|term| term.type_id).collect();
    let literals = saturation.literals.into_iter().zip(saturation.constants);
    let extension = |(literal, constants): (BottomLiteral, _)| Extension {
        literal: literal.literal,
        constants,
        input_sets: literal.input_sets,
        depth: literal.depth,
        is_open: literal.is_open,
    };
    Ok((literals.map(extension).collect(), types))
}

/// Calls and answers between looks at the budget: well below a millisecond of work.
const STEPS_BETWEEN_LOOKS: u32 = 1 << 10;

/// A known ground term of some type, and its variable.
#[derive(Clone, Copy, Debug)]
struct KnownTerm {
    constant: ConstantId,
    type_id: TypeId,
}

/// The calls of a mode in a round.
struct Calls<'m> {
    mode: &'m BodyMode,
    /// For each input the known terms of its type.
    choices: Vec<Vec<VariableId>>,
    /// For each input but the first, the same terms by their constants.
    by_constant: Vec<FixedMap<ConstantId, Vec<VariableId>>>,
    /// How many terms earlier rounds knew: they made the calls whose inputs are all among these terms.
    n_known_before: usize,
    depth: u32,
}

struct Saturation<'a> {
    background: &'a Background,
    config: SaturationConfig,
    /// The types whose numbers have a variable for each atom.
    orders: &'a Orders,
    head: Atom,
    /// By variable id.
    terms: Vec<KnownTerm>,
    variables: FixedMap<(ConstantId, TypeId), VariableId>,
    /// The variables of such numbers, by the atom and its argument.
    of_atoms: FixedMap<(Atom, usize), VariableId>,
    /// Inputs of a round come from the terms known when it began.
    n_terms_at_round_start: usize,
    literals: Vec<BottomLiteral>,
    /// The constants of each literal, with their types.
    constants: Vec<Vec<(ConstantId, TypeId)>>,
    positions: FixedMap<Literal, usize>,
    /// The calls of relations with two answers or more; kept only where inequalities between answers are proposed.
    calls: Vec<Call>,
    cuts: FixedSet<LimitCut>,
    poll: Poll<'a>,
}

/// A call of a relation with its answers, by position.
struct Call {
    inputs: Vec<VariableId>,
    answers: Vec<usize>,
    depth: u32,
}

impl<'a> Saturation<'a> {
    fn new(background: &'a Background, modes: &'a Modes, config: SaturationConfig, poll: Poll<'a>) -> Self {
        Self {
            poll,
            background,
            config,
            orders: &modes.orders,
            head: Atom { predicate: modes.head.predicate, arguments: Vec::new() },
            terms: Vec::new(),
            variables: FixedMap::default(),
            of_atoms: FixedMap::default(),
            n_terms_at_round_start: 0,
            literals: Vec::new(),
            constants: Vec::new(),
            positions: FixedMap::default(),
            calls: Vec::new(),
            cuts: FixedSet::default(),
        }
    }

    /// Makes the head, whose variables are known before the first round.
    fn begin_with_head(&mut self, modes: &Modes, arguments: &[ConstantId]) {
        for (&constant, mode) in arguments.iter().zip(&modes.head.arguments) {
            let term = match mode {
                ArgumentMode::Constant(_) => Term::Constant(constant),
                ArgumentMode::Input(type_id) | ArgumentMode::Output(type_id) => {
                    Term::Variable(match self.orders.of(*type_id) {
                        None => self.variable(constant, *type_id),
                        Some(_) => self.next_variable(constant, *type_id),
                    })
                }
            };
            self.head.arguments.push(term);
        }
    }

    /// Makes all rounds of calls.
    fn run(&mut self, modes: &Modes) -> Result<(), StopReason> {
        let language = self.config.negation.language(modes);
        for depth in 1..=self.config.depth {
            let n_known_before = self.n_terms_at_round_start;
            self.n_terms_at_round_start = self.terms.len();
            let modes = language.modes.body.iter().enumerate();
            for (_, mode) in modes.filter(|&(at, _)| language.is_called_in(at, depth)) {
                self.call_all(mode, n_known_before, depth)?;
            }
            if self.terms.len() == self.n_terms_at_round_start {
                break;
            }
        }
        Ok(())
    }

    fn variable(&mut self, constant: ConstantId, type_id: TypeId) -> VariableId {
        let next = VariableId::new(self.terms.len());
        let variable = *self.variables.entry((constant, type_id)).or_insert(next);
        if variable == next {
            self.terms.push(KnownTerm { constant, type_id });
        }
        variable
    }

    fn next_variable(&mut self, constant: ConstantId, type_id: TypeId) -> VariableId {
        self.terms.push(KnownTerm { constant, type_id });
        VariableId::new(self.terms.len() - 1)
    }

    /// Puts variables in the place of the numbers that have one for each atom. The atom that asks once more has the same.
    fn name_numbers(&mut self, atom: &mut Atom, mode: &BodyMode) {
        if self.orders.is_empty() {
            return;
        }
        let with_numbers = atom.clone();
        for (column, argument) in mode.arguments.iter().enumerate() {
            let (ArgumentMode::Output(type_id), Term::Constant(number)) =
                (*argument, with_numbers.arguments[column])
            else {
                continue;
            };
            let key = (with_numbers.clone(), column);
            let variable = match self.of_atoms.get(&key) {
                Some(&known) => known,
                None => {
                    let next = self.next_variable(number, type_id);
                    self.of_atoms.insert(key, next);
                    next
                }
            };
            atom.arguments[column] = Term::Variable(variable);
        }
    }

    /// Calls a mode with every combination of inputs that has at least one newer than
    /// `n_known_before`; modes without inputs are called in the first round.
    fn call_all(&mut self, mode: &BodyMode, n_known_before: usize, depth: u32) -> Result<(), StopReason> {
        let input_types: Vec<TypeId> = mode
            .arguments
            .iter()
            .filter_map(|argument| match argument {
                ArgumentMode::Input(type_id) => Some(*type_id),
                _ => None,
            })
            .collect();
        if input_types.is_empty() {
            return if depth == 1 { self.call(mode, &[], depth) } else { Ok(()) };
        }
        let choices: Vec<Vec<VariableId>> = input_types
            .iter()
            .map(|&type_id| {
                (0..self.n_terms_at_round_start)
                    .filter(|&term| self.terms[term].type_id == type_id)
                    .map(VariableId::new)
                    .collect()
            })
            .collect();
        let mut inputs = Vec::with_capacity(choices.len());
        let later = choices.iter().skip(1);
        let by_constant = later.map(|choice| self.by_constant(choice)).collect();
        let calls = Calls { mode, choices, by_constant, n_known_before, depth };
        self.call_combinations(&calls, &mut inputs)
    }

    /// The variables of each constant, in order.
    fn by_constant(&self, choice: &[VariableId]) -> FixedMap<ConstantId, Vec<VariableId>> {
        let mut by_constant: FixedMap<ConstantId, Vec<VariableId>> = FixedMap::default();
        for &variable in choice {
            by_constant.entry(self.terms[variable.index()].constant).or_default().push(variable);
        }
        by_constant
    }

    /// The next inputs that share a row of the relation with the inputs so far, in the usual order. `None`: try all.
    ///
    /// A call with two atoms of a molecule would otherwise try all pairs of its atoms, though each atom has few bonds.
    fn next_inputs(&self, calls: &Calls<'_>, inputs: &[VariableId]) -> Option<Vec<VariableId>> {
        let &predicate = calls.mode.subject.relation()?;
        if inputs.is_empty() {
            return None;
        }
        let mut next_input = inputs.iter();
        let mut column = None;
        let bound: Vec<Option<ConstantId>> = calls
            .mode
            .arguments
            .iter()
            .enumerate()
            .map(|(at, argument)| match argument {
                ArgumentMode::Input(_) => match next_input.next() {
                    Some(input) => Some(self.terms[input.index()].constant),
                    None => {
                        column.get_or_insert(at);
                        None
                    }
                },
                _ => None,
            })
            .collect();
        let column = column?;
        let relation = self.background.relation(predicate);
        let by_constant = &calls.by_constant[inputs.len() - 1];
        let most_rows = calls.choices[inputs.len()].len();
        let mut found: Vec<VariableId> = Vec::new();
        for (n_rows, row) in self.background.matching_rows(predicate, &bound).enumerate() {
            if n_rows == most_rows {
                return None;
            }
            found.extend(by_constant.get(&relation.value(row, column)).into_iter().flatten().copied());
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    fn call_combinations(
        &mut self,
        calls: &Calls<'_>,
        inputs: &mut Vec<VariableId>,
    ) -> Result<(), StopReason> {
        if self.literals.len() >= self.config.max_bottom_literals {
            self.cuts.insert(LimitCut::BottomLiterals);
            return Ok(());
        }
        // Combinations that are skipped count too: among many known terms, few combinations may be new.
        self.poll.step()?;
        let Some(choice) = calls.choices.get(inputs.len()) else {
            let is_new = inputs.iter().any(|input| input.index() >= calls.n_known_before);
            return if is_new { self.call(calls.mode, inputs, calls.depth) } else { Ok(()) };
        };
        let next = self.next_inputs(calls, inputs);
        for &input in next.as_deref().unwrap_or(choice) {
            inputs.push(input);
            self.call_combinations(calls, inputs)?;
            inputs.pop();
        }
        Ok(())
    }

    fn call(&mut self, mode: &BodyMode, inputs: &[VariableId], depth: u32) -> Result<(), StopReason> {
        match mode.subject {
            ModeSubject::Relation(predicate) => return self.call_relation(mode, predicate, inputs, depth),
            ModeSubject::Negated(predicate) => return self.call_negated(mode, predicate, inputs, depth),
            ModeSubject::Comparison(operator) => self.call_comparison(mode, operator, inputs, depth),
            // No mode is of an aggregate: only rules have them.
            ModeSubject::Aggregate(_) => {}
        }
        Ok(())
    }

    fn call_relation(
        &mut self,
        mode: &BodyMode,
        predicate: PredicateId,
        inputs: &[VariableId],
        depth: u32,
    ) -> Result<(), StopReason> {
        let mut next_input = inputs.iter();
        let bound: Vec<Option<ConstantId>> = mode
            .arguments
            .iter()
            .map(|argument| match argument {
                ArgumentMode::Input(_) => next_input.next().map(|input| self.terms[input.index()].constant),
                _ => None,
            })
            .collect();
        let background = self.background;
        let relation = background.relation(predicate);
        let are_kept = self.config.object_identity == ObjectIdentity::Proposed;
        let mut answers = Vec::new();
        let mut limit = AnswerLimit::of(mode);
        for row in background.matching_rows(predicate, &bound) {
            if !limit.admits(&|column| relation.value(row, column)) {
                self.cuts.insert(LimitCut::InstantiationLimit);
                if limit.is_reached() {
                    break;
                }
                continue;
            }
            self.poll.step()?;
            let arguments = self.answer_terms(mode, inputs, &|column| relation.value(row, column));
            let mut atom = Atom { predicate, arguments };
            self.name_numbers(&mut atom, mode);
            let constants = constants(mode, &atom.arguments);
            let position = self.add(atom.into(), constants, inputs, depth);
            answers.extend(position.filter(|_| are_kept));
        }
        if answers.len() > 1 {
            self.calls.push(Call { inputs: inputs.to_vec(), answers, depth });
        }
        Ok(())
    }

    /// Adds `A \= B` for the answers of each call. Inequalities come last, so that a limit drops them first.
    fn add_inequalities(&mut self) -> Result<(), StopReason> {
        let types: Vec<TypeId> = self.terms.iter().map(|term| term.type_id).collect();
        for Call { inputs, answers, depth } in std::mem::take(&mut self.calls) {
            for (at, &second) in answers.iter().enumerate() {
                for &first in &answers[..at] {
                    self.poll.step()?;
                    if self.literals.len() >= self.config.max_bottom_literals {
                        self.cuts.insert(LimitCut::BottomLiterals);
                        return Ok(());
                    }
                    let [first, second] = [first, second].map(|at| &self.literals[at].literal);
                    let (Some(first), Some(second)) = (first.positive_atom(), second.positive_atom()) else {
                        continue;
                    };
                    for pair in differing_variables(first, second, &inputs, &types) {
                        // Whether two numbers differ goes neither way.
                        if self.orders.of(types[pair[0].index()]).is_some() {
                            continue;
                        }
                        self.add(inequality(pair), Vec::new(), &pair, depth);
                    }
                }
            }
        }
        Ok(())
    }

    /// The literal's terms: inputs as given, outputs as variables, constants as they are. Numbers that have a variable for each
    /// atom are still themselves.
    fn answer_terms(
        &mut self,
        mode: &BodyMode,
        inputs: &[VariableId],
        answer: &dyn Fn(usize) -> ConstantId,
    ) -> Vec<Term> {
        let mut next_input = inputs.iter();
        let mut arguments = Vec::with_capacity(mode.arguments.len());
        for (column, argument) in mode.arguments.iter().enumerate() {
            arguments.push(match argument {
                ArgumentMode::Input(_) => {
                    Term::Variable(*next_input.next().expect("one variable for each input"))
                }
                ArgumentMode::Output(type_id) if self.orders.of(*type_id).is_none() => {
                    Term::Variable(self.variable(answer(column), *type_id))
                }
                ArgumentMode::Output(_) | ArgumentMode::Constant(_) => Term::Constant(answer(column)),
            });
        }
        arguments
    }

    /// Adds `\+ p(inputs, _)` where `p` is false for the inputs, whatever stands for `_`.
    /// At a `#` argument, it tries the constants that rows of `p` have there.
    fn call_negated(
        &mut self,
        mode: &BodyMode,
        predicate: PredicateId,
        inputs: &[VariableId],
        depth: u32,
    ) -> Result<(), StopReason> {
        let background = self.background;
        // A choice of the constants has one answer here: what no row has.
        let limit = mode.instantiation_limit.filter(|_| !mode.has_outputs());
        let limit = limit.map_or(usize::MAX, |limit| limit as usize);
        let mut n_answers = 0;
        for constants in constants_of_rows(background.relation(predicate), mode) {
            self.poll.step()?;
            let (mut inputs_left, mut constants_left) = (inputs.iter(), constants.iter());
            let term = |argument: &ArgumentMode| match argument {
                ArgumentMode::Input(_) => {
                    inputs_left.next().map_or(Term::Any, |&input| Term::Variable(input))
                }
                ArgumentMode::Output(_) => Term::Any,
                ArgumentMode::Constant(_) => {
                    constants_left.next().map_or(Term::Any, |&constant| Term::Constant(constant))
                }
            };
            let arguments: Vec<Term> = mode.arguments.iter().map(term).collect();
            let value = |term: &Term| match *term {
                Term::Variable(input) => Some(self.terms[input.index()].constant),
                Term::Constant(constant) => Some(constant),
                Term::Any => None,
            };
            let bound: Vec<Option<ConstantId>> = arguments.iter().map(value).collect();
            if background.matching_rows(predicate, &bound).next().is_some() {
                continue;
            }
            if n_answers == limit {
                self.cuts.insert(LimitCut::InstantiationLimit);
                break;
            }
            n_answers += 1;
            let constants = self::constants(mode, &arguments);
            self.add(Literal::negated(Atom { predicate, arguments }), constants, inputs, depth);
        }
        Ok(())
    }

    /// A comparison is added where it holds of its inputs. A `#` side takes the value of the other
    /// side, which makes `X = c`, `X >= c` and `X =< c` of a seed's value `c`; the latter two may be open.
    fn call_comparison(
        &mut self,
        mode: &BodyMode,
        operator: ComparisonOperator,
        inputs: &[VariableId],
        depth: u32,
    ) {
        let mut next_input = inputs.iter();
        let first_value = inputs.first().map(|input| self.terms[input.index()].constant);
        let mut sides = Vec::with_capacity(2);
        for argument in &mode.arguments {
            let side = match argument {
                ArgumentMode::Input(_) => next_input.next().map(|&input| Term::Variable(input)),
                _ => first_value.map(Term::Constant),
            };
            sides.extend(side.map(Expression::Term));
        }
        let Ok([left, right]) = <[Expression; 2]>::try_from(sides) else { return };
        let comparison = Comparison { operator, left, right };
        let terms = &self.terms;
        let background = self.background;
        let holds = comparison
            .holds(&|variable| terms[variable.index()].constant, &|constant| background.number(constant));
        let is_trivial = inputs.len() == 2 && inputs[0] == inputs[1];
        if holds && !is_trivial {
            let literal = Literal::from(comparison);
            let is_open = self.config.thresholds != Thresholds::Seed && Threshold::of(&literal).is_some();
            if let Some(at) = self.add(literal, Vec::new(), inputs, depth) {
                self.literals[at].is_open = is_open;
            }
        }
    }

    /// Adds a literal unless an equal one is there, and returns the position. `None`: there are too many literals.
    fn add(
        &mut self,
        literal: Literal,
        constants: Vec<(ConstantId, TypeId)>,
        inputs: &[VariableId],
        depth: u32,
    ) -> Option<usize> {
        let mut input_set = inputs.to_vec();
        input_set.sort_unstable();
        input_set.dedup();
        if let Some(&position) = self.positions.get(&literal) {
            let input_sets = &mut self.literals[position].input_sets;
            if !input_sets.contains(&input_set) {
                input_sets.push(input_set);
            }
            return Some(position);
        }
        if self.literals.len() >= self.config.max_bottom_literals {
            self.cuts.insert(LimitCut::BottomLiterals);
            return None;
        }
        self.positions.insert(literal.clone(), self.literals.len());
        let variables = literal.variables();
        self.constants.push(constants);
        let input_sets = vec![input_set];
        self.literals.push(BottomLiteral { literal, input_sets, variables, depth, is_open: false });
        Some(self.literals.len() - 1)
    }

    fn finish(self) -> BottomClause {
        let mut cuts: Vec<LimitCut> = self.cuts.into_iter().collect();
        cuts.sort_unstable();
        let n_literals = u16::try_from(self.literals.len()).unwrap_or(u16::MAX);
        let mut bottom = BottomClause {
            head: self.head,
            has_open: self.literals.iter().any(|literal| literal.is_open),
            max_thresholds: self.config.max_thresholds,
            thresholds: Arc::new(FixedThresholds::new(n_literals, self.config.thresholds)),
            literals: self.literals,
            n_variables: self.terms.len(),
            cuts,
            distinctions: None,
        };
        if self.config.object_identity == ObjectIdentity::On {
            let types = self.terms.iter().map(|term| term.type_id).collect();
            let terms = bottom
                .literals
                .iter()
                .zip(self.constants)
                .map(|(literal, constants)| LiteralTerms { variables: literal.variables.clone(), constants });
            let distinctions = Distinctions::new(types, bottom.head_variables(), terms.collect());
            bottom.distinctions = Some(Arc::new(distinctions));
        }
        bottom
    }
}

/// The distinct values that rows have where a mode has constants, ascending; one empty row where it has none.
fn constants_of_rows(relation: &Relation, mode: &BodyMode) -> BTreeSet<Vec<ConstantId>> {
    let arguments = mode.arguments.iter().enumerate();
    let columns: Vec<usize> = arguments
        .filter(|(_, argument)| matches!(argument, ArgumentMode::Constant(_)))
        .map(|(column, _)| column)
        .collect();
    if columns.is_empty() {
        return BTreeSet::from([Vec::new()]);
    }
    let values = |row: usize| columns.iter().map(|&column| relation.value(row, column)).collect();
    (0..relation.n_rows()).map(values).collect()
}

/// The constants of an atom, with the types at their places in its mode.
fn constants(mode: &BodyMode, arguments: &[Term]) -> Vec<(ConstantId, TypeId)> {
    let of_term = |(term, argument): (&Term, &ArgumentMode)| match *term {
        Term::Constant(constant) => Some((constant, argument.type_id())),
        Term::Variable(_) | Term::Any => None,
    };
    arguments.iter().zip(&mode.arguments).filter_map(of_term).collect()
}
