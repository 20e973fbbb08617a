//! With two or three positives nothing is held back for tune, and a message says so.

use crate::support::{fresh_folder, gleaner};

/// Grandfathers by their fathers, of as many families as positives; each has a grandmother, too.
fn families(name: &str, n_positives: usize) -> std::path::PathBuf {
    let folder = fresh_folder(name);
    let mut text = ":- aleph.\n:- modeh(1, gf(+p,+p)).\n:- modeb(*, mum(+p,-p)).\n:- modeb(*, dad(+p,-p)).\n\
                    :- determination(gf/2, mum/2).\n:- determination(gf/2, dad/2).\n"
        .to_owned();
    let (mut facts, mut positives, mut negatives) = (String::new(), String::new(), String::new());
    for at in 0..n_positives {
        facts.push_str(&format!("mum(m{at},p{at}). dad(d{at},p{at}). mum(p{at},c{at}). dad(q{at},c{at}).\n"));
        positives.push_str(&format!("gf(d{at},c{at}).\n"));
        // The grandmother, and the grandchild of another.
        let other = (at + 1) % n_positives;
        negatives.push_str(&format!("gf(m{at},c{at}).\ngf(d{at},c{other}).\n"));
    }
    for (part, of) in [("bg", facts), ("in_pos", positives), ("in_neg", negatives)] {
        text.push_str(&format!(":- begin_{part}.\n{of}:- end_{part}.\n"));
    }
    std::fs::write(folder.join("t.pl"), text).expect("it can be written");
    folder
}

#[test]
fn two_and_three_positives_are_all_learnt_from() {
    for n_positives in [2, 3] {
        let folder = families(&format!("few-positives-{n_positives}"), n_positives);
        let learn = ["learn", "t.pl", "--learner", "aleph", "-o", "out.json"];
        let (code, stdout, stderr) = gleaner(&folder, &learn);
        assert_eq!(code, Some(0), "{stdout}{stderr}");
        assert!(stderr.contains("warning[G082]: fewer than 4 examples of a class"), "{stderr}");
        let counts = format!("     {n_positives}      0  gf(A,B) :- dad(A,C), mum(C,B).");
        assert!(stdout.contains(&counts) || stderr.contains(&counts), "{stdout}{stderr}");
    }
}

#[test]
fn of_eight_positives_some_are_held_back() {
    let folder = families("few-positives-8", 8);
    let (code, stdout, stderr) = gleaner(&folder, &["learn", "t.pl", "--learner", "aleph", "-o", "out.json"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(!stderr.contains("G082"), "{stderr}");
    assert!(stdout.contains("     6      0  gf(A,B) :- dad(A,C), mum(C,B)."), "{stdout}{stderr}");
}
