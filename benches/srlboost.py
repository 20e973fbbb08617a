"""Areas and CPU seconds of SRLBoost's own program beside those of `rdn-boost`, on the folds of a data set in its layout.

python srlboost.py SRLBOOST_JAR GLEANER DATA TARGET/ARITY [BACKGROUND]

SRLBoost.jar is in the package srlearn 0.5.5 of PyPI; it needs Java 8 or later. Both learn 20 trees from the train part of
each fold and score its test part; `rdn-boost` also with its default, the mean of five such forests. SRLBoost has the
parameters and modes of `fold1/train/train_bk.txt`, or of BACKGROUND, from which `rdn-boost` has its modes, too. `gleaner evaluate` measures SRLBoost's scores.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def cpu_seconds(command, **options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, capture_output=True, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def area(gleaner, rows):
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as table:
        table.write("label,score\n" + "".join(f"{label},{score!r}\n" for label, score in rows))
    ended = subprocess.run([gleaner, "evaluate", table.name, "--json"], capture_output=True, text=True)
    os.unlink(table.name)
    return json.loads(ended.stdout.splitlines()[-1])["metrics"]["auc_pr"]


def of_srlboost(jar, fold, target, background, folder):
    name = target.split("/")[0]
    for part in ["train", "test"]:
        into = folder / part
        into.mkdir()
        for kind in ["pos", "neg", "facts"]:
            lines = (fold / part / f"{part}_{kind}.txt").read_text().splitlines()
            if kind != "facts":
                lines = [line for line in lines if line.strip().startswith(name + "(")]
            (into / f"{part}_{kind}.txt").write_text("\n".join(lines) + "\n")
        lines = [line for line in background.splitlines() if not line.startswith("queryPred")]
        at = next(at for at, line in enumerate(lines) if line.startswith("mode:"))
        (into / f"{part}_bk.txt").write_text("\n".join([*lines[:at], f"queryPred: {target}.", *lines[at:]]) + "\n")
    java = ["java", "-jar", jar]
    train = ["-l", "-train", "train", "-target", name, "-trees", "20"]
    test = ["-i", "-test", "test", "-model", "train/models", "-target", name, "-trees", "20"]
    test += ["-testNegPosRatio", "-1"]
    learnt, learning = cpu_seconds([*java, *train], cwd=folder)
    tested, testing = cpu_seconds([*java, *test], cwd=folder)
    results = folder / "test" / f"results_{name}.db"
    if not results.exists():
        sys.exit(learnt.stdout[-1500:] + learnt.stderr[-2000:])
    rows = []
    for line in results.read_text().splitlines():
        atom, score = line.rsplit(" ", 1)
        # The probability of what the line says: of a negative that it is none.
        is_positive = not atom.startswith("!")
        rows.append((int(is_positive), float(score) if is_positive else 1.0 - float(score)))
    return rows, learning + testing


def main():
    jar, gleaner, data, target, *further = sys.argv[1:]
    jar = str(Path(jar).resolve())
    data = Path(data)
    background = Path(further[0] if further else data / "fold1" / "train" / "train_bk.txt").read_text()
    areas, seconds = [], []
    for fold in sorted(data.glob("fold*")):
        with tempfile.TemporaryDirectory() as folder:
            rows, taken = of_srlboost(jar, fold, target, background, Path(folder))
        areas.append(area(gleaner, rows))
        seconds.append(taken)
        n_positives = sum(label for label, _ in rows)
        print(f"{fold.name}: {n_positives} of {len(rows)}, SRLBoost {areas[-1]}, {taken:.1f} s", flush=True)
    modes = re.findall(r"^mode: *(.*)\.$", background, re.M)
    heads = [(mode.startswith(target.split("/")[0] + "("), mode) for mode in modes]
    with tempfile.NamedTemporaryFile("w", suffix=".pl", delete=False) as modes_file:
        modes_file.write("".join(f":- mode{'h(1' if is_head else 'b(*'}, {mode}).\n" for is_head, mode in heads))
    further = ["--modes", modes_file.name] if further else []
    command = [gleaner, "cv", str(data), "--target", target, "--learner", "rdn-boost", "--seed", "1"]
    command += ["--json", "--quiet", *further]
    print(f"SRLBoost: {sum(areas) / len(areas):.4f}, {sum(seconds):.1f} s of CPU time")
    for n_forests in (1, 5):
        ended, taken = cpu_seconds([*command, "--forests", str(n_forests)])
        ours = json.loads(ended.stdout.splitlines()[-1])["metrics"]["auc_pr"]["mean"]
        print(f"rdn-boost, forests of 20 trees: {n_forests}: {ours:.4f}, {taken:.1f} s")
    os.unlink(modes_file.name)


main()
