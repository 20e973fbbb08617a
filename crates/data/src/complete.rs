//! Modes and negatives that loading makes because the files do not give them.

use gleaner_lang::syntax::Diagnostic;

use crate::closed_world::{MadeNegatives, TuplesFrom, lists_all_but_train, make_negatives};
use crate::derive::Derived;
use crate::faults;
use crate::propose::{declaration, modes_text, propose, propose_target};
use crate::propose_aggregates::propose_aggregates;
use crate::request::BuildRequest;
use crate::types::ColumnTypes;

/// Negatives and modes that loading made.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) negatives: MadeNegatives,
    pub(super) proposed_modes: Option<String>,
}

/// Proposes modes and takes negatives if they are requested or missing.
///
/// # Errors
///
/// There are no negatives, or too many.
pub(super) fn complete(
    request: &BuildRequest<'_>,
    derived: &mut Derived,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Made, Diagnostic> {
    let Derived { task, statements, worlds, .. } = derived;
    let mut made = Made { negatives: MadeNegatives::of_listed(request.negatives), proposed_modes: None };
    // Of a database those are shown that learners use.
    if request.proposes_modes && statements.has_modes_of_schema() {
        made.proposed_modes = Some(modes_text(&task.head, task.body.iter().map(|mode| (mode, None))));
    }
    let proposes_aggregates = request.proposes_aggregates && !request.negatives.is_scoring;
    if task.is_proposed || proposes_aggregates || request.negatives.train.is_some() {
        worlds.hide_test(&task.target, &statements.examples, &statements.symbols);
        let types = ColumnTypes::infer(statements, worlds.tables.iter());
        if task.is_proposed {
            let proposal = propose(&task.target, statements, &worlds.tables, &types);
            if !request.proposes_modes {
                warnings.push(faults::proposed_modes(proposal.body.len()));
            }
            let body = proposal.body.iter().map(|proposed| (&proposed.mode, proposed.fan_out));
            made.proposed_modes = Some(modes_text(&proposal.head, body));
            task.head = proposal.head;
            task.body = proposal.body.into_iter().map(|proposed| proposed.mode).collect();
        }
        if proposes_aggregates {
            match propose_aggregates(&task.target, statements, worlds, &types) {
                Some(further) => {
                    if let Some(text) = &mut made.proposed_modes {
                        further.iter().for_each(|mode| text.push_str(&declaration(mode)));
                    }
                    task.body.extend(further);
                }
                None => warnings.push(faults::no_aggregates_proposed()),
            }
        }
        let target = statements.symbols.find_predicate(&task.target);
        if let (Some(wanted), Some(target)) = (request.negatives.train, target) {
            let symbols = &statements.symbols;
            let is_listed = statements.examples.of(target).any(|it| !it.is_positive && it.is_labelled);
            if worlds.cut_off_argument().is_some()
                && (!is_listed || lists_all_but_train(target, &statements.examples))
            {
                return Err(faults::negatives_beside_times(&task.target));
            }
            let from = TuplesFrom { target, tables: &worlds.tables, types: &types, symbols };
            made.negatives = make_negatives(wanted, request.negatives, &from, &mut statements.examples)?;
        }
        worlds.show_test();
    }
    warnings.append(&mut made.negatives.warnings);
    if task.known_target.is_some() && worlds.tables.len() == 1 {
        propose_target(&task.target, &task.head, &mut task.body);
    }
    Ok(made)
}
