//! What is refused under an order, and what is said.

use std::path::{Path, PathBuf};

use crate::support::{fresh_folder, gleaner};

const MODES: &str = "\
:- modeh(1, good(+person)).
:- modeb(*, order(+person, -order)).
:- modeb(1, amount(+order, -euros)).
:- modeb(1, amount(+order, #euros)).
:- modeb(1, both(+order, -euros, -pounds)).
:- modeb(1, large(+order)).
:- modeb(1, +euros >= #euros).
:- modeb(1, +euros =< #euros).
:- modeb(1, +pounds >= #pounds).
";

/// Twenty people with an order each, whose amount says the class.
fn orders(name: &str, modes: &str, further: &str) -> PathBuf {
    let folder = fresh_folder(name);
    let [mut facts, mut positives, mut negatives] =
        ["large(X) :- amount(X, V), V >= 12.\n", "", ""].map(str::to_owned);
    for at in 0..20 {
        facts += &format!("order(p{at}, o{at}).\namount(o{at}, {at}).\nboth(o{at}, {at}, {}).\n", 20 - at);
        *(if at >= 10 { &mut positives } else { &mut negatives }) += &format!("good(p{at}).\n");
    }
    facts += further;
    let modes = format!("{MODES}{modes}");
    for (file, text) in [("background", &facts), ("pos", &positives), ("neg", &negatives), ("modes", &modes)]
    {
        std::fs::write(folder.join(format!("{file}.pl")), text).expect("written");
    }
    folder
}

/// Standard error of a command that is refused.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let (code, _, stderr) = gleaner(folder, arguments);
    assert_eq!(code, Some(1), "{arguments:?}: {stderr}");
    stderr
}

fn says(text: &str, parts: &[&str]) {
    assert!(parts.iter().all(|part| text.contains(part)), "{parts:?} in {text}");
}

/// Learners that may count evidence against an example keep no order, and say who does.
#[test]
fn learners_without_an_order_name_those_with_one() {
    let folder = orders("monotone_learners", "", "");
    for learner in ["srl", "sayu", "mlynx", "nfoil", "kfoil"] {
        for command in ["learn", "cv"] {
            let text = refused(&folder, &[command, ".", "--learner", learner, "--monotone", "euros=+"]);
            says(&text, &["error[G059]", &format!("--learner {learner}"), "rdn-boost", "aleph", "gleaner"]);
            assert!(!text.contains("mlynx,") && !text.contains(", srl"), "{text}");
        }
    }
    for (learner, setting, word, kept_by) in [
        ("aleph", "theory-weights", "naive-bayes", "precision"),
        ("aleph", "theory-weights", "weighted-vote", "equal"),
        ("gleaner", "votes", "naive-bayes", "shared"),
        ("rdn-boost", "object-identity", "on", "proposed"),
        ("tree", "calibration", "platt", "blend, isotonic, none"),
        ("tree", "calibration", "binning", "blend"),
    ] {
        let setting_flag = format!("--{setting}");
        let learn = ["learn", ".", "--learner", learner, &setting_flag, word];
        let text = refused(&folder, &[&learn[..], &["--monotone", "euros=+"]].concat());
        says(&text, &["error[G059]", &format!("{setting_flag} {word}"), kept_by]);
    }
    let auto =
        ["learn", ".", "--learner", "auto", "--candidate-learners", "srl,mlynx", "--monotone", "euros=+"];
    says(&refused(&folder, &auto), &["error[G059]", "--learner auto", "tree"]);
}

#[test]
fn names_that_the_data_lack_are_refused() {
    let folder = orders("monotone_names", "", "");
    let learn =
        |monotone: &str| refused(&folder, &["learn", ".", "--learner", "tree", "--monotone", monotone]);
    says(&learn("eurso=+"), &["error[G125]", "did you mean euros?", "amount", "pounds"]);
    says(&learn("order=+"), &["error[G125]", "euros"]);
    says(&learn("both=+"), &["error[G125]", "euros, pounds"]);
    says(&learn("euros=+,amount=-"), &["error[G125]", "both directions"]);
    for wrong in ["euros", "euros=up", "euros=+,euros=+"] {
        let (code, _, stderr) = gleaner(&folder, &["learn", ".", "--learner", "tree", "--monotone", wrong]);
        assert_eq!(code, Some(2), "{stderr}");
        says(&stderr, &["is no value for monotone"]);
    }
    let without = fresh_folder("monotone_without");
    std::fs::write(without.join("pos.pl"), "good(a). good(b). good(c).").expect("written");
    std::fs::write(without.join("neg.pl"), "good(d). good(e). good(f).").expect("written");
    std::fs::write(without.join("background.pl"), "tall(a). tall(b). tall(c).").expect("written");
    std::fs::write(without.join("modes.pl"), ":- modeh(1, good(+p)). :- modeb(1, tall(+p)).")
        .expect("written");
    let text = refused(&without, &["learn", ".", "--learner", "tree", "--monotone", "euros=+"]);
    says(&text, &["error[G125]", "no mode asks for thresholds"]);
}

#[test]
fn arguments_of_two_types_need_one_direction() {
    let modes = ":- modeb(1, amount(+order, -coins)).\n:- modeb(1, +coins >= #coins).\n";
    let folder = orders("monotone_two_types", modes, "");
    let learn = ["learn", ".", "--learner", "tree", "--quiet", "--monotone"];
    let text = refused(&folder, &[&learn[..], &["euros=+"]].concat());
    says(&text, &["error[G125]", "amount/2", "euros", "coins"]);
    let (code, _, stderr) = gleaner(&folder, &[&learn[..], &["euros=+,coins=+"]].concat());
    assert_eq!(code, Some(0), "{stderr}");
}

/// Of many classes one gets less probable where another gets more so. Given clauses may be any.
#[test]
fn classes_and_given_clauses_are_refused() {
    let folder = orders(
        "monotone_classes",
        "",
        "kind(p1, x). kind(p2, y). kind(p3, z). kind(p4, x). kind(p5, y). kind(p6, z).\n",
    );
    std::fs::write(folder.join("clauses.pl"), "good(A) :- order(A, B), amount(B, C), C =< 4.\n")
        .expect("written");
    let learn = ["learn", ".", "--learner", "auto", "--monotone", "euros=+"];
    says(
        &refused(&folder, &[&learn[..], &["--feature-clauses", "clauses.pl"]].concat()),
        &["error[G059]", "--feature-clauses"],
    );
    let classes = orders("monotone_many_classes", "", "");
    let shares: String =
        (0..20).map(|at| format!("good(p{at}, {}).\n", ["low", "middle", "high"][at / 7])).collect();
    std::fs::write(classes.join("pos.pl"), shares).expect("written");
    std::fs::remove_file(classes.join("neg.pl")).expect("removed");
    let modes = MODES.replace("good(+person)", "good(+person, #share)");
    std::fs::write(classes.join("modes.pl"), modes).expect("written");
    let learn = ["learn", ".", "--learner", "tree", "--class-argument", "2", "--monotone", "euros=+"];
    says(&refused(&classes, &learn), &["error[G059]", "many classes"]);
}

/// What is left out for the order is said: candidates, modes, and what rules make of the number.
#[test]
fn what_is_left_out_is_said() {
    let counting = ":- modeb(1, aggregate_all(sum(V), (order(+person, O), amount(O, V)), -total)).\n\
                    :- modeb(1, +total >= #total).\n\
                    :- modeb(1, aggregate_all(count, order(+person, O), -n)).\n:- modeb(1, +n >= #n).\n";
    let folder = orders("monotone_said", counting, "");
    let learn = ["learn", ".", "--learner", "auto", "--monotone", "euros=+", "--rounds", "2"];
    let (code, _, stderr) = gleaner(&folder, &learn);
    assert_eq!(code, Some(0), "{stderr}");
    says(&stderr, &["leaves out srl of the candidates", "#euros", "sum(", "rules of large/1"]);
    assert!(!stderr.contains("aggregate_all(count"), "{stderr}");
    // Nothing is left out of other learners, and nothing is said without an order.
    let (_, _, stderr) = gleaner(&folder, &["learn", ".", "--learner", "tree", "--monotone", "total=+"]);
    assert!(!stderr.contains("leaves out") && stderr.contains("about facts"), "{stderr}");
    let (_, _, stderr) = gleaner(&folder, &["learn", ".", "--learner", "tree"]);
    assert!(!stderr.contains("monotone"), "{stderr}");
    let (_, _, stderr) = gleaner(&folder, &["why", ".", "good(A).", "--monotone", "euros=+"]);
    says(&stderr, &["--monotone has no effect on why"]);
}
