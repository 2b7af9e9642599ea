#!/usr/bin/env python3
"""Ardalani's claim that a text's features fall into the same bin as the counted ones, over the marked loops of examples/port and
data/training/regions: cut points of equal frequency over the counted values, two bins.

    bench/static_bins.py build/bin/forewarp"""
import csv
import io
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = ["coalesced", "diverging", "ksize", "parallelism", "arith_intensity", "ctrl_intensity", "muldiv_intensity", "sincos_intensity",
         "logexp_intensity", "sqrt_intensity"]


def rows(forewarp, words):
    done = subprocess.run([forewarp, "port", "--features", *words, "--format", "csv"], capture_output=True, text=True)
    return {row["region"]: [float(row[name]) for name in NAMES] for row in csv.DictReader(io.StringIO(done.stdout))
            if row["extractor"].startswith("static")}


def main():
    forewarp = sys.argv[1]
    pairs = {}
    for program in sorted(ROOT.glob("examples/port/*.c")) + [ROOT / "data/training/regions" / (name + ".c") for name in ("stream", "basic", "lcals")]:
        small = ["-D", "N=65536L"] if "regions" in str(program) else []
        counted = rows(forewarp, ["dynamic", str(program), "--counted", "--repetitions", "1", *small])
        text = rows(forewarp, ["static", str(program), *small])
        pairs |= {region: (counted[region], text[region]) for region in counted if region in text}
    equal = 0
    for index, name in enumerate(NAMES):
        cut = statistics.median(one[index] for one, _ in pairs.values())
        other = [region for region, (one, two) in pairs.items() if (one[index] > cut) != (two[index] > cut)]
        near = [region for region, (one, two) in pairs.items() if abs(one[index] - two[index]) <= 0.01 * abs(one[index]) + 1e-9]
        equal += len(pairs) - len(other)
        print(f"{name:18s} cut {cut:10.4g}  same bin {len(pairs) - len(other)} of {len(pairs)}  same value {len(near)}  "
              + " ".join(region.split()[-1] for region in other))
    print(f"same bin: {100 * equal / len(pairs) / len(NAMES):.1f} %")


main()
