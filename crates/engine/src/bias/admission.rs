//! Whether a clause is in the language that the modes span, and the obstacles that keep each literal out of it.
//!
//! Saturation goes from facts to literals. This module goes the other way, from a clause that somebody wrote to the
//! modes that could have made it. So it can say why a search never meets the clause.

use gleaner_base::{FixedMap, TypeId, VariableId};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::mode::{ArgumentMode, BodyMode, Language, ModeSubject, Modes};
use gleaner_lang::program::{Clause, Literal, Term};

use super::answers::Called;

/// The most combinations of variable types that are tried. Few variables have modes that leave several types;
/// a clause with more than a dozen of them may wrongly count as outside the language.
const MOST_TYPINGS: usize = 4_096;

/// Why a whole clause, or its head, is not in the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseFault {
    /// The head has a constant at this argument, the head mode a variable.
    HeadConstant(usize),
    /// The head has a variable at this argument, the head mode a constant.
    HeadVariable(usize),
    /// The head has one variable at this argument and at an earlier argument of another type.
    HeadTypes(usize, VariableId),
    /// It has no body: searches evaluate no clause without one.
    NoBody,
    /// It has more literals, head included, than this.
    TooLong(usize),
}

/// Why a mode does not admit a literal. Arguments count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A constant where the mode has a variable, `+` or `-`.
    Constant {
        /// The argument.
        argument: usize,
    },
    /// A variable where the mode has a constant, `#`, or where a negated mode has `-`: a literal has `_` there.
    Variable {
        /// The argument.
        argument: usize,
    },
    /// `_` where a negated mode has `+` or `#`.
    Any {
        /// The argument.
        argument: usize,
    },
    /// A variable that is of another type.
    OtherType {
        /// The argument.
        argument: usize,
        /// Its variable.
        variable: VariableId,
        /// The type that the variable has.
        has: TypeId,
    },
    /// A `+` variable that neither the head nor an admitted literal gives.
    NotGiven {
        /// The argument.
        argument: usize,
        /// Its variable.
        variable: VariableId,
        /// Whether other literals have it, though none of them is admitted.
        is_in_others: bool,
    },
    /// A `+` variable that the head does not have, where the mode takes variables of the head alone.
    NotOfHead {
        /// The argument.
        argument: usize,
        /// Its variable.
        variable: VariableId,
    },
    /// An arithmetic expression, which no mode makes.
    Arithmetic {
        /// The side, 0 or 1.
        argument: usize,
    },
    /// A variable compared with itself.
    SameVariable,
}

/// A mode with its obstacles to admitting a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// The position of the mode among the body modes.
    pub mode: usize,
    /// The obstacles, by argument.
    pub obstacles: Vec<Obstacle>,
}

/// The verdict of the modes on one body literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can be called.
    Admitted {
        /// The modes that admit it at this depth, as positions among the body modes; those without an
        /// instantiation limit first.
        modes: Vec<usize>,
        /// The round of saturation, counted along the literals of the clause itself. In a bottom clause
        /// another literal may give a variable sooner.
        depth: u32,
    },
    /// It is an inequality that object identity adds or proposes.
    Inequality {
        /// The round of saturation in which the last of its variables gets a value.
        depth: u32,
    },
    /// It repeats the literal at this position.
    Repeated(usize),
    /// There is no mode of its predicate or comparison.
    NoMode,
    /// No mode of its predicate admits it; the one with the fewest obstacles first.
    Unfit(Vec<Unfit>),
}

impl Verdict {
    /// Whether clauses of a search may have the literal.
    pub const fn is_admitted(&self) -> bool {
        matches!(self, Self::Admitted { .. } | Self::Inequality { .. })
    }
}

/// The verdict of the modes on a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// The faults of the clause as a whole and of its head.
    pub faults: Vec<ClauseFault>,
    /// The verdict on each body literal, in the order written.
    pub literals: Vec<Verdict>,
    /// The admitted literals, by position, in an order in which each can be called after those before it.
    pub order: Vec<usize>,
    /// By body literal: the settings of object identity under which it would be an inequality that needs no mode.
    pub inequality_by: Vec<Vec<ObjectIdentity>>,
    /// The literals that object identity adds to the clause, if it is on.
    pub added: Vec<Literal>,
}

impl Admission {
    /// Whether modes and length admit the clause. This ignores its depth: see [`Verdict::Admitted`].
    pub fn is_admitted(&self) -> bool {
        self.faults.is_empty() && self.literals.iter().all(Verdict::is_admitted)
    }

    /// The depth of the deepest admitted literal.
    pub fn depth(&self) -> u32 {
        let depth = |literal: &Verdict| match literal {
            Verdict::Admitted { depth, .. } | Verdict::Inequality { depth } => *depth,
            Verdict::Repeated(_) | Verdict::NoMode | Verdict::Unfit(_) => 0,
        };
        self.literals.iter().map(depth).max().unwrap_or(0)
    }
}

