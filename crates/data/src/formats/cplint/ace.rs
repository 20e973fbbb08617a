//! The files of ACE and Tilde: models in `NAME.kb`, facts and rules of all of them in `NAME.bg`, and in `NAME.s` what is learnt.
//!
//! `classes([good,bad])` names the facts without arguments that tell a model's class, `rmode(p(+X,+-Y,#[a,b]))` gives modes. Where
//! facts have keys in place of models, `predict(t(+key,-class))` names the target. [Tilde]

use std::path::{Path, PathBuf};

use gleaner_base::{ConstantId, FixedMap};
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::program::{PredicateName, TargetName};
use gleaner_lang::syntax::ast::{Statement, Term};
use gleaner_lang::syntax::{Place, Span, TermKind, quote_atom};

use super::{MODEL, Models, in_model};
use crate::faults;
use crate::formats::file_format::{entries, found, has_ending, uncompressed, with_ending};
use crate::gather::{DataFile, FileReader, FileReading, Files, make};
use crate::mode_terms::{Marker, ModeSide, RawMode, plain_text};

/// The target where models have more than two classes.
const CLASS: &str = "class";

/// The type of arguments where types are not declared.
const ANY: &str = "any";

/// The most arguments that may be given or found: their modes double with each.
const MOST_EITHER: usize = 4;

/// `DIR/NAME` of the one `NAME.kb` that a folder holds, or of a path `DIR/NAME.kb` or `DIR/NAME.s`.
pub(super) fn stem(path: &Path) -> Option<PathBuf> {
    let is_base = |entry: &PathBuf| has_ending(entry, "kb");
    let named = if path.is_dir() {
        let mut bases = entries(path).into_iter().filter(is_base);
        bases.next().filter(|_| bases.next().is_none())?
    } else {
        path.to_path_buf()
    };
    let stem = uncompressed(&named).with_extension("");
    let has_base = found(with_ending(&stem, ".kb")).is_some();
    (has_base && (has_ending(&named, "kb") || has_ending(&named, "s"))).then_some(stem)
}

/// Whether a path holds models and settings.
pub(super) fn is_recognised(path: &Path) -> bool {
    stem(path).is_some_and(|stem| found(with_ending(&stem, ".s")).is_some())
}

/// The files of a stem, the settings first.
pub(super) fn files(stem: &Path) -> Files {
    let file = |ending: &str| found(with_ending(stem, ending));
    let settings = file(".s").map(|path| DataFile::read_by(path, make::<Settings>));
    let all = file(".bg").map(|path| DataFile::read_by(path, make::<OfAll>));
    let models = file(".kb").map(|path| DataFile::read_by(path, make::<Models>));
    Files::undivided([settings, all, models].into_iter().flatten().collect())
}

/// Takes a fact of a model that tells its class; false if it tells none.
pub(super) fn class_fact(name: &str, model: ConstantId, place: Place, reading: &mut FileReading<'_>) -> bool {
    let classes = &reading.notes.model_classes;
    if !classes.iter().any(|class| class == name) {
        return false;
    }
    match asked_class(reading) {
        Some(asked) => reading.example_row(&asked, &[model], name == asked, None, place),
        None if reading.statements.declarations.is_query(&PredicateName::new(CLASS, 2)) => {
            let class = reading.statements.symbols.constant(&quote_atom(name), None);
            reading.example_row(CLASS, &[model, class], true, None, place);
        }
        None => return false,
    }
    true
}

/// The class that is the target.
fn asked_class(reading: &FileReading<'_>) -> Option<String> {
    let declarations = &reading.statements.declarations;
    let is_asked = |class: &&String| declarations.is_query(&PredicateName::new(class.as_str(), 1));
    reading.notes.model_classes.iter().find(is_asked).cloned()
}

/// Reads facts and rules that hold in all models.
#[derive(Debug, Default)]
struct OfAll(Models);

