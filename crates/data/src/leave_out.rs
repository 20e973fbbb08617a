//! Rules of other systems that are outside the language: they are left out with all that depends on them.
//!
//! A predicate whose rules are not all read would be true too seldom, and its negation too often, without
//! a word. So none of its rules, and none that uses it, is kept, nor are its modes; its facts are only
//! counted.

use gleaner_lang::program::safety::check_safety;
use gleaner_lang::syntax::Diagnostic;

use super::check;
use super::faults;
use super::gather::Gathered;
use super::rule_graph::asking;

/// Leaves out what depends on the rules that could not be read, and on unsafe ones.
pub(super) fn leave_out(gathered: &mut Gathered, diagnostics: &mut Vec<Diagnostic>) {
    let mut unsafe_rules = Vec::new();
    check::rules(gathered, &mut unsafe_rules);
    diagnostics.extend(unsafe_rules.into_iter().map(|fault| fault.into_warning(faults::RULE_LEFT_OUT)));
    let heads = gathered.rules.iter().filter(|rule| check_safety(&rule.clause).is_err());
    let faulty = gathered.incomplete.iter().copied().chain(heads.map(|rule| rule.clause.head.predicate));
    let left_out = asking(faulty, gathered.rules.iter().map(|rule| &rule.clause));
    if left_out.is_empty() {
        return;
    }
    gathered.rules.retain(|rule| !left_out.contains(&rule.clause.head.predicate));
    let symbols = &gathered.symbols;
    gathered.modes.retain(|mode| {
        let predicate = mode.subject.predicate().and_then(|name| symbols.find_predicate(name));
        predicate.is_none_or(|predicate| !left_out.contains(&predicate))
    });
    let mut names: Vec<String> =
        left_out.iter().map(|&predicate| symbols.predicate_name(predicate).to_string()).collect();
    names.sort();
    gathered.incomplete = left_out.into_iter().collect();
    diagnostics.push(faults::left_out(&names));
}
