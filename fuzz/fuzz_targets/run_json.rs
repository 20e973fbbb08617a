//! Records of runs: any bytes as `run.json` are one, or are refused, by the commands that read runs.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("run.json"), bytes).expect("it is written");
    let run = folder.path().as_os_str();
    for command in ["compare", "rerun"] {
        let _ = gleaner::cli::main(vec!["gleaner".into(), command.into(), run.to_owned()]);
    }
});