impl FileReader for OfAll {
    fn has_plain_facts(&self) -> bool {
        false
    }

    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        match &statement.head {
            Some(head) if statement.body.is_empty() && !reading.notes.have_keys => {
                reading.fact_of_all_models(&in_model(head), statement.span);
                true
            }
            _ => self.0.statement(statement, reading),
        }
    }
}

/// Reads the settings.
#[derive(Debug, Default)]
struct Settings {
    types: FixedMap<(String, usize), Vec<String>>,
    modes: Vec<Mode>,
    /// The predicate to predict, and its argument with the class.
    target: Option<(Mode, usize)>,
}

/// A mode before its types are known: for each argument the markers that it may have.
#[derive(Clone, Debug)]
struct Mode {
    name: String,
    arguments: Vec<Vec<Marker>>,
    place: Place,
}

impl Mode {
    fn of(term: &Term<'_>, place: Place) -> Option<Self> {
        let (name, arguments) = atom_parts(term)?;
        let arguments: Vec<Vec<Marker>> = arguments.iter().map(markers).collect::<Option<_>>()?;
        let n_either = arguments.iter().filter(|markers| markers.len() > 1).count();
        let is_name = name.starts_with(char::is_alphabetic);
        (is_name && n_either <= MOST_EITHER).then(|| Self { name: name.to_owned(), arguments, place })
    }

    /// A mode for each choice of markers.
    fn choices(&self) -> Vec<Vec<Marker>> {
        self.arguments.iter().fold(vec![Vec::new()], |chosen, markers| {
            let with = |chosen: &Vec<Marker>| -> Vec<Vec<Marker>> {
                markers.iter().map(|&marker| [chosen.as_slice(), &[marker]].concat()).collect()
            };
            chosen.iter().flat_map(with).collect()
        })
    }
}

/// The markers of `+X`, `-X`, `+-X`, `#` with whatever follows, or a constant.
fn markers(argument: &Term<'_>) -> Option<Vec<Marker>> {
    let sign = |term: &Term<'_>| match &term.kind {
        TermKind::Compound(sign, inner) if inner.len() == 1 => Some(sign.to_string()),
        _ => None,
    };
    match &argument.kind {
        TermKind::Compound(name, inner) if inner.len() == 1 => match &**name {
            "+" if sign(&inner[0]).as_deref() == Some("-") => Some(vec![Marker::Input, Marker::Output]),
            "+" => Some(vec![Marker::Input]),
            "-" => Some(vec![Marker::Output]),
            "+-" => Some(vec![Marker::Input, Marker::Output]),
            "#" => Some(vec![Marker::Constant]),
            _ => None,
        },
        TermKind::Atom(_) | TermKind::Integer(_) | TermKind::Float(_) | TermKind::Text(_) => {
            Some(vec![Marker::Constant])
        }
        _ => None,
    }
}

impl FileReader for Settings {
    fn has_plain_facts(&self) -> bool {
        false
    }

    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let goals = statement.head.iter().filter(|_| statement.body.is_empty());
        let directives = statement.body.iter().filter(|_| statement.head.is_none());
        goals.chain(directives).for_each(|goal| self.setting(goal, reading));
        true
    }

    fn finish(&mut self, reading: &mut FileReading<'_>) {
        let is_keyed = reading.notes.have_keys || self.target.is_some();
        reading.notes.have_keys = is_keyed;
        let modes = self.modes.iter().flat_map(|mode| {
            mode.choices().into_iter().map(|markers| self.mode(ModeSide::Body, mode, &markers, is_keyed))
        });
        let mut modes: Vec<RawMode> = modes.collect();
        if let Some((target, class)) = &self.target {
            let name = PredicateName::new(target.name.as_str(), target.arguments.len());
            reading.name_target(|| name.into());
            reading.statements.examples.class_argument = Some(*class);
            let mut markers = vec![Marker::Input; target.arguments.len()];
            markers[*class] = Marker::Constant;
            modes.push(self.mode(ModeSide::Head, target, &markers, is_keyed));
        }
        modes.extend(class_modes(reading));
        reading.statements.declarations.modes.extend(modes);
    }
}

