//! Settings from files and presets, as a user gives them: which of several counts, and what is said of mistakes.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::support::{fresh_folder, of_gleaner, program};

fn folder(name: &str) -> PathBuf {
    fresh_folder(&format!("settings/{name}"))
}

/// A problem of a dozen families, with a setting of its own.
fn problem(folder: &Path) {
    std::fs::create_dir_all(folder.join("family")).expect("it can be made");
    let families = |line: fn(usize) -> String| (0..12).map(line).collect::<String>();
    let modes = ":- modeh(1, grandparent(+person, +person)).\n:- modeb(*, parent(+person, -person)).\n";
    let files = [
        ("background.pl", families(|at| format!("parent(a{at},b{at}).\nparent(b{at},c{at}).\n"))),
        ("modes.pl", format!("{modes}:- set(depth, 3).\n")),
        ("pos.pl", families(|at| format!("grandparent(a{at},c{at}).\n"))),
        ("neg.pl", families(|at| format!("grandparent(a{at},b{at}).\ngrandparent(b{at},c{at}).\n"))),
    ];
    for (name, text) in files {
        std::fs::write(folder.join("family").join(name), text).expect("it can be written");
    }
}

/// Exit code, standard error, and the settings of the model that was learnt.
fn learn(folder: &Path, options: &[&str]) -> (Option<i32>, String, Json) {
    let model = folder.join("model.json");
    let _ = std::fs::remove_file(&model);
    let quick = ["--seeds", "2", "--quiet"];
    let arguments = [&["learn", "family", "-o", "model.json"][..], &quick, options].concat();
    let output = program(folder).args(of_gleaner(&arguments)).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let settings = std::fs::read_to_string(model).map_or(Json::Null, |text| {
        let model: Json = serde_json::from_str(&text).expect("a model is JSON");
        model["settings"].clone()
    });
    (output.status.code(), said, settings)
}

fn config(folder: &Path, text: &str) {
    std::fs::write(folder.join("settings.toml"), text).expect("it can be written");
}

const CONFIG: [&str; 2] = ["--config", "settings.toml"];

/// The command line comes before the file, the file before `:- set`, that before a preset and its before defaults.
#[test]
fn the_nearest_to_the_user_counts() {
    let folder = folder("precedence");
    problem(&folder);
    config(
        &folder,
        "# flat\nclauses = 60\nvotes = \"precision\"\nmax_literals = 0x3\nlearning-curve = [10, 20]\n",
    );
    let (code, said, settings) =
        learn(&folder, &[&CONFIG[..], &["--preset", "thesis", "--clauses", "50"]].concat());
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(settings["clauses"], 50, "the command line");
    assert_eq!(settings["votes"], "precision", "the file, before the preset");
    assert_eq!(settings["max-literals"], 3, "an underscore stands for a hyphen");
    assert_eq!(settings["learning-curve"], "10,20");
    assert_eq!(settings["depth"], 3, "`:- set` of the data");
    assert_eq!((&settings["theories"], &settings["keep"]), (&"bins".into(), &"best".into()), "the preset");
    assert_eq!(settings["bins"], 20, "the default");
    config(&folder, "depth = 2\nmin-pos = \"auto\"\nmin-precision = 0.5\nalphas = 0.25\n");
    let (code, said, settings) = learn(&folder, &CONFIG);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!((&settings["depth"], &settings["min-pos"]), (&2.into(), &Json::Null));
    assert_eq!((&settings["min-precision"], &settings["alphas"]), (&0.5.into(), &"0.25".into()));
}

