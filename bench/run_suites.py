#!/usr/bin/env python3
"""Processor time of `forewarp validate` by suite and stage, one process a suite.

  bench/run_suites.py --sources DIR --data DIR [--program build/bin/forewarp] [--sample 200] [--seed 1] [--jobs 2] [SUITE.toml...]

Without suites: all of validation/suites whose kernels are downloaded (not published_*). The columns behind `cpu s` are the stages' seconds as
--timing says them; what `cpu s` has beyond them is reading tables and writing the answer."""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
STAGES = ["compile", "run", "memory", "simulation", "models"]


def run(words, suite):
    """Rows, wall seconds, processor seconds, peak megabytes and the seconds of each stage of one suite."""
    command = [str(pathlib.Path(words.program).resolve()), "validate", str(suite), "--sources", words.sources, "--data", words.data, "--sample",
               str(words.sample), "--seed", str(words.seed), "--jobs", str(words.jobs), "--timing", "--format", "csv"]
    with tempfile.TemporaryFile("w+") as said:
        begin = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, cwd=ROOT) as child:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - begin
        said.seek(0)
        lines = said.read().splitlines()
    if child.returncode != 0:
        raise SystemExit(f"{suite}: " + "\n".join(lines))
    header, numbers = (line.split() for line in lines[-2:])
    column = dict(zip(["suite", "rows", "cpu", *header[4:]], numbers)) # "cpu s" is two words
    return int(column["rows"]), wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, [float(column[stage]) for stage in STAGES]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bin/forewarp")
    parser.add_argument("--sources", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("suites", nargs="*")
    words = parser.parse_args()
    suites = [pathlib.Path(name).resolve() for name in words.suites] or [
        path for path in sorted((ROOT / "validation/suites").glob("*.toml")) if not path.stem.startswith("published_")]
    print(f"{'suite':<26} {'rows':>6} {'wall s':>7} {'cpu s':>7} {'peak MB':>8}" + "".join(f"{stage:>11}" for stage in STAGES), flush=True)
    total = [0] * (3 + len(STAGES))
    for suite in suites:
        rows, wall, cpu, peak, stages = run(words, suite)
        print(f"{suite.stem:<26} {rows:>6} {wall:>7.1f} {cpu:>7.1f} {peak:>8.0f}" + "".join(f"{seconds:>11.1f}" for seconds in stages), flush=True)
        total = [a + b for a, b in zip(total, [rows, wall, cpu, *stages])]
    print(f"{'all':<26} {total[0]:>6} {total[1]:>7.1f} {total[2]:>7.1f} {'':>8}" + "".join(f"{seconds:>11.1f}" for seconds in total[3:]))


if __name__ == "__main__":
    main()
