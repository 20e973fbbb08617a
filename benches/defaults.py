"""How well learners rank, decide and say probabilities by default, on 24 data sets and on noise, and what that costs.

    python3 benches/defaults.py GLEANER [--learners auto,srl] [--seeds 1,2] [--sets NAME,...] [--against OTHER] [--out FILE]

GLEANER is the program. The data are `fixtures/university`, generated ones, and the folder that GLEANER_DATA names; sets that are
absent are named and left out. Each run is a `cv` on one thread. FILE keeps what was measured, one JSON object a line, and is read again
at a second start: remove it for another program. With OTHER, a second program, each run is made by both, one after the other, and the
ratio of their CPU seconds is shown.

Of each learner, mean over the sets of the means over seeds and folds: `auc_pr`, F1, accuracy, cross entropy as a share of the base
rate's, expected positives as a share of the observed (geometric mean). Then how many folds are ranked perfectly, and of them how many
have an F1 below .9, with two to four positives and with more.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import random
import re
import resource
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).parent.parent
MADE = HERE / "target/defaults"
ALL = "auto,srl,rdn-boost,mlynx,gleaner,prankboost-clause"


def data_sets():
    """The arguments of each set by name: those of `docs/learners.md`, ten more, and noise."""
    root = pathlib.Path(os.environ.get("GLEANER_DATA", "absent"))
    popper, molecules = root / "popper_examples", root / "mutagenesis/progol_aleph"
    chemistry = [molecules / f"data/{name}.pl" for name in "atom_bond ring_struc logp lumo ind1 inda".split()]
    chemistry = [part for path in chemistry for part in ("--background", path)]
    chemistry += ["--modes", molecules / "data/aleph/mode.pl"]
    return {
        "uwcse-16601": [root / "uwcse/boostsrl"],
        "uwcse-2711": [root / "uwcse/boostsrl", "--where", "student(A), professor(B)"],
        "uwcse-4079": [root / "uwcse/interpretations"],
        "webkb": [root / "webkb"],
        "imdb": [root / "imdb/boostsrl"],
        "icml": [root / "icml/uppercase"],
        "upgrade": [root / "upgrade"],
        "generated-university": [MADE / "university"],
        "fixtures-university": [HERE / "fixtures/university"],
        "cora-sameauthor": [root / "cora", "--target", "sameauthor/2"],
        "trains1": [root / "trains/popper_trains1"],
        "rock-paper-scissors": [popper / "iggp-rps-next-score"],
        "toy-advice": [root / "toy_advice"],
        "mutagenesis-188": [root / "mutagenesis/popper"],
        "mutagenesis-42": [MADE / "mutagenesis-42"],
        "chess": [root / "krk_illegal/chess"],
        "zendo": [popper / "zendo1"],
        "imdb-female": [MADE / "imdb-female"],
        "ten-trains": [root / "trains/aleph"],
        "coins-next-cell": [popper / "iggp-coins-next-cell"],
        "buttons-next": [popper / "iggp-buttons-next"],
        "sentences": [MADE / "sentences"],
        "cora-sametitle": [root / "cora", "--target", "sametitle/2", "--propose-modes"],
        "mutagenesis-ten-folds": [molecules / "lp/188", *chemistry],
        "noise": [MADE / "noise"],
    }


THIRTEEN = list(data_sets())[:13]


def make(program):
    """Writes what is made: two generated sets, persons without those of both classes, molecules with their labels dealt anew."""
    root = pathlib.Path(os.environ.get("GLEANER_DATA", "absent"))
    MADE.mkdir(parents=True, exist_ok=True)
    sentences = ["sentences", "--sentences", "725"]
    for name, how in {"university": ["university"], "sentences": sentences}.items():
        if not (MADE / name).exists():
            subprocess.run([program, "generate", *how, "-o", str(MADE / name)], check=True, capture_output=True)
    persons = root / "imdb/boostsrl_single/train"
    if persons.exists() and not (MADE / "imdb-female").exists():
        (MADE / "imdb-female").mkdir(parents=True)
        texts = {kind: (persons / f"train_{kind}.txt").read_text().splitlines() for kind in ("pos", "neg", "facts")}
        for kind, other in (("pos", "neg"), ("neg", "pos")):
            lines = [line for line in texts[kind] if line not in texts[other]]
            (MADE / f"imdb-female/female_{kind}.txt").write_text("\n".join(lines) + "\n")
        (MADE / "imdb-female/female_facts.txt").write_text("\n".join(texts["facts"]) + "\n")
        modes = (persons.parent / "imdb_bk.txt").read_text()
        (MADE / "imdb-female/female_bk.txt").write_text(modes)
    molecules = root / "mutagenesis/popper"
    if molecules.exists() and not (MADE / "noise").exists():
        names = re.findall(r"active\((\w+)\)", (molecules / "exs.pl").read_text())
        labels = ["pos"] * 101 + ["neg"] * 87
        random.Random(1).shuffle(labels)
        dealt = "\n".join(f"{label}(active({name}))." for label, name in zip(labels, names))
        others = (molecules / "exs_non_regression_friendly.pl").read_text()
        for name, examples in {"noise": dealt + "\n", "mutagenesis-42": others}.items():
            (MADE / name).mkdir(parents=True)
            (MADE / name / "exs.pl").write_text(examples)
            for part in ("bk.pl", "popper-bias.pl"):
                (MADE / name / part).write_text((molecules / part).read_text())


def run(program, arguments, learner, seed, timeout):
    """One cross-validation: what its test folds came to, and CPU seconds; `None` where it failed or took too long."""
    command = [program, "cv", *map(str, arguments), "--learner", learner, "--seed", str(seed), "--threads", "1"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            [*command, "--quiet", "--json"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        print(" ".join(command), done.stderr[-300:], sep="\n", file=sys.stderr)
        return None
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return {"events": events, "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}


def figures(event):
    """What a run's test fold came to. The base rate is that of train and tune."""
    metrics, test = event["metrics"], event["test"]
    return {
        "fold": event["fold"],
        "positives": test[0],
        "area": metrics["auc_pr"],
        "f1": metrics["f1"],
        "accuracy": metrics["accuracy"],
        "cross_entropy": metrics.get("mean_cross_entropy"),
        "of_base_rate": metrics.get("prior_cross_entropy"),
        "expected": metrics.get("expected_positives"),
        "chosen": ((event.get("search") or {}).get("auto") or {}).get("chosen"),
    }


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def of_set(rows):
    """Means over the runs of one set: area, F1, accuracy, cross entropy over the base rate's, expected over observed."""
    folds = [fold for row in rows for fold in row["folds"]]
    observed = sum(fold["positives"] for fold in folds)
    by_name = {name: mean(fold[name] for fold in folds) for name in ("area", "f1", "accuracy")}
    entropies = [mean(fold[name] for fold in folds) for name in ("cross_entropy", "of_base_rate")]
    by_name["entropy"] = entropies[0] / entropies[1] if None not in entropies else None
    expected = [fold["expected"] for fold in folds]
    by_name["expected"] = None if None in expected else sum(expected) / observed
    by_name["seconds"] = mean(row["seconds"] for row in rows)
    return by_name


