#!/usr/bin/env python3
"""Writes the teacher's table: what the default predictor says of the corpus's kernels on every GPU of the catalogue.

    tools/make_teacher_times.py build/bin/forewarp -o data/training/corpus.times.csv

A row for each row of data/training/corpus.launches.csv (made by tools/make_training_rows.py): that launch, its sizes from 128 on divided as there, so many
times, with the host's cost of each. A column for each GPU, in ms; empty where the launch cannot run there. `forewarp train data/training/corpus.csv --times TABLE --gpu G` joins the two.
Nothing here is measured: `provenance` is `predicted` in every row. Takes about half an hour of one processor; --only KERNEL for some rows, --add for those that
OUTPUT lacks, --seconds N to pass over a kernel that takes longer (named; no row of it is written)."""
import argparse
import csv
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
GPUS_A_RUN = 24


def say(text):
    print("make_teacher_times: " + text, file=sys.stderr, flush=True)


def gpu_names():
    files = [path for path in sorted((ROOT / "data/gpus").glob("*.toml")) if not path.name.startswith("family")]
    return [tomllib.loads(path.read_text())["name"] for path in files]


def launch_text(folder, file, share):
    """The launch file with its large values divided, as make_training_rows.py divides them."""
    text = (folder / file).read_text()
    table = tomllib.loads(text)
    for name, value in table.get("values", {}).items():
        if isinstance(value, int) and value >= 128 * share and share > 1:
            text = re.sub(rf"(?m)^{name} = {value}\b", f"{name} = {value // share}", text)
    return text.replace(f'source = "{table["source"]}"', f'source = "{folder / table["source"]}"')


def predicted(forewarp, launch, gpus, until):
    """GPU: ms. A GPU on which the launch cannot run is asked alone, and left out. TimeoutExpired past `until`."""
    words = [forewarp, "predict", "--launch", str(launch), "--gpu", ",".join(gpus), "--format", "csv", "--max-seconds", "120"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=max(0.0, until - time.monotonic()))
    if done.returncode != 0:
        if len(gpus) == 1:
            return {}
        half = len(gpus) // 2
        return {**predicted(forewarp, launch, gpus[:half], until), **predicted(forewarp, launch, gpus[half:], until)}
    return {row["gpu"]: float(row["time_ms"]) + float(row["launch_overhead_ms"]) for row in csv.DictReader(io.StringIO(done.stdout)) if row["time_ms"]}


def kept_rows(path, gpus):
    """The rows of an earlier run, for the same GPUs."""
    if not pathlib.Path(path).exists():
        return []
    with open(path) as file:
        head, *rows = csv.reader(file)
    if head != ["region", "provenance", *gpus]:
        sys.exit(f"make_teacher_times: {path} has other GPUs; without --add all of it is made anew")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("forewarp")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--launches", default=str(ROOT / "data/training/corpus.launches.csv"))
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--add", action="store_true")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    words = parser.parse_args()
    forewarp, gpus = str(pathlib.Path(words.forewarp).resolve()), gpu_names()
    with open(words.launches) as file:
        lines = list(csv.DictReader(file))
    rows = kept_rows(words.output, gpus) if words.add else []
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            kernel = line["region"].removeprefix("corpus/")
            if (words.only and kernel not in words.only) or any(row[0] == line["region"] for row in rows):
                continue
            launch = pathlib.Path(folder) / f"{kernel}.toml"
            launch.write_text(launch_text(ROOT / "corpus" / kernel, line["launch"], int(line["divided_by"])))
            times, until = {}, time.monotonic() + min(words.seconds, 1e6)
            try:
                for first in range(0, len(gpus), GPUS_A_RUN):
                    times.update(predicted(forewarp, launch, gpus[first:first + GPUS_A_RUN], until))
            except subprocess.TimeoutExpired:
                say(f"{kernel}: passed over: longer than {words.seconds:g} s")
                continue
            rows.append([line["region"], "predicted", *(f"{times[gpu] * int(line['calls']):.5g}" if gpu in times else "" for gpu in gpus)])
            say(f"{kernel}: {len(times)} of {len(gpus)} GPUs, {time.monotonic() + min(words.seconds, 1e6) - until:.0f} s")
            with open(words.output, "w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([["region", "provenance", *gpus], *sorted(rows)])


main()
