//! Messages about layouts: unclear or missing files, and the bias of Popper.
//!
//! Messages about modes and determinations.

use std::path::{Path, PathBuf};

use gleaner_lang::program::{ComparisonOperator, PredicateName};
use gleaner_lang::syntax::{Diagnostic, Place, codes};

use super::{counted, meant_or};

/// `known` describes the files of each known layout, one a line. `below` are the folders in `path` that are in a
/// layout.
pub(crate) fn unknown_layout(
    path: &Path,
    format: Option<&str>,
    below: &[PathBuf],
    known: &[String],
) -> Diagnostic {
    let what = match format {
        Some(format) => format!("{} is not in the layout {format}", path.display()),
        None => format!("{} is in no known layout", path.display()),
    };
    let diagnostic = Diagnostic::error(codes::UNKNOWN_LAYOUT, what);
    if let Some(shown) = either_of(below) {
        return diagnostic.with_help(format!("did you mean {shown}?"));
    }
    known
        .iter()
        .fold(diagnostic, |diagnostic, line| diagnostic.with_help(line.as_str()))
        .with_help("⁅format=NAME⁆ reads the data as one of these")
}

/// The data are a database in the form of DuckDB itself.
pub(crate) fn native_duckdb(file: &Path) -> Diagnostic {
    let what = format!("{} is a database that only DuckDB reads", file.display());
    Diagnostic::error(codes::UNKNOWN_LAYOUT, what).with_help(
        "in DuckDB, `EXPORT DATABASE 'DIR' (FORMAT parquet)` writes its tables into a folder that is read",
    )
}

pub(crate) fn several_problems(path: &Path, stems: &[PathBuf]) -> Diagnostic {
    let names: Vec<String> = stems.iter().map(|stem| stem.display().to_string()).collect();
    Diagnostic::error(codes::UNKNOWN_LAYOUT, format!("{} holds several problems", path.display()))
        .with_help(format!("name one: {}", names.join(" or ")))
}

pub(crate) fn missing_file(path: &Path, role: &str) -> Diagnostic {
    Diagnostic::error(codes::MISSING_FILE, format!("{} is missing", path.display()))
        .with_help(format!("the layout needs it for {role}"))
}

/// Files say by their names what they are. `taken` says of each what it is read as, `usual` what such files are called, and
/// `others` are not read.
pub(crate) fn files_by_name(taken: &[String], usual: &[&str], others: &[String]) -> Diagnostic {
    let what = format!("files are read by their names: {}", taken.join(", "));
    let fault = Diagnostic::warning(codes::FILES_BY_NAME, what)
        .with_help(format!("if that is right, the names {} need no message", usual.join(", ")));
    if others.is_empty() { fault } else { fault.with_help(format!("not read: {}", others.join(", "))) }
}

/// The first paths, as `a or b`; none if there are none.
fn either_of(paths: &[PathBuf]) -> Option<String> {
    const SHOWN: usize = 3;
    let shown: Vec<String> = paths.iter().take(SHOWN).map(|path| path.display().to_string()).collect();
    (!shown.is_empty()).then(|| shown.join(" or "))
}

/// A file exists both plain and compressed: the plain one is read.
pub(crate) fn read_uncompressed(path: &Path, compressed: &Path) -> Diagnostic {
    let what = format!("gleaner reads {} and ignores {}", path.display(), compressed.display());
    Diagnostic::warning(codes::COMPRESSED_TWIN, what).with_help("remove the one that is out of date")
}

/// One table is read alone from a folder with others.
pub(crate) fn one_table(path: &Path, folder: &Path, n_others: usize) -> Diagnostic {
    let others = counted(n_others, "other table");
    let what = format!("{} is read alone, without {others} beside it", path.display());
    Diagnostic::warning(codes::UNREAD_DATA, what)
        .with_help(format!("give the folder, {}, to read all tables", folder.display()))
}

/// The label's table is neither a table of the database nor one of its tasks.
pub(crate) fn no_task(table: &str, tasks: &[PathBuf]) -> Diagnostic {
    Diagnostic::error(codes::NO_LABEL_COLUMN, format!("there is no table or task {table}"))
        .with_help(format!("the tasks are {}", names_of(tasks)))
}

/// A database has several tasks, or none, and the user names none.
pub(crate) fn several_tasks(folder: &Path, tasks: &[PathBuf]) -> Diagnostic {
    let what = format!("{} has {}, and one is needed", folder.display(), counted(tasks.len(), "task"));
    let fault = Diagnostic::error(codes::NO_LABEL_COLUMN, what)
        .with_help("⁅label=TASK.COLUMN⁆ names the column to predict; ⁅label=TABLE.COLUMN⁆ needs no task");
    if tasks.is_empty() { fault } else { fault.with_help(format!("the tasks are {}", names_of(tasks))) }
}

