//! The commands and their flags. Settings of learning come from the settings table.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, value_parser};

use crate::experiment::catalog;
use crate::experiment::presets::PRESETS;
use crate::experiment::split::SplitSettings;
use crate::learn::registry::learner_names;
use crate::problem::{Format, Negatives};
use crate::program::settings::{Declaration, SettingGroup};

/// The whole command line.
pub(super) fn command() -> Command {
    Command::new("gleaner")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Relational learning on skewed data: readable clauses, honest precision-recall curves")
        .after_help(
            "Exit codes: 0 done, 1 a fault in the data, 2 wrong usage, 3 nothing was learnt, 70 a bug.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .max_term_width(100)
        .subcommand(inspect())
        .subcommand(learn())
        .subcommand(predict())
        .subcommand(explain())
        .subcommand(evaluate())
        .subcommand(cv())
        .subcommand(compare())
        .subcommand(cover())
        .subcommand(why())
        .subcommand(convert())
        .subcommand(generate())
        .subcommand(explain_code())
}

fn inspect() -> Command {
    let command = Command::new("inspect").about("Load and profile a problem, and name every fault found");
    output_flags(split_flags(data_flags(command.arg(data()))).args(settings_args()))
}

fn learn() -> Command {
    let command = Command::new("learn")
        .about("Learn one model")
        .after_help(learners_help())
        .arg(data())
        .arg(path("output", "MODEL", "Write the model to this file").short('o').required(true))
        .arg(fold("Learn as run FOLD of cv does, and test on that fold"))
        .arg(path("run", "DIR", "Write the run folder: run.json, model, predictions, curves"));
    output_flags(conduct_flags(split_flags(data_flags(command)).args(settings_args())))
}

/// What each learner does.
fn learners_help() -> String {
    let lines: Vec<String> =
        learner_names().map(|known| format!("  {:<20}{}", known.name, known.help)).collect();
    format!("Learners:\n{}", lines.join("\n"))
}

fn predict() -> Command {
    let command = Command::new("predict")
        .about("Score examples with a model: CSV on standard output")
        .arg(Arg::new("model").value_name("MODEL").required(true).help("A model file of `learn`"))
        .arg(data())
        .arg(fold("Score only the test examples of this fold, as the model's cv had them"))
        .arg(path("output", "FILE", "Write the CSV to this file instead").short('o'));
    output_flags(resources(data_flags(command)))
}

fn explain() -> Command {
    let command = Command::new("explain")
        .about("Why an example has its score under a model: what speaks for it, each with its share")
        .arg(Arg::new("model").value_name("MODEL").required(true).help("A model file of `learn`"))
        .arg(data())
        .arg(
            Arg::new("example")
                .value_name("EXAMPLE")
                .required(true)
                .help("An atom of the target, as 'target(ann,bob)'"),
        )
        .arg(
            Arg::new("all")
                .long("all")
                .action(ArgAction::SetTrue)
                .help("Show all rounds or clauses that speak for it, not the first 20"),
        )
        .arg(fold("Look for it only among the test examples of this fold, as the model's cv had them"));
    output_flags(resources(data_flags(command)))
}

fn evaluate() -> Command {
    let command = Command::new("evaluate")
        .about("Curves and areas of a table of scores, or of a model on data")
        .arg(
            Arg::new("scores")
                .value_name("SCORES|MODEL")
                .required(true)
                .help("A CSV with a column of labels and one of scores, or a model file"),
        )
        .arg(Arg::new("data").value_name("DATA").help("The data, if a model file is given"))
        .arg(
            Arg::new("label-column")
                .long("label-column")
                .value_name("NAME")
                .default_value("label")
                .help("The column of labels: 1/0, true/false, pos/neg, +/-"),
        )
        .arg(
            Arg::new("score-column")
                .long("score-column")
                .value_name("NAME")
                .default_value("score")
                .help("The column of scores; higher is more likely positive"),
        )
        .arg(path("curve", "FILE", "Write the points of the precision-recall curve as CSV"))
        .arg(fold("Only the test examples of this fold, for a model"));
    output_flags(resources(data_flags(command)))
}

fn cv() -> Command {
    let command = Command::new("cv")
        .about("Cross-validation over given or made folds: the main job")
        .after_help(learners_help())
        .arg(data())
        .arg(path("run", "DIR", "Write the run folder: run.json, models, predictions, curves"))
        .arg(
            Arg::new("vary")
                .long("vary")
                .value_name("SETTING=VALUES")
                .action(ArgAction::Append)
                .help("Compare these values of a setting on the same folds, as score=f1,laplace"),
        )
        .arg(
            Arg::new("variant")
                .long("variant")
                .value_name("SETTINGS")
                .action(ArgAction::Append)
                .help("Compare these settings with other --variant, as learner=aleph,min-precision=0.1"),
        )
        .arg(
            Arg::new("repeats")
                .long("repeats")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..=10_000))
                .default_value("1")
                .help("Repeat every fold so often, with other random streams"),
        );
    let settings = settings_args().into_iter().map(|setting| match setting.get_id().as_str() {
        "learner" => setting.action(ArgAction::Append),
        _ => setting,
    });
    output_flags(conduct_flags(split_flags(data_flags(command)).args(settings)))
}

