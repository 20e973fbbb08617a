//! `gleaner text`: facts, rules, modes and examples of a corpus.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::{fresh_folder, gleaner, printed, write};

/// A sentence, the names in it, and which are related.
type Annotated = (&'static str, &'static [&'static str], &'static [[usize; 2]]);

/// Ten sentences as lines of JSON: which factor acts on which gene. The names of the words are found in the text.
fn ten_sentences() -> String {
    let sentences: [Annotated; 10] = [
        ("SigK activates the transcription of gerE.", &["SigK", "gerE"], &[[0, 1]]),
        ("The promoter of cotD is bound by GerE, not by SigK.", &["GerE", "cotD", "SigK"], &[[0, 1]]),
        ("SigA and SpoA were found near the membrane of yabG.", &["SigA", "SpoA", "yabG"], &[]),
        (
            "AbrB represses sigH, and SigH activates spoA.",
            &["AbrB", "sigH", "SigH", "spoA"],
            &[[0, 1], [2, 3]],
        ),
        ("ComK activates comG, whereas sspE was not tested.", &["ComK", "comG", "sspE"], &[[0, 1]]),
        ("Mutants of ykvP and cotC look alike.", &["ykvP", "cotC"], &[]),
        ("SigE activates ydhD (and cotE).", &["SigE", "ydhD", "cotE"], &[[0, 1], [0, 2]]),
        ("Cells without SigF contain yqfD and sspB.", &["SigF", "yqfD", "sspB"], &[]),
        ("The kinase KinA and the gene kinB were cloned.", &["KinA", "kinB"], &[]),
        ("GerE represses cotA; sigK is far from it.", &["GerE", "cotA", "sigK"], &[[0, 1]]),
    ];
    let line = |(number, (text, names, related)): (usize, &Annotated)| {
        let entity = |(at, name): (usize, &&str)| {
            let start = text.find(*name).expect("a name of the text");
            let kind = if name.starts_with(char::is_uppercase) { "factor" } else { "gene" };
            json!({"id": format!("e{at}"), "start": start, "end": start + name.len(), "type": kind})
        };
        let entities: Vec<_> = names.iter().enumerate().map(entity).collect();
        let relations: Vec<_> = related
            .iter()
            .map(|[head, tail]| json!({"head": format!("e{head}"), "tail": format!("e{tail}"), "type": "acts on"}))
            .collect();
        json!({"id": format!("d{number}"), "text": text, "entities": entities, "relations": relations})
            .to_string()
    };
    sentences.iter().enumerate().map(line).map(|line| line + "\n").collect()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of all folds of a file.
fn lines(folder: &Path, name: &str) -> BTreeSet<String> {
    let folds = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let texts = folds.filter(|path| path.is_dir()).map(|fold| text(&fold.join(name)));
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// A corpus is data as any other: what `text` would write is learnt from on the way, with the same model, and modes can be others.
#[test]
fn a_corpus_is_a_layout() {
    let folder = fresh_folder("text-layout");
    write(&folder, "corpus.jsonl", &ten_sentences());
    printed(&folder, &["text", "corpus.jsonl", "-o", "data", "--quiet"]);
    let learnt = |data: &str, more: &[&str]| {
        let flags = ["--learner", "aleph", "--min-pos", "1", "--quiet", "-o", "model.json"];
        printed(&folder, &[&["learn", data][..], &flags, more].concat());
        let model = text(&folder.join("model.json"));
        std::fs::remove_file(folder.join("model.json")).expect("a model");
        model
    };
    let model = learnt("corpus.jsonl", &[]);
    assert!(model.contains("acts_on(A,B) :-"), "{model}");
    assert_eq!(model, learnt("data", &[]));
    write(
        &folder,
        "words.pl",
        ":- modeh(1, acts_on(+mention,+mention)).\n:- modeb(*, word_between(+mention,+mention,#word)).\n",
    );
    let of_words = learnt("corpus.jsonl", &["--modes", "words.pl"]);
    assert!(of_words != model && of_words.contains("word_between(A,B,activ)"), "{of_words}");
    let said = printed(&folder, &["inspect", "corpus.jsonl"]);
    assert!(said.contains("layout corpus") && said.contains("8 positives, 10 negatives"), "{said}");
    write(
        &folder,
        "new.jsonl",
        "{\"text\": \"SigK binds GerE.\", \"entities\": [{\"id\": 1, \"start\": 0, \"end\": 4}, \
         {\"id\": 2, \"start\": 11, \"end\": 15}]}\n",
    );
    let (code, _, said) = gleaner(&folder, &["learn", "new.jsonl", "-o", "model.json"]);
    assert!(code == Some(1) && said.contains("G157") && said.contains("pairs.txt"), "{said}");
    write(
        &folder,
        "bad.jsonl",
        "{\"text\": \"SigK\", \"entities\": [{\"id\": 1, \"start\": 0, \"end\": 9}]}\n",
    );
    let (code, _, said) = gleaner(&folder, &["inspect", "bad.jsonl"]);
    assert!(code == Some(1) && said.contains("G154") && !said.contains("G020"), "the fault alone: {said}");
}

/// Warnings about the data of a corpus name the line of its file.
#[test]
fn faults_of_a_corpus_have_their_lines() {
    let folder = fresh_folder("text-places");
    // As `1` is in both, entities are called by documents, too: `a.b` of `x` and `b` of `x.a` have one name.
    let document = |id: &str, [one, other]: [&str; 2], relations: &str| {
        format!(
            "<document id=\"{id}\"><sentence id=\"s\" text=\"SigK binds GerE and ComK.\">\n\
             <entity id=\"{one}\" charOffset=\"0-4\"/>\n<entity id=\"{other}\" charOffset=\"11-15\"/>\n\
             <entity id=\"1\" charOffset=\"20-24\"/>{relations}</sentence></document>\n"
        )
    };
    let relation = |one: &str, other: &str| format!("<interaction e1=\"{one}\" e2=\"{other}\"/>");
    let both = relation("1", "a.b") + &relation("a.b", "a.c");
    let corpus = document("x", ["a.b", "a.c"], &both) + &document("x.a", ["b", "c"], &relation("1", "b"));
    write(&folder, "corpus.xml", &format!("<corpus>\n{corpus}</corpus>\n"));
    let (_, _, said) = gleaner(&folder, &["inspect", "corpus.xml"]);
    assert!(said.contains("G049") && said.contains("corpus.xml:7:1") && !said.contains(":1:1"), "{said}");
}

/// Forty pairs, each in a sentence of 18 words, an argument, 3 words, the other, 17 words and a full stop. No relation that rules
/// derive holds more of them than the 18 before and the 18 after each pair: there is none of the words of all places.
#[test]
fn words_of_a_pair_are_derived_once() {
    let folder = fresh_folder("text-derived-once");
    let letters = |n: usize| {
        format!("{}{}", char::from(b'b' + u8::try_from(n % 20).expect("small")), ["omk", "ulk"][n / 20])
    };
    let words = |range: std::ops::Range<usize>| range.map(letters).collect::<Vec<_>>().join(" ");
    let mut corpus = String::new();
    for n in 0..40 {
        let before = words(0..18);
        let sentence = format!("{before} SigK {} SigE {}.", words(18..21), words(21..38));
        let first = before.len() + 1;
        let second = sentence.find("SigE").expect("it is there");
        let relations =
            if n % 2 == 0 { r#"{"head": 1, "tail": 2, "type": "acts", "directed": false}"# } else { "" };
        corpus.push_str(&format!(
            "{{\"text\": \"{sentence}\", \"entities\": [{{\"id\": 1, \"start\": {first}, \"end\": {}}}, \
             {{\"id\": 2, \"start\": {second}, \"end\": {}}}], \"relations\": [{relations}]}}\n",
            first + 4,
            second + 4
        ));
    }
    write(&folder, "corpus.jsonl", &corpus);
    printed(&folder, &["text", "corpus.jsonl", "-o", "data", "--folds", "2", "--quiet"]);
    let inspected = printed(&folder, &["inspect", "data"]);
    let mut n_facts = BTreeMap::new();
    for row in inspected.lines().filter(|row| row.contains('/')) {
        let cells: Vec<&str> = row.split_whitespace().collect();
        if let [name, "0", "0", _, facts] = cells[..] {
            n_facts.insert(name, facts.replace(',', "").parse::<usize>().expect("a number of facts"));
        }
    }
    assert_eq!((n_facts["word_before/3"], n_facts["word_between/3"]), (720, 120), "{inspected}");
    assert!(n_facts.values().all(|&n| n <= 720), "{inspected}");
    let clause =
        |n: usize| format!("acts(A,B) :- word_before(A,B,{}), word_after(A,B,{}).", letters(n), letters(37));
    write(&folder, "clauses.pl", &[clause(0), clause(18)].join("\n"));
    let rows = printed(&folder, &["cover", "data", "clauses.pl", "--quiet"]);
    let supports: Vec<&str> = rows.lines().skip(1).filter_map(|row| row.rsplit(',').next()).collect();
    assert_eq!(supports, ["40", "0"], "{rows}");
}

/// Arguments may stand in sentences in a row: pairs further apart are none, and words between them are those of both sentences.
#[test]
fn arguments_may_stand_in_several_sentences() {
    let folder = fresh_folder("text-window");
    let entity = |(id, start): (usize, usize)| json!({"id": id, "start": start, "end": start + 4});
    let entities: Vec<_> = [(1, 0), (2, 31), (3, 37), (4, 61)].into_iter().map(entity).collect();
    let text = "SigK is a factor. It activates gerE. CotD is far. Nothing is SpoA.";
    let relations = json!([{"head": 1, "tail": 2, "directed": false, "type": "acts"}]);
    let document = json!({"text": text, "entities": entities, "relations": relations}).to_string() + "\n";
    write(&folder, "corpus.jsonl", &document.repeat(2));
    let (_, _, said) = gleaner(&folder, &["text", "corpus.jsonl", "-o", "data"]);
    assert!(said.contains("G157"), "each sentence has one entity: {said}");
    for (window, n_pairs) in [("2", 6), ("3", 10), ("4", 12)] {
        let flags = ["-o", "data", "--overwrite", "--window", window];
        let said = printed(&folder, &[&["text", "corpus.jsonl"][..], &flags].concat());
        assert!(
            said.contains(&format!("acts/2: 2 positives, {} negatives", n_pairs - 2)),
            "{window}: {said}"
        );
        for (clause, n_covered) in [
            ("acts(A,B) :- word_between(A,B,activ), sentences_apart(A,B,1).", 2),
            ("acts(A,B) :- word_after(A,B,factor).", 0),
            ("acts(A,B) :- distance(A,B,6).", 2),
            ("acts(A,B) :- sentences_apart(A,B,1).", 6),
            ("acts(A,B) :- sentences_apart(A,B,2).", if window == "2" { 0 } else { 4 }),
        ] {
            write(&folder, "clause.pl", clause);
            let said =
                printed(&folder, &["cover", "data", "clause.pl", "--examples", "all", "--json", "--quiet"]);
            let covered = said.matches("\"acts('").count();
            assert_eq!(covered, n_covered, "{window}: {clause}: {said}");
        }
    }
}

/// Words of a list are found by their stems where the corpus gives lemmas.
#[test]
fn lists_are_compared_by_stems_of_words() {
    let folder = fresh_folder("text-lemmas");
    let corpus = "# newdoc id = d\n# entity = a protein 1-1\n# entity = b protein 5-5\n# entity = c protein 6-6\n\
                  # relation = binds a b\n\
                  1\tSigK\tSigK\tPROPN\t_\t_\t0\troot\t_\t_\n2\tcrosses\tcross\tVERB\t_\t_\t1\tdep\t_\t_\n\
                  3\tmembranes\tmembrane\tNOUN\t_\t_\t2\tobj\t_\t_\n4\twith\twith\tADP\t_\t_\t5\tcase\t_\t_\n\
                  5\tGerE\tGerE\tPROPN\t_\t_\t2\tobl\t_\t_\n6\tCotD\tCotD\tPROPN\t_\t_\t2\tobl\t_\t_\n\n";
    write(&folder, "corpus.conllu", corpus);
    write(&folder, "places.txt", "membranes\n");
    printed(&folder, &["text", "corpus.conllu", "-o", "data", "--quiet", "--dictionary", "place=places.txt"]);
    let facts = lines(&folder.join("data"), "background.pl");
    assert_eq!(facts.iter().filter(|fact| fact.starts_with("listed(")).count(), 1, "{facts:?}");
}

/// Only pairs of a factor and a gene are examples, as only these are related; each sentence has its facts once, and what the
/// rules derive is what stands in the sentence.
#[test]
fn ten_sentences_become_a_problem() {
    let folder = fresh_folder("text-ten");
    write(&folder, "corpus.jsonl", &ten_sentences());
    let said = printed(&folder, &["text", "corpus.jsonl", "-o", "data", "--folds", "2"]);
    assert!(said.contains("10 documents, 10 sentences (9 with examples)"), "{said}");
    assert!(said.contains("acts_on/2: 8 positives, 10 negatives; 2 folds of documents"), "{said}");
    let data = folder.join("data");
    let positives: BTreeSet<String> = [
        "d0.e0,d0.e1",
        "d1.e0,d1.e1",
        "d3.e0,d3.e1",
        "d3.e2,d3.e3",
        "d4.e0,d4.e1",
        "d6.e0,d6.e1",
        "d6.e0,d6.e2",
        "d9.e0,d9.e1",
    ]
    .iter()
    .map(|pair| {
        let (one, other) = pair.split_once(',').expect("a pair");
        format!("acts_on('{one}','{other}').")
    })
    .collect();
    assert_eq!(lines(&data, "pos.pl"), positives);
    let facts = lines(&data, "background.pl");
    for fact in [
        "token('d1.s0',0,the,det).",
        "token('d1.s0',3,'<gene>',propn).",
        "mention('d1.e1','d1.s0',3,3,gene).",
        "candidate('d1.e0','d1.e1','d1.s0').",
        "word_inside('d3.e1',sigh).",
    ] {
        assert!(facts.contains(fact), "{fact} of {facts:?}");
    }
    // What rules derive, by the clauses that use it.
    let derived = |literal: &str| {
        write(&folder, "clause.pl", &format!("acts_on(A,B) :- {literal}."));
        let said =
            printed(&folder, &["cover", "data", "clause.pl", "--examples", "all", "--json", "--quiet"]);
        let covered: Vec<String> =
            said.split('"').filter(|part| part.starts_with("acts_on('")).map(str::to_owned).collect();
        covered.into_iter().collect::<BTreeSet<String>>()
    };
    let pair = |one: &str, other: &str| format!("acts_on('{one}','{other}')");
    assert_eq!(
        derived("word_between(A,B,repress)"),
        BTreeSet::from([
            pair("d3.e0", "d3.e1"),
            pair("d3.e0", "d3.e3"),
            pair("d9.e0", "d9.e1"),
            pair("d9.e0", "d9.e2")
        ])
    );
    assert_eq!(
        derived("words_between(A,B,bound,by)"),
        BTreeSet::from([pair("d1.e0", "d1.e1"), pair("d1.e2", "d1.e1")])
    );
    assert_eq!(
        derived("previous_word(B,1,of), word_before(A,B,promot)"),
        BTreeSet::from([pair("d1.e0", "d1.e1"), pair("d1.e2", "d1.e1")])
    );
    assert_eq!(derived("distance(A,B,0)"), BTreeSet::new());
    assert!(derived("\\+ stands_before(A,B)").is_superset(&BTreeSet::from([pair("d1.e0", "d1.e1")])));
    // No fact is left over that somebody should look at.
    let (_, _, warnings) = gleaner(&folder, &["inspect", "data"]);
    assert!(!warnings.contains("G043"), "{warnings}");
    // Learners take it as it is.
    let said = printed(&folder, &["cv", "data", "--learner", "best-clause", "--seeds", "3", "--quiet"]);
    assert!(said.contains("auc_pr"), "{said}");
}

/// The same corpus and seed give the same bytes, on one thread and on two; another seed other folds of the same facts.
#[test]
fn equal_corpora_are_equal_problems() {
    let folder = fresh_folder("text-equal");
    write(&folder, "corpus.jsonl", &ten_sentences());
    let all = |name: &str, more: &[&str]| {
        printed(&folder, &[&["text", "corpus.jsonl", "-o", name, "--folds", "3", "--quiet"], more].concat());
        let mut files = BTreeMap::new();
        for fold in ["", "fold1/", "fold2/", "fold3/"] {
            for file in ["background.pl", "modes.pl", "pos.pl", "neg.pl"] {
                let path = folder.join(name).join(format!("{fold}{file}"));
                files.extend(std::fs::read_to_string(&path).map(|text| (format!("{fold}{file}"), text)));
            }
        }
        files
    };
    let one = all("one", &[]);
    assert_eq!(one.len(), 11);
    assert_eq!(all("two", &["--seed", "1"]), one);
    let other = all("other", &["--seed", "2"]);
    assert_ne!(other, one);
    assert_eq!(lines(&folder.join("other"), "background.pl"), lines(&folder.join("one"), "background.pl"));
}

/// Pairs of noun phrases: an entity stands for the last phrase that it reaches into, and says nothing else.
#[test]
fn noun_phrases_are_candidates() {
    let folder = fresh_folder("text-phrases");
    write(&folder, "corpus.jsonl", &ten_sentences());
    let said =
        printed(&folder, &["text", "corpus.jsonl", "-o", "data", "--folds", "2", "--candidates", "phrases"]);
    assert!(said.contains("8 positives"), "{said}");
    let data = folder.join("data");
    assert!(lines(&data, "pos.pl").contains("acts_on('d0.s0.np0','d0.s0.np2')."));
    let facts = lines(&data, "background.pl");
    // The words are those of the text, and nothing tells that an entity stands there.
    assert!(
        facts.contains("token('d0.s0',0,sigk,propn).") && !facts.iter().any(|fact| fact.contains("factor")),
        "{facts:?}"
    );
    assert!(!text(&data.join("modes.pl")).contains("kind("));
}

/// Word lists and ontologies mark words.
#[test]
fn dictionaries_mark_words() {
    let folder = fresh_folder("text-dictionaries");
    write(&folder, "corpus.jsonl", &ten_sentences());
    write(&folder, "places.txt", "membranes\n");
    write(
        &folder,
        "acts.obo",
        "format-version: 1.2\n\n[Term]\nid: A:1\nname: activated\nsynonym: \"repressing\" EXACT []\n",
    );
    let dictionaries = ["--dictionary", "place=places.txt", "--dictionary", "act=acts.obo"];
    printed(&folder, &[&["text", "corpus.jsonl", "-o", "data", "--quiet"], &dictionaries[..]].concat());
    let facts = lines(&folder.join("data"), "background.pl");
    let listed: BTreeSet<&str> =
        facts.iter().filter(|fact| fact.starts_with("listed")).map(String::as_str).collect();
    assert!(listed.contains("listed('d0.s0',1,act)."), "{listed:?}");
    assert_eq!(listed.iter().filter(|fact| fact.ends_with(",place).")).count(), 1, "{listed:?}");
    assert!(text(&folder.join("data/modes.pl")).contains("listed_between(+mention,+mention,#dictionary)"));
    let (code, _, said) =
        gleaner(&folder, &["text", "corpus.jsonl", "-o", "x", "--dictionary", "places.txt"]);
    assert!(code == Some(2) && said.contains("mesh=words.txt"), "{said}");
}

/// What is wrong with a corpus has a code and a place, and nothing is written.
#[test]
fn broken_corpora_are_refused() {
    let folder = fresh_folder("text-broken");
    let sentence = |entity: &str| {
        format!(
            "<corpus><document id=\"d\"><sentence id=\"s\" text=\"äb binds c.\">{entity}</sentence></document></corpus>"
        )
    };
    let bomb =
        "<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;\">]><corpus><document id=\"&c;\"/></corpus>";
    let cases: [(&str, String, &str, &str); 9] = [
        ("outside.xml", sentence("<entity id=\"e\" charOffset=\"10-13\"/>"), "G154", "outside.xml:1:"),
        (
            "bytes.xml",
            sentence("<entity id=\"e\" charOffset=\"0-3\" text=\"äb\"/>"),
            "G154",
            "characters, not bytes",
        ),
        ("offset.xml", sentence("<entity id=\"e\" charOffset=\"x\"/>"), "G154", "x is no offset"),
        ("unknown.xml", sentence("<interaction e1=\"e\" e2=\"f\"/>"), "G154", "no entity is called so"),
        ("cut.xml", "<corpus><document id=\"d\"><sentence text=\"a".to_owned(), "G153", "cut.xml:1:"),
        ("bomb.xml", bomb.to_owned(), "G153", "declares entities"),
        (
            "twice.jsonl",
            "{\"id\": 1, \"text\": \"a\"}\n{\"id\": 1, \"text\": \"b\"}\n".to_owned(),
            "G154",
            "two documents are called 1",
        ),
        ("type.jsonl", "{\"text\": \"a\"}\n{\"text\": 3}\n".to_owned(), "G153", "type.jsonl:2:"),
        ("empty.jsonl", "\n".to_owned(), "G157", "0 pairs"),
    ];
    for (name, content, code, said) in cases {
        write(&folder, name, &content);
        let (status, stdout, stderr) = gleaner(&folder, &["text", name, "-o", "data"]);
        assert!(status == Some(1) && stdout.is_empty(), "{name}: {status:?} {stdout}");
        assert!(stderr.contains(&format!("error[{code}]")) && stderr.contains(said), "{name}: {stderr}");
        assert!(stderr.contains("help: "), "{name}: {stderr}");
        assert!(!folder.join("data").exists(), "{name}");
    }
    std::fs::write(folder.join("latin.jsonl"), b"{\"text\": \"\xe4\"}\n").expect("a file");
    let (status, _, stderr) = gleaner(&folder, &["text", "latin.jsonl", "-o", "data"]);
    assert!(status == Some(1) && stderr.contains("error[G0"), "{stderr}");
    write(&folder, "notes/readme.md", "no corpus");
    let (status, _, stderr) = gleaner(&folder, &["text", "notes", "-o", "data"]);
    assert!(status == Some(1) && stderr.contains("G153") && stderr.contains(".jsonl"), "{stderr}");
    write(&folder, "ten.jsonl", &ten_sentences());
    let (status, _, stderr) = gleaner(&folder, &["text", "ten.jsonl", "-o", "data", "--relation", "binds"]);
    assert!(status == Some(1) && stderr.contains("there are acts on"), "{stderr}");
}

/// The pairs of the published corpora, counted by their descriptions: 991 of 5,775 in AIMed, 164 of 330 in LLL.
#[test]
fn published_corpora_have_their_pairs() {
    let Some(data) = std::env::var_os("GLEANER_DATA").map(PathBuf::from) else {
        eprintln!("skipped: GLEANER_DATA is not set");
        return;
    };
    let folder = fresh_folder("text-published");
    for (name, pairs) in [("aimed", "991 positives, 4784 negatives"), ("lll", "164 positives, 166 negatives")]
    {
        let corpus = data.join(name);
        let corpus = corpus.to_str().expect("a path");
        let (code, said, stderr) = gleaner(&folder, &["text", corpus, "-o", name]);
        assert!(code == Some(0) && said.contains(pairs), "{said}{stderr}");
        // Agents and targets are known from the relations alone.
        assert_eq!(stderr.contains("G155"), name == "lll", "{stderr}");
        let modes = text(&folder.join(name).join("modes.pl"));
        assert!(modes.contains("ppi(+mention,+mention)") && !modes.contains("kind("), "{modes}");
        let facts = lines(&folder.join(name), "background.pl");
        assert!(!facts.iter().any(|fact| fact.contains("agent") && fact.starts_with("mention")));
    }
}

/// A model scores the pairs of a corpus in which nobody has marked relations.
#[test]
fn text_without_relations_is_scored() {
    let folder = fresh_folder("text-new");
    write(&folder, "corpus.jsonl", &ten_sentences());
    let new = json!({"text": "SigW activates yuaF.", "entities": [
        {"id": "a", "start": 0, "end": 4, "type": "factor"}, {"id": "b", "start": 15, "end": 19, "type": "gene"}]});
    write(&folder, "new.jsonl", &new.to_string());
    printed(&folder, &["text", "corpus.jsonl", "-o", "data", "--folds", "2", "--quiet"]);
    write(
        &folder,
        "words.pl",
        ":- modeh(1, acts_on(+mention,+mention)).\n:- modeb(*, word_between(+mention,+mention,#word)).\n",
    );
    let learn =
        ["learn", "data", "--modes", "words.pl", "--learner", "aleph", "--min-pos", "2", "-o", "model.json"];
    printed(&folder, &[&learn[..], &["--quiet"]].concat());
    let said = printed(&folder, &["text", "new.jsonl", "-o", "new", "--relation", "acts on", "--directed"]);
    assert!(said.contains("acts_on/2: 2 pairs without labels in pairs.txt"), "{said}");
    let said =
        printed(&folder, &["predict", "model.json", "new", "--examples-file", "new/pairs.txt", "--quiet"]);
    let mut reader = csv::Reader::from_reader(said.as_bytes());
    let decisions: BTreeMap<String, String> = reader
        .records()
        .map(|row| row.expect("a row"))
        .map(|row| (row[0].to_owned(), row[5].to_owned()))
        .collect();
    // "activates" stands between them in both orders.
    assert_eq!(
        decisions,
        BTreeMap::from([("acts_on(a,b)".into(), "1".into()), ("acts_on(b,a)".into(), "1".into())])
    );
}

/// A message names each key that is not read, with its count: `relations` may be misspelt, and `type`.
#[test]
fn keys_of_json_that_are_not_read_are_told() {
    let folder = fresh_folder("text-keys");
    let told = |lines: &str| {
        write(&folder, "corpus.jsonl", lines);
        let (_, _, stderr) =
            gleaner(&folder, &["text", "corpus.jsonl", "-o", "data", "--folds", "2", "--overwrite"]);
        stderr.lines().filter(|line| line.contains("is not read")).map(str::to_owned).collect::<Vec<_>>()
    };
    let lines = ten_sentences();
    assert_eq!(told(&lines), [""; 0]);
    let n_related = lines.matches("\"head\"").count();
    assert_eq!(n_related, 8);
    let without_name = lines.replace("\"relations\"", "\"relation\"");
    assert_eq!(
        told(&without_name),
        ["warning[G153]: relation of a document is not read, 10 times: nobody knows what it means"]
    );
    let negated = lines.replace("\"head\"", "\"negated\":true,\"head\"");
    assert_eq!(
        told(&negated),
        ["warning[G153]: negated of a relation is not read, 8 times: nobody knows what it means"]
    );
    let two = negated.replace("\"start\"", "\"kind\":\"gene\",\"start\"");
    assert_eq!(told(&two).len(), 2, "{two}");
}

/// Names of one thing are no relation, and events that say otherwise than who acts on whom leave a corpus without labels.
#[test]
fn what_relates_no_two_is_told() {
    let folder = fresh_folder("text-unrelated");
    let marked = "T1\tProtein 0 4\tSigK\nT2\tProtein 15 19\tgerE\nT3\tProtein 24 28\tcotD\nT4\tActivation 5 14\tactivates\n";
    let run = |more: &str| {
        for number in 0..6 {
            write(&folder, &format!("corpus/n{number}.txt"), "SigK activates gerE and cotD.\n");
            write(&folder, &format!("corpus/n{number}.ann"), &format!("{marked}{more}"));
        }
        let _ = std::fs::remove_dir_all(folder.join("data"));
        let (_, stdout, stderr) = gleaner(&folder, &["text", "corpus", "-o", "data", "--folds", "2"]);
        (stdout, stderr)
    };
    let (stdout, stderr) = run("R1\tBinds Arg1:T1 Arg2:T2\n*\tEquiv T2 T3\n");
    assert!(stdout.contains("binds/2") && stdout.contains("6 positives"), "{stdout}");
    assert!(stderr.contains("6 pairs of entities are no examples"), "{stderr}");
    for events in [
        "E1\tBinding:T4 Theme:T2 Instrument:T1\n",
        "E1\tExpression:T4 Theme:T2\nE2\tRegulation:T4 Cause:T1 Theme:E1\n",
    ] {
        let (stdout, stderr) = run(events);
        assert!(stdout.contains("pairs without labels"), "{stdout}");
        assert!(stderr.contains("no two entities are related: 6 times two are part of an event"), "{stderr}");
    }
    let (_, stderr) = run("");
    assert!(!stderr.contains("no two entities"), "{stderr}");
}

/// Documents may reuse names of sentences and entities.
#[test]
fn names_may_begin_anew_in_each_document() {
    let folder = fresh_folder("text-names");
    let sentence = |document: &str, other: &str, relation: &str| {
        let comments = "# entity = e1 protein 1-1\n# entity = e2 protein 3-3\n";
        let words = format!("1\tA1\n2\t{other}\n3\tB1\n").replace('\n', "\t_\t_\t_\t_\t_\t_\t_\t_\n");
        format!("# newdoc id = {document}\n# sent_id = 1\n{comments}{relation}{words}\n")
    };
    let corpus = sentence("one", "binds", "# relation = acts e1 e2\n") + &sentence("two", "and", "");
    write(&folder, "corpus.conllu", &corpus);
    printed(&folder, &["text", "corpus.conllu", "-o", "data", "--folds", "2", "--quiet"]);
    let facts = lines(&folder.join("data"), "background.pl");
    let token =
        |id: &str, stem: &str| facts.iter().any(|fact| fact.starts_with(&format!("token('{id}',1,{stem},")));
    assert!(token("one.s0", "bind") && token("two.s0", "and"), "{facts:?}");
    assert!(lines(&folder.join("data"), "pos.pl").contains("acts('one.e1','one.e2')."));
}

/// A corpus that brings lemmas, parts of speech and arcs of dependency: clauses use the word that governs both arguments.
#[test]
fn arcs_of_a_corpus_are_used() {
    let folder = fresh_folder("text-arcs");
    let mut corpus = String::new();
    for (number, (one, other)) in
        [("SigK", "gerE"), ("GerE", "cotD"), ("SigE", "ydhD"), ("ComK", "comG"), ("SpoA", "abrB")]
            .iter()
            .enumerate()
    {
        // "SigK activated gerE." is a relation; "SigK and gerE rule cells." is none.
        let acts = [
            ("PROPN", *one, *one, 2, "nsubj"),
            ("VERB", "activated", "activate", 0, "root"),
            ("PROPN", *other, *other, 2, "obj"),
        ];
        let both = [
            ("PROPN", *one, *one, 4, "nsubj"),
            ("CCONJ", "and", "and", 3, "cc"),
            ("PROPN", *other, *other, 1, "conj"),
            ("VERB", "rule", "rule", 0, "root"),
            ("NOUN", "cells", "cell", 4, "obj"),
        ];
        for (kind, words) in [("acts", &acts[..]), ("both", &both[..])] {
            corpus += &format!(
                "# newdoc id = {kind}{number}\n# entity = e1 protein 1-1\n# entity = e2 protein 3-3\n"
            );
            corpus += if kind == "acts" { "# relation = activates e1 e2 undirected\n" } else { "" };
            for (at, (tag, form, lemma, head, arc)) in (1..).zip(words) {
                corpus += &format!("{at}\t{form}\t{lemma}\t{tag}\t_\t_\t{head}\t{arc}\t_\t_\n");
            }
            corpus.push('\n');
        }
    }
    write(&folder, "corpus.conllu", &corpus);
    let said = printed(&folder, &["text", "corpus.conllu", "-o", "data", "--folds", "2"]);
    assert!(said.contains("activates/2: 5 positives, 5 negatives"), "{said}");
    let facts = lines(&folder.join("data"), "background.pl");
    // Lemmas and arcs are the corpus' own.
    assert!(facts.contains("token('acts0.s0',1,activate,verb)."), "{facts:?}");
    assert!(facts.contains("arc('both0.s0',2,0,conj)."), "{facts:?}");
    write(
        &folder,
        "modes.pl",
        ":- modeh(1, activates(+mention,+mention)).\n:- modeb(*, governed_by_same(+mention,+mention,#arc,#arc,#word)).\n",
    );
    let learn = ["learn", "data", "--modes", "modes.pl", "--learner", "aleph", "-o", "model.json", "--quiet"];
    let said = printed(&folder, &learn);
    assert!(said.contains("activates(A,B) :- governed_by_same(A,B,nsubj,obj,activate)."), "{said}");
}