def shown(value):
    return "–" if value is None else f"{value:.3f}"


def table(measured, learner, names):
    """Markdown of one learner, a row for each set; then the means over the sets, and the folds that were ranked perfectly."""
    by_set = collections.defaultdict(list)
    for row in measured:
        if row["learner"] == learner and row["set"] in names:
            by_set[row["set"]].append(row)
    if not by_set:
        return ""
    columns = ["area", "f1", "accuracy", "entropy", "expected", "seconds"]
    lines = [f"| {learner} | seeds | " + " | ".join(columns) + " |", "|---" * 8 + "|"]
    of_sets = {name: of_set(by_set[name]) for name in names if name in by_set}
    for name, of in of_sets.items():
        lines.append(f"| {name} | {len(by_set[name])} | " + " | ".join(shown(of[column]) for column in columns) + " |")
    for title, some in (("thirteen", THIRTEEN), ("all but noise", [name for name in of_sets if name != "noise"])):
        of = [of_sets[name] for name in some if name in of_sets]
        means = {column: mean(row[column] for row in of) for column in columns}
        ratios = [math.log(row["expected"]) for row in of if row["expected"]]
        means["expected"] = math.exp(mean(ratios)) if ratios else None
        lines.append(f"| {title} | {len(of)} sets | " + " | ".join(shown(means[column]) for column in columns) + " |")
    folds = [fold for row in measured if row["learner"] == learner for fold in row["folds"]]
    perfect = [fold for fold in folds if (fold["area"] or 0.0) >= 1.0 - 1e-12]
    few = [fold for fold in perfect if fold["positives"] < 5]
    many = [fold for fold in perfect if fold["positives"] >= 5]
    missed = [sum((fold["f1"] or 0.0) < 0.9 for fold in some) for some in (few, many)]
    lines.append(f"\nperfect folds with F1 < .9: {missed[0]} of {len(few)} with at most 4 positives, {missed[1]} of {len(many)} with more")
    return "\n".join(lines)


