//! How a program calls the user's facts and rules: by links, which no name of SWI-Prolog's can stand in for.
//!
//! SWI-Prolog's own names depend on its version and on the loaded libraries. So no list is asked here: the program
//! itself looks when it is loaded. A name that is only the user's is linked unchanged. A name that SWI-Prolog has as
//! well (`length/2`, `shell/1`) is looked up at each call, and called only where the user defines it.
//!
//! Aggregates of a program's clauses: predicates of the program that count the user's facts.
//!
//! Relations are sets here, and a fact that the user gives twice is true once: so goals are called as `distinct(Goal)`.
//! SWI-Prolog's `aggregate_all/3` has no mean, no last value and no share; these are worked out beside it.

use std::collections::BTreeSet;
use std::fmt::Write;

use gleaner_lang::program::display::variable_name;
use gleaner_lang::program::{Aggregate, AggregateOperator, Atom, Clause, Literal, PredicateName, Symbols};

use crate::store::aggregate_definition;
use crate::store::model_file::Header;

use super::terms::{Names, NoProgram, atom, indicator, link, ordered};

/// The advice in the head of a program on names that SWI-Prolog has, too.
pub(super) const ADVICE: &str = "\
%
% Where SWI-Prolog has a predicate of such a name itself, as length/2, yours is asked, and it is an error if there is
% none. If it refuses your facts (No permission to modify static procedure), write this before them, in their file:
%   :- redefine_system_predicate(length(_, _)).
";

/// Predicates that the compiler knows by name in every module, so that facts of that name cannot be asked.
const CONTROL: [(&str, usize); 11] = [
    (",", 2),
    (";", 2),
    ("|", 2),
    ("->", 2),
    ("*->", 2),
    ("\\+", 1),
    ("!", 0),
    (":", 2),
    ("@", 2),
    ("$", 0),
    ("$", 1),
];

/// Predicates by which a user's program changes SWI-Prolog: their answers are no data.
const HOOKS: [(&str, usize); 28] = [
    ("attr_portray_hook", 2),
    ("attribute_goals", 3),
    ("exception", 3),
    ("expand_answer", 2),
    ("expand_query", 4),
    ("file_search_path", 2),
    ("goal_expansion", 2),
    ("goal_expansion", 4),
    ("library_directory", 1),
    ("message_hook", 3),
    ("message_prefix", 2),
    ("message_property", 2),
    ("portray", 1),
    ("prolog_clause_name", 2),
    ("prolog_event_hook", 1),
    ("prolog_exception_hook", 4),
    ("prolog_exception_hook", 5),
    ("prolog_file_type", 2),
    ("prolog_list_goal", 1),
    ("prolog_load_file", 2),
    ("prolog_predicate_name", 2),
    ("prolog_trace_interception", 4),
    ("resource", 2),
    ("resource", 3),
    ("term_expansion", 2),
    ("term_expansion", 4),
    ("thread_message_hook", 3),
    ("url_path", 2),
];

/// Checks that a program can ask the user's facts for these predicates.
pub(super) fn check(
    used: &BTreeSet<&PredicateName>,
    target: &PredicateName,
    header: &Header,
) -> Result<(), NoProgram> {
    if !header.known.is_empty() {
        return Err(NoProgram::KnownLinks(indicator(target)));
    }
    if !header.statistics.is_empty() {
        return Err(NoProgram::Statistics);
    }
    let own = [("gleaner_score", target.arity + 1), ("gleaner_decision", target.arity)];
    for name in used {
        let is_among = |list: &[(&str, usize)]| list.contains(&(name.name.as_str(), name.arity));
        if is_among(&CONTROL) || is_among(&HOOKS) {
            return Err(NoProgram::Prologs(indicator(name)));
        }
        if is_among(&own) {
            return Err(NoProgram::Own(indicator(name)));
        }
    }
    Ok(())
}

/// The links of these predicates to the user's.
pub(super) fn links(used: &BTreeSet<&PredicateName>) -> String {
    let mut text = String::from("\n% What clauses call, and of which of your predicates it asks.\n");
    for name in used {
        let _ = writeln!(text, "gleaner_data({}, {}, {}).", link(&name.name), atom(&name.name), name.arity);
    }
    text.push_str(LINKING);
    text
}

const LINKING: &str = "
gleaner_link(Link, Name, Arity) :-
    functor(Yours, Name, Arity),
    Yours =.. [_|Arguments],
    Asked =.. [Link|Arguments],
    retractall(Asked),
    (   gleaner_is_prologs(Yours)
    ->  assertz(( Asked :- gleaner_ask(Yours) ))
    ;   ( current_predicate(user:Name/Arity) -> true ; dynamic(user:Name/Arity) ),
        assertz(( Asked :- user:Yours ))
    ).

gleaner_is_yours(Goal) :-
    functor(Goal, Name, Arity),
    current_predicate(user:Name/Arity),
    predicate_property(user:Goal, implementation_module(Module)),
    \\+ module_property(Module, class(system)),
    \\+ module_property(Module, class(library)).

gleaner_is_prologs(Goal) :-
    predicate_property(system:Goal, visible),
    !.
gleaner_is_prologs(Goal) :-
    predicate_property(user:Goal, visible),
    \\+ gleaner_is_yours(Goal).

