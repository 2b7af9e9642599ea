#!/usr/bin/env python3
"""Holds the suites of published figures, which need no other data, to the limits of published.toml.

A limit is the most that the suite's MAPE may be, and how many rows it has; none may be left out. They lie well above what is
reached: the test is there to find what breaks, not to tune by.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def run_suite(program, name, gpus):
    command = [program, "validate", ROOT / "validation" / "suites" / f"published_{name}.toml", "--sources", ROOT, "--data",
               ROOT / "data" / "published", "--format", "json"]
    if gpus:
        command += ["--gpu", ",".join(gpus)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        sys.exit(f"{name}: forewarp validate ended with {answer.returncode}\n{answer.stderr}")
    return json.loads(answer.stdout)[0]


def compare(name, result, limits):
    wrong = []
    if result["left_out"]:
        wrong.append(f"{name}: left out: {result['left_out']}")
    if len(result["rows"]) != limits["rows"]:
        wrong.append(f"{name}: {len(result['rows'])} rows, and there should be {limits['rows']}")
    if result["rows"]:
        mape = result["total"]["methods"]["forewarp"]["mape_percent"]
        print(f"{name}: {mape:.1f}")
        if mape > limits["mape_percent"]:
            wrong.append(f"{name}: MAPE is {mape:.1f} %, and may be {limits['mape_percent']} %")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    wrong = []
    for name, limits in tomllib.loads((HERE / "published.toml").read_text()).items():
        wrong += compare(name, run_suite(program, name, limits.get("gpus")), limits)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
