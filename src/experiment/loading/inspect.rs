//! Summaries of a problem, for `inspect` and for the first line of a run.
//!
//! What a run was learned from, as its folder tells it: the predicates with their facts and modes, and the warnings.

use std::collections::BTreeMap;
use std::path::Path;

use gleaner_base::statistics::compensated_sum;
use gleaner_base::{ExampleId, NegativeWeight, PredicateId};
use gleaner_data::{ColumnPlace, DatabaseSchema, PredicateProfile, Problem, TargetInBody};
use gleaner_lang::program::display::{head_mode_text, mode_atom, mode_text};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::{Code, Diagnostic, Sources};
use gleaner_stats::eval::numbers::{mean, quantile};
use serde::{Deserialize, Serialize};

use crate::experiment::loading::modes_estimate::{CalledModes, ModesEstimate};
use crate::experiment::runs::split::Split;
use crate::experiment::settings::input_names::input_name;

/// A problem in a line or two.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemSummary {
    /// The target, as `name/arity`.
    pub target: String,
    /// Positive examples.
    pub positives: usize,
    /// Negative examples.
    pub negatives: usize,
    /// The classes with their examples, where there are many; the positives are then those of the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassSize>,
    /// The numbers, where the target is one; the positives are then those of the upper half.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumberRange>,
    /// How many negatives of the population each stands for.
    #[serde(skip)]
    pub negative_weight: NegativeWeight,
    /// The layout that it was read from.
    #[serde(skip)]
    pub format: &'static str,
}

impl ProblemSummary {
    /// Sums a problem up.
    pub fn of(problem: &Problem) -> Self {
        let positives = problem.examples().n_positives();
        Self {
            target: problem.target().to_string(),
            positives,
            negatives: problem.examples().len() - positives,
            classes: ClassSize::of_all(problem),
            numbers: NumberRange::of(problem),
            negative_weight: problem.examples().negative_weight(),
            format: problem.format(),
        }
    }
}

/// The numbers of all examples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NumberRange {
    /// How many there are.
    pub n: usize,
    /// How many different ones there are.
    pub distinct: usize,
    /// The least.
    pub least: f64,
    /// A quarter of the numbers are no greater.
    pub lower_quartile: f64,
    /// The median.
    pub median: f64,
    /// Three quarters of the numbers are no greater.
    pub upper_quartile: f64,
    /// The greatest.
    pub greatest: f64,
    /// Their mean.
    pub mean: f64,
    /// Their sample standard deviation, in the unit of the numbers; none of one example.
    pub sd: Option<f64>,
}

impl NumberRange {
    /// The numbers of a problem; none where its target is no number.
    fn of(problem: &Problem) -> Option<Self> {
        Self::of_numbers(problem.examples().ids().filter_map(|id| problem.number(id)).collect())
    }

    /// The summary of some numbers; `None` of none. **Cost**: sorting.
    fn of_numbers(mut numbers: Vec<f64>) -> Option<Self> {
        numbers.sort_by(f64::total_cmp);
        let center = mean(numbers.iter().copied())?;
        let squares = compensated_sum(numbers.iter().map(|number| (number - center) * (number - center)));
        #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^52")]
        let n_others = (numbers.len() - 1) as f64;
        Some(Self {
            n: numbers.len(),
            distinct: numbers.chunk_by(|left, right| left.total_cmp(right).is_eq()).count(),
            least: *numbers.first()?,
            lower_quartile: quantile(&numbers, 0.25)?,
            median: quantile(&numbers, 0.5)?,
            upper_quartile: quantile(&numbers, 0.75)?,
            greatest: *numbers.last()?,
            mean: center,
            sd: (n_others > 0.0).then(|| (squares / n_others).sqrt()),
        })
    }
}

/// How many examples are of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassSize {
    /// The class.
    pub class: String,
    /// The number of its examples.
    pub examples: usize,
}

impl ClassSize {
    /// The sizes of all classes of a problem with many. Examples of no class are left out.
    fn of_all(problem: &Problem) -> Vec<Self> {
        if !problem.labels().is_one_of_several() {
            return Vec::new();
        }
        let examples = problem.examples();
        let labelled = || examples.ids().filter(|&id| examples.is_labelled(id));
        let size = |(class, name): (usize, &str)| Self {
            class: name.to_owned(),
            examples: labelled().filter(|&id| examples.class(id).index() == class).count(),
        };
        problem.labels().class_names().into_iter().enumerate().map(size).collect()
    }
}

