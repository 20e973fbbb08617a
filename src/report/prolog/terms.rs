//! The terms and goals of a program's clauses, and why a model has none.
//!
//! Gleaner and SWI-Prolog read little alike: names of ASCII letters and digits, quoted names, numbers, and terms
//! without operators. Programs are written in these alone.
//!
//! The order in which Prolog proves the literals of a body.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use gleaner_base::{ConstantId, VariableId};
use gleaner_lang::program::display::variable_name;
use gleaner_lang::program::literal::{Notation, Role};
use gleaner_lang::program::{
    Atom, Clause, Comparison, ComparisonOperator, Expression, Literal, PredicateName, Symbols, Term,
};
use gleaner_lang::syntax::ast::Term as Syntax;
use gleaner_lang::syntax::{PlainConstant, TermKind, plain_constant, quote_name, quote_text, read_clause};
use gleaner_learn::prolog::number;

/// A name as SWI-Prolog reads it in any place for a term.
pub(super) fn atom(name: &str) -> String {
    let mut letters = name.bytes();
    let is_plain = letters.next().is_some_and(|first| first.is_ascii_lowercase())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == b'_');
    if is_plain { name.to_owned() } else { quote_name(name) }
}

/// A predicate's name with its arity.
pub(super) fn indicator(name: &PredicateName) -> String {
    format!("{}/{}", atom(&name.name), name.arity)
}

/// The name by which clauses call a predicate of the data: no other predicate of the program's begins so.
pub(super) fn link(name: &str) -> String {
    atom(&format!("data_{name}"))
}

/// A constant's text as SWI-Prolog reads the same constant; none if it is no term.
fn constant(text: &str) -> Option<String> {
    match plain_constant(text) {
        Some(PlainConstant::Integer(_) | PlainConstant::Text) => return Some(text.to_owned()),
        Some(PlainConstant::Float(_) | PlainConstant::Atom) | None => {}
    }
    let fact = format!("constant({text}).");
    let statement = read_clause(&fact).ok()?;
    match &statement.head.as_ref()?.kind {
        TermKind::Compound(_, arguments) if arguments.len() == 1 => Some(written(&arguments[0])),
        _ => None,
    }
}

/// A term without operators. It nests as deep as the term, which the reader limits.
fn written(term: &Syntax<'_>) -> String {
    let all = |terms: &[Syntax<'_>]| terms.iter().map(written).collect::<Vec<_>>().join(", ");
    match &term.kind {
        TermKind::Variable(_) => "_".to_owned(),
        TermKind::Atom(name) => atom(name),
        TermKind::Text(text) => quote_text(text),
        TermKind::Integer(value) => value.to_string(),
        TermKind::Float(value) => number(*value),
        TermKind::Compound(name, arguments) => format!("{}({})", atom(name), all(arguments)),
        TermKind::List(items, None) => format!("[{}]", all(items)),
        TermKind::List(items, Some(tail)) => format!("[{}|{}]", all(items), written(tail)),
    }
}

/// How the terms of a clause are written.
pub(super) struct Names<'s> {
    symbols: &'s Symbols,
    /// By variable: how often the clause has it.
    occurrences: Vec<usize>,
    /// The clause's constants as the program has them.
    constants: BTreeMap<ConstantId, String>,
}

impl<'s> Names<'s> {
    /// The names for the terms of a clause.
    ///
    /// # Errors
    ///
    /// [`NoProgram::Constant`] when a constant is no term that can be read, as no clause that was read has any.
    pub(super) fn of(clause: &Clause, symbols: &'s Symbols) -> Result<Self, NoProgram> {
        let mut occurrences = vec![0; clause.n_variables];
        let mut constants = BTreeSet::new();
        let mut term = |term: Term| match term {
            Term::Variable(variable) => occurrences[variable.index()] += 1,
            Term::Constant(constant) => _ = constants.insert(constant),
            Term::Any => {}
        };
        clause.head.arguments.iter().for_each(|&argument| term(argument));
        for literal in &clause.body {
            let _ = literal.map_terms(&mut |it| {
                term(it);
                it
            });
        }
        let written = |id: ConstantId| {
            let text = symbols.constants.text(id);
            constant(text).map(|written| (id, written)).ok_or_else(|| NoProgram::Constant(text.to_owned()))
        };
        let constants = constants.into_iter().map(written).collect::<Result<_, _>>()?;
        Ok(Self { symbols, occurrences, constants })
    }

