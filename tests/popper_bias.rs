//! What a Popper bias leaves open: directions from the data, and recursion.

use std::fmt::Write;

use gleaner_data::{LoadRequest, Loaded};
use gleaner_lang::syntax::{Diagnostic, codes};

use crate::quirks::{load_as, modes, popper};
use crate::support::{fresh_folder, printed};

fn messages(loaded: &Loaded, code: gleaner_lang::syntax::Code) -> Vec<&str> {
    loaded.warnings.iter().filter(|warning| warning.code() == code).map(Diagnostic::message).collect()
}

/// Twelve things of one colour, each with a size of its own and a part; each part is of one thing.
fn things() -> String {
    let mut facts = String::new();
    for at in 0..12 {
        let _ =
            writeln!(facts, "colour(t{at}, red). size(t{at}, {at}). part(t{at}, p{at}). part(t{at}, q{at}).");
    }
    facts.push_str("large(p1).\n");
    facts
}

const BIAS: &str = "head_pred(f,1).\nbody_pred(colour,2).\nbody_pred(size,2).\nbody_pred(part,2).\nbody_pred(large,1).\n\
     type(f,(thing,)).\ntype(colour,(thing,colour)).\ntype(size,(thing,size)).\ntype(part,(thing,part)).\n\
     type(large,(part,)).\n";

fn load(bias: &str) -> Loaded {
    let facts = format!("{}f_seen(a).\nf_seen(b).\n", things());
    load_as(&popper(&facts, bias), LoadRequest::default())
}

#[test]
fn directions_with_many_answers_are_left_out_and_told() {
    let loaded = load(BIAS);
    // Of `colour` the colour is no known argument: it has twelve things.
    assert_eq!(
        modes(&loaded),
        [
            "colour(+thing,+colour)",
            "colour(+thing,-colour)",
            "large(+part)",
            "part(+thing,+part)",
            "part(+thing,-part)",
            "part(-thing,+part)",
            "size(+thing,+size)",
            "size(+thing,-size)",
            "size(-thing,+size)",
        ]
    );
    let said = "the bias gives no directions for 3 predicates: gleaner leaves out 1 mode, whose calls have many answers";
    assert_eq!(messages(&loaded, codes::CHOSEN_DIRECTIONS), [said]);
}

#[test]
fn a_direction_of_the_bias_overrides_the_choice() {
    let loaded = load(&format!("{BIAS}direction(colour,(out,in)).\n"));
    assert_eq!(messages(&loaded, codes::CHOSEN_DIRECTIONS), Vec::<&str>::new());
    assert!(modes(&loaded).contains(&"colour(-thing,+colour)".to_owned()));
}

#[test]
fn any_direction_keeps_all_modes() {
    let loaded = load(&format!("{BIAS}any_direction(colour,2).\n"));
    assert_eq!(messages(&loaded, codes::CHOSEN_DIRECTIONS), Vec::<&str>::new());
    assert_eq!(modes(&loaded).iter().filter(|mode| mode.starts_with("colour")).count(), 3);
}

/// A mode of many answers stays where only it gives what others need.
#[test]
fn a_mode_that_others_need_is_kept() {
    let mut facts = String::new();
    (0..12).for_each(|at| {
        let _ = writeln!(facts, "has(a, c{at}). has(b, c{at}). long(c{at}).");
    });
    let bias = "head_pred(f,1).\nbody_pred(has,2).\nbody_pred(long,1).\ntype(f,(train,)).\ntype(has,(train,car)).\n\
                type(long,(car,)).\n";
    let loaded = load_as(&popper(&facts, bias), LoadRequest::default());
    assert_eq!(modes(&loaded), ["has(+train,+car)", "has(+train,-car)", "has(-train,+car)", "long(+car)"]);
    assert_eq!(messages(&loaded, codes::CHOSEN_DIRECTIONS), Vec::<&str>::new());
}

