//! The directives about time, as written.

use crate::mode_terms::name_and_arity;
use gleaner_base::{FixedMap, PredicateId};
use gleaner_lang::program::PredicateName;
use gleaner_lang::program::lower::atom_parts;
use gleaner_lang::syntax::ast::Term;
use gleaner_lang::syntax::{Place, TermKind, quote_atom};

/// What a `timed` directive says of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TimedArgument {
    /// `_`: nothing of the argument matters for the time.
    Any,
    /// `time`: the argument is the time of the fact.
    Time,
    /// `key(race)`: the fact gives its time to the row of this type.
    Key(String),
    /// `race`: the argument names a thing of this type.
    Of(String),
}

/// `timed(race_date(key(race), time), race_age)`: the facts of a predicate have a time.
#[derive(Clone, Debug)]
pub(crate) struct TimedFacts {
    pub(crate) predicate: PredicateName,
    /// One for each argument of the predicate.
    pub(crate) arguments: Vec<TimedArgument>,
    /// The name of the relation of ages, if the directive gives one.
    pub(crate) age_name: Option<String>,
    /// Whether there is a relation of ages.
    pub(crate) has_ages: bool,
    pub(crate) place: Place,
}

impl TimedFacts {
    /// The position of the argument that is the time.
    pub(crate) fn time_argument(&self) -> Option<usize> {
        self.arguments.iter().position(|argument| *argument == TimedArgument::Time)
    }

    /// The relation of ages, if there is one: the same arguments, with the age in the place of the time.
    pub(crate) fn age_predicate(&self) -> Option<PredicateName> {
        self.time_argument().filter(|_| self.has_ages)?;
        let name = self.age_name.clone().unwrap_or_else(|| format!("{}_age", self.predicate.name));
        Some(PredicateName::new(name, self.predicate.arity))
    }

    /// The type of rows that get the time of these facts.
    pub(crate) fn key_type(&self) -> Option<&str> {
        self.arguments.iter().find_map(|argument| match argument {
            TimedArgument::Key(name) => Some(name.as_str()),
            TimedArgument::Any | TimedArgument::Time | TimedArgument::Of(_) => None,
        })
    }
}

/// `cutoff(late(_, time))`: an argument of the target is the cut-off of the example.
#[derive(Clone, Debug)]
pub(crate) struct CutOff {
    pub(crate) target: PredicateName,
    pub(crate) argument: usize,
    /// Whether facts at the very cut-off exist.
    pub(crate) is_inclusive: bool,
    pub(crate) place: Place,
}

/// `frozen(test, '2010-01-01')`: facts from this time on do not exist for the examples of a fold.
#[derive(Clone, Debug)]
pub(crate) struct Freeze {
    pub(crate) fold: String,
    /// The time as a constant is written.
    pub(crate) time: String,
    pub(crate) place: Place,
}

/// `latest(ordered/2, ordered_place)`: each cut-off has the places of rows among those that hang on the same thing.
#[derive(Clone, Debug)]
pub(crate) struct LatestFirst {
    /// The facts between rows and what they hang on. They have a time.
    pub(crate) facts: PredicateName,
    /// The relation between rows and their places; the latest has place 1.
    pub(crate) places: PredicateName,
    /// The times by which rows are the latest, where these are not those of the facts.
    pub(crate) times: Option<PredicateName>,
    pub(crate) place: Place,
}

/// `undated(price/2)`: timed facts for which no time can be found exist for every example.
#[derive(Clone, Debug)]
pub(crate) struct Undated {
    pub(crate) facts: PredicateName,
    /// Whether facts of the very moment of the cut-off exist, too.
    pub(crate) is_inclusive: bool,
    pub(crate) place: Place,
}