fn compare() -> Command {
    let command = Command::new("compare")
        .about("Two or more runs over the same folds: means, and paired tests of each pair")
        .arg(
            Arg::new("runs")
                .value_name("RUN")
                .required(true)
                .num_args(2..)
                .value_parser(value_parser!(std::path::PathBuf))
                .help("Run folders that `cv --run` wrote, or the run.json in them"),
        )
        .arg(Arg::new("metric").long("metric").value_name("NAME").action(ArgAction::Append).help(
            "A metric of the run record; may be given several times [default: means of six, pairs of auc_pr]",
        ))
        .arg(path("output", "FILE", "Write each metric's pairs to this file as CSV").short('o'));
    output_flags(command)
}

fn cover() -> Command {
    let command = Command::new("cover")
        .about("What each clause of a file covers: CSV on standard output, a row for each clause")
        .arg(data())
        .arg(
            Arg::new("clause-file")
                .value_name("CLAUSES")
                .required(true)
                .value_parser(value_parser!(std::path::PathBuf))
                .help("A file of clauses of the target, or - for standard input"),
        )
        .arg(path("output", "FILE", "Write the CSV to this file instead").short('o'))
        .arg(
            Arg::new("examples")
                .long("examples")
                .value_name("WHICH")
                .value_parser(["all", "positives", "negatives"])
                .help("List the covered examples too, in a column of their own"),
        )
        .arg(fold("Count only the examples that run FOLD of cv is tested on"))
        .arg(
            Arg::new("set")
                .long("set")
                .value_name("SET")
                .value_parser(["train", "tune", "test"])
                .requires("fold")
                .help("Count the run's examples of this set [default: test]"),
        );
    let made_folds =
        given_together().into_iter().chain(SplitSettings::declarations().into_iter().map(setting_arg));
    let stop = "Stop after this time, as 90s, 10m or 2h; the rows written so far stay";
    output_flags(time(
        resources(split_flags(data_flags(command)).args(made_folds).next_help_heading("Conduct")),
        stop,
    ))
}

fn why() -> Command {
    let command = Command::new("why")
        .about("Why a clause was not learnt: the modes that admit it, its counts, what each literal costs")
        .arg(data())
        .arg(
            Arg::new("clause")
                .value_name("CLAUSE")
                .required(true)
                .help("A clause of the target, as 'target(A,B) :- p(A,C), q(C,B).'"),
        )
        .arg(fold("Count on train, tune and test of run FOLD of cv"))
        .arg(
            Arg::new("examples")
                .long("examples")
                .value_name("N")
                .value_parser(value_parser!(u32))
                .default_value("5")
                .help("Positives that are named for each literal that loses them"),
        );
    output_flags(split_flags(data_flags(command)).args(settings_args()))
}

fn convert() -> Command {
    let command = Command::new("convert")
        .about("Write the facts, rules, modes and examples of a problem in another layout")
        .arg(data())
        .arg(path("output", "DIR", "The folder to write: a new or an empty one").short('o').required(true))
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("FORMAT")
                .required(true)
                .value_parser(PossibleValuesParser::new(Format::written().map(Format::name)))
                .help("The layout to write"),
        );
    output_flags(data_flags(command))
}

fn format_names() -> Vec<&'static str> {
    Format::ALL.iter().map(|format| format.name()).collect()
}

fn generate() -> Command {
    let number = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("N").value_parser(value_parser!(u64)).help(help)
    };
    let share = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("X").value_parser(value_parser!(f64)).help(help)
    };
    let command = Command::new("generate")
        .about("Seeded synthetic problems with planted rules, skew and noise")
        .arg(
            Arg::new("domain")
                .value_name("DOMAIN")
                .required(true)
                .value_parser(["university", "sentences"])
                .help("What to generate: who advises whom, or relations in sentences"),
        )
        .arg(path("output", "DIR", "The folder to write").short('o').required(true))
        .arg(number("people", "university: people in all [default: 280]"))
        .arg(number("areas", "university: areas, each a fold [default: 5]"))
        .arg(number("sentences", "sentences: how many [default: 7245]"))
        .arg(number("positives", "sentences: positive examples [default: 1773 at 7245 sentences]"))
        .arg(number("predicates", "sentences: predicates of the background [default: 100]"))
        .arg(number("rules", "sentences: planted rules [default: 5]"))
        .arg(share("noise", "Share of labels that the planted rules do not explain [default: 0.1]"))
        .arg(share("scale", "sentences: multiplies all sizes [default: 1]"))
        .arg(seed());
    output_flags(command)
}

fn explain_code() -> Command {
    let command = Command::new("explain-code")
        .about("The manual page of a message's code; without one, all codes")
        .arg(Arg::new("code").value_name("CODE").help("A code as messages show it, as G012"));
    output_flags(command)
}

