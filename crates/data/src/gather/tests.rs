use proptest::prelude::{Just, Strategy, prop, prop_assert_eq, prop_oneof, proptest};

use super::gathering::Gathering;
use super::reader::{Program, Sink};
use super::reading::{FileReading, Role};
use gleaner_lang::syntax::{ProgramSink, Sources, read_program, read_statements};

/// All data gathered from a text, by the fast way or by the reader alone.
fn gathered(text: &str, role: Role, is_fast: bool) -> String {
    let mut sources = Sources::new();
    let mut gathering = Gathering::default();
    let mut reading = FileReading::new(&mut gathering, "a.pl".as_ref(), sources.next_id(), role);
    let mut sink = Sink { reader: &mut Program, reading: &mut reading };
    if is_fast {
        read_program(text, &mut sink);
    } else {
        let faults = read_statements(text, &mut |statement| sink.statement(&statement, 0));
        faults.iter().for_each(|fault| sink.fault(fault, 0));
    }
    reading.tell_faults();
    sources.add("a.pl", text);
    gathering.gathered.fit_tables();
    format!("{gathering:#?}")
}

fn texts() -> impl Strategy<Value = String> {
    let argument = prop_oneof![
        "[a-c][0-9]{0,2}",
        "[A-Z]",
        "-?[0-9]{1,3}(\\.[0-9]{1,2})?",
        "'[a-cA '-]{0,3}'",
        prop::sample::select(vec![
            "is", "'is'", "f(a)", "[a]", "#a", "+t", "-t", "é", "\"a\"", "a = b", "a:b", "!", "'\\n'"
        ])
        .prop_map(str::to_owned),
    ];
    let end = prop_oneof![20 => Just(".\n"), 1 => Just(" :- q(X).\n"), 1 => Just(". "), 1 => Just("= b.\n"), 1 => Just(".")];
    let fact = ("[pq]", prop::collection::vec(argument, 1..4), end)
        .prop_map(|(name, arguments, end)| format!("{name}({}){end}", arguments.join(",")));
    prop::collection::vec(fact, 0..12).prop_map(|facts| facts.concat())
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(1_000))]

    /// Both ways give the same constants, predicates, facts, rules, examples and messages, numbers included. A fact
    /// that the fast way begins and abandons leaves no trace.
    #[test]
    fn the_fast_way_gathers_what_the_reader_gathers(
        text in texts(),
        role in prop::sample::select(vec![Role::Background, Role::Modes, Role::Positives]),
    ) {
        prop_assert_eq!(gathered(&text, role, true), gathered(&text, role, false));
    }
}
