#!/usr/bin/env python3
"""Writes data/training/workloads.csv and workloads.times.csv from $FOREWARP_SHARED_DATA/aiwc-devices (MIT licence, Beau Johnston): OpenCL kernels of
OpenDwarfs with their architecture-independent counts (AIWC: LLVM IR as work-items run it), and their times on GPUs and on CPUs with all cores.

    tools/make_workload_tables.py

These rows have features of their own (extractor workload-1) and their CPU times are of OpenCL on all cores: they are never mixed with the rows of
single-threaded C. `forewarp train data/training/workloads.csv --times data/training/workloads.times.csv --gpu gtx1080`."""
import csv
import gzip
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
GPUS = {"k20c": "Tesla K20", "k40c": "Tesla K40", "gtx1080": "GeForce GTX 1080", "titanx": "TITAN X (Pascal)", "tahiti-hd7970": "Radeon HD 7970",
        "hawaii-r9-290x": "Radeon R9 290X", "polaris-rx480": "Radeon RX 480"}
CPUS = {"i7-6700k": "Core i7-6700K (all cores)", "i5-3350": "Core i5-3350 (all cores)", "xeon_es-2697v2": "Xeon E5-2697 v2 (all cores)"}


def read(name):
    folder = pathlib.Path(os.environ.get("FOREWARP_SHARED_DATA", ROOT.parent / "shared/data")) / "aiwc-devices"
    with gzip.open(folder / name, "rt") as file:
        return list(csv.DictReader(file))


def region(row):
    return f"opendwarfs/{row['application']}/{row['kernel']}/{row['problem_class']}"


def write(rows, name):
    with open(ROOT / "data/training" / name, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    print(f"data/training/{name}: {len(rows) - 1} rows")


def main():
    features = read("aiwc_features.csv.gz")
    names = [name for name in features[0] if name.startswith("aiwc_") and name != "aiwc_total_instruction_count"]
    head = ["region", "family", "extractor", "provenance", "cpu", "gpu", "cpu_ms", "gpu_ms", "ninst", *names]
    write([head, *([region(row), row["application"], "workload-1", "", "", "", "", "", row["aiwc_total_instruction_count"], *(row[name] for name in names)]
                   for row in features)], "workloads.csv")
    times = {(region(row), row["device"]): row["time_ms_median"] for row in read("aiwc_times.csv.gz")}
    devices = {**GPUS, **CPUS}
    write([["region", "provenance", *devices.values()],
           *([region(row), "measured", *(times.get((region(row), device), "") for device in devices)] for row in features)], "workloads.times.csv")


main()