/// A preset is its settings, and flags come before it.
#[test]
fn a_preset_is_its_settings() {
    let folder = folder("preset");
    problem(&folder);
    // The thesis, sections 3.1.2, 5.2, 5.6 and 5.8; the flags of the test come before the preset.
    let thesis = "--search rrr --score precision-recall --restart-evaluations 1000 --bins 20 --partition recall \
        --keep best --theories bins --votes equal --selection all --thresholds best-overlap --threshold-set tune \
        --duplicates count --min-pos 7 --min-tune-pos 2 --max-literals 10 --smoothing add-one \
        --operating-point best-f1";
    let thesis: Vec<&str> = thesis.split_whitespace().collect();
    let (_, _, spelt) = learn(&folder, &thesis);
    let (code, said, settings) = learn(&folder, &["--preset", "thesis"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(settings, spelt);
    let (_, _, settings) = learn(&folder, &["--preset", "thesis", "--votes", "shared"]);
    assert_eq!((&settings["votes"], &settings["theories"]), (&"shared".into(), &"bins".into()));
    let (code, said, _) = learn(&folder, &["--preset", "thesys"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("thesis"), "{said}");
}

/// `--preset list` prints each preset as a file that `--config` takes, without any data.
#[test]
fn listed_presets_are_files_of_settings() {
    let folder = folder("preset_list");
    problem(&folder);
    let (code, stdout, stderr) = crate::support::gleaner(&folder, &["cv", "--preset", "list"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.starts_with("## thesis: ") && stdout.contains("\nduplicates = \"count\"\n"), "{stdout}");
    let files: Vec<&str> = stdout.split("\n## ").collect();
    let names = ["thesis", "aleph-ensemble", "mlynx"];
    assert_eq!(files.len(), names.len(), "{stdout}");
    for (file, preset) in files.into_iter().zip(names) {
        // The name is a part of its comment.
        let file = format!("# {file}");
        assert!(file.trim_start_matches(['#', ' ']).starts_with(&format!("{preset}: ")), "{file}");
        std::fs::write(folder.join("settings.toml"), file).expect("the file can be written");
        let (_, _, of_file) = learn(&folder, &CONFIG);
        let (_, _, of_preset) = learn(&folder, &["--preset", preset]);
        assert!(of_preset.is_object(), "{preset}");
        assert_eq!(of_file, of_preset);
    }
}

/// The thesis, sections 3.2, 5.1, 5.2 and 5.4: the settings of its ensembles of Aleph theories.
#[test]
fn the_preset_of_ensembles_is_its_settings() {
    let folder = folder("preset_ensemble");
    problem(&folder);
    let ensemble = "--learner aleph-ensemble --ensemble-size 100 --search best-first --score laplace --min-precision 0.75 \
        --clauses 1000 --theory-clauses 50 --min-pos 7 --min-tune-pos 2 --max-literals 10 --induction induce \
        --curve-clauses 1,5,10,15,20,25,50 --operating-point best-f1";
    let ensemble: Vec<&str> = ensemble.split_whitespace().collect();
    let (_, _, spelt) = learn(&folder, &ensemble);
    let (code, said, settings) = learn(&folder, &["--preset", "aleph-ensemble"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!((&settings, &settings["min-pos"]), (&spelt, &7.into()));
    let (_, _, fewer) = learn(&folder, &["--preset", "aleph-ensemble", "--ensemble-size", "3"]);
    assert_eq!((&fewer["ensemble-size"], &fewer["theory-clauses"]), (&3.into(), &50.into()));
}

/// mLynx's paper, sections 2 to 4: its settings, and what it does not say. Alpha has two values there, by the data.
#[test]
fn the_preset_of_mlynx_is_its_settings() {
    let folder = folder("preset_mlynx");
    problem(&folder);
    let mlynx = "--learner mlynx --frequency-in all --object-identity on --condense none --restarts 100 \
        --random-step 0.05 --least-gain 0.0001 --set-goal errors --best-sets 1 --operating-point accuracy \
        --min-frequency 0.01 --query-length 3 --smoothing add-one";
    let mlynx: Vec<&str> = mlynx.split_whitespace().collect();
    let (_, _, spelt) = learn(&folder, &mlynx);
    let (code, said, settings) = learn(&folder, &["--preset", "mlynx"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!((&settings, &settings["best-sets"]), (&spelt, &1.into()));
    let (_, _, other) = learn(&folder, &["--preset", "mlynx", "--least-gain", "0.01"]);
    assert_eq!((&other["least-gain"], &other["set-goal"]), (&0.01.into(), &"errors".into()));
}

/// What a file says wrongly is told with its code and place, and what would be right.
#[test]
fn faults_of_a_file_have_places() {
    let folder = folder("faults");
    problem(&folder);
    for (text, told) in [
        ("rounds = 5\nclausse = 3\n", &["error[G040]", "settings.toml:2:1", "did you mean clauses?"][..]),
        ("nodes = 3\n", &["error[G040]", "settings.toml:1:1", "did you mean clauses?"]),
        ("depth = 0\n", &["error[G041]", "settings.toml:1:9", "depth takes a whole number from 1 to 20"]),
        ("\ndepth = \"2\"\n", &["error[G041]", "settings.toml:2:9", "without quotes"]),
        ("depth = 2.5\n", &["error[G041]", "2.5 is no value for depth"]),
        ("depth = [2]\n", &["error[G041]", "[2] is no value for depth"]),
        ("depth = true\n", &["error[G041]", "true is no value for depth"]),
        ("votes = 3\n", &["error[G041]", "in quotes"]),
        ("score = \"lapalce\"\n", &["error[G041]", "did you mean laplace?"]),
        ("alphas = [0.5, \"x\"]\n", &["error[G041]", "settings.toml:1:10"]),
        ("alphas = []\n", &["error[G041]", "[] is no value for alphas"]),
        ("alphas = [2]\n", &["error[G041]", "2 is no value for alphas"]),
        ("[bins]\ndepth = 2\n", &["error[G101]", "settings.toml:1:", "bins is a table"]),
        ("max-literals = 3\nmax_literals = 4\n", &["error[G101]", "settings.toml:2:1", "made twice"]),
        ("depth = \n", &["error[G101]", "settings.toml:1:", "no TOML"]),
        ("depth = 0\nbims = 3\n", &["error[G040]", "error[G041]"]),
    ] {
        config(&folder, text);
        let (code, said, _) = learn(&folder, &CONFIG);
        assert_eq!(code, Some(1), "{text}\n{said}");
        for told in told {
            assert!(said.contains(told), "{text}\n{said}");
        }
    }
    let (code, said, _) = learn(&folder, &["--config", "none.toml"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("none.toml"), "{said}");
}
