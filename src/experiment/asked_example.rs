//! The example that the user asks about, found from its text.

use gleaner_base::{ConstantId, ExampleId};
use gleaner_data::Problem;
use gleaner_data::clauses::{ClauseFault, ClauseFaults};
use gleaner_lang::program::lower::{Widened, atom_parts, lower_clause};
use gleaner_lang::program::{PredicateName, Term};
use gleaner_lang::syntax::ast::{Statement, Term as Syntax};
use gleaner_lang::syntax::{Span, codes, read_clause};

use super::explain::{Asked, NoWorld, find, nearest_listed};

/// The name of the example in messages.
const EXAMPLE: &str = "example";

/// The examples among which one is looked for.
#[derive(Debug)]
pub struct Listed<'p> {
    /// The problem.
    pub problem: &'p Problem,
    /// The examples.
    pub listed: Vec<ExampleId>,
    /// The fold whose test examples are listed, as the user gave it. Without a fold, unlisted examples are taken too.
    pub fold: Option<String>,
}

/// The example that a text names, among these; its full stop may be left out.
///
/// # Errors
///
/// The reason why it is none of them.
pub(crate) fn asked_example(given: &str, among: &Listed<'_>) -> Result<Asked, ClauseFaults> {
    let given = given.trim();
    let text = if given.ends_with('.') { given.to_owned() } else { format!("{given}.") };
    let found = match read_clause(&text) {
        Err(found) => Err(found.iter().map(ClauseFault::syntax).collect()),
        Ok(statement) => among.example(&statement).map_err(|fault| vec![fault]),
    };
    found.map_err(|faults| ClauseFaults::of_text(EXAMPLE, text, faults))
}

impl Listed<'_> {
    fn example(&self, statement: &Statement<'_>) -> Result<Asked, ClauseFault> {
        let head = statement.head.as_ref().filter(|_| statement.body.is_empty());
        let Some(head) = head else { return Err(self.no_atom("a rule or directive", statement.span)) };
        let target = self.problem.target();
        let found = atom_parts(head).map(|(name, arguments)| PredicateName::new(name, arguments.len()));
        if found.as_ref() != Some(target) {
            let what = found.map_or_else(|| format!("`{head}`"), |found| found.to_string());
            let message = format!("the example has the predicate {what}, the target is {target}");
            return Err(ClauseFault::new(codes::OTHER_HEAD, message, head.span)
                .with_help(format!("{}; --target chooses another target", self.as_written())));
        }
        let arguments = self.arguments(head)?;
        let listed = &self.listed;
        find(self.problem, listed, self.fold.is_none(), &arguments).map_err(|why| self.not_listed(head, why))
    }

    /// The constants of an atom; those that nothing has are a fault.
    fn arguments(&self, head: &Syntax<'_>) -> Result<Vec<ConstantId>, ClauseFault> {
        let symbols = &self.problem.symbols;
        let usable = vec![false; symbols.predicates.len()];
        let mut names = Widened::new(symbols, &usable);
        let lowered = lower_clause(head, self.problem.examples.target(), &[], &mut names);
        let Ok((atom, _)) = lowered else { return Err(self.no_atom("a term with variables", head.span)) };
        let constants: Option<Vec<ConstantId>> = (atom.head.arguments.iter())
            .map(|term| match term {
                Term::Constant(constant) => Some(*constant),
                Term::Variable(_) | Term::Any => None,
            })
            .collect();
        let constants = constants.ok_or_else(|| self.no_atom("an atom with variables", head.span))?;
        if let Some(unknown) =
            constants.iter().position(|constant| constant.index() >= symbols.constants.len())
        {
            let span = atom_parts(head).map_or(head.span, |(_, arguments)| arguments[unknown].span);
            let message = format!("no fact or example has `{}`", names.further()[0].0);
            return Err(self.with_nearest(ClauseFault::new(codes::UNKNOWN_EXAMPLE, message, span), head));
        }
        Ok(constants)
    }

    fn not_listed(&self, head: &Syntax<'_>, why: NoWorld) -> ClauseFault {
        let message = match (&self.fold, why) {
            (Some(fold), _) => format!("`{head}` is no test example of fold {fold}"),
            (None, NoWorld::Unknown) if self.problem.worlds.len() == 1 => {
                format!("`{head}` is not listed, and the facts lack some of its constants")
            }
            (None, NoWorld::Unknown) => {
                format!("`{head}` is not listed, and no fold's facts have all its constants")
            }
            (None, NoWorld::Several(n_worlds)) => {
                format!("`{head}` is not listed, and {n_worlds} folds' facts would give it {n_worlds} scores")
            }
        };
        self.with_nearest(ClauseFault::new(codes::UNKNOWN_EXAMPLE, message, head.span), head)
    }

    fn with_nearest(&self, fault: ClauseFault, head: &Syntax<'_>) -> ClauseFault {
        let text = head.to_string().replace(", ", ",");
        match nearest_listed(self.problem, &self.listed, &text) {
            Some(nearest) => fault.with_help(format!("did you mean {nearest}?")),
            None => fault.with_help(self.as_written()),
        }
    }

    fn no_atom(&self, what: &str, span: Span) -> ClauseFault {
        ClauseFault::new(codes::BAD_EXAMPLE, format!("{what} is no example"), span)
            .with_help(self.as_written())
    }

    /// How an example is written.
    fn as_written(&self) -> String {
        match self.listed.first() {
            Some(&first) => format!("an example is written `{}`", self.problem.example_text(first)),
            None => "an example is an atom of the target without variables".to_owned(),
        }
    }
}
