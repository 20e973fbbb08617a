//! What is mutated: a small problem of each layout written here, and cuts of public ones where
//! `GLEANER_DATA` names their folder.

use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use gleaner_data::Format;
use std::io::Read;

use crate::mutate::Files;

/// A problem as it is loaded.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) format: Format,
    pub(crate) target: Option<&'static str>,
    /// What is loaded below the folder; the folder itself where empty.
    pub(crate) entry: &'static str,
    /// Modes and background outside what is loaded.
    pub(crate) modes: Option<&'static str>,
    pub(crate) background: Option<&'static str>,
    pub(crate) files: Files,
}

fn sample(name: &'static str, format: Format, files: &[(&str, &str)]) -> Sample {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    Sample { name, format, target: None, entry: "", modes: None, background: None, files }
}

const FACTS: &str = "parent(ann,bob).\nparent(bob,'Cid').\nparent(cid,\"dan\").\nage(ann, 61).\nage(bob, -3.5e2).\n\
    % a note\n/* another */\n'is old'(X) :- age(X, A), A > 60.\nsibling(X, Y) :- parent(Z, X), parent(Z, Y), X \\== Y.\n\
    ancestor(X, Y) :- parent(X, Y).\nancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).\nold(X) :- age(X,A), B is A * 2, B > 100.\n\
    young(X) :- parent(X,_), \\+ old(X).\n";
const MODES: &str = ":- modeh(1, grandparent(+person, +person)).\n:- modeb(*, parent(+person, -person)).\n\
    :- modeb(1, \\+ young(+person)).\n:- modeb(1, age(+person, #years)).\n:- modeb(1, +years >= #years).\n:- set(depth, 2).\n";
const POSITIVES: &str = "grandparent(ann,'Cid').\ngrandparent(bob,\"dan\").\n";
const NEGATIVES: &str = "grandparent(bob,ann).\ngrandparent(cid,bob).\ngrandparent(ann,ann).\n";

/// Facts with times of their own and of rows, and examples with cut-offs.
const TIMED_FACTS: &str = "visit(ann, 3, '2010-02-01').\nvisit(bob, 4, '2010-02-03T12:00:00Z').\nsent(b1, '2010-01-31').\n\
    sent(b2, '2010-03-02').\nin(b3, b1).\nholds(ann, b1).\nholds(bob, b3).\nperson(ann).\nperson(bob).\n\
    idle(P) :- person(P), \\+ recent(P).\nrecent(P) :- visit_age(P, _, N), N =< 27.\n\
    boxes(P, N) :- person(P), aggregate_all(count, holds(P, _), N).\n";
const TIMED_MODES: &str = ":- timed(visit(_, _, time)).\n:- timed(sent(key(box), time), days).\n:- timed(in(key(box), box)).\n\
    :- cutoff(late(_, time), up_to).\n:- frozen(test, '2010-02-20').\n:- modeh(1, late(+person, +day)).\n\
    :- modeb(*, holds(+person, -box)).\n:- modeb(1, days(+box, -age)).\n:- modeb(1, +age =< #age).\n:- modeb(1, idle(+person)).\n";

