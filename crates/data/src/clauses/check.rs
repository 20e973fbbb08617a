//! Turns a statement into a clause that can be evaluated, or lists all its faults.

use crate::Problem;
use crate::faults::value_help;
use crate::gather::{Ways, clause_bodies};
use gleaner_base::PredicateId;
use gleaner_lang::program::display::variable_name;
use gleaner_lang::program::lower::{LowerFault, Variables, Widened, atom_parts, lower_clause};
use gleaner_lang::program::names::Spelling;
use gleaner_lang::program::safety::{UnsafeVariable, check_evaluable};
use gleaner_lang::program::{
    Atom, Clause, Comparison, ComparisonOperator, Expression, Literal, PredicateName, Term,
};
use gleaner_lang::syntax::ast::{Statement, Term as Syntax};
use gleaner_lang::syntax::{Span, codes, quote_atom, read_clause};

use super::{ClauseFault, ClauseFaults, find_late_rows};

/// The most literals of a body. Connected literals cost the engine more than the square of their number before it
/// checks its budget: 200 similar literals on one variable take seconds.
const MOST_LITERALS: usize = 1_000;

/// A clause to evaluate.
#[derive(Debug)]
pub struct ReadClause {
    /// The clause over the ids of the problem, and of the constants that only clauses name.
    pub clause: Clause,
    /// The names of the clause's variables.
    pub variables: Variables,
    /// The clause as the user wrote it, on one line; of several alternatives each is a clause without control.
    pub text: String,
}

/// The clauses of a statement.
struct Alternatives<'s> {
    /// The clauses, at least one.
    clauses: Vec<ReadClause>,
    /// Their bodies, if these are not what is written.
    bodies: Option<Ways<'s>>,
}

/// The source text of a span; printed from the term instead if the text has several lines or a comment.
pub(super) fn one_line(span: Span, meaning: &impl ToString, source: &str) -> String {
    let written = &source[span.start..span.end];
    let is_plain = !written.contains(['\n', '\r', '%']) && !written.contains("/*");
    if is_plain { written.to_owned() } else { meaning.to_string() }
}

/// One clause with the source texts of its literals.
#[derive(Debug)]
pub struct WrittenClause {
    /// The clause.
    pub read: ReadClause,
    /// Each body literal as it was written.
    pub literals: Vec<String>,
}

/// The clause of a statement, with the texts of its literals; the fault of one with several alternatives.
fn only_one(
    found: Alternatives<'_>,
    statement: &Statement<'_>,
    source: &str,
) -> Result<WrittenClause, ClauseFault> {
    let Alternatives { mut clauses, bodies } = found;
    if clauses.len() > 1 {
        let what = format!("{} clauses in one, where one is asked for", clauses.len());
        let help = format!("give one alternative at a time, first `{}`", clauses[0].text);
        return Err(ClauseFault::new(codes::BAD_CLAUSE, what, statement.span).with_help(help));
    }
    let read = clauses.swap_remove(0);
    let literals = match bodies.as_deref() {
        Some([body]) => body.iter().map(ToString::to_string).collect(),
        _ => statement.body.iter().map(|literal| one_line(literal.span, literal, source)).collect(),
    };
    Ok(WrittenClause { read, literals })
}

/// For each predicate id, whether clauses may use it: it has facts or rules, or is a relation of ages with tuples.
pub fn usable_predicates(problem: &Problem) -> Vec<bool> {
    let is_defined = |predicate: &PredicateName| {
        let name = predicate.to_string();
        problem.profile().binary_search_by(|known| known.predicate.as_str().cmp(&name)).is_ok()
    };
    let symbols = problem.symbols();
    // No fact gives ages: each cut-off has its own.
    let has_ages = |id: PredicateId| {
        problem.cut_off_argument().is_some()
            && problem.worlds().iter().any(|world| world.relation(id).n_rows() > 0)
    };
    let is_usable = |(id, name)| {
        let id = PredicateId::new(id);
        is_defined(name) || symbols.is_aggregate(id) || has_ages(id)
    };
    symbols.predicates.iter().enumerate().map(is_usable).collect()
}

/// Reads clauses against the symbols of a problem.
#[derive(Debug)]
pub struct Checker<'p> {
    problem: &'p Problem,
    usable: &'p [bool],
    names: Widened<'p>,
    /// Whether the rows of aggregates are found clause by clause, so that a fault has its place.
    finds_rows: bool,
    /// Suggests known names for unknown predicates; made at the first unknown one.
    spelling: Option<Spelling<'p>>,
}

impl<'p> Checker<'p> {
    /// A reader of clauses over the usable predicates ([`usable_predicates`]).
    pub fn new(problem: &'p Problem, usable: &'p [bool]) -> Self {
        let names = Widened::new(problem.symbols(), usable);
        Self { problem, usable, names, finds_rows: true, spelling: None }
    }

