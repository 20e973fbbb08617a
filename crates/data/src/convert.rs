//! Writes gathered data in another layout: the statements themselves, before any rule runs.
//!
//! The texts depend on the content of the files, not on the order of their facts. Each kind of content that a layout
//! cannot express gets a warning with a code of its own; the rest is written.

use gleaner_lang::program::settings::Catalog;
use gleaner_lang::program::stratify::stratify;
use gleaner_lang::program::{Clause, PredicateName};
use gleaner_lang::syntax::{Diagnostic, Severity, Sources, codes};

use super::check;
use super::defined::defined_predicates;
use super::directions;
use super::faults;
use super::formats::Format;
use super::gather::{Files, Gathered, gather};
use super::idioms::settle;
use super::leave_out::leave_out;
use super::mode_terms::{ModeSide, RawMode};
use super::recognise::recognise;
use super::request::{LoadPurpose, LoadRequest, TargetRequest};
use super::universal::expand;
use super::writing::{Losses, Material};

pub use super::writing::{ConvertedFile, Counts};

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
    let (from, files) = recognise(&request)?;
    let mut gathered = gather(request.target.as_ref(), &files, sources);
    settle(&mut gathered);
    expand(&mut gathered);
    directions::choose(&mut gathered);
    let (targets, mut warnings) = checked(&request.of_build().target, &files, &mut gathered)?;
    let material = Material::new(&gathered, from.name(), targets, catalog);
    let mut losses = Losses::new(to.name());
    let written = match to.writer() {
        Some(write) => write(&material, &mut losses),
        None => Err(faults::not_written(to.name(), &written_names())),
    };
    match written {
        Ok(files) => {
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
    gathered: &mut Gathered,
) -> Result<(Vec<PredicateName>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut found = std::mem::take(&mut gathered.diagnostics).into_vec();
    let is_foreign = gathered.habits.is_foreign;
    if is_foreign {
        leave_out(gathered, &mut found);
    }
    check::rules(gathered, &mut found);
    check::undefined_in_rules(gathered, &mut found);
    let rules: Vec<Clause> = gathered.rules.iter().map(|rule| rule.clause.clone()).collect();
    if let Err(fault) = stratify(&rules, gathered.symbols.predicates().len()) {
        let negated = gathered.symbols.predicate_name(fault.negated);
        found.push(faults::unstratifiable(gathered.rules[fault.rule].place, negated));
    }
    let targets = match check::target(asked, gathered) {
        Ok(target) => {
            check::adopt_target(&target, gathered);
            check::examples(&target, asked, gathered, files, &mut found);
            if !check::are_modes_missing(gathered, &found) {
                let _ = check::modes(&target, gathered, &mut found);
            }
            vec![target]
        }
        Err(fault) if asked.target.is_none() && fault.code() != codes::NO_EXAMPLES => all_targets(gathered),
        Err(fault) => {
            found.push(fault);
            Vec::new()
        }
    };
    if asked.target.is_none() {
        // Other predicates with examples are no fault here: they are converted, too.
        found.retain(|fault| fault.code() != codes::OTHER_EXAMPLES);
    }
    let found: Vec<Diagnostic> = found.into_iter().map(converted_all_the_same).collect();
    if found.iter().any(|fault| fault.severity() == Severity::Error) {
        return Err(found);
    }
    if is_foreign {
        keep_defined_modes(gathered);
    }
    Ok((targets, found))
}

fn all_targets(gathered: &Gathered) -> Vec<PredicateName> {
    let mut targets: Vec<PredicateName> = gathered
        .examples
        .iter()
        .map(|example| gathered.symbols.predicate_name(example.predicate).clone())
        .collect();
    targets.sort();
    targets.dedup();
    targets
}

/// Faults that only prevent learning become warnings: the data can be written all the same.
fn converted_all_the_same(fault: Diagnostic) -> Diagnostic {
    let of_learning = [codes::NO_MODES, codes::NO_EXAMPLES, codes::BOTH_CLASSES, codes::EMPTY_FOLD];
    if of_learning.contains(&fault.code()) {
        fault.into_warning("they can be converted all the same")
    } else {
        fault
    }
}

/// Leaves out modes of other systems whose predicates their background lacks, as loading does.
fn keep_defined_modes(gathered: &mut Gathered) {
    let defined = defined_predicates(gathered);
    let modes = std::mem::take(&mut gathered.modes);
    let is_kept = |mode: &RawMode| {
        let is_defined = mode
            .subject
            .predicate()
            .is_none_or(|name| gathered.symbols.find_predicate(name).is_some_and(|id| defined.contains(&id)));
        is_defined || mode.side == ModeSide::Head || gathered.is_other_target(mode)
    };
    gathered.modes = modes.into_iter().filter(is_kept).collect();
}
