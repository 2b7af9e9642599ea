#!/usr/bin/env python3
"""Trains the shipped models from data/training (docs/models/xapp_models.md).

    tools/make_trained_models.py build/bin/forewarp                 all of them
    tools/make_trained_models.py build/bin/forewarp --only v100     of GPUs whose name has this
    tools/make_trained_models.py build/bin/forewarp --teach         first data/training/predicted.csv anew

From measured rows: the time (on a physical bound) and the range for the GPU that was measured. From predicted.csv (simple loops of data/training/regions at the
sizes of TEACHER_SIZES, features and GPU times by `forewarp port`): the time on five GPUs. With --corpus, from the corpus's references (corpus.csv, corpus.times.csv): the time
on each GPU of the catalogue that has none yet. `forewarp train` writes no model that its own cross-validation calls worse than the simplest answer; of the
corpus's, those are kept whose error is at most MOST_ERROR."""
import argparse
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRAINING, MODELS = ROOT / "data/training", ROOT / "data/models"
MOST_ERROR = 0.5
TEACHER_FILES, TEACHER_SIZES = ["stream.c", "basic.c", "lcals.c"], ["-D", "N=1048576", "-D", "SIDE=101"]
LIMITS = ["--repetitions", "1", "--max-seconds", "500", "--max-memory-mb", "6000"]
TEACHER_GPUS = ["h100", "a100", "v100", "rtx4090", "mi300x"]
# X's features; with so few rows only two of them a regression, no products.
FEW_ROWS = ["--without", "alt_,warp_,phys_", "--most-terms", "2", "--interaction-gain", "9"]
AUTO = ["--interaction-gain", "9", "--most-terms", "auto"]
ON_BOUND = ["--response", "bound", "--without", "alt_", *AUTO]
TEACHER = ["--times", str(TRAINING / "corpus.times.csv"), "--complete-only", "--models", "30", *ON_BOUND]


def read(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def port(forewarp, file, *more):
    words = [forewarp, "port", str(TRAINING / "regions" / file), *TEACHER_SIZES, *LIMITS, *more]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{file}: {done.stderr.strip()}")
    return done.stdout


def teach(forewarp):
    """Dynamic rows at one size, one for each GPU; the times are what the default predictor says of the same loops."""
    families = {row["region"].split("/")[-1]: row["family"] for row in read(TRAINING / "measured.csv")}
    several = {kernel for line in read(TRAINING / "regions/kernels.csv") for kernel in line["several"].split()}
    taught, names = [], []
    for file in TEACHER_FILES:
        table = csv.DictReader(io.StringIO(port(forewarp, file, "--features", "dynamic", "--with-warps", "--format", "csv")))
        rows = {row["region"].split(" ")[-1]: row for row in table if row["extractor"].startswith("dynamic")}
        names = table.fieldnames
        for answer in json.loads(port(forewarp, file, "--gpu", ",".join(TEACHER_GPUS), "--no-advice", "--format", "json"))["regions"]:
            kernel = answer["name"]
            # A kernel of several nests is a loop around them that runs once: no single launch.
            if kernel in families and kernel in rows and kernel not in several:
                taught.append({**rows[kernel], "region": f"rajaperf/{kernel}", "family": families[kernel], "provenance": "predicted", "cpu": "", "cpu_ms": "",
                               "gpu": answer["gpu"], "gpu_ms": f"{answer['time_ms'] + answer['launch_ms']:.6g}"})
    taught.sort(key=lambda row: (row["gpu"], row["region"]))
    with open(TRAINING / "predicted.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, ["region", "family", *names[1:]], lineterminator="\n")
        writer.writeheader()
        writer.writerows(taught)


def columns_of(path):
    with open(path) as file:
        return next(csv.reader(file))


def train(forewarp, data, gpu, method, more, output):
    words = [forewarp, "train", str(data), "--gpu", gpu, "--method", method, *more, "-o", str(output)]
    done = subprocess.run(words, capture_output=True, text=True)
    print((done.stdout or done.stderr).strip().replace(str(ROOT) + "/", ""), flush=True)


def keep_if_sensible(path):
    if not path.exists():
        return
    check = json.loads(path.read_text())["cross_validation"]
    if check["score"] > MOST_ERROR:
        path.unlink()
        print(f"{path.name}: not kept: {100 * check['score']:.1f} % against {100 * check['baseline']:.1f} %", flush=True)


def without_atomic(data, folder):
    """Basic_PI_ATOMIC's GPU version adds every iteration to one address, its C version does not: no pair by the dissertation's own rule."""
    path = pathlib.Path(folder) / data.name
    path.write_text("".join(line for line in data.read_text().splitlines(True) if "/Basic_PI_ATOMIC," not in line))
    return path


def short(gpu):
    return re.sub(r"[^a-z0-9]+", "_", gpu.lower()).strip("_")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forewarp")
    parser.add_argument("--only", default="")
    parser.add_argument("--teach", action="store_true")
    parser.add_argument("--corpus", action="store_true")
    words = parser.parse_args()
    forewarp = str(pathlib.Path(words.forewarp).resolve())
    MODELS.mkdir(exist_ok=True)
    if words.teach:
        teach(forewarp)
    wanted = words.only.lower()
    for file in MODELS.glob("*.json"):
        if wanted in file.name:
            file.unlink()
    with tempfile.TemporaryDirectory() as folder:
        measured = without_atomic(TRAINING / "measured.csv", folder)
        gpu = "Tesla V100 SXM2"
        if wanted in gpu.lower():
            train(forewarp, measured, gpu, "dynamic", ON_BOUND, MODELS / f"dynamic_{short(gpu)}_measured.json")
            train(forewarp, measured, gpu, "static", ["--cutoffs", "80"], MODELS / f"static_{short(gpu)}_measured.json")
        predicted = without_atomic(TRAINING / "predicted.csv", folder)
        for gpu in sorted({row["gpu"] for row in read(predicted)}):
            if wanted in gpu.lower():
                train(forewarp, predicted, gpu, "dynamic", FEW_ROWS, MODELS / f"dynamic_{short(gpu)}_predicted.json")
    for gpu in columns_of(TRAINING / "corpus.times.csv")[2:] if words.corpus else []:
        path = MODELS / f"dynamic_{short(gpu)}_predicted.json"
        if wanted in gpu.lower() and not path.exists():
            train(forewarp, TRAINING / "corpus.csv", gpu, "dynamic", TEACHER, path)
            keep_if_sensible(path)


main()