/// All directives about time.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimeDeclarations {
    pub(crate) timed: Vec<TimedFacts>,
    pub(crate) cut_offs: Vec<CutOff>,
    pub(crate) frozen: Vec<Freeze>,
    pub(crate) latest: Vec<LatestFirst>,
    /// The facts, places and times of each of the latter; known once the directives are settled.
    pub(crate) places: Vec<(PredicateId, PredicateId, Option<PredicateId>)>,
    pub(crate) undated: Vec<Undated>,
    /// The predicates of the latter, and whether their facts at the cut-off exist; known once the directives are settled.
    pub(crate) named: FixedMap<PredicateId, bool>,
    /// `untimed(p/2)`: the predicates whose facts have no time, whatever rows they name. In a database these say something of
    /// examples, and are limited by their cut-offs already.
    pub(crate) untimed: Vec<(PredicateName, Place)>,
    /// `untimed(_)`: only facts of predicates that are declared have a time.
    pub(crate) are_others_untimed: bool,
    /// The rows that clauses come to from examples, if they come to no others.
    pub(crate) reached: Option<ReachedRows>,
}

/// The names of the directives.
pub(crate) const NAMES: [&str; 6] = ["timed", "cutoff", "frozen", "untimed", "undated", "latest"];

impl TimeDeclarations {
    /// Takes a directive of one of the [`NAMES`].
    ///
    /// # Errors
    ///
    /// What is wrong with it, and what is accepted.
    pub(crate) fn take(&mut self, name: &str, arguments: &[Term<'_>], place: Place) -> Result<(), Refusal> {
        match name {
            "timed" => self.timed.push(read_timed(arguments, place)?),
            "cutoff" => self.cut_offs.push(read_cut_off(arguments, place)?),
            "untimed" => match arguments {
                [Term { kind: TermKind::Variable(_), .. }] => self.are_others_untimed = true,
                [one] => self.untimed.push((read_indicator(one, UNTIMED)?, place)),
                _ => return Err(refusal("untimed has one argument", UNTIMED)),
            },
            "undated" => self.undated.push(read_undated(arguments, place)?),
            "latest" => self.latest.push(read_latest(arguments, place)?),
            _ => self.frozen.push(read_freeze(arguments, place)?),
        }
        Ok(())
    }

    /// The relations that cut-offs fill: ages, and places from the latest.
    pub(crate) fn made_relations(&self) -> impl Iterator<Item = PredicateName> + '_ {
        let ages = self.timed.iter().filter_map(TimedFacts::age_predicate);
        ages.chain(self.latest.iter().map(|latest| latest.places.clone()))
    }

    /// The directives as goals that read back as the same.
    pub(crate) fn goals(&self) -> Vec<String> {
        let timed = self.timed.iter().map(|timed| {
            let arguments = timed.arguments.iter().map(|argument| match argument {
                TimedArgument::Any => "_".to_owned(),
                TimedArgument::Time => TIME.to_owned(),
                TimedArgument::Key(name) => format!("key({})", quote_atom(name)),
                TimedArgument::Of(name) => quote_atom(name).into_owned(),
            });
            let facts = application(&timed.predicate, arguments);
            match &timed.age_name {
                Some(age) => format!("timed({facts}, {})", quote_atom(age)),
                None => format!("timed({facts})"),
            }
        });
        let cut_offs = self.cut_offs.iter().map(|cut_off| {
            let is_time = |argument| if argument == cut_off.argument { TIME } else { "_" };
            let arguments = (0..cut_off.target.arity).map(|argument| is_time(argument).to_owned());
            let target = application(&cut_off.target, arguments);
            if cut_off.is_inclusive {
                format!("cutoff({target}, up_to)")
            } else {
                format!("cutoff({target})")
            }
        });
        let frozen = self.frozen.iter();
        let frozen = frozen.map(|it| format!("frozen({}, {})", quote_atom(&it.fold), it.time));
        let all = self.are_others_untimed.then(|| "untimed(_)".to_owned());
        let untimed = self.untimed.iter().filter(|_| all.is_none());
        let untimed = untimed.map(|(name, _)| format!("untimed({})", name.indicator()));
        let undated = self.undated.iter().map(|it| {
            let rule = if it.is_inclusive { ", up_to" } else { "" };
            format!("undated({}{rule})", it.facts.indicator())
        });
        let latest = self.latest.iter();
        let latest = latest.map(|it| {
            let times = it.times.iter().map(|times| format!(", {}", times.indicator())).collect::<String>();
            format!("latest({}, {}{times})", it.facts.indicator(), quote_atom(&it.places.name))
        });
        let others = all.iter().cloned().chain(untimed).chain(undated).chain(latest);
        timed.chain(cut_offs).chain(frozen).chain(others).collect()
    }
}