/// One small problem of each layout.
pub(crate) fn written() -> Vec<Sample> {
    let own = [("background.pl", FACTS), ("modes.pl", MODES), ("pos.pl", POSITIVES), ("neg.pl", NEGATIVES)];
    let background = format!("{MODES}:- determination(grandparent/2, parent/2).\n{FACTS}");
    let single = format!(
        ":- use_module(library(aleph)).\n:- aleph.\n{MODES}:- begin_bg.\n{FACTS}:- end_bg.\n:- begin_in_pos.\n{POSITIVES}\
         :- end_in_pos.\n:- begin_in_neg.\n{NEGATIVES}:- end_in_neg.\n"
    );
    vec![
        sample("own", Format::Own, &own),
        sample(
            "own with times",
            Format::Own,
            &[
                ("background.pl", TIMED_FACTS),
                ("modes.pl", TIMED_MODES),
                ("pos.pl", "late(ann, '2010-03-01').\nlate(bob, '2010-02-03').\n"),
                ("neg.pl", "late(ann, '2010-02-01').\nlate(bob, '2010-03-01T00:00:00').\n"),
            ],
        ),
        sample("aleph", Format::Aleph, &[("a.b", &background), ("a.f", POSITIVES), ("a.n", NEGATIVES)]),
        sample("aleph single", Format::Aleph, &[("train.pl", &single)]),
        boostsrl(),
        sample(
            "popper",
            Format::Popper,
            &[
                ("bk.pl", FACTS),
                (
                    "exs.pl",
                    "pos(grandparent(ann,'Cid')).\nneg(grandparent(bob,ann)).\nneg(grandparent(cid,bob)).\n",
                ),
                (
                    "bias.pl",
                    "head_pred(grandparent,2).\nbody_pred(parent,2).\nbody_pred(age,2).\ntype(grandparent,(person,person)).\n\
                     type(parent,(person,person)).\ndirection(parent,(in,out)).\nmax_body(4).\nmax_vars(5).\n\
                     :- body_literal(_,parent,2,(A,A)).\n",
                ),
            ],
        ),
        progol(),
        cplint(),
        alchemy(),
        triples(),
        csv(),
        json_lines(),
    ]
}

fn boostsrl() -> Sample {
    let bk = "setParam: maxTreeDepth=3.\n// modes\nmode: father(+name,+name).\nmode: childof(+name,`name).\n\
        mode: male(+name).\nimport: \"more_bk.txt\".\nprecompute1: old(X) :- age(X,A), A > 60.\n";
    let facts = "male(harry). // one\nmale(bob).\nchildof(harry,\"Ann B\");\nage(harry, 61).\n/* two */\nchildof(ron,harry).\n";
    let files = [
        ("background.txt", bk),
        ("more_bk.txt", "mode: age(+name,#years).\nmode: old(+name).\n"),
        ("train/train_facts.txt", facts),
        ("train/train_pos.txt", "father(harry,ron).\n//the rest should be false\nfather(ron,ron).\n"),
        ("train/train_neg.txt", "father(ron,harry).\n"),
        ("test/test_facts.txt", facts),
        ("test/test_pos.txt", "father(harry,ron).\n"),
        ("test/test_neg.txt", "father(ron,harry).\n"),
    ];
    sample("boostsrl", Format::Boostsrl, &files)
}

fn progol() -> Sample {
    let mode = "!- mode(active(+)).\n:- modeb(*,atm(+drug,-atomid,#element))?\n:- modeb(1,low(+drug))?\n:- set(h,5)?\n\
        low(d1). atm(d1,a1,c). atm(d2,a2,n). atm(d3,a3,c).\nlight(X) :- low(X), \\+ atm(X,_,n).\n";
    let files = [
        ("mode.pl", mode),
        ("folds/s1.pl", "active(d5).\n:- active(d6).\n"),
        ("folds/s2.pl", "active(d3).\n:- active(d4).\n"),
        ("folds/s10.pl", "active(d1).\n:- active(d2).\n"),
    ];
    Sample { entry: "folds", modes: Some("mode.pl"), ..sample("progol", Format::Progol, &files) }
}

fn cplint() -> Sample {
    let text = ":- use_module(library(slipcover)).\n:- sc.\n:- set_sc(depth,2).\nfold(f2,[m2]).\nfold(f1,[m1]).\n\
        output(adv/2).\ninput(pub/2).\nmodeh(*,adv(+p,+p)).\nmodeb(*,pub(-t,+p)).\nmodeb(*,good(+p)).\n\
        determination(adv/2,pub/2).\ndetermination(adv/2,good/1).\nbg([]).\nin([(adv(A,B):0.7 :- pub(C,A),pub(C,B))]).\n\
        good(X) :- pub(T,X), \\+ bad(T).\nadv(m1,a,b).\nneg(adv(m1,b,a)).\npub(m1,t1,a).\nneg(pub(m1,t1,b)).\nbad(m1,t9).\n\
        begin(model(m2)).\nadv(c,d).\nneg(adv(d,c)).\npub(t2,c).\npub(t2,d).\nend(model(m2)).\n";
    sample("cplint", Format::Interpretations, &[("models.pl", text)])
}