gleaner_ask(Yours) :-
    (   gleaner_is_yours(Yours)
    ->  call(user:Yours)
    ;   functor(Yours, Name, Arity),
        Context = context(_, 'the model asks for your facts, not for what SWI-Prolog has of this name'),
        throw(error(existence_error(procedure, user:Name/Arity), Context))
    ).

:- forall(gleaner_data(Link, Name, Arity), gleaner_link(Link, Name, Arity)).
";

/// What the clauses need to call aggregates.
pub(super) const LIBRARIES: &str = "\
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(solution_sequences), [distinct/1, distinct/2]).
";

/// An aggregate that clauses call.
pub(super) struct Definition {
    name: PredicateName,
    symbols: Symbols,
    clause: Clause,
}

impl Definition {
    /// The aggregates among the predicates that clauses call.
    ///
    /// # Errors
    ///
    /// [`NoProgram::Prologs`] when the name of one cannot be read.
    pub(super) fn all(symbols: &Symbols, used: &[&PredicateName]) -> Result<Vec<Self>, NoProgram> {
        let is_aggregate = |name: &&&PredicateName| {
            symbols.find_predicate(&name.name, name.arity).is_some_and(|id| symbols.is_aggregate(id))
        };
        let read = |name: &&PredicateName| {
            let unread = || NoProgram::Prologs(name.name.clone());
            let (symbols, clause) = aggregate_definition(name).ok_or_else(unread)?;
            Ok(Self { name: (*name).clone(), symbols, clause })
        };
        used.iter().filter(is_aggregate).map(read).collect()
    }

    /// The name of the relation.
    pub(super) const fn name(&self) -> &PredicateName {
        &self.name
    }

    /// The predicates whose facts it counts.
    pub(super) fn asked(&self) -> impl Iterator<Item = &PredicateName> {
        let atoms = self.clause.body.iter().flat_map(Literal::atoms);
        atoms.map(|atom| self.symbols.predicate(atom.predicate))
    }

    /// The clause of the program.
    ///
    /// # Errors
    ///
    /// As [`Names::of`].
    pub(super) fn text(&self) -> Result<String, NoProgram> {
        let Some(aggregate) = self.clause.body.first().and_then(Literal::aggregate) else {
            return Ok(String::new());
        };
        let names = Names::of(&self.clause, &self.symbols)?;
        let arguments: Vec<String> = (0..self.name.arity).map(variable_name).collect();
        let body = body(aggregate, &goal(aggregate, &self.clause, &names), &names);
        Ok(format!("{}({}) :-\n    {body}.\n", link(&self.name.name), arguments.join(", ")))
    }
}

/// The goal, its literals in the order of their proof. Only numbers are summed or compared.
fn goal(aggregate: &Aggregate, clause: &Clause, names: &Names<'_>) -> String {
    let groups = clause.head.arguments.split_last().map_or(&[][..], |(_, groups)| groups);
    let inner = Clause {
        head: Atom { predicate: clause.head.predicate, arguments: groups.to_vec() },
        body: aggregate.goal.clone(),
        n_variables: clause.n_variables,
    };
    let literal = |literal: Option<&Literal>| literal.map_or_else(|| "fail".to_owned(), |it| it.text(names));
    let mut goals: Vec<String> = ordered(&inner, None).into_iter().map(literal).collect();
    if aggregate.operator != AggregateOperator::Count {
        let templates = aggregate.template.into_iter().chain(aggregate.time);
        goals.extend(templates.map(|term| format!("number({})", names.whole_term(term))));
    }
    goals.join(", ")
}

/// The body of the predicate; its value is the last argument.
fn body(aggregate: &Aggregate, goal: &str, names: &Names<'_>) -> String {
    let value = names.whole_term(aggregate.value);
    let template = aggregate.template.map(|term| names.whole_term(term)).unwrap_or_default();
    let time = aggregate.time.map(|term| names.whole_term(term)).unwrap_or_default();
    let name = aggregate.operator.symbol();
    match (aggregate.operator, aggregate.template) {
        (AggregateOperator::Count, None) => format!("aggregate_all(count, distinct(({goal})), {value})"),
        (AggregateOperator::Count, Some(_)) => {
            format!("aggregate_all(count, distinct({template}, ({goal})), {value})")
        }
        (AggregateOperator::Avg, _) => format!(
            "aggregate_all(r(sum({template}), count), distinct(({goal})), r(Sum_, Count_)),\n    \
             Count_ > 0,\n    {value} is float(Sum_) / Count_"
        ),
        (AggregateOperator::Share, _) => {
            let counted = aggregate.counted.as_ref().map_or_else(|| "fail".to_owned(), |it| it.text(names));
            format!(
                "aggregate_all(r(sum(Is_), count), distinct(({goal}, ({counted} -> Is_ = 1 ; Is_ = 0))), r(Sum_, Count_)),\n    \
                 Count_ > 0,\n    {value} is float(Sum_) / Count_"
            )
        }
        (AggregateOperator::Last, _) => {
            format!("findall({time}-{template}, ({goal}), Rows_),\n    sort(0, @>=, Rows_, [_-{value}|_])")
        }
        (AggregateOperator::Sum | AggregateOperator::Min | AggregateOperator::Max, _) => {
            format!("aggregate_all({name}({template}), distinct(({goal})), {value})")
        }
    }
}