impl Settings {
    fn setting(&mut self, goal: &Term<'_>, reading: &mut FileReading<'_>) {
        let place = reading.place(goal.span);
        match atom_parts(goal) {
            Some(("load", [what])) => reading.notes.have_keys = plain_text(what) == "key",
            Some(("typed_language", [_])) => {}
            Some(("classes", [Term { kind: TermKind::List(classes, None), .. }])) => {
                reading.notes.model_classes = classes.iter().map(plain_text).collect();
            }
            Some(("type", [declared])) => {
                if let Some((name, types)) = atom_parts(declared) {
                    self.types.insert((name.to_owned(), types.len()), types.iter().map(plain_text).collect());
                }
            }
            Some(("rmode", [mode])) => {
                // Before the mode may stand how often a clause may have it.
                let mode = match atom_parts(mode) {
                    Some((":", [_, mode])) => mode,
                    _ => mode,
                };
                match Mode::of(mode, place) {
                    Some(mode) => self.modes.push(mode),
                    None => {
                        let accepted = "a mode is `rmode(p(+X,-Y,+-Z,#))`";
                        let what = format!("`{mode}` is no mode of one relation");
                        let fault = faults::bad_declaration(place, &what, accepted);
                        reading.tell(fault.into_warning("the mode is left out"));
                    }
                }
            }
            Some(("predict", [target])) => {
                let target = Mode::of(target, place);
                let class = target.as_ref().and_then(|target| {
                    target.arguments.iter().position(|markers| markers == &[Marker::Output])
                });
                match target.zip(class) {
                    Some(target) => self.target = Some(target),
                    None => {
                        let accepted = "it is `predict(t(+key,-class))`";
                        reading.tell(faults::bad_declaration(
                            place,
                            "this names no class to predict",
                            accepted,
                        ));
                    }
                }
            }
            Some((name, arguments)) => {
                let name = format!("{name}/{}", arguments.len());
                reading.tell(faults::ignored_directive(place, &name));
            }
            None => reading.tell(faults::ignored_directive(place, &goal.to_string())),
        }
    }

    /// A mode with its types, which has the model as its first argument unless facts have keys.
    fn mode(&self, side: ModeSide, mode: &Mode, markers: &[Marker], is_keyed: bool) -> RawMode {
        let arity = markers.len();
        let types = self.types.get(&(mode.name.clone(), arity));
        let type_of =
            |at: usize| types.and_then(|types| types.get(at)).map_or(ANY, String::as_str).to_owned();
        let mut raw = RawMode {
            side,
            subject: PredicateName::new(mode.name.as_str(), arity).into(),
            arguments: markers.iter().enumerate().map(|(at, &marker)| (marker, type_of(at))).collect(),
            instantiation_limit: None,
            place: mode.place,
        };
        if !is_keyed {
            raw.add_first_argument(Marker::Input, MODEL.to_owned());
        }
        raw
    }
}

/// The target of the models' classes: the first of two, or the class; gives its mode.
fn class_modes(reading: &mut FileReading<'_>) -> Option<RawMode> {
    let mut arguments = vec![(Marker::Input, MODEL.to_owned())];
    let name = match &*reading.notes.model_classes {
        [] => return None,
        [first] | [first, _] => PredicateName::new(first.as_str(), 1),
        _ => {
            arguments.push((Marker::Constant, CLASS.to_owned()));
            PredicateName::new(CLASS, 2)
        }
    };
    let name = match asked_class(reading) {
        Some(asked) => {
            arguments.truncate(1);
            PredicateName::new(asked, 1)
        }
        None => name,
    };
    reading.name_target(|| TargetName { name: name.name.clone(), arity: Some(name.arity) });
    if arguments.len() > 1 && reading.statements.declarations.is_query(&name) {
        reading.statements.examples.class_argument = Some(1);
    }
    let place = Place::new(reading.id, Span::default());
    Some(RawMode { side: ModeSide::Head, subject: name.into(), arguments, instantiation_limit: None, place })
}
