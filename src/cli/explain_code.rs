//! `gleaner explain-code CODE`: a page of the manual, or the list of codes.

use clap::ArgMatches;

use crate::report::manual::{CodeAnswer, CodesAnswer};
use crate::syntax::manual::{find_code, nearest_codes};

use super::failure::Failure;
use super::output::Output;

pub(super) fn explain_code(matches: &ArgMatches, output: &mut Output) -> Result<(), Failure> {
    output.set(matches.get_flag("json"), matches.get_flag("quiet"));
    let Some(asked) = matches.get_one::<String>("code") else {
        return output.answer(&CodesAnswer::all());
    };
    let code = find_code(asked).ok_or_else(|| Failure::Usage(unknown(asked)))?;
    output.answer(&CodeAnswer::of(code))
}

fn unknown(asked: &str) -> String {
    let nearest: Vec<String> = nearest_codes(asked).iter().map(ToString::to_string).collect();
    let help = if nearest.is_empty() {
        "a code is written as messages show it, as G012".to_owned()
    } else {
        format!("the nearest are {}", nearest.join(" and "))
    };
    format!("there is no code {asked}\nhelp: {help}; `gleaner explain-code` lists all")
}