    /// A reader that finds the rows of all aggregates together, in [`Self::find_rows`].
    pub(super) fn of_many(problem: &'p Problem, usable: &'p [bool]) -> Self {
        Self { finds_rows: false, ..Self::new(problem, usable) }
    }

    /// Finds the rows of the aggregates of all clauses that were read. Gives the fault of one that has too many.
    pub(super) fn find_rows(&mut self) -> Result<(), String> {
        find_late_rows(self.problem, &mut self.names)
    }

    /// The problem's symbols, followed by the constants that only clauses name.
    pub const fn names(&mut self) -> &mut Widened<'p> {
        &mut self.names
    }

    /// Checks a statement and gives its clauses: one, or with `;` or `=\=` one for each alternative. Together these
    /// cover what the statement covers. The spans of the statement are spans of `source`.
    ///
    /// # Errors
    ///
    /// All its faults.
    pub fn check(
        &mut self,
        statement: &Statement<'_>,
        source: &str,
    ) -> Result<Vec<ReadClause>, Vec<ClauseFault>> {
        self.alternatives(statement, source).map(|found| found.clauses)
    }

    fn alternatives<'s>(
        &mut self,
        statement: &Statement<'s>,
        source: &str,
    ) -> Result<Alternatives<'s>, Vec<ClauseFault>> {
        let Some(head) = &statement.head else {
            let fault = ClauseFault::new(codes::BAD_CLAUSE, "a directive is no clause", statement.span);
            return Err(vec![fault.with_help(format!("a clause is written `{}`", self.example()))]);
        };
        let too_long = |bodies: &[Vec<Syntax<'_>>]| {
            let n_literals = bodies.iter().map(Vec::len).max().filter(|&most| most > MOST_LITERALS)?;
            let fault =
                ClauseFault::new(codes::BAD_CLAUSE, format!("a body of {n_literals} literals"), head.span);
            Some(vec![fault.with_help(format!("bodies have at most {MOST_LITERALS}"))])
        };
        if let Some(fault) = too_long(std::slice::from_ref(&statement.body)) {
            return Err(fault);
        }
        let mut faults: Vec<ClauseFault> = self.check_head(head).err().into_iter().collect();
        let as_written = || one_line(statement.span, statement, source);
        let found = match self.lowered(head, &statement.body) {
            Ok(lowered) => self
                .checked(lowered, &statement.body, as_written())
                .map(|clause| Alternatives { clauses: vec![clause], bodies: None }),
            // Control is rewritten only where a clause is refused as it is written.
            Err(refused) => match clause_bodies(head, &statement.body) {
                None => Err(refused.into_iter().map(|fault| self.not_lowered(fault)).collect()),
                Some(bodies) => match too_long(&bodies) {
                    Some(fault) => Err(fault),
                    None => self.each(statement, bodies, &as_written()),
                },
            },
        };
        match found {
            Ok(alternatives) if faults.is_empty() => Ok(alternatives),
            Ok(_) => Err(faults),
            Err(more) => {
                faults.extend(more);
                Err(faults)
            }
        }
    }

    /// The clauses of a statement with these bodies. A literal of several bodies has each of its faults once.
    fn each<'s>(
        &mut self,
        statement: &Statement<'s>,
        bodies: Ways<'s>,
        as_written: &str,
    ) -> Result<Alternatives<'s>, Vec<ClauseFault>> {
        let (mut clauses, mut faults) = (Vec::with_capacity(bodies.len()), Vec::new());
        for body in &bodies {
            let alternative =
                Statement { head: statement.head.clone(), body: body.clone(), span: statement.span };
            let Some(head) = &alternative.head else { continue };
            let text = if bodies.len() > 1 { alternative.to_string() } else { as_written.to_owned() };
            let checked = match self.lowered(head, body) {
                Ok(lowered) => self.checked(lowered, body, text),
                Err(refused) => Err(refused.into_iter().map(|fault| self.not_lowered(fault)).collect()),
            };
            match checked {
                Ok(clause) => clauses.push(clause),
                Err(found) => {
                    for fault in found {
                        if !faults.contains(&fault) {
                            faults.push(fault);
                        }
                    }
                }
            }
        }
        if faults.is_empty() { Ok(Alternatives { clauses, bodies: Some(bodies) }) } else { Err(faults) }
    }

    /// A clause over ids.
    fn lowered(
        &mut self,
        head: &Syntax<'_>,
        body: &[Syntax<'_>],
    ) -> Result<(Clause, Variables), Vec<LowerFault>> {
        let target = self.problem.examples().target();
        let mut lowered = lower_clause(head, target, body, &mut self.names);
        if lowered.as_ref().is_ok_and(|(clause, _)| self.lacks_groups(clause)) {
            self.names.take_constants_as_groups(false);
            lowered = lower_clause(head, target, body, &mut self.names);
            self.names.take_constants_as_groups(true);
        }
        lowered
    }

    /// Checks that a clause can be evaluated.
    fn checked(
        &mut self,
        (clause, variables): (Clause, Variables),
        body: &[Syntax<'_>],
        text: String,
    ) -> Result<ReadClause, Vec<ClauseFault>> {
        let mut faults = Vec::new();
        if let Err(fault) = check_evaluable(&clause) {
            faults.push(self.without_value(fault, &clause, &variables, body));
        }
        faults.extend(self.check_aggregates(&clause, &variables, body));
        if faults.is_empty() { Ok(ReadClause { clause, variables, text }) } else { Err(faults) }
    }

    /// Whether an aggregate that modes declare has no row for a constant of the clause: its count of nothing would be lost.
    fn lacks_groups(&self, clause: &Clause) -> bool {
        let lacks = |atom: &Atom| {
            let groups = atom.arguments.split_last().map_or(&[][..], |(_, groups)| groups);
            let mut worlds = self.problem.worlds().iter().map(|world| world.relation(atom.predicate));
            worlds.any(|relation| {
                groups.iter().enumerate().any(|(column, term)| match *term {
                    Term::Constant(constant) => relation.rows_with(column, constant).is_empty(),
                    Term::Variable(_) | Term::Any => false,
                })
            })
        };
        let atoms = clause.body.iter().filter_map(Literal::positive_atom);
        atoms.filter(|atom| self.problem.symbols().is_aggregate(atom.predicate)).any(lacks)
    }

    /// Finds the rows of a clause's aggregates. Gives the fault of one whose group has no value, that counts links of the
    /// target, or that has too many rows.
    fn check_aggregates(
        &mut self,
        clause: &Clause,
        variables: &Variables,
        body: &[Syntax<'_>],
    ) -> Option<ClauseFault> {
        let target = self.problem.examples().target();
        let (names, symbols) = (&mut self.names, self.problem.symbols());
        let is_late = |id: PredicateId| id.index() >= symbols.predicates.len();
        let is_aggregate = |id: PredicateId| symbols.is_aggregate(id) || is_late(id);
        let span = |at: usize| body.get(at).map_or(Span::default(), |literal| literal.span);
        let atoms = || clause.body.iter().enumerate().filter_map(|(at, it)| Some((at, it.positive_atom()?)));
        let mut valued = vec![false; clause.n_variables];
        let mut add = |term: &Term| {
            if let Some(variable) = term.variable() {
                valued[variable.index()] = true;
            }
        };
        clause.head.arguments.iter().for_each(&mut add);
        for (_, atom) in atoms() {
            let from = if is_aggregate(atom.predicate) { atom.arguments.len() - 1 } else { 0 };
            atom.arguments[from..].iter().for_each(&mut add);
        }
        for (at, atom) in atoms().filter(|(_, atom)| is_aggregate(atom.predicate)) {
            let groups = atom.arguments.iter().filter_map(|term| term.variable());
            let late = atom.predicate.index().checked_sub(symbols.predicates.len());
            let definition = late.map(|late| &names.late()[late].definition);
            let is_of_target = definition
                .is_some_and(|it| it.body.iter().flat_map(Literal::atoms).any(|it| it.predicate == target));
            let fault = |what: String| ClauseFault::new(codes::UNSAFE_RULE, what, span(at));
            if let Some(variable) = groups.into_iter().find(|variable| !valued[variable.index()]) {
                let name = variables.name(variable);
                let what = format!("variable {name} of an aggregate gets no value");
                return Some(fault(what).with_label("unsafe clause").with_help(format!(
                    "use {name} in a positive literal beside the aggregate; a variable of the aggregate alone counts all values"
                )));
            }
            if is_of_target {
                let what = "an aggregate over the target".to_owned();
                return Some(ClauseFault::new(codes::UNSUPPORTED, what, span(at)));
            }
        }
        let fault = if self.finds_rows { self.find_rows().err()? } else { return None };
        let first = atoms().find(|(_, atom)| is_late(atom.predicate)).map_or(0, |(at, _)| at);
        Some(ClauseFault::new(codes::RULES_FAILED, fault, span(first)))
    }

    /// Reads a single clause, as from a command line; its full stop is optional. Messages call the text `name`.
    ///
    /// # Errors
    ///
    /// All its faults, with its text. Several alternatives are a fault.
    pub fn read_one(&mut self, name: &str, given: &str) -> Result<WrittenClause, ClauseFaults> {
        let given = given.trim();
        let text = if given.ends_with('.') { given.to_owned() } else { format!("{given}.") };
        let read = match read_clause(&text) {
            Err(found) => Err(found.iter().map(ClauseFault::syntax).collect()),
            Ok(statement) => self
                .alternatives(&statement, &text)
                .and_then(|found| only_one(found, &statement, &text).map_err(|fault| vec![fault])),
        };
        read.map_err(|faults| ClauseFaults::of_text(name, text, faults))
    }

    /// Checks that the head is an atom of the target.
    fn check_head(&self, head: &Syntax<'_>) -> Result<(), ClauseFault> {
        let target = self.problem.target();
        let found = atom_parts(head).map(|(name, arguments)| PredicateName::new(name, arguments.len()));
        if found.as_ref() == Some(target) {
            return Ok(());
        }
        let what = found.map_or_else(|| format!("`{head}`"), |found| found.to_string());
        let message = format!("the head is {what}, but the target is {target}");
        Err(ClauseFault::new(codes::OTHER_HEAD, message, head.span)
            .with_label("only clauses of the target can cover examples")
            .with_help(format!("write `{}`; ⁅target⁆ chooses another target", self.example())))
    }

    /// A sample clause, for messages.
    fn example(&self) -> String {
        let target = self.problem.target();
        let arguments: Vec<String> = (0..target.arity).map(variable_name).collect();
        let name = quote_atom(&target.name);
        if arguments.is_empty() {
            format!("{name} :- …")
        } else {
            format!("{name}({}) :- …", arguments.join(","))
        }
    }

    fn not_lowered(&mut self, fault: LowerFault) -> ClauseFault {
        let help = fault.help();
        match fault {
            LowerFault::Unsupported(what, span) => {
                let help = if let Some(help) = help {
                    help
                } else if what.starts_with("`!`/0") {
                    "a cut after a goal with several answers keeps the first: leave the cut out to ask for any answer"
                } else if what.starts_with("`;`/2") || what.starts_with("`->`/2") {
                    "the condition of -> must be a test, no cut may stand inside, and there may be 64 alternatives; \
                     or write a clause for each"
                } else {
                    "clauses are made of atoms over variables and ground terms, \\+ and the comparisons \
                     = \\= == \\== =:= =\\= < > =< >= is"
                };
                ClauseFault::new(codes::UNSUPPORTED, format!("{what} is outside the language"), span)
                    .with_label("here")
                    .with_help(help)
            }
            LowerFault::UnknownPredicate(name, span) => self.unknown_predicate(&name, span),
            LowerFault::Aggregate(span) => {
                let what = format!("{} is outside the language", LowerFault::Aggregate(span).what());
                ClauseFault::new(codes::UNSUPPORTED, what, span)
                    .with_label("here")
                    .with_help("define a predicate by a rule with the aggregate, and use that")
            }
        }
    }

    fn unknown_predicate(&mut self, name: &PredicateName, span: Span) -> ClauseFault {
        let (problem, usable) = (self.problem, self.usable);
        if name == problem.target() {
            return ClauseFault::new(codes::EMPTY_PREDICATE, format!("{name} is the target"), span)
                .with_label("clauses do not call the target")
                .with_help(
                    "it is learnt from the other relations; a rule of ⁅background⁆ may derive one of its own",
                );
        }
        let spelling = self.spelling.get_or_insert_with(|| {
            let predicates = problem.symbols().predicates.iter().enumerate();
            Spelling::new(predicates.filter(|(id, _)| usable[*id]).map(|(_, name)| name))
        });
        let fault = ClauseFault::new(codes::EMPTY_PREDICATE, format!("{name} has no facts or rules"), span)
            .with_label("false for all values");
        match spelling.meant(name) {
            Some(nearest) => fault.with_help(format!("did you mean {nearest}?")),
            None => fault.with_help("`gleaner inspect` lists the predicates; ⁅background⁆ adds rules"),
        }
    }

    fn without_value(
        &self,
        fault: UnsafeVariable,
        clause: &Clause,
        variables: &Variables,
        body: &[Syntax<'_>],
    ) -> ClauseFault {
        let name = variables.name(fault.variable);
        let literal = fault.place.literal(clause);
        let place = literal.map_or("the head", Literal::noun);
        let span = fault
            .place
            .position()
            .and_then(|position| body.get(position))
            .map_or(Span::default(), |at| at.span);
        let is_computed = |comparison: &Comparison| {
            comparison.operator == ComparisonOperator::Is
                && comparison.left == Expression::Term(Term::Variable(fault.variable))
        };
        let help = if literal.and_then(Literal::comparison).is_some_and(is_computed) {
            format!("`is` tests values and makes none: use {name} in a positive literal too")
        } else {
            value_help(name, literal)
        };
        let message = format!("variable {name} of {place} gets no value");
        ClauseFault::new(codes::UNSAFE_RULE, message, span).with_label("unsafe clause").with_help(help)
    }
}
