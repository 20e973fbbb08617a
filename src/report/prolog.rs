//! A model as a Prolog program: what all learners' programs share around their own tables and rules.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::base::VariableId;
use crate::learn::prolog::Program;
use crate::program::display::{literal_text, variable_name};
use crate::program::{
    Atom, Clause, Comparison, ComparisonOperator, Expression, Literal, PredicateName, Symbols, Term,
};
use crate::store::model_file::Header;
use crate::syntax::{PlainConstant, plain_constant, quote_atom};

/// What all programs define.
const SHARED: &str = "\
% Whether a clause covers an example.
gleaner_covers(Clause, Example) :-
    \\+ \\+ gleaner_clause(Clause, Example).

% What arithmetic cannot work out is false.
gleaner_test(Goal) :-
    catch(Goal, error(_, _), fail).

% A sum in the order given: that of sums of floats matters.
gleaner_sum([], Sum, Sum).
gleaner_sum([Number|Numbers], Before, Sum) :-
    Next is Before + Number,
    gleaner_sum(Numbers, Next, Sum).

gleaner_greatest([], Greatest, Greatest).
gleaner_greatest([Number|Numbers], Before, Greatest) :-
    Next is max(Before, Number),
    gleaner_greatest(Numbers, Next, Greatest).
";

/// The program of a model, for SWI-Prolog 9. `header` is that of its file.
#[must_use]
pub fn program(program: &Program<'_>, symbols: &Symbols, header: &Header) -> String {
    let target = target(header);
    let arity = target.arity;
    let used = used_predicates(program, symbols);
    let mut text = introduction(header, &target, &used);
    text.push_str(&declarations(program, &used));
    text.push_str(&entry(arity));
    text.push_str("\n% The clauses, of examples as lists of the target's arguments.\n");
    for (at, clause) in program.clauses.iter().enumerate() {
        text.push_str(&clause_text(at + 1, clause, symbols));
    }
    let _ = write!(text, "\n{}\n{}\n{SHARED}", program.facts, program.rules);
    text
}

/// The target that a model's file names.
fn target(header: &Header) -> PredicateName {
    let parts = header.target.rsplit_once('/');
    let named = parts.and_then(|(name, arity)| Some(PredicateName::new(name, arity.parse().ok()?)));
    named.unwrap_or_else(|| PredicateName::new(header.target.as_str(), 0))
}

/// The predicates that clauses call, ascending.
fn used_predicates<'s>(program: &Program<'_>, symbols: &'s Symbols) -> BTreeSet<&'s PredicateName> {
    let literals = program.clauses.iter().flat_map(|clause| &clause.body);
    let called = literals.filter_map(|literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(symbols.predicate(atom.predicate)),
        Literal::Comparison(_) => None,
    });
    called.collect()
}

/// The target's arguments as variables.
fn arguments(arity: usize) -> String {
    (0..arity).map(variable_name).collect::<Vec<_>>().join(", ")
}

fn indicator(name: &PredicateName) -> String {
    format!("{}/{}", quote_atom(&name.name), name.arity)
}

/// What the program is, and what is to stand beside it.
fn introduction(header: &Header, target: &PredicateName, used: &BTreeSet<&PredicateName>) -> String {
    let Header { learner, gleaner_version, .. } = header;
    let arity = target.arity;
    let arguments = arguments(arity);
    let score = if arity == 0 { "Score".to_owned() } else { format!("{arguments}, Score") };
    let decision = if arity == 0 { String::new() } else { format!("({arguments})") };
    let mut text = format!(
        "% A model of {} that gleaner {gleaner_version} learnt; learner {learner}. For SWI-Prolog.\n%\n\
         % gleaner_score({score}): the score of an example, whose arguments are bound.\n\
         % gleaner_decision{decision}: the model calls it positive.\n%\n\
         % Load it beside your facts and rules, in any order. The clauses use the predicates below; of those that\n\
         % you do not define nothing is true.\n",
        indicator(target)
    );
    for name in used {
        let _ = writeln!(text, "%   {}", indicator(name));
    }
    if let Some(restriction) = &header.restriction {
        let _ = writeln!(
            text,
            "% It was learnt from the examples for which this holds: {}",
            quote_atom(restriction)
        );
    }
    text
}

