"""Whether two programs write the same bytes: hashes of what some 600 commands print and write.

    python3 benches/same_bytes.py GLEANER [OTHER] [--only TEXT] [--short]

Each command runs in an empty folder of its own, beside the data that it reads: `fixtures`, and the folder that GLEANER_DATA names
(what is absent is named and left out). A hash is of the exit code, of standard output, of standard error without seconds, and of all
files that were written, but for `timing.json`. With one program the hashes are printed, a line for each command; with two, those that
differ, and what of them. `--short` leaves out what takes more than some seconds.
`--rounded` takes numbers to six digits, for hashes that are kept: processors differ in the last digits of logarithms.
"""

import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
U, FAMILY = "fixtures/university", "fixtures/family"
LEARNERS = """auto gleaner srl aleph aleph-ensemble rankboost prankboost-clause prankboost-path mix1 mix2 mix3 two-stage best-clause sayu
nfoil kfoil mlynx rdn-boost tree""".split()
SEARCHES = """rrr directed scs gsat walksat hill-climbing breadth-first depth-first best-first beam iterated-beam
iterative-deepening""".split()
KERNELS = "evidence both-pos precision recall dot info hamming gaussian".split()
CLASSIFIERS = "svm l1-svm c-svm logistic l1-logistic linear-program naive-bayes tan".split()
FORMATS = "own aleph csv json-lines boostsrl popper".split()
LITTLE = """--seeds 3 --clauses 150 --rounds 4 --theory-nodes 80 --ensemble-size 3 --restarts 5 --candidates 300 --threads 2""".split()
MARK = "\u2045"
CLAUSE = "advisedby(A,B) :- publication(C,A), publication(C,B)."


