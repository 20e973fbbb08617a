//! Popper's files: `bk.pl`, `exs.pl` and `bias.pl`, perhaps in two halves.

mod bias;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::cells::atom_name;
use crate::directions::has_many_answers;
use crate::faults;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, Writer, file_ending, found};
use crate::gather::{DataFile, Division, FileReader, FileReading, Files, Habits, Role, make};
use crate::mode_terms::{ANY_TYPE as ANY, Marker, RawMode};
use crate::writing::{ConvertedFile, Fold, Losses, Material, Page, example_texts, mode_text, told_of_folds};
use gleaner_lang::program::PredicateName;
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::syntax::{Diagnostic, Statement, quote_atom};

use bias::{ANY_DIRECTION, BiasFile};

/// Popper's layout.
#[derive(Debug)]
pub(super) struct Popper;

impl FileFormat for Popper {
    fn about(&self) -> About {
        About {
            name: "popper",
            files_in_words: "bk.pl, exs.pl, bias.pl",
            habits: Habits { is_foreign: true, ..Habits::default() },
            clue: Clue::PairOfNames,
        }
    }

    /// A folder with Popper's files, or a file of examples in such a folder.
    fn is_recognised(&self, path: &Path) -> bool {
        let is_named = |name: &str| {
            path.file_name().and_then(|known| known.to_str()).is_some_and(|known| known.starts_with(name))
        };
        if path.is_dir() {
            let has = |name: &str| found(path.join(name)).is_some();
            return (has("bk.pl") && has("exs.pl")) || (has("bk_train.pl") && has("exs_train.pl"));
        }
        is_named("exs") && path.parent().is_some_and(|folder| found(folder.join("bk.pl")).is_some())
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        files(asked).map(Some)
    }

    fn writer(&self) -> Option<Writer> {
        Some(written_files)
    }
}

/// `pos(atom)` and `neg(atom)`.
#[derive(Debug, Default)]
struct LabelledExamples;

impl FileReader for LabelledExamples {
    fn has_plain_facts(&self) -> bool {
        false
    }

    fn statement(&mut self, statement: &Statement<'_>, reading: &mut FileReading<'_>) -> bool {
        let is_fact = statement.body.is_empty();
        let Some(head) = &statement.head else {
            let place = reading.place(statement.span);
            reading.tell(faults::not_an_example(place, "a ground atom with a full stop"));
            return true;
        };
        match atom_parts(head) {
            Some(("pos", [example])) => reading.example(example, statement.span, is_fact, true),
            Some(("neg", [example])) => reading.example(example, statement.span, is_fact, false),
            _ => {
                let place = reading.place(statement.span);
                reading.tell(faults::not_an_example(place, "`pos(target(a)).` or `neg(target(b)).`"));
            }
        }
        true
    }
}

/// The file of modes.
fn bias(path: PathBuf) -> DataFile {
    DataFile { reader: make::<BiasFile>, ..DataFile::new(path, Role::Modes) }
}

fn files(asked: &Asked<'_>) -> Result<Files, Vec<Diagnostic>> {
    let path = asked.path;
    let is_folder = path.is_dir();
    let folder = if is_folder { path } else { path.parent().unwrap_or_else(|| Path::new(".")) };
    // Examples to score may come in a file of their own.
    let is_bare = !asked.needs_examples && found(folder.join("bk.pl")).is_some();
    let has_examples = found(folder.join("exs.pl")).is_some();
    let has_halves = is_folder && !has_examples && !is_bare;
    let (mut files, mut missing) = (Vec::new(), Vec::new());
    let background = |path| DataFile::new(path, Role::Background);
    let examples = |path| DataFile::read_by(path, make::<LabelledExamples>);
    let mut add =
        |name: &str, file: &dyn Fn(PathBuf) -> DataFile, fold, meaning| match found(folder.join(name)) {
            Some(path) => files.push(file(path).in_fold(fold)),
            None if name.starts_with("bk") && !asked.needs_background => {}
            None => missing.push(faults::missing_file(&folder.join(name), meaning)),
        };
    if has_halves {
        for (fold, half) in ["train", "test"].into_iter().enumerate() {
            add(&format!("bk_{half}.pl"), &background, Some(fold), "the background");
            add(&format!("exs_{half}.pl"), &examples, Some(fold), "the examples");
        }
    } else {
        add("bk.pl", &background, None, "the background");
        if is_folder && (has_examples || asked.needs_examples) {
            add("exs.pl", &examples, None, "the examples");
        }
    }
    if !is_folder {
        files.push(examples(path.to_path_buf()));
    }
    files.extend(file_ending(folder, "bias.pl").map(bias));
    if !missing.is_empty() {
        return Err(missing);
    }
    let (division, fold_names) = if has_halves {
        (Division::TrainTest, ["train", "test"].map(str::to_owned).into())
    } else {
        (Division::None, Vec::new())
    };
    Ok(Files { files, fold_names, division, ..Files::default() })
}