fn names_of(folders: &[PathBuf]) -> String {
    let name = |folder: &PathBuf| folder.file_name().map(|name| name.to_string_lossy().into_owned());
    folders.iter().filter_map(name).collect::<Vec<_>>().join(", ")
}

/// A folder of tables is taken as tables of facts, and may be a database.
pub(crate) fn tables_as_facts(path: &Path, format: &str) -> Diagnostic {
    let what =
        format!("{} is read as tables of facts (layout {format}), and may be a database", path.display());
    Diagnostic::warning(codes::TABLES_AS_FACTS, what)
        .with_help("⁅label=TABLE.COLUMN⁆ reads a database: keys join its tables, and the column is predicted")
        .with_help(format!("⁅format={format}⁆ says that each row is a fact, and ends this message"))
}

/// A folder of tables with several attributes is read as a database.
pub(crate) fn facts_as_tables(path: &Path) -> Diagnostic {
    let what = format!(
        "{} is read as a database (layout tables): each column of its tables is a relation",
        path.display()
    );
    Diagnostic::warning(codes::TABLES_AS_FACTS, what)
        .with_help("⁅format=tables⁆ says so, and ends this message")
        .with_help("⁅format=csv⁆ reads each row as a fact")
}

/// The advice about files that are not whole.
#[cfg(any(feature = "parquet", feature = "sqlite"))]
const REWRITE: &str = "check that the file was copied to its end, or write it once more";

/// A file cannot be read as what its name or first bytes say.
#[cfg(any(feature = "parquet", feature = "sqlite"))]
pub(crate) fn broken_file(path: &Path, what: &str, why: &str) -> Diagnostic {
    Diagnostic::error(codes::BROKEN_FILE, format!("{} is no whole {what} file: {why}", path.display()))
        .with_help(REWRITE)
}

/// A file is Parquet, but of a kind that is not read.
#[cfg(feature = "parquet")]
pub(crate) fn unread_parquet(path: &Path, what: &str) -> Diagnostic {
    let what = format!("{} is Parquet of a kind that is not read: {what}", path.display());
    Diagnostic::error(codes::BROKEN_FILE, what)
        .with_help("write it once more by snappy, zstd, gzip or lz4 (pandas: compression=\"zstd\")")
}

/// The rows of a file cannot be read from some place on.
#[cfg(any(feature = "parquet", feature = "sqlite"))]
pub(crate) fn broken_rows(place: Place, what: &str, why: &str) -> Diagnostic {
    Diagnostic::error(codes::BROKEN_FILE, format!("this is no whole {what} file: {why}"))
        .at(place, "from this row on")
        .with_help(REWRITE)
}

/// A column has a type that no cell can hold.
#[cfg(any(feature = "parquet", feature = "sqlite"))]
pub(crate) fn unread_column(place: Place, table: &str, column: &str, what: &str) -> Diagnostic {
    let what = format!("the column {column} of the table {table} holds {what}: it is left out");
    Diagnostic::warning(codes::MALFORMED_TABLE, what)
        .at(place, "this table")
        .with_help("make a table of its own of them, with a row for each, or columns of the parts")
}

/// A database is locked.
#[cfg(feature = "sqlite")]
pub(crate) fn locked(path: &Path) -> Diagnostic {
    let what = format!("cannot read {}: another program is writing it", path.display());
    Diagnostic::error(codes::UNREADABLE_FILE, what).with_help("end that program, or read a copy of the file")
}

/// A key that a source declares means nothing here.
pub(crate) fn unused_key(place: Place, what: &str) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_KEY, what.to_owned())
        .at(place, "declared here")
        .with_help("a key is one column; the values decide what the columns mean, and schema.toml can say it")
}

/// A file of an export that is not read.
pub(crate) fn odd_export(path: &Path, what: &str) -> Diagnostic {
    Diagnostic::error(codes::MALFORMED_TABLE, format!("{} is {what}", path.display()))
        .with_help("export once more: EXPORT DATABASE 'folder' (FORMAT parquet)")
}

/// A manifest says nothing.
pub(crate) fn bad_manifest(place: Place, what: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_SCHEMA, what.to_owned()).at(place, "here").with_help(
        "a manifest has `tables:`, below it each table, and there `pkey:`, `time_col:` and `fkeys:`; without it the values \
         decide",
    )
}

/// A build without a feature cannot read a file.
#[cfg(not(all(feature = "parquet", feature = "sqlite")))]
pub(crate) fn without_feature(path: &Path, feature: &str) -> Diagnostic {
    let what = format!("cannot read {}: this gleaner is built without {feature}", path.display());
    Diagnostic::error(codes::UNREADABLE_FILE, what)
        .with_help(format!("build gleaner with the feature {feature}, or export the tables as CSV"))
}

