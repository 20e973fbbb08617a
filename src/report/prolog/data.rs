//! How a program calls the user's facts and rules: by links, which no name of SWI-Prolog's can stand in for.
//!
//! SWI-Prolog's own names depend on its version and on the loaded libraries. So no list is asked here: the program
//! itself looks when it is loaded. A name that is only the user's is linked unchanged. A name that SWI-Prolog has as
//! well (`length/2`, `shell/1`) is looked up at each call, and called only where the user defines it.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::store::model_file::Header;
use gleaner_lang::program::PredicateName;

use super::terms::NoProgram;
use super::terms::{atom, indicator, link};

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
