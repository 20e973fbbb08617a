//! `gleaner explain-code CODE`: a page of the manual, or the list of codes.

use clap::Args;

use crate::report::manual::{CodeAnswer, CodesAnswer};
use gleaner_lang::syntax::codes;
use gleaner_lang::syntax::codes::{find_code, nearest_codes};

use super::output::Output;
use crate::jobs::Failure;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A code as messages show it, as G012.
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

pub(super) fn explain_code(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    let Some(asked) = &arguments.code else {
        return output.answer(&CodesAnswer::all());
    };
    let code = find_code(asked).ok_or_else(|| unknown(asked))?;
    output.answer(&CodeAnswer::of(code))
}

fn unknown(asked: &str) -> Failure {
    let nearest: Vec<String> = nearest_codes(asked).iter().map(ToString::to_string).collect();
    let help = if nearest.is_empty() {
        "write a code as messages show it, such as G012".to_owned()
    } else {
        format!("the nearest are {}", nearest.join(" and "))
    };
    Failure::usage(codes::SETTING_VALUE, format!("there is no code {asked}"))
        .with_help(format!("{help}; `gleaner explain-code` lists all"))
}
