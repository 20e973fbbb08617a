"""Areas on inner folds for several values of the settings that only experts set, by learner and data set.

    python3 benches/settings.py GLEANER [--seed N] [--only SETTING,...] [--out FILE]

GLEANER is the program. The data are `fixtures/university`, generated ones, and the folder that GLEANER_DATA names; sets that are
absent are named and left out. Each value is tried by `cv --learner auto`: no learner but those that are tried on inner folds of train
and tune is looked at, so test areas choose nothing. FILE keeps what was measured, one JSON object a line, and is read again at a
second start. Standard output gets one table of Markdown for each setting: mean `auc_pr` over the sets, and on how many sets a value is
better or worse than the default by more than .005.
"""

import argparse
import json
import pathlib
import subprocess
import sys

from defaults import data_sets, make

HERE = pathlib.Path(__file__).parent.parent
BOOSTING = {"round-seeds": "10", "literal-share": "0.5", "lookahead": "2"}
WORK = {"seeds": "100", "clauses": "1000"}

# Setting: the learners that are tried, what is set beside it, and its values, the default first.
SETTINGS = {
    "round-seeds": ("prankboost-clause,tree", BOOSTING, ["10", "1", "3", "20"]),
    "literal-share": ("prankboost-clause,tree", BOOSTING, ["0.5", "0.25", "0.75", "1"]),
    "lookahead": ("prankboost-clause,tree", BOOSTING, ["2", "1"]),
    "boosting": ("prankboost-clause,tree", BOOSTING, ["10 0.5 2", "1 1 1"]),
    "score": ("gleaner,tree", WORK, ["f1", "precision-recall", "laplace", "foil-gain"]),
    "negation": ("prankboost-clause,gleaner,rdn-boost,srl", BOOSTING | WORK, ["auto", "modes", "proposed"]),
    "depth": ("gleaner,rdn-boost", WORK, ["auto", "2", "3"]),
}


# Sets by the names of `defaults.py`.
SETS = (
    "uwcse-2711 uwcse-4079 webkb imdb upgrade cora-sameauthor trains1 rock-paper-scissors toy-advice fixtures-university "
    "generated-university"
).split()


def flags(setting, beside, value):
    made = dict(beside)
    if setting == "boosting":
        made |= dict(zip(BOOSTING, value.split()))
    else:
        made[setting] = value
    return [part for name, value in made.items() for part in (f"--{name}", value)]


def areas(program, learners, data, made, seed):
    """The mean area of each learner over the runs' inner folds."""
    command = [program, "cv", *data, "--learner", "auto", "--candidate-learners", learners, *made]
    command += ["--seed", str(seed), "--threads", "1", "--quiet", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    found = {name: [] for name in learners.split(",")}
    for line in done.stdout.splitlines():
        event = json.loads(line)
        choice = (event.get("search") or {}).get("auto") or {}
        for option in choice.get("options", []):
            if len(option["learners"]) == 1:
                found[option["learners"][0]].append(option["area"])
    return {name: sum(of) / len(of) for name, of in found.items() if of}


def table(setting, learners, values, measured):
    lines = [f"| {setting} | " + " | ".join(f"`{value}`" for value in values) + " |"]
    lines.append("|---" * (len(values) + 1) + "|")
    for learner in learners.split(","):
        by_set = {}
        for row in measured:
            if row["setting"] == setting and learner in row["areas"]:
                by_set.setdefault(row["set"], {})[row["value"]] = row["areas"][learner]
        whole = [of for of in by_set.values() if len(of) == len(values)]
        if learner == "tree" or not whole:
            continue
        cells = []
        for value in values:
            mean = sum(of[value] for of in whole) / len(whole)
            better = sum(of[value] > of[values[0]] + 0.005 for of in whole)
            worse = sum(of[value] < of[values[0]] - 0.005 for of in whole)
            cells.append(f"{mean:.3f}".lstrip("0") + ("" if value == values[0] else f" (+{better} -{worse})"))
        lines.append(f"| `{learner}`, {len(whole)} sets | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(SETTINGS))
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "target/settings.jsonl")
    asked = parser.parse_args()
    make(asked.program)
    sets = {name: [str(part) for part in data_sets()[name]] for name in SETS}
    known = asked.out.read_text().splitlines() if asked.out.exists() else []
    measured = [json.loads(line) for line in known]
    measured = [row for row in measured if row["seed"] == asked.seed]
    for setting in asked.only.split(","):
        learners, beside, values = SETTINGS[setting]
        for name, data in sets.items():
            if not pathlib.Path(data[0]).exists():
                print(f"absent: {name} ({data[0]})", file=sys.stderr)
                continue
            for value in values:
                if any([row["setting"], row["set"], row["value"]] == [setting, name, value] for row in measured):
                    continue
                given = flags(setting, beside, value)
                row = {"setting": setting, "set": name, "value": value, "seed": asked.seed}
                row["areas"] = areas(asked.program, learners, data, given, asked.seed)
                measured.append(row)
                with asked.out.open("a") as out:
                    out.write(json.dumps(row) + "\n")
        print(table(setting, learners, values, measured), "\n", flush=True)


if __name__ == "__main__":
    main()