fn application(predicate: &PredicateName, arguments: impl Iterator<Item = String>) -> String {
    let arguments: Vec<String> = arguments.collect();
    format!("{}({})", quote_atom(&predicate.name), arguments.join(", "))
}

/// The word for the argument that is a time.
const TIME: &str = "time";

/// Why a directive was refused: what is wrong, and what is accepted.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) what: String,
    pub(crate) accepted: &'static str,
}

const TIMED: &str = "write `timed(visit(_, time))`, `timed(race_date(key(race), time))` or `timed(result_race(key(result), race))`";
const CUT_OFF: &str = "write `cutoff(target(_, time))`, or `cutoff(target(_, time), up_to)`";
const UNTIMED: &str =
    "write `untimed(customer/2)`, or `untimed(_)` for all predicates without a directive of their own";
const UNDATED: &str = "write `undated(price/2)`, or `undated(price/2, up_to)`";
const LATEST: &str = "write `latest(ordered/2, ordered_place)`: the facts, and a name for the relation of places; a third argument names the times that \
     count, if they are others";
const FROZEN: &str = "write `frozen(test, '2010-01-01')`: the name of a fold, and a time";

fn refusal(what: impl Into<String>, accepted: &'static str) -> Refusal {
    Refusal { what: what.into(), accepted }
}

fn read_timed(arguments: &[Term<'_>], place: Place) -> Result<TimedFacts, Refusal> {
    let (facts, age) = match arguments {
        [facts] => (facts, None),
        [facts, age] => (facts, Some(age)),
        _ => return Err(refusal("timed has one or two arguments", TIMED)),
    };
    let age_name = match age.map(|age| &age.kind) {
        None => None,
        Some(TermKind::Atom(name)) => Some(name.to_string()),
        Some(_) => return Err(refusal("the name of the ages is no name", TIMED)),
    };
    let (predicate, arguments) = read_arguments(facts, TIMED)?;
    let n_of = |is: fn(&TimedArgument) -> bool| arguments.iter().filter(|argument| is(argument)).count();
    let n_times = n_of(|argument| *argument == TimedArgument::Time);
    let n_keys = n_of(|argument| matches!(argument, TimedArgument::Key(_)));
    let n_types = n_of(|argument| matches!(argument, TimedArgument::Of(_)));
    if n_times > 1 || n_keys > 1 {
        return Err(refusal("a fact has one time, and is of one row", TIMED));
    }
    if n_times + n_types == 0 {
        return Err(refusal("no argument is a time, or names a row that has one", TIMED));
    }
    if age_name.is_some() && n_times == 0 {
        return Err(refusal("ages need a time among the arguments", TIMED));
    }
    Ok(TimedFacts { predicate, arguments, age_name, has_ages: true, place })
}

fn read_arguments(
    term: &Term<'_>,
    accepted: &'static str,
) -> Result<(PredicateName, Vec<TimedArgument>), Refusal> {
    let Some((name, arguments)) = atom_parts(term).filter(|(_, arguments)| !arguments.is_empty()) else {
        return Err(refusal("this is no predicate with its arguments", accepted));
    };
    let read = |argument: &Term<'_>| match &argument.kind {
        TermKind::Variable(name) if name == "_" => Ok(TimedArgument::Any),
        TermKind::Atom(word) if word == TIME => Ok(TimedArgument::Time),
        TermKind::Atom(word) => Ok(TimedArgument::Of(word.to_string())),
        TermKind::Compound(key, inner) if key == "key" => match inner.as_slice() {
            [Term { kind: TermKind::Atom(word), .. }] => Ok(TimedArgument::Key(word.to_string())),
            _ => Err(refusal("a key has the name of a type of rows", accepted)),
        },
        _ => Err(refusal(format!("`{argument}` says nothing of an argument"), accepted)),
    };
    let arguments: Result<Vec<TimedArgument>, Refusal> = arguments.iter().map(read).collect();
    let arguments = arguments?;
    Ok((PredicateName::new(name, arguments.len()), arguments))
}