def commands():
    """Name, whether it is short, and the commands that run one after the other in one folder."""
    learn = lambda *more, data=U: ["learn", data, "--fold", "2", "-o", "out/model.json", *LITTLE, *more]
    for learner in LEARNERS:
        yield f"learn-{learner}", learner != "auto", [
            learn("--learner", learner, "--run", "out/run"),
            ["predict", "out/model.json", U, "--fold", "2", "--intervals"],
            ["show", "out/model.json", "--all"],
            ["show", "out/model.json", "--to", "pl"],
            ["explain", "out/model.json", U, "advisedby(person16,person1)"],
        ]
    for search in SEARCHES:
        yield f"search-{search}", True, [learn("--learner", "gleaner", "--search", search, "--json")]
    for kernel in KERNELS:
        yield f"kernel-{kernel}", True, [learn("--learner", "srl", "--kernel", kernel, "--json")]
    for classifier in CLASSIFIERS:
        yield f"classifier-{classifier}", True, [learn("--learner", "srl", "--classifier", classifier, "--json")]
    for name in FORMATS:
        yield f"convert-{name}", True, [
            ["convert", U, "--to", name, "-o", "out/data"],
            ["inspect", "out/data", "--target", "advisedby/2"],
            ["convert", FAMILY, "--to", name, "-o", "out/family"],
        ]
    yield "cv", True, [["cv", U, *LITTLE, "--learner", "gleaner", "--run", "out/run", "--learning-curve", "50,100"]]
    yield "cv-json", True, [["cv", U, *LITTLE, "--learner", "aleph", "--json"]]
    yield "cv-variants", True, [
        ["cv", U, *LITTLE, "--variant", "learner=aleph", "--variant", "learner=prankboost-clause", "--run", "out/run"],
        ["compare", "out/run/learner=aleph", "out/run/learner=prankboost-clause", "--json"],
        ["compare", "out/run/learner=aleph", "out/run/learner=prankboost-clause"],
    ]
    yield "evaluate", True, [
        learn("--learner", "srl"),
        ["evaluate", "out/model.json", U, "--fold", "2", "--curve", "out/curve.csv", "--by", "1"],
        ["evaluate", "out/model.json", U, "--json"],
        ["predict", "out/model.json", U, "-o", "out/scores.csv"],
        ["evaluate", "out/scores.csv", "--probability-column", "probability"],
    ]
    yield "why", True, [["why", U, CLAUSE], ["why", U, "advisedby(A,B) :- student(A), inphase(A,C), C \\= post_quals.", "--json"]]
    yield "cover", True, [
        ["cover", U, "fixtures/clauses/advisedby.pl", "--examples", "all"],
        ["cover", U, "fixtures/clauses/faulty.pl"],
        ["features", "fixtures/clauses/advisedby.pl", U, "-o", "out/features.csv"],
    ]
    yield "mine", True, [["mine", U, "--min-frequency", "0.3", "--query-length", "2", "-o", "out/queries.csv"]]
    yield "inspect", True, [["inspect", data] for data in (U, FAMILY, "fixtures/boosting")]
    yield "propose", True, [["inspect", U, "--propose-modes", "--json"], ["cv", U, "--propose-modes", *LITTLE, "--learner", "tree"]]
    yield "lint", True, [["inspect", str(path.relative_to(HERE))] for path in sorted((HERE / "fixtures/lint").iterdir()) if path.is_dir()]
    yield "malformed", True, [["inspect", str(path.relative_to(HERE))] for path in sorted((HERE / "fixtures/malformed").iterdir()) if path.is_dir()]
    yield "generate", True, [["generate", kind, "-o", f"out/{kind}"] for kind in ("university", "sentences", "accounts")]
    yield "grandparents", True, [["learn", "fixtures/grandparents", "--negatives", "all", "--learner", "aleph"]]
    yield "negatives", True, [["cv", U, "--negatives", "ratio:3", *LITTLE, "--learner", "srl"]]
    yield "where", True, [["cv", U, "--where", "student(A), professor(B)", *LITTLE, "--learner", "rdn-boost"]]
    yield "target-in-body", True, [
        ["learn", U, "--target-in-body", "folds", "--learner", "srl", *LITTLE, "-o", "out/model.json"],
        ["predict", "out/model.json", U],
    ]
    yield "explain-code", True, [["explain-code"], ["explain-code", "G047"]]
    yield "help", True, [["--help"], ["cv", "--help"], ["learn", "-h"], ["learn", "--lerner", "x"], ["frobnicate"]]
    yield from of_other_kinds()
    root = pathlib.Path(os.environ.get("GLEANER_DATA", "absent"))
    real = lambda *parts: str(root.joinpath(*parts))
    some = [*LITTLE, "--learner", "prankboost-clause"]
    yield "real-uwcse", False, [["cv", real("uwcse/boostsrl"), *some], ["cv", real("uwcse/interpretations"), *some]]
    yield "real-webkb", False, [["cv", real("webkb"), *some, "--run", "out/run"]]
    yield "real-imdb", False, [["cv", real("imdb/boostsrl"), *some], ["cv", real("imdb/boostsrl"), "--learner", "tree"]]
    yield "real-cora", False, [["cv", real("cora"), "--target", "sameauthor/2", *some]]
    yield "real-mutagenesis", False, [["cv", real("mutagenesis/popper"), *some], ["cv", real("mutagenesis/popper")]]
    yield "real-trains", False, [["cv", real("trains/popper_trains1"), *some], ["learn", real("trains/aleph"), "-o", "out/t.json"]]
    yield "real-zendo", False, [["cv", real("popper_examples/zendo1"), *some], ["inspect", real("popper_examples/zendo1")]]
    yield "real-icml", False, [["cv", real("icml/uppercase"), *some]]
    yield "real-chess", False, [["cv", real("krk_illegal/chess"), *some]]
    yield "real-links", False, [
        ["learn", real("wn18rr"), "--target", "all", "-o", "out/links.json"],
        ["rank", "out/links.json", real("wn18rr"), "-o", "out/ranks.csv"],
        ["show", "out/links.json"],
    ]


