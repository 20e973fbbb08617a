//! Models of strangers as programs: `show --to pl` writes what SWI-Prolog loads without running anything of the file, and
//! what it writes scores as `predict` does, or is refused.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use gleaner_lang::syntax::quote_name;
use serde_json::{Value as Json, json};

use crate::show::swi_prolog;
use crate::support::{files, fixture, fresh_folder, gleaner, voting_model};

/// What could run when it is read as anything but a text; each makes the file `canary`, which no test makes.
const PAYLOADS: [&str; 14] = [
    "0.1.0\n:- shell('touch canary').",
    "x').\n:- shell('touch canary').\n%",
    "x'.\n:- initialization(shell('touch canary')).\n",
    "x\r\n:- shell('touch canary').\r\n",
    "\\\n:- shell('touch canary').\n",
    "\\'). :- shell('touch canary'). %",
    "*/ :- shell('touch canary'). /*",
    "\"), shell('touch canary'), (\"",
    "`shell('touch canary')`",
    "\u{85}:- shell('touch canary').\u{2028}:- shell('touch canary').\u{2029}",
    "{shell('touch canary')}",
    "\u{1}\u{7f}\u{1b}]0;:- shell('touch canary').\u{7}",
    "\u{1c5}word",
    "''''",
];

/// Goals that would do something if SWI-Prolog's own predicates were called, each with the facts that make it true as data.
const GOALS: [(&str, &str); 39] = [
    ("shell('touch canary')", "shell('touch canary')."),
    ("shell('touch canary',0)", "shell('touch canary',0)."),
    ("open(canary,write,A)", "open(canary,write,bob)."),
    ("consult('evil.pl')", "consult('evil.pl')."),
    ("load_files('evil.pl',q)", "load_files('evil.pl',q)."),
    ("ensure_loaded('evil.pl')", "ensure_loaded('evil.pl')."),
    ("use_module('evil.pl')", "use_module('evil.pl')."),
    ("halt", "halt."),
    ("halt(A)", "halt(bob)."),
    ("call(shell('touch canary'))", "call(shell('touch canary'))."),
    ("call(shell,'touch canary')", "call(shell,'touch canary')."),
    ("call(A,x,y)", "call(bob,x,y)."),
    ("once(shell('touch canary'))", "once(shell('touch canary'))."),
    ("ignore(shell('touch canary'))", "ignore(shell('touch canary'))."),
    ("forall(A,shell('touch canary'))", "forall(bob,shell('touch canary'))."),
    ("findall(A,shell('touch canary'),B)", "findall(bob,shell('touch canary'),x)."),
    ("catch(shell('touch canary'),A,B)", "catch(shell('touch canary'),bob,x)."),
    ("assertz(halt)", "assertz(halt)."),
    ("assertz(t(A))", "assertz(t(bob))."),
    ("retractall(p(A))", "retractall(p(bob))."),
    ("abolish(p,A)", "abolish(p,bob)."),
    ("write(A)", "write(bob)."),
    ("print_message(error,A)", "print_message(error,bob)."),
    ("format('~w',A)", "format('~w',bob)."),
    ("nl", "nl."),
    ("read(A)", "read(bob)."),
    ("setenv(path,A)", "setenv(path,bob)."),
    ("delete_file(A)", "delete_file(bob)."),
    ("tell(canary)", "tell(canary)."),
    ("length(A,3)", "length(bob,3)."),
    ("append(A,B,C)", "append(bob,x,y)."),
    ("member(A,B)", "member(bob,x)."),
    ("number(A)", "number(bob)."),
    ("atom_length(A,3)", "atom_length(bob,7). atom_length(bob,3)."),
    ("is_list(A)", "is_list(bob)."),
    ("between(1,3,A)", "between(1,3,bob)."),
    ("true", "true."),
    ("fail", "fail."),
    ("repeat", "repeat."),
];