def bill(measured):
    """CPU seconds of both programs, medians over seeds, and the geometric mean of their ratios over the sets."""
    pairs = collections.defaultdict(list)
    for row in measured:
        if row.get("other_seconds"):
            pairs[row["set"], row["learner"]].append((row["seconds"], row["other_seconds"]))
    ratios = []
    for (name, learner), of in pairs.items():
        own, other = (statistics.median(pair[at] for pair in of) for at in (0, 1))
        ratios.append(math.log(other / own))
        print(f"{name:>12} {learner:<18} {other:8.2f} -> {own:8.2f}  1/{other / own:.1f}  ({len(of)} pairs)")
    if ratios:
        print(f"geometric mean 1/{math.exp(mean(ratios)):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--learners", default="auto")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--sets")
    parser.add_argument("--against", help="a second program")
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds of a run")
    parser.add_argument("--out", type=pathlib.Path, default=MADE / "measured.jsonl")
    parser.add_argument("--extra", default="", help="further flags of every run")
    asked = parser.parse_args()
    make(asked.program)
    sets = data_sets()
    names = asked.sets.split(",") if asked.sets else list(sets)
    measured = [json.loads(line) for line in asked.out.read_text().splitlines()] if asked.out.exists() else []
    learners = ALL if asked.learners == "all" else asked.learners
    for seed, learner, name in ((s, l, n) for s in asked.seeds.split(",") for l in learners.split(",") for n in names):
        if any([row["set"], row["learner"], row["seed"]] == [name, learner, int(seed)] for row in measured):
            continue
        path = pathlib.Path(sets[name][0])
        # The files of one set in a folder of several begin alike.
        if not any(path.parent.glob(f"{path.name}*")):
            print(f"absent: {name} ({path})", file=sys.stderr)
            continue
        arguments = [*sets[name], *asked.extra.split()]
        done = run(asked.program, arguments, learner, seed, asked.timeout)
        if done is None:
            print(f"no result: {name} {learner} {seed}", file=sys.stderr)
            continue
        row = {"set": name, "learner": learner, "seed": int(seed), "seconds": done["seconds"]}
        row["folds"] = [figures(event) for event in done["events"] if event["event"] == "run"]
        if asked.against:
            other = run(asked.against, arguments, learner, seed, asked.timeout)
            row["other_seconds"] = other and other["seconds"]
        measured.append(row)
        with asked.out.open("a") as out:
            out.write(json.dumps(row) + "\n")
    for learner in dict.fromkeys(row["learner"] for row in measured):
        print(table(measured, learner, names), "\n", flush=True)
    bill(measured)


if __name__ == "__main__":
    main()