/// A description of a problem.
#[derive(Clone, Debug, Serialize)]
pub struct InspectAnswer {
    /// Target and examples.
    #[serde(flatten)]
    pub problem: ProblemSummary,
    /// The layout that it was read from.
    pub format: &'static str,
    /// Distinct constants.
    pub constants: usize,
    /// Sets of facts that examples are proved from.
    pub worlds: usize,
    /// The folds that are tested.
    pub folds: Vec<String>,
    /// The predicates' sizes, ascending by name.
    pub predicates: Vec<PredicateProfile>,
    /// The tables of a database whose relations and modes are proposed.
    #[serde(skip)]
    pub tables: Option<Vec<TableKeys>>,
    /// The mode of the head.
    #[serde(skip)]
    pub head: String,
    /// The modes of body literals, with their instantiation limits.
    #[serde(skip)]
    pub body: Vec<String>,
    /// When they are called.
    #[serde(skip)]
    pub called: CalledModes,
    /// The estimated metrics of the given modes without constants, and of proposed modes with constants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modes_estimate: Option<ModesEstimate>,
    /// The value of `--target-in-body` to try, where links of the target may predict others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_in_body: Option<&'static str>,
    /// The examples of each fold's run.
    #[serde(skip)]
    pub runs: Vec<RunSizes>,
}

/// The examples of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSizes {
    /// The fold that is tested.
    pub name: String,
    /// Positives and negatives of train, tune and test.
    pub sets: [[usize; 2]; 3],
}

impl InspectAnswer {
    /// Looks at a problem and the runs of its cross-validation.
    pub fn of(problem: &Problem, settings: &Settings, splits: &[Split]) -> Self {
        let body = problem.modes().body.iter().map(|mode| mode_text(mode, problem.symbols()));
        Self {
            problem: ProblemSummary::of(problem),
            format: problem.format(),
            constants: problem.symbols().constants.n_given(),
            worlds: problem.worlds().len(),
            folds: splits.iter().map(|split| split.name.clone()).collect(),
            predicates: problem.profile().to_vec(),
            tables: TableKeys::of(problem),
            head: head_mode_text(problem.modes(), problem.symbols()),
            body: body.collect(),
            called: CalledModes::of(problem, settings),
            modes_estimate: None,
            target_in_body: problem.may_know_target().then_some(TargetInBody::Folds.name()),
            runs: splits.iter().map(|split| RunSizes::of(problem, split)).collect(),
        }
    }
}

/// How a table of a database hangs together with the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableKeys {
    /// Its name.
    pub name: String,
    /// The column that names its rows.
    pub key: Option<String>,
    /// The column that is the time of its rows.
    pub time: Option<String>,
    /// Its foreign keys, each with the table that it points to.
    pub links: Vec<[String; 2]>,
}

impl TableKeys {
    /// The tables of a database whose modes are proposed; none for other data.
    fn of(problem: &Problem) -> Option<Vec<Self>> {
        let schema = problem.schema().filter(|_| problem.has_proposed_modes())?;
        let schema = DatabaseSchema::read(schema)?;
        let name = |at: ColumnPlace| schema.column_name(at).to_owned();
        let of_table = |table: usize| {
            let link = |at| Some([name(at), schema.table_name(schema.points_to(at)?).to_owned()]);
            Self {
                name: schema.table_name(table).to_owned(),
                key: schema.key(table).map(name),
                time: schema.own_time(table).map(name),
                links: schema.columns(table).filter_map(link).collect(),
            }
        };
        Some((0..schema.n_tables()).map(of_table).collect())
    }
}

impl RunSizes {
    fn of(problem: &Problem, split: &Split) -> Self {
        let count = |ids: &Vec<ExampleId>| {
            let n_positives = ids.iter().filter(|&&id| problem.examples().is_positive(id)).count();
            [n_positives, ids.len() - n_positives]
        };
        Self { name: split.name.clone(), sets: [&split.train, &split.tune, &split.test].map(count) }
    }
}

/// The modes that were proposed from the data.
#[derive(Clone, Debug, Serialize)]
pub struct ModesAnswer<'p> {
    /// The file of modes.
    pub modes: &'p str,
}

/// The most warnings of one code that are listed; the rest are counted.
const MOST_OF_A_CODE: usize = 20;

/// The predicates and the warnings of a run's data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataProfile {
    /// The predicates with facts or rules, ascending by name.
    pub predicates: Vec<ProfileRow>,
    /// The warnings, in the order in which they were said.
    pub warnings: Vec<WarningRow>,
}

/// A predicate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileRow {
    /// `name/arity`.
    pub predicate: String,
    /// The facts that the files give.
    pub facts: usize,
    /// The distinct facts among them, in each world.
    pub distinct: usize,
    /// The rules that define it.
    pub rules: usize,
    /// The tuples after the rules, over all worlds.
    pub tuples: usize,
    /// The modes of bodies by which clauses use it, as `follows(+person,-person)`, parted by a semicolon; empty where no clause
    /// can use it.
    pub modes: String,
}

