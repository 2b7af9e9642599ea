#!/usr/bin/env python3
"""Writes the shipped training rows and models (docs/models/xapp_models.md).

    tools/make_trained_models.py build/bin/forewarp --regions R.csv --corpus C.csv      rows of tools/make_training_rows.py, and its --corpus log
    tools/make_trained_models.py build/bin/forewarp                                     the models alone, from data/training

data/training/measured.csv: the rows of R.csv with the families that relate kernels. data/training/predicted.csv: the corpus's references; their GPU
times are what the default predictor says of the same loop (`forewarp port`'s hybrid on the pseudo-warps is not asked: it is `forewarp predict` of the
corpus's OpenCL kernel at the launch that the reference ran). data/models: one model a kind, provenance and GPU."""
import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRAINING, MODELS = ROOT / "data/training", ROOT / "data/models"
MEASURED_GPU = "Tesla V100 SXM2"
TEACHER_GPUS = ["Tesla V100 SXM2", "h100", "a100", "Jetson TK1", "rtx4090"]

# Kernels that do the same work on the same data, or are one another's parts.
FAMILIES = [
    ["Algorithm_MEMCPY", "Stream_COPY"],
    ["Basic_DAXPY", "Basic_DAXPY_ATOMIC"],
    ["Stream_ADD", "Stream_TRIAD", "Stream_MUL"],
    ["Apps_HALOEXCHANGE", "Apps_HALOEXCHANGE_FUSED"],
    ["Basic_INDEXLIST", "Basic_INDEXLIST_3LOOP"],
    ["Algorithm_REDUCE_SUM", "Basic_REDUCE3_INT", "Basic_REDUCE_STRUCT"],
    ["Basic_PI_ATOMIC", "Basic_TRAP_INT"],
    ["Basic_MAT_MAT_SHARED", "Polybench_GEMM", "Polybench_3MM"],
    ["Polybench_ATAX", "Polybench_MVT", "Polybench_GEMVER", "Polybench_GESUMMV"],
    ["Lcals_FIRST_DIFF", "Lcals_FIRST_SUM"],
    ["Apps_NODAL_ACCUMULATION_3D", "Apps_ZONAL_ACCUMULATION_3D"],
    ["Algorithm_MEMSET", "Basic_INIT_VIEW1D"],
    ["Polybench_JACOBI_2D", "Polybench_HEAT_3D"],
]


def read(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def write(rows, path):
    columns = ["region", "family", "extractor", "provenance", "cpu", "gpu", "cpu_ms", "gpu_ms"]
    for row in rows:
        columns += [name for name in row if name not in columns]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{path.relative_to(ROOT)}: {len(rows)} rows")


def family_of(region):
    kernel = region.split("/")[-1]
    for family in FAMILIES:
        if kernel in family:
            return family[0]
    return kernel


def launch_of(log):
    """Kernel -> (file, variant, calls) from the log of make_training_rows.py corpus."""
    found = {}
    for line in pathlib.Path(log).read_text().splitlines():
        match = re.match(r"make_training_rows: (\S+): (\S+):(\S*) (\d+) calls?,", line)
        if match:
            found[match[1]] = (match[2], match[3], int(match[4]))
    return found


def predicted_times(forewarp, kernel, launch, variant):
    folder = ROOT / "corpus" / kernel
    sources = sorted(folder.glob("*.cl")) or sorted(folder.glob("*.cu"))
    words = [forewarp, "predict", str(sources[0]), "--launch", str(folder / launch), "--gpu", ",".join(TEACHER_GPUS), "--format", "json"]
    if variant:
        words += ["--variant", variant]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[0] if done.stderr.strip() else "no answer")
    answer = json.loads(done.stdout)
    predictions = answer["predictions"] if isinstance(answer, dict) else answer
    return {p["gpu"]["name"] if isinstance(p["gpu"], dict) else p["gpu"]: p["time_ms"] for p in predictions}


def teach(forewarp, rows, log):
    taught, launches = [], launch_of(log)
    times = {}
    for row in rows:
        kernel = row["region"].split("/")[-1]
        if kernel not in launches:
            continue
        file, variant, calls = launches[kernel]
        if kernel not in times:
            try:
                times[kernel] = predicted_times(forewarp, kernel, file, variant)
            except (RuntimeError, KeyError, IndexError) as problem:
                print(f"{kernel}: no predicted time: {problem}", file=sys.stderr)
                times[kernel] = {}
        for gpu, ms in times[kernel].items():
            taught.append({**row, "family": kernel, "provenance": "predicted", "gpu": gpu, "gpu_ms": f"{ms * calls:.6g}"})
    return taught


def train(forewarp, data, gpu, method, more, output):
    words = [forewarp, "train", str(data), "--gpu", gpu, "--method", method, "--without", "alt_", *more, "-o", str(output)]
    done = subprocess.run(words, capture_output=True, text=True)
    print((done.stdout or done.stderr).strip())
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forewarp")
    parser.add_argument("--regions")
    parser.add_argument("--corpus")
    parser.add_argument("--corpus-log")
    words = parser.parse_args()
    MODELS.mkdir(exist_ok=True)
    if words.regions:
        write([{**row, "family": family_of(row["region"])} for row in read(words.regions)], TRAINING / "measured.csv")
    if words.corpus:
        write(teach(words.forewarp, read(words.corpus), words.corpus_log), TRAINING / "predicted.csv")
    for file in sorted(MODELS.glob("*.json")):
        file.unlink()
    for data, provenance in ((TRAINING / "measured.csv", "measured"), (TRAINING / "predicted.csv", "predicted")):
        if not data.exists():
            continue
        for gpu in sorted({row["gpu"] for row in read(data)}):
            short = re.sub(r"[^a-z0-9]+", "_", gpu.lower()).strip("_")
            for method, more in (("dynamic", []), ("static", ["--cutoffs", "50,100" if provenance == "measured" else "3,10,30"])):
                train(words.forewarp, data, gpu, method, more, MODELS / f"{method}_{short}_{provenance}.json")


main()