/// Predicates without facts or rules fail, and raise nothing.
fn declarations(program: &Program<'_>, used: &BTreeSet<&PredicateName>) -> String {
    let own = [("gleaner_clause", 2)].into_iter().chain(program.tables.iter().copied());
    let own: Vec<String> = own.map(|(name, arity)| format!("{name}/{arity}")).collect();
    let used: Vec<String> = used.iter().map(|name| indicator(name)).collect();
    format!(
        "\n:- dynamic {}.\n:- style_check(-singleton).\n\n\
         % Only what is not defined yet: your own definitions stay as they are.\n\
         :- forall(( lists:member(Name/Arity, [{}]), \\+ current_predicate(Name/Arity) ),\n          \
         catch(dynamic(Name/Arity), error(_, _), true)).\n",
        own.join(", "),
        used.join(", ")
    )
}

/// The predicates to be called.
fn entry(arity: usize) -> String {
    let list = arguments(arity);
    let (score, decision) = match arity {
        0 => ("gleaner_score(Score)".to_owned(), "gleaner_decision".to_owned()),
        _ => (format!("gleaner_score({list}, Score)"), format!("gleaner_decision({list})")),
    };
    format!(
        "\n{score} :-\n    gleaner_score_of([{list}], Score).\n\n\
         {decision} :-\n    \\+ \\+ gleaner_decides([{list}]).\n"
    )
}

/// A clause of the model, its goals in an order in which tests come when their variables have values.
fn clause_text(number: usize, clause: &Clause, symbols: &Symbols) -> String {
    let names = Names::of(clause, symbols);
    let head: Vec<String> = clause.head.arguments.iter().map(|term| names.term(*term)).collect();
    let mut text = format!("gleaner_clause({number}, [{}])", head.join(", "));
    for (at, literal) in ordered(clause).into_iter().enumerate() {
        text.push_str(if at == 0 { " :-\n    " } else { ",\n    " });
        text.push_str(&literal.map_or_else(|| "fail".to_owned(), |literal| names.goal(literal)));
    }
    text.push_str(".\n");
    text
}

/// The literals of a body in the order of their proof: tests as soon as their variables have values, of the others
/// first those that share a variable with what went before. None stands for tests that never can be made.
fn ordered(clause: &Clause) -> Vec<Option<&Literal>> {
    let mut is_valued = vec![false; clause.n_variables];
    let value = |is_valued: &mut Vec<bool>, variable: VariableId| is_valued[variable.index()] = true;
    clause.head.arguments.iter().filter_map(|term| term.variable()).for_each(|it| value(&mut is_valued, it));
    let mut left: Vec<&Literal> = clause.body.iter().collect();
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let n_valued = |literal: &Literal| {
            literal.variables().iter().filter(|variable| is_valued[variable.index()]).count()
        };
        let is_ready = |literal: &&Literal| match literal {
            Literal::Positive(_) => n_valued(literal) == literal.variables().len(),
            Literal::Negative(_) => n_valued(literal) == literal.variables().len(),
            Literal::Comparison(comparison) => {
                let (known, all) = (n_valued(literal), literal.variables().len());
                known == all
                    || comparison.operator == ComparisonOperator::Unify && is_bound(comparison, &is_valued)
            }
        };
        let is_atom = |literal: &&Literal| matches!(literal, Literal::Positive(_));
        let next = left
            .iter()
            .position(is_ready)
            .or_else(|| left.iter().position(|literal| is_atom(literal) && n_valued(literal) > 0))
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

/// Whether a side of an equation of plain terms has a value, which the other takes.
fn is_bound(comparison: &Comparison, is_valued: &[bool]) -> bool {
    let sides = [&comparison.left, &comparison.right].map(|side| match side {
        Expression::Term(Term::Variable(variable)) => Some(is_valued[variable.index()]),
        Expression::Term(Term::Constant(_)) => Some(true),
        Expression::Term(Term::Any) | Expression::Negate(_) | Expression::Binary(..) => None,
    });
    matches!(sides, [Some(left), Some(right)] if left || right)
}

/// How the terms of a clause are written.
struct Names<'s> {
    symbols: &'s Symbols,
    /// By variable: how often the clause has it.
    occurrences: Vec<usize>,
}