fn alchemy() -> Sample {
    let mln = "//declarations\n*publication(title,person)\nadvisedBy(person,person!)\n\n\
        0  advisedBy(a1,a2) v !publication(a3,a1)\n-1.5  !advisedBy(a1,a2) v *publication(a3,+a1)\n";
    let db = "publication(Title301 , Person63)\npublication(Title301,Person2)\nadvisedBy(Person63,Person2)\n\
        !advisedBy(Person2,Person63)\n!publication(Title1,\"Person, 2\").\n";
    let files = [("prog.mln", mln), ("evidence.db", db), ("query.db", "advisedBy(x,y)")];
    sample("alchemy", Format::Alchemy, &files)
}

fn triples() -> Sample {
    let files = [
        ("train.txt", "/m/1\t/film/genre\t/m/2\r\n/m/1\t/film/by\t/m/3\r\n/m/4\t/film/by\t/m/3\r\n"),
        ("valid.txt", "/m/5\t/film/genre\t/m/2\r\n"),
        ("test.txt", "/m/4\t/film/genre\t/m/2\r\n/m/5\t/film/by\t/m/3\r\n"),
        ("valid_negatives.txt", "/m/1\t/film/genre\t/m/3\r\n"),
        ("test_negatives.txt", "/m/5\t/film/genre\t/m/3\r\n/m/1\t/film/by\t/m/2\r\n"),
    ];
    Sample { target: Some("/film/genre"), ..sample("triples", Format::Triples, &files) }
}

fn csv() -> Sample {
    let files = [
        (
            "publication.csv",
            "title,person\ntitle7,person3\n\"On \"\"it\"\", again\",Ann\n'12',007\n\"[a,b]\",(a - b)\n",
        ),
        (
            "advisedby.csv",
            "person,person,label,fold\nperson3,person8,1,ai\nperson3,person9,0,theory\nperson4,person8,1,theory\nperson4,person9,0,ai\nAnn,person9,pos,\n",
        ),
        ("size.1.csv", "\n3\n4.5\n-1e9\n"),
        ("background.pl", "coauthor(A, B) :- publication(T, A), publication(T, B), A \\== B.\n"),
        ("modes.pl", ":- modeh(1,advisedby(+person,+person)).\n:- modeb(*,publication(-title,+person)).\n"),
    ];
    sample("csv", Format::Csv, &files)
}

fn json_lines() -> Sample {
    let text = r#"{"directive":"modeh(1, advisedby(+person, +person))"}
{"directive":"modeb(*, publication(-title, +person))"}
{"clause":"coauthor(A, B) :- publication(T, A), publication(T, B), A \\== B."}
{"predicate":"publication","arguments":["title7","person3"],"fold":"ai"}
{"predicate":"publication","arguments":["\u00e9 \ud83d\ude00", -1.5e3]}
{"predicate":"advisedby","arguments":["person3","person8"],"label":true,"fold":"ai"}
{"predicate":"advisedby","arguments":["person3","person9"],"label":0,"fold":"theory"}
{"predicate":"advisedby","arguments":["person4","person8"],"label":1,"fold":"theory"}
{"predicate":"advisedby","arguments":["person4","person9"],"label":false,"fold":"ai"}
"#;
    sample("json-lines", Format::JsonLines, &[("all.jsonl", text)])
}

/// So many lines of a file's beginning, and as many of its middle.
const LINES: usize = 150;

fn cut(bytes: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.len() <= 2 * LINES {
        return bytes.to_vec();
    }
    let middle = lines.len() / 2;
    [&lines[..LINES], &lines[middle..middle + LINES]].concat().concat()
}