/// The verdict of modes and object identity on a clause of the target with at most `max_literals` literals, head
/// included.
///
/// A clause is in the language when its variables can have types with which some mode makes each literal. The
/// literal has constants where its mode has `#`, and variables of the mode's types elsewhere. A variable at `+`
/// must be in the head or in a literal called before. Among several ways of giving types, the function takes the
/// one that admits most literals; among equals, the one with the least sum of depths.
///
/// **Cost**: `O(t * b^2 * m)` for `b` literals, `m` modes of a predicate, and `t` ways of giving types to
/// variables, which is 1 where no predicate has modes of different types, and at most 4,096.
pub fn admit(
    clause: &Clause,
    language: &Language<'_>,
    identity: ObjectIdentity,
    max_literals: usize,
) -> Admission {
    let (types, mut faults) = head_types(clause, &language.modes);
    if clause.body.is_empty() {
        faults.push(ClauseFault::NoBody);
    }
    let admitting = Admitting {
        clause,
        language,
        shapes: clause.body.iter().map(Shape::of).collect(),
        repeats: repeats(&clause.body),
    };
    let calls = admitting.best(&types);
    let called = Called {
        clause,
        modes: &language.modes.body,
        types: &calls.types,
        known: &calls.known,
        admitted: &calls.admitted,
    };
    let mut literals: Vec<Verdict> =
        (0..clause.body.len()).map(|position| admitting.verdict(position, &calls)).collect();
    let inequality_by: Vec<Vec<ObjectIdentity>> =
        (0..literals.len()).map(|position| called.inequality_by(position)).collect();
    let mut order = calls.order.clone();
    for (position, by) in inequality_by.iter().enumerate() {
        if by.contains(&identity) && matches!(literals[position], Verdict::NoMode | Verdict::Unfit(_)) {
            literals[position] = Verdict::Inequality { depth: called.depth_of(position) };
            order.push(position);
        }
    }
    let is_added =
        |literal: &Verdict| identity == ObjectIdentity::On && matches!(literal, Verdict::Inequality { .. });
    // The inequalities that object identity adds to a candidate do not count as its literals.
    if clause.n_literals() - literals.iter().filter(|literal| is_added(literal)).count() > max_literals {
        faults.push(ClauseFault::TooLong(max_literals));
    }
    let added = if identity == ObjectIdentity::On { called.added() } else { Vec::new() };
    Admission { faults, literals, order, inequality_by, added }
}

/// By literal: the position of the first literal that it repeats.
fn repeats(body: &[Literal]) -> Vec<Option<usize>> {
    let mut first: FixedMap<&Literal, usize> = FixedMap::default();
    let mut first_like = |(position, literal)| *first.entry(literal).or_insert(position);
    (0..)
        .zip(body)
        .map(|(position, literal)| Some(first_like((position, literal))).filter(|&first| first < position))
        .collect()
}

/// The types that the head gives its variables, and its faults.
fn head_types(clause: &Clause, modes: &Modes) -> (Vec<Option<TypeId>>, Vec<ClauseFault>) {
    let mut types = vec![None; clause.n_variables];
    let mut faults = Vec::new();
    for (argument, (term, mode)) in clause.head.arguments.iter().zip(&modes.head.arguments).enumerate() {
        match (*term, *mode) {
            (Term::Constant(_), ArgumentMode::Constant(_)) => {}
            (Term::Constant(_) | Term::Any, _) => faults.push(ClauseFault::HeadConstant(argument)),
            (Term::Variable(variable), mode) => {
                if matches!(mode, ArgumentMode::Constant(_)) {
                    faults.push(ClauseFault::HeadVariable(argument));
                }
                let known = types[variable.index()].get_or_insert(mode.type_id());
                if *known != mode.type_id() {
                    faults.push(ClauseFault::HeadTypes(argument, variable));
                }
            }
        }
    }
    (types, faults)
}

/// A literal as modes see it: its predicate or comparison, and its arguments or sides, `None` for arithmetic.
#[derive(Clone, Debug)]
struct Shape {
    subject: ModeSubject,
    terms: Vec<Option<Term>>,
}

impl Shape {
    fn of(literal: &Literal) -> Self {
        Self { subject: literal.subject(), terms: literal.terms().collect() }
    }