    /// A variable that occurs once is so marked.
    pub(super) fn term(&self, term: Term) -> String {
        match term {
            Term::Variable(variable) if self.occurrences[variable.index()] == 1 => {
                format!("_{}", variable_name(variable.index()))
            }
            Term::Variable(variable) => variable_name(variable.index()),
            Term::Any => "_".to_owned(),
            Term::Constant(constant) => self.constants[&constant].clone(),
        }
    }

    /// A term, whose variable may occur elsewhere too.
    pub(super) fn whole_term(&self, term: Term) -> String {
        match term {
            Term::Variable(variable) => variable_name(variable.index()),
            other => self.term(other),
        }
    }

    /// A comparison of two terms; none where a side is an expression, which is identical to no constant.
    fn identity(&self, comparison: &Comparison) -> Option<String> {
        let (Expression::Term(left), Expression::Term(right)) = (&comparison.left, &comparison.right) else {
            return None;
        };
        // A name may be an operator of Prolog's.
        let side = |term: &Term| match term {
            Term::Constant(constant) if self.symbols.constants.number(*constant).is_none() => {
                format!("({})", self.term(*term))
            }
            Term::Constant(_) | Term::Variable(_) | Term::Any => self.term(*term),
        };
        Some(format!("{} {} {}", side(left), comparison.operator.symbol(), side(right)))
    }

    /// A comparison of numbers: names that Prolog has a number for, as `e` and `pi`, are none here.
    fn arithmetic(&self, comparison: &Comparison) -> String {
        let mut variables = BTreeSet::new();
        comparison.visit_variables(&mut |variable| _ = variables.insert(variable));
        let mut has_other = false;
        for side in [&comparison.left, &comparison.right] {
            let _ = side.map_terms(&mut |term| {
                if let Term::Constant(constant) = term {
                    has_other |= self.symbols.constants.number(constant).is_none();
                }
                term
            });
        }
        if has_other {
            return "fail".to_owned();
        }
        let guards = variables.iter().map(|variable| format!("number({})", variable_name(variable.index())));
        let is_plain = |side: &Expression| matches!(side, Expression::Term(_));
        let goal = Notation::comparison(self.symbols, comparison);
        let test = match (comparison.operator, is_plain(&comparison.left), is_plain(&comparison.right)) {
            (ComparisonOperator::Is, true, _) => format!("gleaner_test({goal})"),
            // Both sides are worked out, and are to be the same number.
            (ComparisonOperator::Is, false, _) => {
                let sides = goal.split_once(" is ").unwrap_or((&goal, "fail"));
                format!("gleaner_test(( Left_ is {}, Left_ is {} ))", sides.0, sides.1)
            }
            (_, true, true) => goal,
            _ => format!("gleaner_test({goal})"),
        };
        guards.chain([test]).collect::<Vec<_>>().join(", ")
    }
}

/// Literals as goals.
impl Notation for Names<'_> {
    fn atom(&self, atom: &Atom) -> String {
        let name = link(&self.symbols.predicate(atom.predicate).name);
        let arguments: Vec<String> = atom.arguments.iter().map(|term| self.term(*term)).collect();
        if arguments.is_empty() { name } else { format!("{name}({})", arguments.join(", ")) }
    }

    fn comparison(&self, comparison: &Comparison) -> String {
        use ComparisonOperator::{
            Greater, GreaterOrEqual, Identical, Is, Less, LessOrEqual, NotIdentical, NotUnify, Unify,
        };
        match comparison.operator {
            Unify | Identical => self.identity(comparison).unwrap_or_else(|| "fail".to_owned()),
            NotUnify | NotIdentical => self.identity(comparison).unwrap_or_else(|| "true".to_owned()),
            Less | Greater | LessOrEqual | GreaterOrEqual | Is => self.arithmetic(comparison),
        }
    }

    fn term(&self, term: Term) -> String {
        Names::term(self, term)
    }
}