/// The files below a folder, decompressed.
fn files_below(folder: &Path, is_cut: bool) -> Files {
    let mut files = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(&at).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let mut bytes = std::fs::read(&path).expect("the file can be read");
            let name = path.strip_prefix(folder).expect("found below it").to_string_lossy().into_owned();
            if name.ends_with(".gz") {
                let mut whole = Vec::new();
                MultiGzDecoder::new(&*bytes).read_to_end(&mut whole).expect("the file is whole");
                bytes = whole;
            }
            files.push((name.trim_end_matches(".gz").to_owned(), if is_cut { cut(&bytes) } else { bytes }));
        }
    }
    files.sort();
    files
}

/// A cut of a problem in a folder.
fn of_folder(name: &'static str, format: Format, folder: &Path) -> Sample {
    Sample { files: files_below(folder, true), ..sample(name, format, &[]) }
}

/// The university, as it is and in other layouts.
pub(crate) fn converted() -> Vec<Sample> {
    let university = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/university");
    let whole = |name, format, folder: &Path| Sample {
        files: files_below(folder, false),
        ..sample(name, format, &[])
    };
    let mut samples = vec![whole("own", Format::Own, &university)];
    for (name, format) in [("csv", Format::Csv), ("json-lines", Format::JsonLines)] {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let request = gleaner_data::LoadRequest { path: university.clone(), ..Default::default() };
        let mut sources = gleaner_lang::syntax::Sources::new();
        let converted =
            gleaner_data::convert::convert(&request, format, gleaner::experiment::catalog(), &mut sources);
        let converted = converted.expect("the university can be converted");
        for file in &converted.files {
            let path = folder.path().join(&file.path);
            std::fs::create_dir_all(path.parent().expect("files have a folder"))
                .expect("the folder can be made");
            std::fs::write(path, &file.text).expect("the file can be written");
        }
        samples.push(whole(name, format, folder.path()));
    }
    samples
}

/// Cuts of the public problems; empty without them.
pub(crate) fn public() -> Vec<Sample> {
    let Some(data) = std::env::var_os("GLEANER_DATA").map(PathBuf::from) else { return Vec::new() };
    let of = |name, format, folder: &str| {
        let folder = data.join(folder);
        folder.exists().then(|| of_folder(name, format, &folder))
    };
    let only = |sample: Option<Sample>, keep: &[&str]| {
        sample.map(|mut sample| {
            sample.files.retain(|(name, _)| keep.iter().any(|kept| name.starts_with(kept)));
            sample
        })
    };
    let samples = [
        of("aleph", Format::Aleph, "trains/aleph"),
        of("aleph", Format::Aleph, "aleph_examples/gcws"),
        of("aleph", Format::Aleph, "aleph_examples/recursion"),
        only(of("aleph", Format::Aleph, "aleph_examples/numbers"), &["mut."]),
        of("aleph single", Format::Aleph, "trains/aleph_single_file"),
        of("boostsrl", Format::Boostsrl, "toy_father"),
        of("boostsrl", Format::Boostsrl, "will_toy"),
        of("boostsrl", Format::Boostsrl, "upgrade"),
        only(of("boostsrl", Format::Boostsrl, "krk_illegal"), &["chess_"]),
        of("popper", Format::Popper, "popper_examples/zendo1"),
        of("popper", Format::Popper, "popper_examples/kinship-ancestor"),
        of("popper", Format::Popper, "trains/popper_trains1"),
        of("progol", Format::Progol, "mutagenesis/progol_aleph").map(|sample| Sample {
            entry: "lp/188",
            modes: Some("data/progol/mode.pl"),
            background: Some("data/atom_bond.pl"),
            ..sample
        }),
        of("cplint", Format::Interpretations, "uwcse/interpretations"),
        of("alchemy", Format::Alchemy, "uwcse/mln"),
        of("alchemy", Format::Alchemy, "twitter"),
        of("triples", Format::Triples, "fb15k237")
            .map(|sample| Sample { target: Some("/film/film/genre"), ..sample }),
    ];
    samples.into_iter().flatten().collect()
}