/// The most modes that a message lists.
const MOST_LISTED: usize = 5;

/// Modes of predicates without directions are left out, each with the mean answers of its calls.
pub(crate) fn chosen_directions(
    place: Place,
    n_predicates: usize,
    left_out: Vec<(String, f64)>,
) -> Diagnostic {
    let n_more = left_out.len().saturating_sub(MOST_LISTED);
    let n_left_out = left_out.len();
    let mut listed: Vec<String> = left_out
        .into_iter()
        .take(MOST_LISTED)
        .map(|(direction, n_answers)| format!("{direction} has {n_answers:.0} answers on average"))
        .collect();
    if n_more > 0 {
        listed.push(format!("and {n_more} more"));
    }
    let what = format!(
        "the bias gives no directions for {}: gleaner leaves out {}, whose calls have many answers",
        counted(n_predicates, "predicate"),
        counted(n_left_out, "mode")
    );
    Diagnostic::warning(codes::CHOSEN_DIRECTIONS, what)
        .at(place, "the first without directions")
        .with_help(listed.join("; "))
        .with_help("to choose others, declare `direction(name,(in,out)).` or `any_direction(name,arity).` in the bias, or give modes by ⁅modes⁆")
}

/// The bias asks for clauses that call the target.
pub(crate) fn no_recursion(place: Place) -> Diagnostic {
    Diagnostic::warning(
        codes::UNUSED_SETTING,
        "enable_recursion has no effect: learnt clauses do not call the target",
    )
    .at(place, "asked for here")
    .with_help(
        "background rules may be recursive: define a recursive predicate there, and give it a body_pred",
    )
}

pub(crate) fn no_head_mode(target: &PredicateName) -> Diagnostic {
    let arguments = vec!["+type"; target.arity].join(", ");
    Diagnostic::error(codes::NO_MODES, format!("no mode declares the head {target}"))
        .with_help(format!("add `:- modeh(1, {}({arguments})).` to the modes", target.name))
}

pub(crate) fn no_body_modes(target: &PredicateName) -> Diagnostic {
    Diagnostic::error(codes::NO_MODES, format!("no mode declares a body literal for {target}"))
        .with_help("add `:- modeb(*, p(+type, -type)).` for each predicate p that bodies may use")
}

pub(crate) fn empty_predicate(
    place: Place,
    predicate: &PredicateName,
    nearest: Option<String>,
) -> Diagnostic {
    Diagnostic::error(codes::EMPTY_PREDICATE, format!("{predicate} is in a mode but has no facts or rules"))
        .at(place, "no clause with this mode can cover an example")
        .with_help(meant_or(nearest, "add facts or rules for it, or remove the mode"))
}

pub(crate) fn determination_without_mode(place: Place, predicate: &PredicateName) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_DECLARATION, format!("{predicate} has a determination but no mode"))
        .at(place, "has no effect")
        .with_help(format!("add `:- modeb(*, {}(...)).`", predicate.name))
}

/// A determination of a predicate without facts and rules.
pub(crate) fn empty_determination(
    place: Place,
    predicate: &PredicateName,
    nearest: Option<String>,
) -> Diagnostic {
    Diagnostic::warning(
        codes::EMPTY_PREDICATE,
        format!("{predicate} is in a determination but has no facts or rules"),
    )
    .at(place, "has no effect")
    .with_help(meant_or(nearest, "add facts or rules and a mode for it, or remove the determination"))
}

pub(crate) fn mode_without_determination(
    place: Place,
    predicate: &str,
    target: &PredicateName,
) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_DECLARATION, format!("{predicate} has a mode but no determination"))
        .at(place, "not used, because other predicates have determinations")
        .with_help(format!("add `:- determination({target}, {predicate}).`"))
}

pub(crate) fn unreachable_mode(place: Place, type_name: &str, nearest: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::warning(codes::UNREACHABLE_MODE, format!("nothing gives a value of type {type_name}"))
            .at(place, "this mode can never be called");
    let given =
        format!("give the head an argument of type {type_name}, or a usable mode an output -{type_name}");
    diagnostic.with_help(match nearest {
        Some(nearest) => format!("{given}; did you mean {nearest}?"),
        None => given,
    })
}

pub(crate) fn read_as_comparison(
    place: Place,
    name: &PredicateName,
    operator: ComparisonOperator,
) -> Diagnostic {
    let symbol = operator.symbol();
    let help = match operator {
        ComparisonOperator::Unify | ComparisonOperator::NotUnify => {
            format!("its modes and literals are read as those of `{symbol}`")
        }
        _ => format!("its mode means `+type {symbol} #type`; the thresholds come from the data"),
    };
    Diagnostic::warning(codes::READ_AS_COMPARISON, format!("{name} is read as the comparison {symbol}"))
        .at(place, "it only compares")
        .with_help(help)
}