fn read_cut_off(arguments: &[Term<'_>], place: Place) -> Result<CutOff, Refusal> {
    let (target, is_inclusive) = match arguments {
        [target] => (target, false),
        [target, rule] => match &rule.kind {
            TermKind::Atom(word) if word == "before" => (target, false),
            TermKind::Atom(word) if word == "up_to" => (target, true),
            _ => return Err(refusal(format!("`{rule}` is neither before nor up_to"), CUT_OFF)),
        },
        _ => return Err(refusal("cutoff has one or two arguments", CUT_OFF)),
    };
    let (target, arguments) = read_arguments(target, CUT_OFF)?;
    let mut times = (0..arguments.len()).filter(|&argument| arguments[argument] == TimedArgument::Time);
    let (Some(argument), None) = (times.next(), times.next()) else {
        return Err(refusal("one argument of the target must be the time", CUT_OFF));
    };
    Ok(CutOff { target, argument, is_inclusive, place })
}

fn read_indicator(term: &Term<'_>, accepted: &'static str) -> Result<PredicateName, Refusal> {
    name_and_arity(term)
        .ok_or_else(|| refusal("this is no predicate with the number of its arguments", accepted))
}

fn read_undated(arguments: &[Term<'_>], place: Place) -> Result<Undated, Refusal> {
    let (facts, is_inclusive) = match arguments {
        [facts] => (facts, false),
        [facts, Term { kind: TermKind::Atom(word), .. }] if word == "up_to" => (facts, true),
        _ => return Err(refusal("undated has a predicate, and perhaps up_to", UNDATED)),
    };
    Ok(Undated { facts: read_indicator(facts, UNDATED)?, is_inclusive, place })
}

fn read_latest(arguments: &[Term<'_>], place: Place) -> Result<LatestFirst, Refusal> {
    let (facts, name, times) = match arguments {
        [facts, Term { kind: TermKind::Atom(name), .. }] => (facts, name, None),
        [facts, Term { kind: TermKind::Atom(name), .. }, times] => (facts, name, Some(times)),
        _ => return Err(refusal("latest has a predicate, and a name", LATEST)),
    };
    let places = PredicateName::new(name.as_ref(), 2);
    let times = times.map(|times| read_indicator(times, LATEST)).transpose()?;
    Ok(LatestFirst { facts: read_indicator(facts, LATEST)?, places, times, place })
}

fn read_freeze(arguments: &[Term<'_>], place: Place) -> Result<Freeze, Refusal> {
    let [fold, time] = arguments else {
        return Err(refusal("frozen has two arguments", FROZEN));
    };
    let fold = match &fold.kind {
        TermKind::Atom(name) | TermKind::Text(name) => name.to_string(),
        TermKind::Integer(number) => number.to_string(),
        _ => return Err(refusal("this is no name of a fold", FROZEN)),
    };
    Ok(Freeze { fold, time: time.to_string(), place })
}

/// The relations by which examples come to rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReachedRows {
    /// The foreign keys of rows, and with each that of examples which points to the same things; without one rows hang
    /// on examples themselves.
    pub(crate) hanging: Vec<(Option<PredicateId>, PredicateId)>,
    /// The foreign keys of examples that lead to rows with times, each with the number of their table.
    pub(crate) pointed: Vec<(PredicateId, usize)>,
    /// The number of the table whose rows are first arguments of a predicate.
    pub(crate) tables: FixedMap<PredicateId, usize>,
}