def of_other_kinds():
    """Commands of classes, numbers, links, databases and text, as `commands` gives them."""
    targets = {
        "classes": (["fixtures/kinds/parcels/size", "--class-argument", "2", "--target", "size/2"], "size(p3)", "auto tree rdn-boost srl gleaner aleph"),
        "numbers": (["fixtures/kinds/parcels/price", "--number-argument", "label"], "price(p3)", "auto tree rdn-boost"),
        "labels": (["fixtures/kinds/won", "--label", "labels.won"], "7", "auto tree rdn-boost srl aleph"),
        "label-classes": (["fixtures/kinds/level", "--label", "labels.level"], "7", "auto tree rdn-boost"),
        "label-numbers": (["fixtures/kinds/spent", "--label", "labels.spent", "--number-argument", "label"], "7", "tree rdn-boost"),
    }
    for name, (data, example, learners) in targets.items():
        model, little = "out/model.json", LITTLE
        path, asked = data[0], data[1:]
        yield f"{name}-inspect", True, [["inspect", *data], ["inspect", *data, "--json"], ["inspect", *data, "--propose-modes"]]
        for learner in learners.split():
            yield f"{name}-{learner}", True, [
                ["learn", *data, "--learner", learner, *little, "-o", model, "--run", "out/run"],
                ["predict", model, path],
                ["predict", model, path, "--json"],
                ["predict", model, path, "--to", "rows"],
                ["show", model],
                ["show", model, "--to", "pl"],
                ["show", model, "--to", "sql"],
                ["show", model, "--to", "json"],
                ["explain", model, path, example],
                ["evaluate", model, path],
                ["report", "out/run", "-o", "out/page.html"],
            ]
            yield f"{name}-{learner}-cv", learner != "auto", [
                ["cv", *data, "--learner", learner, *little, "--folds", "3", "--run", "out/run"],
                ["cv", *data, "--learner", learner, *little, "--folds", "3", "--seed", "2", "--run", "out/other", "--json"],
                ["compare", "out/run", "out/other"],
                ["report", "out/run", "out/other", "-o", "out/page.html"],
                ["rerun", "out/run"],
                ["plot", "out/run", "--figure", "pr", "-o", "out/figure.svg"],
            ]
        yield f"{name}-further", True, [
            ["cv", *data, *little, "--learner", "tree", "--folds", "3", "--repeats", "2"],
            ["cv", *data, *little, "--folds", "3", "--variant", "learner=tree", "--variant", "learner=rdn-boost", "--run", "out/run"],
            ["cv", *data, *little, "--learner", "tree", "--folds", "3", "--vary", "min-leaf=3,9"],
            ["cv", *data, *little, "--learner", "tree", "--folds", "3", "--markdown"],
            ["learn", *data, "--learner", "sayu", *little],
            ["learn", *data, "--lerner", "tree"],
            ["mine", *data, "--min-frequency", "0.2", "--query-length", "1", "-o", "-"],
            ["why", *data, "size(A,B) :- far(A)."],
            ["convert", *data, "--to", "own", "-o", "out/own"],
        ]
    yield "graph", True, [
        ["inspect", "fixtures/kinds/graph"],
        ["learn", "fixtures/kinds/graph", "--target", "all", "-o", "out/links.json"],
        ["rank", "out/links.json", "fixtures/kinds/graph", "-o", "out/ranks.csv"],
        ["rank", "out/links.json", "fixtures/kinds/graph", "--part", "tune", "--json"],
        ["predict", "out/links.json", "fixtures/kinds/graph"],
        ["predict", "out/links.json", "fixtures/kinds/graph", "--json"],
        ["show", "out/links.json"],
        ["show", "out/links.json", "--to", "anyburl"],
        ["show", "out/links.json", "--to", "pl", "--relation", "knows"],
        ["explain", "out/links.json", "fixtures/kinds/graph", "works_for(e1,firm1)"],
        ["cv", "fixtures/kinds/graph", "--target", "all", "--run", "out/run"],
        ["cv", "fixtures/kinds/graph", "--target", "all", "--seed", "2", "--run", "out/other", "--json"],
        ["report", "out/run", "-o", "out/page.html"],
        ["compare", "out/run", "out/other"],
        ["rerun", "out/run"],
        ["cv", "fixtures/kinds/graph", "--target", "all", "--repeats", "2"],
        ["cv", "fixtures/kinds/graph", "--target", "all", "--vary", "min-confidence=0.1,0.5"],
    ]
    yield "graph-relation", True, [
        ["learn", "fixtures/kinds/graph", "--target", "knows/2", "--negatives", "all", "--learner", "tree", *LITTLE, "-o", "out/one.json"],
        ["rank", "out/one.json", "fixtures/kinds/graph"],
        ["show", "out/one.json"],
    ]
    yield "village", True, [["inspect", "fixtures/graph/village.ttl"], ["learn", "fixtures/graph/village.ttl", "--target", "all"]]
    yield "corpus", True, [
        ["inspect", "fixtures/kinds/corpus.jsonl"],
        ["text", "fixtures/kinds/corpus.jsonl", "-o", "out/text"],
        ["learn", "fixtures/kinds/corpus.jsonl", "--learner", "aleph", *LITTLE, "-o", "out/model.json"],
        ["predict", "out/model.json", "fixtures/kinds/corpus.jsonl"],
        ["cv", "fixtures/kinds/corpus.jsonl", "--learner", "bag-of-words", "--folds", "3", *LITTLE],
        ["cv", "fixtures/kinds/corpus.jsonl", "--learner", "text-hmm", "--folds", "3", *LITTLE],
    ]
    yield "database-formats", True, [
        ["inspect", f"fixtures/databases/visits/{layout}", "--label", "labels.label"]
        for layout in ("csv", "parquet", "sqlite/visits.db", "duckdb_csv", "duckdb_parquet")
    ]
    yield "database-times", True, [
        ["learn", "fixtures/kinds/won", "--label", "labels.won", "--frozen", "test=2021-06-01", "--learner", "tree", *LITTLE, "-o", "out/model.json"],
        ["predict", "out/model.json", "fixtures/kinds/won", "--to", "rows"],
        ["cv", "fixtures/kinds/won", "--label", "labels.won", "--split-time", "2021-06-01", "--horizon", "0", "--learner", "tree", *LITTLE],
        ["inspect", "fixtures/kinds/won", "--label", "labels.won", "--propose-schema"],
        ["inspect", "fixtures/databases/visits/relbench", "--label", "churn.label"],
    ]
    yield "shop", False, [
        ["generate", "shop", "--lines", "4000", "-o", "out/shop"],
        ["inspect", "out/shop", "--label", "labels.label"],
        ["cv", "out/shop", "--label", "labels.label", "--learner", "tree", *LITTLE],
    ]
    yield "accounts", True, [
        ["generate", "accounts", "--accounts", "150", "-o", "out/data"],
        ["cv", "out/data", "--class-argument", "2", "--learner", "tree", *LITTLE, "--run", "out/run"],
        ["cv", "out/data", "--class-argument", "2", "--learner", "aleph", *LITTLE, "--json"],
    ]
    yield "refusals", True, [
        ["learn", U, "--target-in-body", "leave-one-out", "--learner", "srl", *LITTLE],
        ["learn", U, "--negatives", "all", "--class-argument", "2"],
        ["learn", U, "--number-argument", "1", "--learner", "aleph"],
        ["learn", U, "--monotone", "age=up", "--learner", "tree"],
        ["cv", U, "--feature-clauses", "fixtures/clauses/advisedby.pl", "--learner", "aleph"],
        ["predict", "fixtures/compat/aleph.json", U, "--number-argument", "1"],
        ["cv", U, "--label", "x.y"],
        ["cv", U, "--cut-off", "2020-01-01"],
        ["convert", U, "--to", "own", "--where", "student(A)", "-o", "out/x"],
        ["cv", U, "--vary", "score", "--learner", "aleph"],
        ["compare", "fixtures", "out"],
        ["learn", U, "--learner", "tree", "--depth", "1", "--min-leaf", "500"],
        ["learn", U, "--learner", "gleaner", "--min-pos", "5000", *LITTLE],
        ["learn", FAMILY],
    ]


