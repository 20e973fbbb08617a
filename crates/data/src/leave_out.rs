//! Leaves out rules of other systems that are outside the language, and rules with cuts, with everything that depends on them.
//!
//! A predicate with some rules missing would silently be true too seldom, and its negation too often. So all its rules,
//! all rules that use it, and its modes are left out; its facts are only counted.

use gleaner_lang::program::safety::check_safety;
use gleaner_lang::syntax::Diagnostic;

use crate::check;
use crate::faults;
use crate::gather::Statements;
use crate::rule_graph::asking;

/// Leaves out rules and modes that depend on unreadable or unsafe rules.
pub(super) fn leave_out(statements: &mut Statements, diagnostics: &mut Vec<Diagnostic>) {
    // In the own layout an unsafe rule, or one that calls what nothing defines, is an error, which is told elsewhere.
    let is_foreign = statements.habits.is_foreign;
    let calls = if is_foreign { check::dead_calls(statements) } else { Vec::new() };
    let (called, faults_of_calls): (Vec<_>, Vec<_>) = calls.into_iter().unzip();
    let Statements { symbols, declarations, rules, .. } = statements;
    let mut unsafe_rules = faults_of_calls;
    if is_foreign {
        check::safety(&rules.list, &mut unsafe_rules);
    }
    diagnostics.extend(unsafe_rules.into_iter().map(|fault| fault.into_warning(faults::RULE_LEFT_OUT)));
    let heads = rules.list.iter().filter(|rule| is_foreign && check_safety(&rule.clause).is_err());
    let faulty =
        rules.incomplete.iter().copied().chain(called).chain(heads.map(|rule| rule.clause.head.predicate));
    let left_out = asking(faulty, rules.list.iter().map(|rule| &rule.clause));
    if left_out.is_empty() {
        return;
    }
    rules.list.retain(|rule| !left_out.contains(&rule.clause.head.predicate));
    declarations.modes.retain(|mode| {
        let predicate = mode.subject.predicate().and_then(|name| symbols.find_predicate(name));
        predicate.is_none_or(|predicate| !left_out.contains(&predicate))
    });
    let mut names: Vec<String> =
        left_out.iter().map(|&predicate| symbols.predicate_name(predicate).to_string()).collect();
    names.sort();
    rules.incomplete = left_out.into_iter().collect();
    diagnostics.push(faults::left_out(&names));
}