/// A place and a day each have twelve answers, both together one, and an hour 48.
#[test]
fn two_arguments_are_known_where_each_has_many_answers() {
    let mut facts = String::new();
    for (place, day) in (0..12).flat_map(|place| (0..12).map(move |day| (place, day))) {
        let _ = writeln!(facts, "shown(s{place}, d{day}, h{}).", (place + day) % 3);
    }
    let bias = "head_pred(f,2).\nbody_pred(shown,3).\ntype(f,(place,day)).\ntype(shown,(place,day,hour)).\n";
    let examples = "pos(f(s1,d1)).\nneg(f(s2,d2)).\n";
    let files = [("bk.pl", &*facts), ("exs.pl", examples), ("bias.pl", bias)];
    let loaded = load_as(&files, LoadRequest::default());
    assert_eq!(
        modes(&loaded),
        [
            "shown(+place,+day,+hour)",
            "shown(+place,+day,-hour)",
            "shown(+place,-day,+hour)",
            "shown(-place,+day,+hour)"
        ]
    );
    let said = "the bias gives no directions for 1 predicate: gleaner leaves out 3 modes, whose calls have many answers";
    assert_eq!(messages(&loaded, codes::CHOSEN_DIRECTIONS), [said]);
}

#[test]
fn recursion_is_answered() {
    let loaded = load(&format!("enable_recursion.\n{BIAS}"));
    let said = "enable_recursion has no effect: learnt clauses do not call the target";
    assert_eq!(messages(&loaded, codes::UNUSED_SETTING), [said]);
    assert!(loaded.problem.settings().is_empty());
}

/// The sets with a bias without directions: which modes their data leave out.
#[test]
fn directions_of_real_sets_are_those_of_few_answers() {
    let Some(root) = std::env::var_os("GLEANER_DATA") else { return };
    let said = |set: &str| {
        let request = LoadRequest { path: std::path::Path::new(&root).join(set), ..LoadRequest::default() };
        let loaded =
            gleaner::experiment::load(&request, &mut gleaner_lang::syntax::Sources::new()).expect("it loads");
        (modes(&loaded).len(), messages(&loaded, codes::CHOSEN_DIRECTIONS).len())
    };
    // A load has one car, a car one train, and a train three cars: nothing is a hub.
    assert_eq!(said("trains/popper_trains1"), (19, 0));
    assert_eq!(said("popper_examples/zendo1").1, 1);
}

/// The area estimates that `inspect` gives: with the given modes, and with proposed ones.
fn areas(files: &[(&str, &str)]) -> Option<[f64; 2]> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("the file can be written");
    }
    let (code, answer, said) = crate::support::gleaner(folder.path(), &["inspect", ".", "--json", "--quiet"]);
    assert_eq!(code, Some(0), "{said}");
    let answer: serde_json::Value =
        answer.lines().last().and_then(|line| serde_json::from_str(line).ok()).expect("an answer");
    let estimate = answer.get("modes_estimate")?;
    Some([estimate["given"].as_f64()?, estimate["proposed"].as_f64()?])
}

/// Forty things, half of them red; `linked/2` says nothing of the classes.
fn coloured(colours: [&str; 2]) -> [String; 2] {
    let (mut facts, mut examples) = (String::new(), String::new());
    for at in 0..40 {
        let _ = writeln!(facts, "colour(t{at}, {}). linked(t{at}, t{}).", colours[at % 2], (at + 3) % 40);
        let _ = writeln!(examples, "{}(f(t{at})).", ["pos", "neg"][at % 2]);
    }
    [facts, examples]
}

const COLOURS: &str = "head_pred(f,1).\nbody_pred(colour,2).\nbody_pred(linked,2).\ntype(f,(thing,)).\n\
     type(colour,(thing,colour)).\ntype(linked,(thing,thing)).\ndirection(colour,(in,out)).\n\
     direction(linked,(in,out)).\n";

