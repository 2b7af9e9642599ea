#!/usr/bin/env python3
"""Holds corpus kernels against measured rows of kernels that do the same work, stage by stage.

The measured data is not part of the repository: FOREWARP_SHARED_DATA, or ../shared/data beside it. Where it is not
there the test says so and counts as skipped (exit 77). thresholds.toml holds the most that each error may be.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tomllib

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def data_directory():
    given = os.environ.get("FOREWARP_SHARED_DATA")
    return pathlib.Path(given) if given else ROOT.parent / "shared" / "data"


def run_suite(program, name, limits, data):
    command = [program, "validate", HERE / f"{name}.toml", "--sources", ROOT, "--data", data, "--format", "json",
               "--sample", str(limits["rows_of_a_space"]), "--seed", "1"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        sys.exit(f"{name}: forewarp validate ended with {answer.returncode}\n{answer.stderr}")
    return json.loads(answer.stdout)[0]


def reached(result):
    """What thresholds.toml limits: left-out rows, time by kernel, and the median error of each stage."""
    values = {"left_out": len(result["left_out"])}
    for stage, summary in result["total"].get("stages", {}).items():
        values[f"stage.{stage}"] = summary["median_error_percent"]
    by_kernel = {}
    for space in result["spaces"]:
        by_kernel.setdefault(space["kernel"], []).append(space)
    for kernel, spaces in by_kernel.items():
        rows = sum(space["rows"] for space in spaces)
        values[f"time.{kernel}"] = sum(space["mape_percent"] * space["rows"] for space in spaces) / rows
    return values


def limits_of(table):
    limits = {"left_out": 0}
    for group in ("stage", "time"):
        limits.update({f"{group}.{name}": limit for name, limit in table.get(group, {}).items()})
    return limits


def compare(name, values, limits):
    """Lines of what is worse than its limit, or has none."""
    wrong = [f"{name}: {key} is not limited in thresholds.toml" for key in sorted(values.keys() - limits.keys())]
    for key, limit in sorted(limits.items()):
        if key not in values:
            wrong.append(f"{name}: {key} is not in the result any more")
        elif values[key] > limit:
            wrong.append(f"{name}: {key} is off by {values[key]:.1f}, and may be by {limit}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    data = data_directory()
    if not (data / "gpuperfpredict").is_dir():
        print(f"SKIPPED: no measured data in {data} (set FOREWARP_SHARED_DATA)")
        sys.exit(SKIPPED)
    wrong = []
    for name, table in tomllib.loads((HERE / "thresholds.toml").read_text()).items():
        values = reached(run_suite(program, name, table, data))
        for key, value in sorted(values.items()):
            print(f"{name}: {key} {value:.1f}")
        wrong += compare(name, values, limits_of(table))
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
