//! Writes gathered data in another layout: the statements themselves, before any rule runs.
//!
//! The texts depend on the content of the files, not on the order of their facts. Each kind of content that a layout
//! cannot express gets a warning with a code of its own; the rest is written.

use gleaner_lang::program::PredicateName;
use gleaner_lang::program::settings::Catalog;
use gleaner_lang::syntax::{Diagnostic, Severity, Sources, codes};

use crate::build::read;
use crate::defined::defined_predicates;
use crate::formats::Format;
use crate::gather::{Files, Statements};
use crate::mode_terms::{ModeSide, RawMode};
use crate::recognise::recognise;
use crate::request::{LoadPurpose, LoadRequest, TargetRequest};
use crate::stated::Stated;
use crate::writing::{Losses, Material};
use crate::{check, faults};

pub use crate::writing::{ConvertedFile, Counts};

/// A problem in another layout.
///
/// **Shape**: paths are distinct. Each distinct fact, example and rule is written once; in a layout with training
/// halves, once in each file that needs it.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The files, global ones first.
    pub files: Vec<ConvertedFile>,
    /// Warnings about the data, and about content that the layout cannot express.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a problem and writes it in the layout `to`. Modes and examples may be missing, and a class may have no
/// examples: data without anything to learn can be converted. The restriction and the clauses of the request are
/// ignored.
///
/// Cost: reading, and `O(n log n)` for the order of facts; texts are held in memory.
///
/// The catalog lists the known settings.
///
/// # Errors
///
/// Every fault found in the files, with the warnings beside them. Examples of several predicates are a fault if none of
/// them is chosen and the layout has one target.
pub fn convert(
    request: &LoadRequest,
    to: Format,
    catalog: &'static Catalog,
    sources: &mut Sources,
) -> Result<Converted, Vec<Diagnostic>> {
    let request = LoadRequest { purpose: LoadPurpose::Inspect, ..request.clone() };
    sources.hold(&request.texts);
    let (from, files) = recognise(&request, false)?;
    let mut stated = Stated::of(read(&files, sources), LoadPurpose::Inspect);
    if !stated.statements.examples.read_numbers.is_empty() {
        return Err(vec![faults::numbers_not_written()]);
    }
    let (targets, mut warnings) = checked(&request.of_build().target, &files, &mut stated)?;
    let material = Material::new(&stated.statements, &stated.facts, from.name(), targets, catalog);
    let mut losses = Losses::new(to.name());
    let written = match to.writer() {
        Some(write) => write(&material, &mut losses),
        None => Err(faults::not_written(to.name(), &written_names())),
    };
    match written {
        Ok(files) => {
            losses.check_times(&stated.statements.declarations.times);
            warnings.extend(losses.into_warnings());
            Ok(Converted { files, warnings })
        }
        Err(fault) => {
            warnings.push(fault);
            Err(warnings)
        }
    }
}

/// The layouts that can be written, in words.
fn written_names() -> String {
    let names: Vec<&str> = Format::written().map(Format::name).collect();
    match names.split_last() {
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Removes data that cannot be kept. Gives the target, or all predicates with examples if none is chosen; and the
/// warnings.
fn checked(
    asked: &TargetRequest<'_>,
    files: &Files,
    stated: &mut Stated,
) -> Result<(Vec<PredicateName>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut found = stated.take_found();
    let Stated { statements, facts, .. } = stated;
    check::rules(statements, &mut found);
    let targets = match check::target(asked, statements, facts) {
        Ok(target) => {
            check::adopt_target(&target, statements.habits, &mut statements.declarations.modes);
            check::examples(&target, asked, statements, facts, files, &mut found);
            if !check::are_modes_missing(&statements.declarations.modes, &found) {
                let _ = check::modes(&target, statements, &mut found);
            }
            vec![target]
        }
        Err(fault) if asked.target.is_none() && fault.code() != codes::NO_EXAMPLES => {
            check::named_in_examples(statements)
        }
        Err(fault) => {
            found.push(fault);
            Vec::new()
        }
    };
    if asked.target.is_none() {
        // Other predicates with examples are no fault here: they are converted, too.
        found.retain(|fault| fault.code() != codes::OTHER_EXAMPLES);
    }
    let found = check::without_learning(found, "the data can still be converted");
    if found.iter().any(|fault| fault.severity() == Severity::Error) {
        return Err(found);
    }
    if statements.habits.is_foreign {
        statements.declarations.modes = defined_modes(statements);
    }
    Ok((targets, found))
}

/// The modes without those of other systems whose predicates their background lacks; loading leaves them out, too.
fn defined_modes(statements: &Statements) -> Vec<RawMode> {
    let defined = defined_predicates(statements);
    let is_kept = |mode: &&RawMode| {
        let is_defined = mode.subject.predicate().is_none_or(|name| {
            statements.symbols.find_predicate(name).is_some_and(|id| defined.contains(&id))
        });
        is_defined || mode.side == ModeSide::Head || statements.is_other_target(mode)
    };
    statements.declarations.modes.iter().filter(is_kept).cloned().collect()
}