/// A warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarningRow {
    /// Its code; empty in files of older releases that gave a warning none.
    pub code: String,
    /// What is odd.
    pub message: String,
    /// The remedy; empty where none is known.
    pub help: String,
    /// The file and its line, or row and column, as `facts.pl:7`; empty where it has no place.
    pub place: String,
}

impl DataProfile {
    /// The profile of a problem that was read from these files of `data`, with what was warned of.
    pub fn of(problem: &Problem, warnings: &[Diagnostic], sources: &Sources, data: &Path) -> Self {
        Self { predicates: ProfileRow::all(problem), warnings: WarningRow::all(warnings, sources, data) }
    }

    /// What was warned of, where there are no predicates.
    pub fn of_warnings(warnings: &[Diagnostic], sources: &Sources, data: &Path) -> Self {
        Self { warnings: WarningRow::all(warnings, sources, data), ..Self::default() }
    }
}

impl ProfileRow {
    fn all(problem: &Problem) -> Vec<Self> {
        let mut modes: BTreeMap<PredicateId, Vec<String>> = BTreeMap::new();
        for (mode, round) in problem.modes().body.iter().zip(problem.modes().first_rounds()) {
            if let Some(predicate) = mode.subject.relation().filter(|_| round.is_some()) {
                modes.entry(*predicate).or_default().push(mode_atom(mode, problem.symbols()));
            }
        }
        let modes: BTreeMap<String, String> = modes
            .into_iter()
            .map(|(predicate, modes)| (problem.symbols().predicate(predicate).to_string(), modes.join("; ")))
            .collect();
        let row = |known: &PredicateProfile| Self {
            predicate: known.predicate.clone(),
            facts: known.n_facts,
            distinct: known.n_distinct,
            rules: known.n_rules,
            tuples: known.n_tuples,
            modes: modes.get(&known.predicate).cloned().unwrap_or_default(),
        };
        problem.profile().iter().map(row).collect()
    }
}

impl WarningRow {
    /// The first warnings of each code, and how many more there are.
    fn all(warnings: &[Diagnostic], sources: &Sources, data: &Path) -> Vec<Self> {
        let mut n_of_code: BTreeMap<Code, usize> = BTreeMap::new();
        let mut rows = Vec::new();
        for warning in warnings {
            let n = n_of_code.entry(warning.code()).or_default();
            *n += 1;
            if *n <= MOST_OF_A_CODE {
                rows.push(Self::of(warning, sources, data));
            }
        }
        let more = n_of_code.into_iter().filter(|&(_, n)| n > MOST_OF_A_CODE);
        rows.extend(more.map(|(code, n)| Self {
            code: code.to_string(),
            message: format!("and {} more", n - MOST_OF_A_CODE),
            help: String::new(),
            place: String::new(),
        }));
        rows
    }

    fn of(warning: &Diagnostic, sources: &Sources, data: &Path) -> Self {
        let place = warning.labels().first().map(|label| {
            let words = sources.in_words(label.place());
            let name = sources.get(label.place().file()).name();
            format!("{}{}", input_name(name, data), words.strip_prefix(name).unwrap_or_default())
        });
        Self {
            code: warning.code().to_string(),
            message: warning.message().to_owned(),
            help: warning.help().join("; "),
            place: place.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NumberRange;

    /// The numbers are 2, 4, 4, 4, 5, 5, 7, 9, and their mean is 5. The squared distances from it are 9, 1, 1, 1, 0, 0, 4, 16.
    /// They sum to 32, so the sample variance is 32 / 7. The quarters end between 4 and 4, 4 and 5, 5 and 7.
    #[test]
    fn numbers_by_hand() {
        let range = NumberRange::of_numbers(vec![9.0, 2.0, 4.0, 5.0, 4.0, 7.0, 4.0, 5.0]).expect("numbers");
        assert_eq!((range.n, range.distinct), (8, 5));
        let quarters =
            [range.least, range.lower_quartile, range.median, range.upper_quartile, range.greatest];
        assert_eq!(quarters.map(|number| number.to_string()), ["2", "4", "4.5", "5", "9"]);
        assert!((range.mean - 5.0).abs() < 1e-15);
        assert!((range.sd.expect("eight numbers") - (32.0_f64 / 7.0).sqrt()).abs() < 1e-15);
        let one = NumberRange::of_numbers(vec![3.0]).expect("a number");
        assert_eq!((one.sd, one.median), (None, 3.0));
        assert_eq!(NumberRange::of_numbers(Vec::new()), None);
    }
}
