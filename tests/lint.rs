//! Faults planted one by one in a problem that has none: each gives exactly its message, and no other.
//!
//! Each folder of `fixtures/lint` is a whole problem; its `expected.txt` is what `gleaner inspect` says of it.

use crate::support::{expect_text, fixture, gleaner};

/// What the program says of `data`: exit code and standard error.
fn inspect(data: &str) -> (Option<i32>, String) {
    // Paths in messages are as given, so the program is run beside the cases.
    let (code, _, stderr) = gleaner(&fixture("lint"), &["inspect", data]);
    (code, stderr)
}

/// The lines that say what is wrong.
fn messages(stderr: &str) -> Vec<&str> {
    stderr.lines().filter(|line| line.starts_with("error[") || line.starts_with("warning[")).collect()
}

fn check(case: &str, start: &str) {
    let (code, stderr) = inspect(case);
    expect_text(&fixture("lint").join(case).join("expected.txt"), &stderr);
    let said = messages(&stderr);
    assert!(said.len() == 1 && said[0].starts_with(start), "{case}: {said:?}, not one {start}");
    assert_eq!(code, Some(i32::from(start.starts_with("error"))), "{case}");
}

macro_rules! cases {
    ($($case:ident $start:literal;)*) => {
        $(#[test] fn $case() { check(stringify!($case), $start); })*
        const CASES: &[&str] = &[$(stringify!($case)),*];
    };
}

cases! {
    both_classes "error[G021]";
    determination_without_facts "warning[G012]";
    determination_without_mode "warning[G013]";
    directive_without_meaning "warning[G018]";
    example_in_two_folds "warning[G027]";
    fact_with_variables "warning[G052]";
    facts_out_of_reach "warning[G043]";
    input_without_source "warning[G019]";
    misspelt_type "warning[G019]";
    mixed_argument "warning[G044]";
    mode_without_determination "warning[G013]";
    mode_without_facts "error[G012]";
    quoted_number "warning[G044]";
    repeated_examples "warning[G022]";
    repeated_facts "warning[G046]";
    separating_argument "warning[G057]";
    separating_literal "warning[G057]";
    separating_numbers "warning[G048]";
    setting_of_aleph "warning[G042]";
    setting_twice "warning[G042]";
    several_arities "warning[G045]";
    target_in_background "warning[G026]";
    target_of_a_rule "warning[G026]";
    things_in_several_folds "warning[G049]";
    train_and_test_share "warning[G049]";
    type_without_constants "warning[G039]";
    unknown_constants "warning[G047]";
    unknown_setting "error[G040]";
}

/// A folder without a test would look tested.
#[test]
fn every_folder_is_a_case() {
    let mut folders: Vec<String> = std::fs::read_dir(fixture("lint"))
        .expect("the fixtures are there")
        .map(|entry| entry.expect("entries can be read").path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().expect("entries have names").to_string_lossy().into_owned())
        .filter(|name| !["clean", "ten_warnings"].contains(&name.as_str()))
        .collect();
    folders.sort();
    assert_eq!(folders, CASES);
}

/// What the faults are planted in has none, nor have the other problems that are whole.
#[test]
fn clean_problems_are_not_complained_of() {
    for data in ["clean", "../family", "../university"] {
        assert_eq!(inspect(data), (Some(0), String::new()), "{data}");
    }
}

/// One run names all that is odd, each by itself.
#[test]
fn ten_warnings_are_ten_messages() {
    let (code, stderr) = inspect("ten_warnings");
    expect_text(&fixture("lint/ten_warnings/expected.txt"), &stderr);
    assert_eq!(code, Some(0));
    let mut codes: Vec<&str> =
        messages(&stderr).into_iter().filter_map(|line| line.split([']', '[']).nth(1)).collect();
    codes.sort_unstable();
    let planted = ["G019", "G022", "G026", "G039", "G043", "G044", "G045", "G046", "G047", "G048"];
    assert_eq!(codes, planted);
}
