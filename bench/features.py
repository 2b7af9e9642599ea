#!/usr/bin/env python3
"""Cost and sampling error of the dynamic features over the programs of examples/port.

    bench/features.py build/bin/forewarp [-D N=512]"""
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOOKED_AT = ["ilp32", "ilp256", "ilp2048", "ilp65536", "ilpRate", "reuseDist2"]


def rows(forewarp, program, words):
    done = subprocess.run([forewarp, "port", "--features", "dynamic", str(program), "--format", "json", *words], capture_output=True, text=True)
    return json.loads(done.stdout)["rows"] if done.returncode == 0 else []


def main():
    forewarp, words = sys.argv[1], sys.argv[2:]
    costs, errors = [], []
    for program in sorted(ROOT.glob("examples/port/*.c")):
        sampled, whole = rows(forewarp, program, words), rows(forewarp, program, [*words, "--full", "--repetitions", "1"])
        for one, all_ in zip(sampled, whole):
            if one["problem"]:
                continue
            error = {name: abs(one["features"][name] / all_["features"][name] - 1) for name in LOOKED_AT if all_["features"][name]}
            worst = max(error, key=error.get)
            errors.append(error[worst])
            cost = float(one["notes"][0].split(", ")[1].split(" ")[0]) if one["notes"] else None
            costs += [cost] if cost else []
            print(f"{one['region']:60s} {one['cpu_ms'] or 0:9.3f} ms  x {cost or 0:6.1f}  worst error {100 * error[worst]:5.2f} % ({worst})")
    print(f"median cost {statistics.median(costs):.1f} times the -O2 run ({len(costs)} regions timed); "
          f"error median {100 * statistics.median(errors):.2f} %, largest {100 * max(errors):.2f} %")


main()