fn written_files(material: &Material<'_>, losses: &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic> {
    if material.targets.len() > 1 {
        return Err(faults::several_targets(&material.targets));
    }
    told_of_examples(material, losses);
    let mut written_files = Vec::new();
    if material.is_train_test() {
        if material.has_examples(None) {
            losses.examples(
                "examples outside both parts are written to the training part",
                "csv keeps them apart",
            );
        }
        // Rules hold for both parts, wherever they stand.
        written_files.push(background(material, &[None, Some(0)], true).file("bk_train.pl"));
        written_files.push(background(material, &[None, Some(1)], false).file("bk_test.pl"));
        written_files.push(examples(material, &[None, Some(0)]).file("exs_train.pl"));
        written_files.push(examples(material, &[Some(1)]).file("exs_test.pl"));
    } else {
        told_of_folds(material, losses);
        let all = material.parts();
        written_files.push(background(material, &all, true).file("bk.pl"));
        written_files.push(examples(material, &all).file("exs.pl"));
    }
    written_files.push(written_bias(material, losses).file("bias.pl"));
    Ok(written_files)
}

fn told_of_examples(material: &Material<'_>, losses: &mut Losses) {
    let symbols = &material.statements.symbols;
    let is_other = |id| !material.is_target(symbols.predicate_name(id));
    let n_others =
        material.statements.examples.listed.iter().filter(|example| is_other(example.predicate)).count();
    if n_others > 0 {
        let what = format!("{n_others} examples of other predicates than the target are left out");
        losses.examples(&what, "all other layouts keep them");
    }
}

fn background(material: &Material<'_>, parts: &[Fold], has_rules: bool) -> Page {
    let mut page = Page::default();
    page.facts(material, parts);
    if has_rules {
        page.rules(material);
    }
    page
}

fn examples(material: &Material<'_>, parts: &[Fold]) -> Page {
    let mut page = Page::default();
    for (class, is_positive) in [("pos", true), ("neg", false)] {
        for text in example_texts(material, parts, is_positive, |name| material.is_target(name)) {
            page.example(&format!("{class}({text})."), is_positive);
        }
    }
    page
}

fn written_bias(material: &Material<'_>, losses: &mut Losses) -> Page {
    let mut page = Page::default();
    let heads = material.declarations.modes.iter().filter(|mode| {
        let name = mode.subject.relation();
        material.is_head(mode) && name.is_some_and(|name| material.is_target(name))
    });
    let mut done: BTreeSet<&PredicateName> = BTreeSet::new();
    for mode in heads {
        let Some(name) = mode.subject.relation() else { continue };
        if done.insert(name) {
            if mode.arguments.iter().any(|(marker, _)| *marker != Marker::Input) {
                losses.mode(&mode_text(mode), "all arguments of the head are known");
            }
            declare(&mut page, "head_pred", name, mode);
        }
    }
    let body = material.body_modes();
    let mut done: BTreeSet<&PredicateName> = BTreeSet::new();
    for mode in &body {
        match mode.subject.relation() {
            Some(name) => {
                if done.insert(name) {
                    let of_name: Vec<&RawMode> =
                        body.iter().copied().filter(|other| other.subject == mode.subject).collect();
                    declare(&mut page, "body_pred", name, mode);
                    direct(&mut page, name, &of_name, material, losses);
                }
            }
            None => losses.mode(&mode_text(mode), mode.subject.kind()),
        }
    }
    settings(&mut page, material, losses);
    page
}

fn declaration(page: &mut Page, line: &str) {
    page.line(line);
    page.counts.declarations += 1;
}