impl<'s> Names<'s> {
    fn of(clause: &Clause, symbols: &'s Symbols) -> Self {
        let mut occurrences = vec![0; clause.n_variables];
        let head = clause.head.arguments.iter().filter_map(|term| term.variable());
        head.for_each(|variable| occurrences[variable.index()] += 1);
        for literal in &clause.body {
            literal.visit_variables(&mut |variable| occurrences[variable.index()] += 1);
        }
        Self { symbols, occurrences }
    }

    /// A variable that occurs once is so marked, and a constant that is no name or number stands in brackets.
    fn term(&self, term: Term) -> String {
        match term {
            Term::Variable(variable) if self.occurrences[variable.index()] == 1 => {
                format!("_{}", variable_name(variable.index()))
            }
            Term::Variable(variable) => variable_name(variable.index()),
            Term::Any => "_".to_owned(),
            Term::Constant(constant) => {
                let text = self.symbols.constants.text(constant);
                let is_plain = plain_constant(text).is_some() || text.starts_with(['[', '"']);
                if is_plain { text.to_owned() } else { format!("({text})") }
            }
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        let name = quote_atom(&self.symbols.predicate(atom.predicate).name);
        let arguments: Vec<String> = atom.arguments.iter().map(|term| self.term(*term)).collect();
        if arguments.is_empty() { name.into_owned() } else { format!("{name}({})", arguments.join(", ")) }
    }

    fn goal(&self, literal: &Literal) -> String {
        match literal {
            Literal::Positive(atom) => self.atom(atom),
            Literal::Negative(atom) => format!("\\+ {}", self.atom(atom)),
            Literal::Comparison(comparison) => self.comparison(comparison, literal),
        }
    }

    fn comparison(&self, comparison: &Comparison, literal: &Literal) -> String {
        use ComparisonOperator::{
            Greater, GreaterOrEqual, Identical, Is, Less, LessOrEqual, NotIdentical, NotUnify, Unify,
        };
        match comparison.operator {
            Unify | Identical => self.identity(comparison).unwrap_or_else(|| "fail".to_owned()),
            NotUnify | NotIdentical => self.identity(comparison).unwrap_or_else(|| "true".to_owned()),
            Less | Greater | LessOrEqual | GreaterOrEqual | Is => self.arithmetic(comparison, literal),
        }
    }

    /// A comparison of two terms; none where a side is an expression, which is identical to no constant.
    fn identity(&self, comparison: &Comparison) -> Option<String> {
        let (Expression::Term(left), Expression::Term(right)) = (&comparison.left, &comparison.right) else {
            return None;
        };
        let side = |term: &Term| match (term, self.term(*term)) {
            // A name may be an operator of Prolog's.
            (Term::Constant(_), text) if plain_constant(&text) == Some(PlainConstant::Atom) => {
                format!("({text})")
            }
            (_, text) => text,
        };
        Some(format!("{} {} {}", side(left), comparison.operator.symbol(), side(right)))
    }

    /// A comparison of numbers: names that Prolog has a number for, as `e` and `pi`, are none here.
    fn arithmetic(&self, comparison: &Comparison, literal: &Literal) -> String {
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
        let goal = literal_text(literal, self.symbols);
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