/// Why a model is no program beside the user's facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProgram {
    /// The model's clauses call a predicate that is part of Prolog's language, or that changes SWI-Prolog.
    Prologs(String),
    /// The model's clauses call a predicate that the program itself has to give the user.
    Own(String),
    /// The model's clauses call the target, and examples differ in the links of the target that they may use.
    KnownLinks(String),
    /// The model has statistics of train examples.
    Statistics,
    /// A constant of its clauses cannot be written.
    Constant(String),
    /// The model's target has more arguments than this.
    Arguments(usize),
}

impl fmt::Display for NoProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prologs(name) => {
                write!(
                    f,
                    "a clause of the model calls {name}, which in SWI-Prolog cannot be a predicate of data"
                )
            }
            Self::Own(name) => write!(f, "a clause of the model calls {name}, which the program itself has"),
            Self::Statistics => {
                f.write_str("the model has statistics of its train examples, which only gleaner uses")
            }
            Self::KnownLinks(name) => {
                write!(
                    f,
                    "the model's clauses may call {name}, its target, and no example may be proved by its own link"
                )
            }
            Self::Constant(text) => {
                write!(f, "a clause of the model has the constant {text}, which cannot be written")
            }
            Self::Arguments(most) => write!(f, "the model's target has more than {most} arguments"),
        }
    }
}

impl std::error::Error for NoProgram {}

/// The literals of a body in the order of their proof. Tests come as soon as their variables have values; of the
/// others, those that share a variable with earlier ones come first. An aggregate comes once its groups have values.
/// `None` stands for tests that can never be made.
pub(in crate::report) fn ordered<'c>(
    clause: &'c Clause,
    symbols: Option<&Symbols>,
) -> Vec<Option<&'c Literal>> {
    let is_aggregate = |atom: &Atom| symbols.is_some_and(|known| known.is_aggregate(atom.predicate));
    let mut is_valued = vec![false; clause.n_variables];
    let value = |is_valued: &mut Vec<bool>, variable: VariableId| is_valued[variable.index()] = true;
    clause.head.arguments.iter().filter_map(|term| term.variable()).for_each(|it| value(&mut is_valued, it));
    let mut left: Vec<&Literal> = clause.body.iter().collect();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let has_valued =
            |literal: &Literal| literal.variables().iter().any(|variable| is_valued[variable.index()]);
        let is_ready = |literal: &&Literal| {
            let role = literal.role(&|variable| is_valued[variable.index()]);
            matches!(role, Role::Test | Role::Assign(..))
        };
        let is_grouped = |atom: &Atom| {
            let groups = atom.arguments.split_last().map_or(&[][..], |(_, groups)| groups);
            groups.iter().filter_map(|term| term.variable()).all(|variable| is_valued[variable.index()])
        };
        let is_atom = |literal: &&Literal| {
            literal.positive_atom().is_some_and(|atom| !is_aggregate(atom) || is_grouped(atom))
        };
        let next = left
            .iter()
            .position(is_ready)
            .or_else(|| left.iter().position(|literal| is_atom(literal) && has_valued(literal)))
            .or_else(|| left.iter().position(is_atom));
        let Some(next) = next else {
            ordered.push(None);
            break;
        };
        let literal = left.remove(next);
        literal.visit_variables(&mut |variable| value(&mut is_valued, variable));
        ordered.push(Some(literal));
    }
    ordered
}