/// `body_pred(name,arity).` and its types.
fn declare(page: &mut Page, keyword: &str, name: &PredicateName, mode: &RawMode) {
    let atom = quote_atom(&name.name);
    declaration(page, &format!("{keyword}({atom},{}).", name.arity));
    let types: Vec<&str> = mode.arguments.iter().map(|(_, type_name)| type_name.as_str()).collect();
    if types.iter().any(|type_name| *type_name != ANY) {
        declaration(page, &format!("type({atom},{}).", tuple(types.iter().map(|name| type_atom(name)))));
    }
}

/// The type as the atom that reads back as the type: a name without quotes gets them if it needs them.
fn type_atom(name: &str) -> String {
    atom_name(name).map_or_else(|| quote_atom(name).into_owned(), |name| quote_atom(&name).into_owned())
}

/// `(a,b)`, with a comma where there is one item only.
fn tuple(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let comma = if items.len() == 1 { "," } else { "" };
    format!("({}{comma})", items.join(","))
}

/// Writes the direction that comes nearest to a predicate's modes.
fn direct(
    page: &mut Page,
    name: &PredicateName,
    modes: &[&RawMode],
    material: &Material<'_>,
    losses: &mut Losses,
) {
    for mode in modes {
        if mode.arguments.iter().any(|(marker, _)| *marker == Marker::Constant) {
            losses.mode(&mode_text(mode), "constants are outputs");
        }
        if mode.instantiation_limit.is_some() {
            losses.mode(&mode_text(mode), "its limit");
        }
        let types = |mode: &RawMode| mode.arguments.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>();
        if types(mode) != types(modes[0]) {
            losses.mode(&mode_text(mode), "types of the predicate's first mode");
        }
    }
    let is_known = |mode: &RawMode| -> Vec<bool> {
        mode.arguments.iter().map(|(marker, _)| *marker == Marker::Input).collect()
    };
    let mut wanted: BTreeSet<Vec<bool>> = modes.iter().map(|mode| is_known(mode)).collect();
    // Without a direction any one argument is known, or all are.
    let all = vec![true; name.arity];
    let one = (0..name.arity).map(|known| (0..name.arity).map(|column| column == known).collect());
    let undirected: BTreeSet<Vec<bool>> = one.chain([all.clone()]).collect();
    if wanted == undirected || name.arity == 0 {
        keep_all(page, name, material);
        return;
    }
    let has_all = wanted.remove(&all);
    let directed = match wanted.len() {
        0 => Some(&all),
        1 => wanted.first(),
        _ => None,
    };
    let Some(known) = directed else {
        losses.mode(&name.to_string(), "any one argument may be known");
        keep_all(page, name, material);
        return;
    };
    if !has_all && !wanted.is_empty() {
        losses.mode(&name.to_string(), "all arguments may be known");
    }
    let words = known.iter().map(|&is_known| if is_known { "in" } else { "out" }.to_owned());
    declaration(page, &format!("direction({},{}).", quote_atom(&name.name), tuple(words)));
}

/// Writes `any_direction(name,arity).` if reading would otherwise leave modes out. A bias that left directions open
/// leaves them open again.
fn keep_all(page: &mut Page, name: &PredicateName, material: &Material<'_>) {
    let Material { statements, declarations, facts, .. } = material;
    let is_open = declarations.undirected.iter().any(|(known, _)| known == name);
    if !is_open && has_many_answers(name, &statements.symbols, facts) {
        declaration(page, &format!("{ANY_DIRECTION}({},{}).", quote_atom(&name.name), name.arity));
    }
}

/// Popper counts the literals of a body alone.
fn without_head(max_literals: &str) -> String {
    let without_head = max_literals.parse::<u32>().ok().and_then(|n_literals| n_literals.checked_sub(1));
    without_head.map_or_else(|| max_literals.to_owned(), |n_literals| n_literals.to_string())
}

/// Writes `max_body(N).`, and all settings if they come from Popper's files.
fn settings(page: &mut Page, material: &Material<'_>, losses: &mut Losses) {
    for directive in material.settings(losses) {
        let name = directive.name.replace('_', "-");
        let line = match (&*name, &*directive.value) {
            ("max-literals" | "clauselength", value) => format!("max_body({}).", without_head(value)),
            _ if !directive.is_foreign || material.from != losses.to() => {
                losses.setting(&directive.name);
                continue;
            }
            (_, "") => format!("{}.", quote_atom(&directive.name)),
            (_, value) => format!("{}({value}).", quote_atom(&directive.name)),
        };
        declaration(page, &line);
    }
}
