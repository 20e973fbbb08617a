//! The command line of gleaner; everything it does is in the library's `cli` room.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    gleaner::cli::main(arguments)
}