def rounded(text):
    """The text with numbers of more than six digits after the point, or of any exponent, to six significant ones."""
    number = rb"-?\d+\.\d{7,}(e-?\d+)?|-?\d+(\.\d+)?e-?\d+"
    return re.sub(number, lambda found: b"%.6g" % float(found.group()), text)


def must_be_worded(name, text):
    """Texts mark settings for each surface to write in its own words: no mark reaches a user."""
    mark = re.search(f"[^\n]*{MARK}[^\n]*".encode(), text)
    if mark:
        sys.exit(f"{name}: a mark is not worded: {mark.group().decode()}")


def hashes(program, runs, tells_codes=False, change=bytes):
    """For each command and file: what it came to."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "fixtures").symlink_to(HERE / "fixtures")
        (folder / "out").mkdir()
        for arguments in runs:
            done = subprocess.run(
                ["gleaner", *arguments],
                executable=program,
                cwd=folder,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "COLUMNS": "80"},
            )
            if tells_codes and done.returncode != 0:
                print(done.returncode, *arguments, done.stderr.decode().strip().split("\n")[0], file=sys.stderr)
            told = re.sub(rb"[0-9.,]+ (s|ms|[a-zA-Z]+/s)\b", b"", done.stderr + b"\0" + done.stdout)
            told = re.sub(rb'"seconds":[0-9.e-]+|/tmp/\.tmp\w+|progress:[^\n]*\n', b"", told).replace(str(folder).encode(), b"")
            found[" ".join(arguments)] = hashlib.sha256(str(done.returncode).encode() + change(told)).hexdigest()
            must_be_worded(" ".join(arguments), done.stderr + done.stdout)
        for path in sorted((folder / "out").rglob("*")):
            if path.is_file() and path.name != "timing.json":
                must_be_worded(str(path), path.read_bytes())
                text = path.read_bytes().replace(str(folder).encode(), b"")
                found[str(path.relative_to(folder))] = hashlib.sha256(change(text)).hexdigest()
        shutil.rmtree(folder / "out")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("other", nargs="?")
    parser.add_argument("--only", default="", help="commands whose name holds this text")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--rounded", action="store_true", help="numbers to six digits")
    parser.add_argument("--codes", action="store_true", help="name the commands that do not end with 0, and what they say")
    asked = parser.parse_args()
    programs = [os.path.abspath(path) for path in (asked.program, asked.other) if path]
    has_data = "GLEANER_DATA" in os.environ
    n_commands, n_different = 0, 0
    for name, is_short, runs in commands():
        if asked.only not in name or (asked.short and not is_short):
            continue
        if name.startswith("real-") and not has_data:
            print(f"absent: {name}", file=sys.stderr)
            continue
        n_commands += len(runs)
        found = [hashes(program, runs, asked.codes, rounded if asked.rounded else bytes) for program in programs]
        if len(found) == 1:
            whole = hashlib.sha256("\n".join(f"{key} {value}" for key, value in found[0].items()).encode()).hexdigest()
            print(f"{name} {whole}", flush=True)
            continue
        different = [key for key in found[0].keys() | found[1].keys() if found[0].get(key) != found[1].get(key)]
        n_different += bool(different)
        for key in sorted(different):
            print(f"{name}: {key}", flush=True)
    print(f"{n_commands} commands" + (f", {n_different} groups differ" if len(programs) == 2 else ""), file=sys.stderr)
    return 1 if n_different else 0


if __name__ == "__main__":
    sys.exit(main())
