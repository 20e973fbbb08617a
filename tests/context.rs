//! A context reaches every call of the library: threads change nothing, and what is cancelled says so.

use std::sync::{Arc, Mutex};

use gleaner::{
    Cancel, Context, Dataset, Error, EvaluationOptions, Event, Learner, Model, ScoringOptions, Watcher,
};

use crate::support::fixture;

/// Data of two classes, of many, and of numbers, each with a small model.
fn kinds() -> Result<Vec<(Dataset, Model)>, Error> {
    let two = Dataset::open(fixture("university"))?;
    let many = Dataset::reader(fixture("kinds/level")).label("labels.level").open()?;
    let numbers = Dataset::reader(fixture("kinds/spent")).label("labels.spent").number_label().open()?;
    let learner = Learner::named("rdn-boost")?.with("rounds", 3)?;
    [two, many, numbers].into_iter().map(|data| learner.fit(&data).map(|model| (data, model))).collect()
}

#[test]
fn threads_change_no_prediction() -> Result<(), Error> {
    for (data, model) in kinds()? {
        let alone = model.predict(&data)?.csv();
        for n_threads in [1, 3] {
            let model = model.clone().within(&Context::default().threads(n_threads));
            assert!(model.predict(&data)?.csv() == alone, "{n_threads} threads");
        }
    }
    Ok(())
}

#[test]
fn a_cancelled_call_has_no_result() -> Result<(), Error> {
    let cancel = Cancel::new();
    let context = Context::default().cancelled_by(&cancel);
    let kinds = kinds()?;
    cancel.cancel();
    for (data, model) in &kinds {
        let model = model.clone().within(&context);
        let (scoring, measured) = (ScoringOptions::default(), EvaluationOptions::default());
        for failed in [model.predict(data).map(|_| ()), model.evaluate(data, &scoring, &measured).map(|_| ())]
        {
            let error = failed.expect_err("it was cancelled before it began");
            let messages = error.messages();
            assert_eq!(messages[0].code, "G088", "{error}");
            assert!(messages[0].text.contains("before all examples were scored"), "{error}");
        }
    }
    let data = kinds[0].0.clone().within(&context);
    let clauses = ["advisedby(A,B) :- publication(C,A), publication(C,B)."];
    for failed in [data.features(clauses, None).map(|_| ()), data.evaluate(clauses).map(|_| ())] {
        assert!(failed.is_err_and(|error| error.to_string().contains("before all clauses were counted")));
    }
    Ok(())
}

#[test]
fn a_cancelled_cross_validation_says_so() -> Result<(), Error> {
    let data = Dataset::open(fixture("university"))?;
    let learner = Learner::named("rdn-boost")?.with("rounds", 3)?;
    let whole = learner.cross_validate(&data)?;
    assert!(!whole.is_cut_short() && whole.to_string().lines().count() == 5, "{whole}");
    // Half of the first run is enough to find something, and not enough for all runs.
    let cancel = Cancel::new();
    let (at_first, notes) = (cancel.clone(), Arc::new(Mutex::new(Vec::new())));
    let heard = Arc::clone(&notes);
    let watcher = Watcher::new(move |event| match event {
        Event::SeedsDone(_) | Event::Rate { .. } => at_first.cancel(),
        Event::Note(text) => heard.lock().expect("no thread panicked").push(text.clone()),
        _ => {}
    });
    let context = Context::default().threads(1).cancelled_by(&cancel).watched_by(&watcher);
    let long = Learner::named("gleaner")?.with("seeds", 100)?.with("clauses", 10_000)?.within(&context);
    let cut = long.cross_validate(&data)?;
    assert!(cut.is_cut_short() && cut.to_string().contains("stopped"), "{cut}");
    let notes = notes.lock().expect("no thread panicked");
    assert!(notes.iter().any(|note| note.contains("stopped")), "{notes:?}");
    Ok(())
}

/// A model of a fold that scores what it was learnt from says so to whoever watches.
#[test]
fn a_watcher_hears_of_predictions() -> Result<(), Error> {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&notes);
    let watcher = Watcher::new(move |event| {
        if let Event::Note(text) = event {
            heard.lock().expect("no thread panicked").push(text.clone());
        }
    });
    let data = Dataset::open(fixture("university"))?;
    let model = Learner::named("rdn-boost")?.with("rounds", 3)?.fit_without_fold(&data, 1)?;
    model.within(&Context::default().watched_by(&watcher)).predict(&data)?;
    let notes = notes.lock().expect("no thread panicked");
    assert!(notes.iter().any(|note| note.contains("of the folds that it learnt from")), "{notes:?}");
    Ok(())
}