    /// The obstacles to a mode of its subject that do not depend on the types and values of variables.
    fn obstacles(&self, mode: &BodyMode) -> Vec<Obstacle> {
        let is_negated = self.subject.is_negated();
        let mut obstacles: Vec<Obstacle> = (self.terms.iter().zip(&mode.arguments).enumerate())
            .filter_map(|(argument, (term, mode))| match (term, mode) {
                (None, _) => Some(Obstacle::Arithmetic { argument }),
                (Some(Term::Constant(_)), ArgumentMode::Input(_) | ArgumentMode::Output(_)) => {
                    Some(Obstacle::Constant { argument })
                }
                (Some(Term::Variable(_)), ArgumentMode::Constant(_)) => Some(Obstacle::Variable { argument }),
                (Some(Term::Variable(_)), ArgumentMode::Output(_)) if is_negated => {
                    Some(Obstacle::Variable { argument })
                }
                (Some(Term::Any), ArgumentMode::Input(_) | ArgumentMode::Constant(_)) => {
                    Some(Obstacle::Any { argument })
                }
                _ => None,
            })
            .collect();
        let is_comparison = self.subject.comparison().is_some();
        if is_comparison && self.terms[0] == self.terms[1] && self.variables(mode).count() == 2 {
            obstacles.push(Obstacle::SameVariable);
        }
        obstacles
    }

    /// The variables where a mode has variables: argument, variable, and the mode of the argument.
    fn variables<'s>(
        &'s self,
        mode: &'s BodyMode,
    ) -> impl Iterator<Item = (usize, VariableId, ArgumentMode)> + 's {
        let arguments = self.terms.iter().zip(&mode.arguments).enumerate();
        arguments.filter_map(|(argument, (term, mode))| match mode {
            ArgumentMode::Constant(_) => None,
            _ => Some((argument, (*term)?.variable()?, *mode)),
        })
    }
}

/// The calls of a clause's literals that succeed with one way of giving types to its variables.
#[derive(Clone, Debug, Default)]
struct Calls {
    /// By variable.
    types: Vec<Option<TypeId>>,
    /// By variable: whether it has a value after all calls.
    known: Vec<bool>,
    /// By literal: the modes that admit it, and its depth.
    admitted: Vec<Option<(Vec<usize>, u32)>>,
    order: Vec<usize>,
}

impl Calls {
    /// More literals are better, then less depth.
    fn merit(&self) -> (usize, std::cmp::Reverse<u32>) {
        (self.order.len(), std::cmp::Reverse(self.admitted.iter().flatten().map(|(_, depth)| depth).sum()))
    }
}

/// One clause against the body modes.
#[derive(Debug)]
struct Admitting<'c> {
    clause: &'c Clause,
    language: &'c Language<'c>,
    shapes: Vec<Shape>,
    /// By literal: the position of the first literal that it repeats.
    repeats: Vec<Option<usize>>,
}