fn data() -> Arg {
    Arg::new("data").value_name("DATA").required(true).help("A file or folder in a known layout")
}

fn path(name: &'static str, value_name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value_name)
        .value_parser(value_parser!(std::path::PathBuf))
        .help(help)
}

fn fold(help: &'static str) -> Arg {
    Arg::new("fold")
        .long("fold")
        .value_name("FOLD")
        .value_parser(value_parser!(u32).range(1..))
        .help(format!("{help}; a number from 1"))
}

fn seed() -> Arg {
    Arg::new("seed")
        .long("seed")
        .value_name("SEED")
        .value_parser(value_parser!(u64))
        .default_value("1")
        .help("The seed that everything random flows from")
}

fn resources(command: Command) -> Command {
    command.args([
        Arg::new("threads")
            .long("threads")
            .value_name("N")
            .value_parser(value_parser!(u16).range(1..=1024))
            .help("Threads to work on; results do not depend on it [default: all cores]"),
        Arg::new("memory")
            .long("memory")
            .value_name("SIZE")
            .value_parser(super::memory::parse_size)
            .help("Hold no more memory than this, as 500M or 8G; end with a message where more is needed"),
    ])
}

fn data_flags(command: Command) -> Command {
    command.next_help_heading("Data").args([
        Arg::new("format")
            .long("format")
            .value_name("FORMAT")
            .value_parser(PossibleValuesParser::new(format_names()))
            .help("The layout, where its content does not tell"),
        Arg::new("target").long("target").value_name("NAME/ARITY").help("The target predicate"),
        path("modes", "FILE", "Modes to use instead of the layout's own"),
        path("background", "FILE", "Further facts and rules; may be given several times")
            .action(ArgAction::Append),
        Arg::new("negatives")
            .long("negatives")
            .value_name("all|N|ratio:K")
            .value_parser(|text: &str| text.parse::<Negatives>())
            .help(
                "Negatives to use: all, N, or K for each positive, of those listed or else of all typed \
                 tuples that are not positive; a sample is weighted",
            ),
        Arg::new("max-derived-facts")
            .long("max-derived-facts")
            .value_name("N")
            .value_parser(value_parser!(usize))
            .help("Facts that rules may derive [default: 50 for each given, 250000 to 20000000]"),
        Arg::new("propose-modes")
            .long("propose-modes")
            .action(ArgAction::SetTrue)
            .help("Use modes proposed from the data instead of those given; `inspect` prints them"),
        Arg::new("where")
            .long("where")
            .value_name("CONJUNCTION")
            .help("Keep the examples for which it holds, as 'student(A), professor(B)'"),
    ])
}

fn split_flags(command: Command) -> Command {
    command.args([
        Arg::new("group")
            .long("group")
            .value_name("ARGUMENT")
            .value_parser(value_parser!(u32).range(1..))
            .help("The target's argument whose values stay within one made fold, from 1"),
        seed(),
    ])
}

fn conduct_flags(command: Command) -> Command {
    let stop = "Stop searching after this time, as 90s, 10m or 2h, with the best so far";
    time(resources(command.next_help_heading("Conduct")), stop)
}

fn time(command: Command, help: &'static str) -> Command {
    command.arg(
        Arg::new("time").long("time").value_name("TIME").value_parser(super::conduct::parse_time).help(help),
    )
}

fn output_flags(command: Command) -> Command {
    command.next_help_heading("Output").args([
        Arg::new("json")
            .long("json")
            .action(ArgAction::SetTrue)
            .help("Events as lines of JSON on standard output"),
        Arg::new("quiet")
            .long("quiet")
            .short('q')
            .action(ArgAction::SetTrue)
            .help("No progress and no remarks"),
    ])
}

fn settings_args() -> Vec<Arg> {
    given_together().into_iter().chain(catalog().iter().map(setting_arg)).collect()
}

/// Ways to give several settings at once.
fn given_together() -> [Arg; 2] {
    let presets: Vec<String> =
        PRESETS.iter().map(|preset| format!("{} ({})", preset.name, preset.help)).collect();
    let config = path(
        "config",
        "FILE",
        "Read settings from this TOML file, as `rounds = 50`; flags of the command line come before it, it before \
         `:- set` of the data",
    );
    let preset = Arg::new("preset")
        .long("preset")
        .value_name("NAME")
        .value_parser(PossibleValuesParser::new(PRESETS.map(|preset| preset.name)))
        .hide_possible_values(true)
        .help(format!(
            "Make settings that go together, where nothing else makes them: {}",
            presets.join(", ")
        ));
    [config, preset].map(|arg| arg.help_heading("Learning"))
}

fn setting_arg(setting: &'static dyn Declaration) -> Arg {
    let about = setting.about();
    let words = if setting.is_listed() { format!(": {}", setting.accepted()) } else { String::new() };
    Arg::new(about.name)
        .long(about.name)
        .value_name(setting.value_name())
        .allow_hyphen_values(true)
        .help_heading("Learning")
        .help(format!("{}{words} [default: {}]", about.help, about.default))
}