/// Only a constant tells red things from others: an area of 1, and about the share of positives without.
#[test]
fn inspect_estimates_what_constants_would_reach() {
    let [facts, examples] = coloured(["red", "blue"]);
    let files = [("bk.pl", &*facts), ("exs.pl", &*examples), ("bias.pl", COLOURS)];
    let [given, proposed] = areas(&files).expect("an estimate");
    assert!(given < 0.8 && proposed > 0.99, "{given} {proposed}");
    assert_eq!(areas(&files), Some([given, proposed]), "the same each time");
}

/// Nothing is estimated where proposed modes have no constant, or where examples are few.
#[test]
fn nothing_is_estimated_where_there_is_nothing_to_compare() {
    let facts: String = (0..40).map(|at| format!("linked(t{at}, t{}).\n", (at + 3) % 40)).collect();
    let [_, examples] = coloured(["red", "blue"]);
    let bias = COLOURS.replace("body_pred(colour,2).\n", "").replace("direction(colour,(in,out)).\n", "");
    assert_eq!(areas(&[("bk.pl", &*facts), ("exs.pl", &*examples), ("bias.pl", &*bias)]), None);
    let [facts, examples] = coloured(["red", "blue"]);
    let few: String = examples.lines().take(20).map(|line| format!("{line}\n")).collect();
    assert_eq!(areas(&[("bk.pl", &*facts), ("exs.pl", &*few), ("bias.pl", COLOURS)]), None);
}

/// `max_body` counts the literals of a body, `--max-literals` the head, too; written again, it is what it was.
#[test]
fn max_body_counts_the_literals_of_a_body() {
    let folder = fresh_folder("popper_max_body");
    let facts = "parent(a,b). parent(b,c). parent(d,e). parent(e,f). parent(a,g). parent(g,h).\n";
    let bias = "max_body(2).\nhead_pred(gp,2).\nbody_pred(parent,2).\ntype(gp,(p,p)).\ntype(parent,(p,p)).\n\
                direction(gp,(in,in)).\n";
    let examples =
        "pos(gp(a,c)).\npos(gp(d,f)).\npos(gp(a,h)).\nneg(gp(a,b)).\nneg(gp(a,f)).\nneg(gp(d,c)).\n";
    for (name, text) in [("bk.pl", facts), ("bias.pl", bias), ("exs.pl", examples)] {
        std::fs::write(folder.join(name), text).expect("a file can be written");
    }
    let why = |n_literals: usize| {
        let body: Vec<String> = (0..n_literals)
            .map(|at| format!("parent({}, {})", ["A", "C", "B"][at], ["C", "B", "D"][at]))
            .collect();
        printed(&folder, &["why", ".", &format!("gp(A,B) :- {}.", body.join(", ")), "--quiet"])
    };
    assert!(why(2).contains("in the language: yes"), "{}", why(2));
    assert!(why(3).contains("4 literals are more than"), "{}", why(3));
    printed(&folder, &["convert", ".", "--to", "popper", "-o", "again", "--quiet"]);
    let again = std::fs::read_to_string(folder.join("again/bias.pl")).expect("it was written");
    assert!(again.contains("max_body(2)."), "{again}");
}

/// A message names each predicate whose facts declare nothing, but not those that rules ask for.
#[test]
fn facts_without_meaning_are_told() {
    let more = "thing_pred(colour,2).\nthing_pred(size,2).\nmax_vars(6).\nnon_datalog.\n\
                direction(P,(in,out)) :- thing_pred(P,2).\nbogus(3).\nconstant(a).\nbogus(4).\n";
    let loaded = load(&format!("{BIAS}{more}"));
    let told = messages(&loaded, codes::IGNORED_DIRECTIVE);
    let facts: Vec<&str> = told
        .into_iter()
        .filter_map(|what| what.strip_suffix(" in a bias file has no meaning here"))
        .collect();
    assert_eq!(facts, ["bogus", "constant"]);
}
