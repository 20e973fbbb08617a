//! Messages of the library name settings as a program does, and never as flags.

use std::sync::{Arc, Mutex};

use gleaner::{Context, Dataset, DatasetReader, Error, Event, Learner, ValidationOptions, Watcher};

use crate::support::{files, fixture, fresh_folder};

/// A text of the library.
fn assert_worded(text: &str) {
    let has_flag = text.match_indices("--").any(|(at, _)| text[at + 2..].starts_with(char::is_alphabetic));
    assert!(!has_flag && !text.contains('⁅'), "{text}");
}

/// Little work for a learner with one more setting.
fn little(learner: &str, setting: &str, value: &str) -> Result<Learner, Error> {
    Learner::named(learner)?.with("clauses", 50)?.with("seeds", 2)?.with(setting, value)
}

/// The refusals of `benches/same_bytes.py`, through the library.
#[test]
fn faults_of_the_library_hold_no_flags() -> Result<(), Error> {
    let data = || Dataset::reader(fixture("university"));
    let read = data().open()?;
    let refused = |reader: DatasetReader, learner: Result<Learner, Error>| {
        reader.open().and_then(|data| learner?.fit(&data)).expect_err("it is refused")
    };
    let errors = [
        refused(data().target_in_body("leave-one-out"), little("srl", "depth", "2")),
        refused(data().negatives("all").class_argument(2), little("srl", "depth", "2")),
        refused(data().number_argument(1), little("aleph", "depth", "2")),
        refused(data(), little("tree", "monotone", "age=up")),
        refused(
            data(),
            little("srl", "kernel", "info").and_then(|learner| learner.with("classifier", "c-svm")),
        ),
        refused(data().label("x.y"), little("tree", "depth", "2")),
        refused(data().cut_off("2020-01-01"), little("tree", "depth", "2")),
        refused(
            data(),
            little("aleph", "bags", "publication")
                .and_then(|learner| learner.with("learner", "bag-of-words")),
        ),
        refused(data(), little("gleaner", "min_pos", "5000")),
        refused(Dataset::reader(fixture("kinds/graph")), little("tree", "depth", "2")),
        refused(Dataset::reader(fixture("kinds/won")), little("tree", "depth", "2")),
        little("gleaner", "seed", "2").expect_err("it is no setting"),
    ];
    for error in &errors {
        assert_worded(&error.to_string());
        for message in error.messages() {
            assert_worded(&message.text);
            message.help.iter().for_each(|help| assert_worded(help));
        }
    }
    assert!(errors[8].to_string().contains("lower min_pos, "), "{}", errors[8]);
    // Who follows the advice names the setting as the message does.
    assert!(Learner::named("gleaner")?.with("min_pos", 2)?.fit(&read).is_ok());
    Ok(())
}

/// Help, remarks, answers and the files of a run.
#[test]
fn other_texts_of_the_library_hold_no_flags() -> Result<(), Error> {
    Learner::settings().for_each(|setting| assert_worded(&setting.help));
    let notes = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&notes);
    let watcher = Watcher::new(move |event| {
        if let Event::Note(text) = event {
            heard.lock().expect("no thread panicked").push(text.clone());
        }
    });
    let data = Dataset::open(fixture("university"))?;
    let learner = little("aleph", "bins", "3")?;
    let told = "bins has no effect with learner=aleph";
    assert!(learner.without_effect().iter().any(|message| message == told), "{:?}", learner.without_effect());
    let folder = fresh_folder("wording");
    let learner = learner.within(&Context::default().watched_by(&watcher));
    let options = ValidationOptions { folder: Some(folder.join("run")), ..ValidationOptions::default() };
    learner.validate(&data, &[("", &learner)], &options)?;
    let notes = notes.lock().expect("no thread panicked").join("\n");
    assert!(notes.contains("warning[G042]: bins has no effect with learner=aleph"), "{notes}");
    assert_worded(&notes);
    assert_worded(&learner_of_why(&data)?);
    for (name, content) in files(&folder.join("run")) {
        let text = String::from_utf8_lossy(&content);
        assert!(!text.contains('⁅'), "{name}");
        // A style sheet names its variables so.
        assert!(!text.contains(" --"), "{name}");
    }
    Ok(())
}

/// What the library says of a clause that no mode admits.
fn learner_of_why(data: &Dataset) -> Result<String, Error> {
    let answer = Learner::named("gleaner")?.with("depth", 1)?.why(
        data,
        "advisedby(A,B) :- publication(C,A), publication(C,B).",
        None,
    )?;
    Ok(format!("{answer}{}{}", answer.markdown().replace("---", ""), answer.events().join("\n")))
}
