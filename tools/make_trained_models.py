#!/usr/bin/env python3
"""Writes the shipped training rows and models (docs/models/xapp_models.md).

    tools/make_trained_models.py build/bin/forewarp --regions R.csv        rows of `tools/make_training_rows.py build/bin/forewarp regions`
    tools/make_trained_models.py build/bin/forewarp                        the models alone, from data/training

data/training/measured.csv: the rows of R.csv with the families that relate kernels. data/training/predicted.csv: the same loops; their GPU times are what the default predictor says of them (`forewarp port`), without CPU times. data/models: a model for each kind,
provenance and GPU that its own cross-validation does not call worse than the simplest answer."""
import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRAINING, MODELS = ROOT / "data/training", ROOT / "data/models"
TEACHER_GPUS = ["h100", "a100", "v100", "rtx4090", "mi300x"]
# X's features; with so few rows only two of them a regression, no products.
FEW_ROWS = ["--without", "alt_,warp_", "--most-terms", "2", "--interaction-gain", "9"]

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


def port_answer(forewarp, line, folder):
    """What the default predictor says of the regions of one line of kernels.csv; kept in `folder`."""
    kept = pathlib.Path(folder) / f"{line['file']}.json"
    if not kept.exists():
        words = [forewarp, "port", str(TRAINING / "regions" / line["file"]), "--gpu",
                 ",".join(TEACHER_GPUS), "--no-advice", "--repetitions", "1", "--max-seconds", "500", "--max-memory-mb", "6000", "--format", "json"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{line['file']}: {done.stderr.strip()}", file=sys.stderr)
            return []
        kept.write_text(done.stdout)
    return json.loads(kept.read_text())["regions"]


def teach(forewarp, rows, folder):
    """Dynamic rows at the size that was run, one for each GPU."""
    taught, seen = [], set()
    by_kernel = {row["region"].split("/")[-1]: row for row in rows if row["extractor"].startswith("dynamic")}
    for line in read(TRAINING / "regions/kernels.csv"):
        if line["scale_ninst"] != "1":
            continue  # their rows are scaled to more work than was run
        for answer in port_answer(forewarp, line, folder):
            row = by_kernel.get(answer["name"])
            # A kernel of several nests is a loop around them that runs once: no single launch.
            if row is None or answer["name"] in line["several"].split() or answer["name"] not in line["kernels"].split() or (answer["name"], answer["gpu"]) in seen:
                continue
            seen.add((answer["name"], answer["gpu"]))
            own = {**row, "provenance": "predicted", "cpu": "", "cpu_ms": "", "gpu": answer["gpu"], "gpu_ms": f"{answer['time_ms'] + answer['launch_ms']:.6g}"}
            taught.append(own)
    return sorted(taught, key=lambda row: (row["gpu"], row["region"]))


def train(forewarp, data, gpu, method, more, output):
    words = [forewarp, "train", str(data), "--gpu", gpu, "--method", method, *more, "-o", str(output)]
    done = subprocess.run(words, capture_output=True, text=True)
    print((done.stdout or done.stderr).strip().replace(str(ROOT) + "/", ""))


def without_atomic(data, folder):
    """Basic_PI_ATOMIC's GPU version adds every iteration to one address, its C version does not: no pair by the dissertation's own rule."""
    path = pathlib.Path(folder) / data.name
    path.write_text("".join(line for line in data.read_text().splitlines(True) if "/Basic_PI_ATOMIC," not in line))
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forewarp")
    parser.add_argument("--regions")
    parser.add_argument("--answers", help="folder where the default predictor's answers are kept, or taken from")
    words = parser.parse_args()
    words.forewarp = str(pathlib.Path(words.forewarp).resolve())
    MODELS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        if words.regions:
            rows = [{**row, "family": family_of(row["region"])} for row in read(words.regions)]
            write(rows, TRAINING / "measured.csv")
            write(teach(words.forewarp, rows, words.answers or folder), TRAINING / "predicted.csv")
        for file in sorted(MODELS.glob("*.json")):
            file.unlink()
        for name in ("measured", "predicted"):
            data = without_atomic(TRAINING / f"{name}.csv", folder)
            for gpu in sorted({row["gpu"] for row in read(data)}):
                short = re.sub(r"[^a-z0-9]+", "_", gpu.lower()).strip("_")
                train(words.forewarp, data, gpu, "dynamic", FEW_ROWS, MODELS / f"dynamic_{short}_{name}.json")
                if name == "measured":
                    train(words.forewarp, data, gpu, "static", ["--cutoffs", "80"], MODELS / f"static_{short}_{name}.json")


main()