impl Admitting<'_> {
    fn modes_of(&self, position: usize) -> impl Iterator<Item = (usize, &BodyMode)> {
        let subject = self.shapes[position].subject;
        self.language.modes.body.iter().enumerate().filter(move |(_, mode)| mode.subject == subject)
    }

    /// The calls with the best types for the variables to which the head gives no type.
    fn best(&self, head: &[Option<TypeId>]) -> Calls {
        let choices: Vec<Vec<TypeId>> = (0..self.clause.n_variables)
            .map(|variable| match head[variable] {
                Some(known) => vec![known],
                None => self.possible_types(VariableId::new(variable)),
            })
            .collect();
        let mut chosen = vec![0; choices.len()];
        let mut best: Option<Calls> = None;
        for _ in 0..MOST_TYPINGS {
            let types = choices.iter().zip(&chosen).map(|(types, &at)| types.get(at).copied()).collect();
            let calls = self.call(types, head);
            if best.as_ref().is_none_or(|best| calls.merit() > best.merit()) {
                best = Some(calls);
            }
            // The next combination, as an odometer turns.
            let Some(turned) = (0..choices.len()).find(|&at| chosen[at] + 1 < choices[at].len()) else {
                break;
            };
            chosen[turned] += 1;
            chosen[..turned].fill(0);
        }
        best.unwrap_or_default()
    }

    /// The types that all literals with the variable allow; where they agree on none, those that some literal allows.
    fn possible_types(&self, variable: VariableId) -> Vec<TypeId> {
        let mut common: Option<Vec<TypeId>> = None;
        let mut any: Vec<TypeId> = Vec::new();
        for (position, shape) in self.shapes.iter().enumerate() {
            for (argument, _) in
                shape.terms.iter().enumerate().filter(|(_, term)| **term == Some(Term::Variable(variable)))
            {
                let fitting = self.modes_of(position).filter(|(_, mode)| shape.obstacles(mode).is_empty());
                let types: Vec<TypeId> =
                    fitting.map(|(_, mode)| mode.arguments[argument].type_id()).collect();
                if types.is_empty() {
                    continue;
                }
                any.extend(&types);
                common = Some(match common {
                    None => types,
                    Some(common) => common.into_iter().filter(|known| types.contains(known)).collect(),
                });
            }
        }
        let mut types = common.filter(|common| !common.is_empty()).unwrap_or(any);
        let mut seen: Vec<TypeId> = Vec::new();
        types.retain(|known| {
            let is_new = !seen.contains(known);
            seen.push(*known);
            is_new
        });
        types
    }

    /// Calls round by round, as saturation does, each literal that can be called.
    fn call(&self, types: Vec<Option<TypeId>>, head: &[Option<TypeId>]) -> Calls {
        let known = head.iter().map(Option::is_some).collect();
        let mut calls = Calls { types, known, admitted: vec![None; self.shapes.len()], order: Vec::new() };
        for depth in 1.. {
            let open = (0..self.shapes.len()).filter(|&position| calls.admitted[position].is_none());
            let called: Vec<(usize, Vec<usize>)> = open
                .filter(|&position| self.repeats[position].is_none())
                .map(|position| (position, self.admitting_modes(position, &calls, depth)))
                .filter(|(_, modes)| !modes.is_empty())
                .collect();
            if called.is_empty() {
                break;
            }
            for (position, modes) in called {
                calls.admitted[position] = Some((modes, depth));
                calls.order.push(position);
                let known = &mut calls.known;
                self.clause.body[position].visit_variables(&mut |variable| known[variable.index()] = true);
            }
        }
        calls
    }

    /// The modes that can be called for a literal, those without a limit first.
    fn admitting_modes(&self, position: usize, calls: &Calls, depth: u32) -> Vec<usize> {
        let shape = &self.shapes[position];
        let mut modes: Vec<usize> = self
            .modes_of(position)
            .filter(|&(mode, _)| self.language.is_called_in(mode, depth))
            .filter(|(_, mode)| {
                shape.obstacles(mode).is_empty()
                    && shape.variables(mode).all(|(_, variable, mode)| {
                        calls.types[variable.index()] == Some(mode.type_id())
                            && (calls.known[variable.index()] || !matches!(mode, ArgumentMode::Input(_)))
                    })
            })
            .map(|(mode, _)| mode)
            .collect();
        modes.sort_by_key(|&mode| self.language.modes.body[mode].instantiation_limit.is_some());
        modes
    }

    fn verdict(&self, position: usize, calls: &Calls) -> Verdict {
        if let Some((modes, depth)) = &calls.admitted[position] {
            return Verdict::Admitted { modes: modes.clone(), depth: *depth };
        }
        if let Some(first) = self.repeats[position] {
            return Verdict::Repeated(first);
        }
        let mut unfit: Vec<Unfit> = self
            .modes_of(position)
            .map(|(number, mode)| Unfit {
                mode: number,
                obstacles: self.obstacles(position, number, mode, calls),
            })
            .collect();
        if unfit.is_empty() {
            return Verdict::NoMode;
        }
        unfit.sort_by_key(|unfit| unfit.obstacles.len());
        Verdict::Unfit(unfit)
    }

    /// All obstacles to a mode's admitting a literal, after all calls that succeed.
    fn obstacles(&self, position: usize, number: usize, mode: &BodyMode, calls: &Calls) -> Vec<Obstacle> {
        let shape = &self.shapes[position];
        let mut obstacles = shape.obstacles(mode);
        // Types that the literal's own arguments give its new variables.
        let mut own: Vec<(VariableId, TypeId)> = Vec::new();
        for (argument, variable, slot) in shape.variables(mode) {
            let is_known = calls.known[variable.index()];
            if matches!(slot, ArgumentMode::Input(_)) && !is_known {
                let is_in_others = (self.clause.body.iter().enumerate())
                    .any(|(other, literal)| other != position && literal.variables().contains(&variable));
                obstacles.push(Obstacle::NotGiven { argument, variable, is_in_others });
            } else if matches!(slot, ArgumentMode::Input(_))
                && !self.language.is_called_in(number, 2)
                && !self.clause.head.arguments.contains(&Term::Variable(variable))
            {
                obstacles.push(Obstacle::NotOfHead { argument, variable });
            }
            let of_literal = own.iter().find(|(known, _)| *known == variable).map(|(_, has)| *has);
            let has = if is_known { calls.types[variable.index()] } else { of_literal };
            match has {
                Some(has) if has != slot.type_id() => {
                    obstacles.push(Obstacle::OtherType { argument, variable, has });
                }
                Some(_) => {}
                None => own.push((variable, slot.type_id())),
            }
        }
        obstacles.sort_by_key(Obstacle::argument);
        obstacles
    }
}

impl Obstacle {
    /// The argument with the obstacle, from 0.
    pub const fn argument(&self) -> usize {
        match *self {
            Self::Constant { argument }
            | Self::Variable { argument }
            | Self::Any { argument }
            | Self::OtherType { argument, .. }
            | Self::NotGiven { argument, .. }
            | Self::NotOfHead { argument, .. }
            | Self::Arithmetic { argument } => argument,
            Self::SameVariable => 0,
        }
    }
}
