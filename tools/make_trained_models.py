#!/usr/bin/env python3
"""Trains the shipped models from data/training (docs/models/xapp_models.md).

    tools/make_trained_models.py build/bin/forewarp                 all of them
    tools/make_trained_models.py build/bin/forewarp --only v100     of GPUs whose name has this

From measured rows: the time (on a physical bound) and the range for the GPU that was measured. From the teacher's rows (corpus.csv, corpus.times.csv): the
time on each GPU of the catalogue. `forewarp train` writes no model that its own cross-validation calls worse than the simplest answer; of the teacher's, those
are kept whose error is at most MOST_OF_MEAN of the mean's."""
import argparse
import csv
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRAINING, MODELS = ROOT / "data/training", ROOT / "data/models"
MOST_OF_MEAN = 0.8
AUTO = ["--interaction-gain", "9", "--most-terms", "auto"]
ON_BOUND = ["--response", "bound", "--only", "bound_,phys_,warp_", *AUTO]
TEACHER = ["--times", str(TRAINING / "corpus.times.csv"), "--without", "alt_,warp_,phys_", "--models", "30", *AUTO]


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
    if check["score"] > MOST_OF_MEAN * check["baseline"]:
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
    words = parser.parse_args()
    forewarp = str(pathlib.Path(words.forewarp).resolve())
    MODELS.mkdir(exist_ok=True)
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
    for gpu in columns_of(TRAINING / "corpus.times.csv")[2:]:
        if wanted in gpu.lower():
            path = MODELS / f"dynamic_{short(gpu)}_predicted.json"
            train(forewarp, TRAINING / "corpus.csv", gpu, "dynamic", TEACHER, path)
            keep_if_sensible(path)


main()