/// Goals that no data have in SWI-Prolog: control, and what its users change it by.
const NEVER: [&str; 8] = [
    "','(A,shell('touch canary'))",
    "';'(A,shell('touch canary'))",
    "'->'(A,shell('touch canary'))",
    "'*->'(A,shell('touch canary'))",
    "'|'(A,shell('touch canary'))",
    "user:shell('touch canary')",
    "term_expansion(A,B)",
    "gleaner_score(A,B)",
];

/// The examples, their data, and a model of one clause for each score.
struct Stage {
    folder: PathBuf,
}

/// What became of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    /// gleaner does not write it as a program.
    Refused,
    /// Its scores are those of `predict`.
    Right,
    /// It asks for facts that are not there, and says so instead of a score.
    Missing,
}

const DRIVER: &str = "\
:- module(driver, [driver/0]).
:- system:set_module(driver:base(system)).
driver :-
    forall(lists:member(Example, [bob, cid, dee, eve]),
           ( catch(user:gleaner_score(Example, Score), error(existence_error(procedure, _), _), Score = missing),
             format(\"~w~n\", [Score]) )),
    halt(0).
";

impl Stage {
    fn new(name: &str) -> Self {
        let folder = fresh_folder(name);
        std::fs::create_dir(folder.join("data")).expect("the folder is made");
        std::fs::create_dir(folder.join("sandbox")).expect("the folder is made");
        let stage = Self { folder };
        stage.write("data/pos.pl", "t(bob). t(cid).");
        stage.write("data/neg.pl", "t(dee). t(eve).");
        stage
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("the file is written");
    }

    /// Shows the model, and loads what is shown beside the facts, before them and after them. Nothing is run: the sandbox
    /// holds what it held, and nothing is printed but scores. `for_swi` are directives that only SWI-Prolog reads.
    fn ending(&self, what: &str, model: &Json, facts: &str, for_swi: &str) -> Ending {
        let facts = format!("p(bob,x). p(cid,y). p(dee,x). q(eve).\n{facts}\n");
        self.write("data/background.pl", &facts);
        self.write("model.json", &model.to_string());
        let (code, program, stderr) = gleaner(&self.folder, &["show", "model.json", "--to", "pl"]);
        if code != Some(0) {
            assert!(code == Some(1) && program.is_empty() && stderr.contains("error[G"), "{what}: {stderr}");
            return Ending::Refused;
        }
        self.write("sandbox/model.pl", &program);
        self.write("sandbox/facts.pl", &format!("{for_swi}{facts}"));
        self.write("sandbox/driver.pl", DRIVER);
        self.write("sandbox/evil.pl", ":- shell('touch canary').\n");
        let before = files(&self.folder.join("sandbox"));
        let orders = [["model.pl", "facts.pl"], ["facts.pl", "model.pl"]];
        let answers = orders.map(|order| self.answers(what, order, &program));
        assert_eq!(files(&self.folder.join("sandbox")), before, "{what}: files\n{program}");
        assert_eq!(answers[0], answers[1], "{what}: the order of files\n{program}");
        if answers[0].iter().any(|answer| answer == "missing") {
            return Ending::Missing;
        }
        let expected = self.scores(what);
        assert_eq!(answers[0], expected, "{what}:\n{program}");
        Ending::Right
    }

    /// What SWI-Prolog prints of each example.
    fn answers(&self, what: &str, order: [&str; 2], program: &str) -> Vec<String> {
        let output = Command::new("swipl")
            .current_dir(self.folder.join("sandbox"))
            .args(["-q", "-g", "driver:driver", "-t", "system:halt(1)"])
            .args(order)
            .arg("driver.pl")
            .output()
            .expect("swipl runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{what}, {order:?}: {stderr}\n{program}");
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    }

    /// What `predict` says of each example.
    fn scores(&self, what: &str) -> Vec<String> {
        let (code, events, stderr) =
            gleaner(&self.folder, &["predict", "model.json", "data", "--allow-missing", "--json", "--quiet"]);
        assert_eq!(code, Some(0), "{what}: {stderr}");
        let events = events.lines().map(|line| serde_json::from_str::<Json>(line).expect("an event"));
        let rows = events.filter(|event| event["event"] == "prediction");
        let by_example: BTreeMap<String, String> = rows
            .map(|row| {
                let example = row["example"].as_str().expect("an atom").to_owned();
                (example, format!("{:?}", row["score"].as_f64().expect("a score")))
            })
            .collect();
        by_example.into_values().collect()
    }
}

/// How many endings there were of each kind.
fn tally(endings: &[Ending]) -> BTreeMap<Ending, usize> {
    let mut tally = BTreeMap::new();
    endings.iter().for_each(|&ending| *tally.entry(ending).or_default() += 1);
    tally
}

fn has_swi_prolog() -> bool {
    swi_prolog().is_some()
}

/// Texts of a file that go into comments, names and constants.
#[test]
fn texts_of_a_model_run_nothing_when_its_program_is_loaded() {
    if !has_swi_prolog() {
        return;
    }
    let stage = Stage::new("hostile_texts");
    let plain = ["t(A) :- p(A,x).".to_owned(), r"t(A) :- \+ q(A).".to_owned()];
    let mut endings = Vec::new();
    for payload in PAYLOADS {
        let name = quote_name(payload);
        for field in ["gleaner_version", "restriction", "fold"] {
            let mut model = voting_model(&plain, 1.0);
            model[field] = json!(payload);
            let ending = stage.ending(&format!("{field} {payload:?}"), &model, "", "");
            assert_eq!(ending, Ending::Right, "{field} {payload:?}");
            endings.push(ending);
        }
        let mut model = voting_model(&plain, 1.0);
        let names = json!([payload, "other"]);
        model["class"] = json!({ "own": 0, "names": names, "class_argument": 1, "prior": 0.5 });
        let (code, program, stderr) = {
            stage.write("model.json", &model.to_string());
            gleaner(&stage.folder, &["show", "model.json", "--to", "pl"])
        };
        assert_eq!(code, Some(0), "{stderr}");
        endings.push(stage.loads(&format!("class {payload:?}"), &program));
        for field in ["target", "learner"] {
            let mut model = voting_model(&plain, 1.0);
            model[field] = json!(format!("{payload}/1"));
            let ending = stage.ending(&format!("{field} {payload:?}"), &model, "", "");
            assert_eq!(ending, Ending::Refused, "{field} {payload:?}");
            endings.push(ending);
        }
        // As a constant, within a term and a list, as a functor, as a text, and as a predicate; each is there in the facts.
        let text = gleaner_lang::syntax::quote_text(payload);
        let terms = [
            name.clone(),
            format!("f({name},[{name}|{name}])"),
            format!("{name}(x)"),
            text,
            format!("{name} - 1"),
            format!("x:{name}"),
        ];
        let clauses: Vec<String> = terms
            .iter()
            .map(|term| format!("t(A) :- p(A,{term})."))
            .chain([format!("t(A) :- p(A,B), B \\= {name}."), format!("t(A) :- {name}(A).")])
            .collect();
        let facts = terms.iter().map(|term| format!("p(cid,{term}).\n")).collect::<String>();
        let facts = format!("{facts}{name}(dee).");
        let for_swi = ":- discontiguous p/2.\n";
        let ending =
            stage.ending(&format!("constant {payload:?}"), &voting_model(&clauses, 1.0), &facts, for_swi);
        assert_eq!(ending, Ending::Right, "constant {payload:?}");
        endings.push(ending);
        // As it stands, where a clause may stand.
        for raw in [format!("t(A) :- p(A,'{payload}')."), format!("t(A) :- {payload}."), payload.to_owned()] {
            let model = voting_model(&[raw], 1.0);
            endings.push(stage.ending(&format!("raw {payload:?}"), &model, "", ""));
        }
    }
    assert!(endings.len() >= 100, "{}", endings.len());
    assert!(tally(&endings)[&Ending::Right] >= 70, "{:?}", tally(&endings));
}

impl Stage {
    /// That a program loads, and nothing runs; its scores are not compared.
    fn loads(&self, what: &str, program: &str) -> Ending {
        self.write("sandbox/model.pl", program);
        self.write("sandbox/facts.pl", "p(bob,x). p(cid,y). p(dee,x). q(eve).\n");
        self.write("sandbox/driver.pl", DRIVER);
        let before = files(&self.folder.join("sandbox"));
        let answers = self.answers(what, ["model.pl", "facts.pl"], program);
        assert_eq!(files(&self.folder.join("sandbox")), before, "{what}: files\n{program}");
        assert_eq!(answers, ["3.0", "2.0", "3.0", "0.0"], "{what}:\n{program}");
        Ending::Right
    }
}

/// A clause that calls a predicate of SWI-Prolog's: without facts of that name it is an error, with them they are asked.
#[test]
fn bodies_of_a_model_call_facts_and_never_swi_prolog() {
    if !has_swi_prolog() {
        return;
    }
    let stage = Stage::new("hostile_bodies");
    let mut endings = Vec::new();
    for (goal, fact) in GOALS {
        let clauses = ["t(A) :- p(A,x).".to_owned(), format!("t(A) :- p(A,_), {goal}.")];
        let model = voting_model(&clauses, 1.0);
        let ending = stage.ending(goal, &model, "", "");
        endings.push(ending);
        // Not even gleaner has it for a predicate of data.
        if ending == Ending::Refused {
            continue;
        }
        assert_eq!(ending, Ending::Missing, "{goal}");
        let name = fact.split(['(', '.']).next().expect("a name");
        let n_arguments = arguments(fact);
        let head = if n_arguments == 0 {
            name.to_owned()
        } else {
            format!("{name}({})", vec!["_"; n_arguments].join(","))
        };
        let for_swi = format!(":- redefine_system_predicate({head}).\n");
        endings.push(stage.ending(goal, &model, fact, &for_swi));
        assert_eq!(endings.last(), Some(&Ending::Right), "{goal}");
    }
    let tally = tally(&endings);
    assert!(tally[&Ending::Right] >= 30 && tally[&Ending::Right] == tally[&Ending::Missing], "{tally:?}");
    for goal in NEVER {
        let model = voting_model(&[format!("t(A) :- p(A,x), {goal}.")], 1.0);
        assert_eq!(stage.ending(goal, &model, "", ""), Ending::Refused, "{goal}");
    }
}

/// How many arguments a fact has: commas outside inner brackets, and one.
fn arguments(fact: &str) -> usize {
    let mut depth = 0_usize;
    let mut n_arguments = 0;
    for c in fact.chars() {
        match c {
            '(' => {
                depth += 1;
                n_arguments = n_arguments.max(1);
            }
            ')' => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            ',' if depth == 1 => n_arguments += 1,
            _ => {}
        }
    }
    n_arguments
}

/// Every predicate that SWI-Prolog has, and those that it loads by itself: each is asked of facts of that name. Its internal
/// ones, `$NAME`, are left out: facts of these keep it from importing modules.
#[test]
fn facts_of_every_name_of_swi_prologs_are_asked() {
    if !has_swi_prolog() {
        return;
    }
    let stage = Stage::new("hostile_names");
    stage.write("sandbox/names.pl", NAMES);
    let output = Command::new("swipl")
        .current_dir(stage.folder.join("sandbox"))
        .args(["-q", "-g", "names", "-t", "halt", "names.pl"])
        .output()
        .expect("swipl runs");
    // What gleaner itself takes for control or for a comparison, and what is refused.
    let never = [
        "goal_expansion/2",
        "goal_expansion/4",
        "term_expansion/2",
        "term_expansion/4",
        "findall/3",
        "assert/1",
        "call/1",
        "is/2",
        "not/1",
    ];
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = names.lines().filter(|line| !never.contains(line)).filter_map(|line| line.rsplit_once('/'));
    let mut facts = String::new();
    let mut clauses = Vec::new();
    for (name, arity) in names {
        let arity: usize = arity.parse().expect("an arity");
        let arguments = |first: &str| {
            let all: Vec<&str> = [first].into_iter().chain(std::iter::repeat("x")).take(arity).collect();
            if all.is_empty() { String::new() } else { format!("({})", all.join(",")) }
        };
        let (name, any) = (quote_name(name), vec!["_"; arity].join(","));
        let head = if arity == 0 { name.clone() } else { format!("{name}({any})") };
        facts.push_str(&format!(
            ":- system:redefine_system_predicate(user:{head}).\n{name}{}.\n",
            arguments("bob")
        ));
        clauses.push(format!("t(A) :- p(A,_), {name}{}.", arguments("A")));
    }
    assert!(clauses.len() > 500, "{} names", clauses.len());
    let mut model = voting_model(&clauses, 1.0);
    model["scorer"] = json!({ "sum": vec![1.0; clauses.len()] });
    stage.write("model.json", &model.to_string());
    let (code, program, stderr) = gleaner(&stage.folder, &["show", "model.json", "--to", "pl"]);
    assert_eq!(code, Some(0), "{stderr}");
    stage.write("sandbox/model.pl", &program);
    stage.write("sandbox/facts.pl", &format!("{facts}p(bob,x).\n"));
    stage.write("sandbox/driver.pl", DRIVER);
    for order in [["model.pl", "facts.pl"], ["facts.pl", "model.pl"]] {
        let answers = stage.answers("all names", order, "");
        assert_eq!(answers[0], format!("{:?}", clauses.len() as f64), "{order:?}");
    }
}

const NAMES: &str = "\
names :-
    forall(( member(Module, [system, lists, apply, aggregate, readutil, filesex, process]),
             catch(use_module(library(Module), []), _, true),
             predicate_property(Module:Head, defined),
             \\+ predicate_property(Module:Head, imported_from(_)),
             ( Module == system -> true ; predicate_property(Module:Head, exported) ),
             functor(Head, Name, Arity),
             Arity < 8,
             sub_atom(Name, 0, 1, _, First),
             char_type(First, alpha) ),
           format(\"~w/~w~n\", [Name, Arity])).
";

/// Names of the user's own that the program must not be misled by: those of its helpers, and of what these call.
#[test]
fn names_of_data_do_not_shadow_the_program() {
    if !has_swi_prolog() {
        return;
    }
    let stage = Stage::new("hostile_shadows");
    let names =
        ["gleaner_covers/2", "gleaner_sum/3", "gleaner_clause/2", "gleaner_link/3", "data_p/2", "catch/3"];
    let heads = names.map(|name| {
        let (name, arity) = name.split_once('/').expect("a name and an arity");
        let arity: usize = arity.parse().expect("an arity");
        (name, ["bob", "x", "y"][..arity].join(","))
    });
    let clauses: Vec<String> = heads
        .iter()
        .map(|(name, arguments)| format!("t(A) :- {name}({}).", arguments.replacen("bob", "A", 1)))
        .chain(["t(A) :- number(A,B), B > 1.".to_owned(), "t(A) :- p(A,x).".to_owned()])
        .collect();
    let facts = heads.iter().map(|(name, arguments)| format!("{name}({arguments}).\n")).collect::<String>();
    let facts = format!("{facts}number(bob,3). number(cid,1). number(cid,2). number(3). number(x).");
    let for_swi = ":- redefine_system_predicate(catch(_,_,_)).\n:- redefine_system_predicate(number(_)).\n";
    assert_eq!(stage.ending("shadows", &voting_model(&clauses, 1.0), &facts, for_swi), Ending::Right);
}

/// A file whose clauses have other heads than the target, or whose target has more arguments than there is memory.
#[test]
fn a_model_whose_clauses_are_not_of_its_target_is_refused() {
    let folder = fresh_folder("hostile_heads");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("it is written");
    std::fs::create_dir(folder.join("data")).expect("the folder is made");
    write("data/background.pl", "p(bob,x). p(cid,y).");
    write("data/pos.pl", "t(bob).");
    write("data/neg.pl", "t(cid).");
    for head in ["u(A)", "t(A,B)", "t", "t(A,B,C,D,E)"] {
        let model = voting_model(&[format!("{head} :- p(A,x).")], 1.0);
        write("model.json", &model.to_string());
        for command in [
            &["show", "model.json", "--to", "pl"][..],
            &["predict", "model.json", "data"],
            &["show", "model.json"],
        ] {
            let (code, stdout, stderr) = gleaner(&folder, command);
            assert!(code == Some(1) && stdout.is_empty(), "{head} {command:?}: {stdout}{stderr}");
            assert!(stderr.contains("error[G") && stderr.contains("not its target"), "{head}: {stderr}");
        }
    }
    let mut model = voting_model(&[""; 0], 1.0);
    model["theories"] = json!([[]]);
    model["target"] = json!("t/4000000000");
    write("model.json", &model.to_string());
    let (code, stdout, stderr) = gleaner(&folder, &["show", "model.json", "--to", "pl"]);
    assert!(code == Some(1) && stdout.is_empty() && stderr.contains("error[G"), "{stderr}");
}

/// Numbers beyond what they count: a test behind the literals of its clause, an argument before the first. Both were panics.
#[test]
fn numbers_of_a_model_beyond_what_they_count_are_refused() {
    let folder = fresh_folder("hostile_tree");
    let data = fixture("university").to_string_lossy().into_owned();
    let learnt = ["learn", &data, "--fold", "1", "--learner", "tree", "--quiet", "-o", "tree.json"];
    assert_eq!(gleaner(&folder, &learnt).0, Some(0));
    let text = std::fs::read_to_string(folder.join("tree.json")).expect("a model");
    let model: Json = serde_json::from_str(&text).expect("a model is JSON");
    let mut mutated = model.clone();
    mutated["group"] = json!(0);
    std::fs::write(folder.join("mutated.json"), mutated.to_string()).expect("it is written");
    let (code, _, stderr) = gleaner(&folder, &["predict", "mutated.json", &data, "--fold", "1"]);
    assert!(code == Some(1) && stderr.contains("error[G060]"), "{stderr}");
    let node = "/trees/0/nodes/0";
    for (field, value) in
        [("n_test", 4_000_000_000_u64), ("n_test", 99), ("n_before", u64::MAX), ("n_before", 1)]
    {
        let mut mutated = model.clone();
        let split = mutated.pointer_mut(node).expect("a node");
        let split = if split.get("n_test").is_some() { split } else { &mut split["split"] };
        let n_literals = split["clause"].as_str().expect("a clause").matches('(').count() - 1;
        assert!(split["n_test"].as_u64().expect("a number") >= 1 && n_literals >= 1, "{split}");
        split[field] = json!(value.max(n_literals as u64 * u64::from(field == "n_before")));
        std::fs::write(folder.join("mutated.json"), mutated.to_string()).expect("it is written");
        for command in [&["show", "mutated.json"][..], &["show", "mutated.json", "--to", "pl"]] {
            let (code, stdout, stderr) = gleaner(&folder, command);
            assert!(
                code == Some(1) && stdout.is_empty() && stderr.contains("error[G060]"),
                "{field}: {stderr}"
            );
        }
    }
}
