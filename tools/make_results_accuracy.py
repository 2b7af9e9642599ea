#!/usr/bin/env python3
"""Writes the tables and plots of docs/results/accuracy.md:
tools/make_results_accuracy.py PROGRAM --sources DIR --data DIR [--sample N] [--only SUITE ...]

Runs every suite of validation/suites (two at a time) and puts what it finds between the page's marks; the text around
them is written by hand. DIRs: docs/validation.md.
"""

import argparse
import concurrent.futures
import json
import math
import pathlib
import re
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results" / "accuracy.md"
BEGIN, END = "<!-- tables: begin -->\n", "<!-- tables: end -->\n"
LONG_MS = 0.020
# Suite, and (kernel, GPU) of the curve that is shown beside its scatter plot.
PLOTS = [("gpuperfpredict_rodinia", "lud_perimeter on GeForce GTX 980"),
         ("ktt", "ktt_convolution on GeForce RTX 2080 Ti"),
         ("kernel_tuner_gemm", "gemm on Tesla V100")]


def run(arguments, suite, form, sample):
    command = [arguments.program, "validate", suite, "--sources", arguments.sources, "--data", arguments.data,
               "--sample", str(sample), "--seed", "1", "--format", form]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{suite.name}: {done.stderr.strip()}")
    return done.stdout


def table(head, rows, numbers_from=1):
    rule = ["---"] * numbers_from + ["---:"] * (len(head) - numbers_from)
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *rows]) + "\n"


def number(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


def median(values):
    values = sorted(values)
    if not values:
        return None
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def error_percent(row):
    return 100 * (row["predicted_ms"] / row["measured_ms"] - 1)


def covered_percent(rows):
    return 100 * sum(r["interval_ms"][0] <= r["measured_ms"] <= r["interval_ms"][1] for r in rows) / len(rows)


def accuracy_cells(rows):
    errors = [error_percent(r) for r in rows]
    long_errors = [abs(error_percent(r)) for r in rows if r["measured_ms"] >= LONG_MS]
    return [number(sum(map(abs, errors)) / len(errors)), number(median(map(abs, errors))), number(median(errors)),
            number(sum(long_errors) / len(long_errors)) if long_errors else "-", number(median(long_errors)),
            number(covered_percent(rows), 0)]


ACCURACY = ["MAPE %", "median %", "bias %", "MAPE >=20us", "median >=20us", "cover %"]


def ranked(spaces):
    return [s for s in spaces if s["rows"] >= 5]


def ranking_cells(spaces):
    spaces = ranked(spaces)
    near = sum(s["best_slowdown"] <= 1.1 for s in spaces)
    return [number(median(s["kendall_tau"] for s in spaces), 2), f"{near} of {len(spaces)}"]


# Chains of arithmetic and streams: checks of the GPU files themselves, from whose results some values of the files come.
FILE_CHECKS = ["babelstream", "clpeak", "gpu-benches-cache", "gpu-benches-l2", "gpu-benches-latency", "gpu-benches-roofline",
               "gpu-benches-stream", "gpu-benches-strides", "mixbench"]


def suites_row(name, results):
    every = [row for r in results for row in r["rows"]]
    return [name, str(len(every)), str(sum(len(r["left_out"]) for r in results)), *accuracy_cells(every),
            *ranking_cells([s for r in results for s in r["spaces"]])]


def suites_table(results):
    rows = [suites_row(r["suite"], [r]) for r in results]
    rows.append(suites_row("**all**", results))
    rows.append(suites_row("**all but the checks of GPU files**", [r for r in results if r["suite"] not in FILE_CHECKS]))
    return table(["suite", "rows", "left out", *ACCURACY, "tau", "best within 10 %"], rows)


def methods_table(results):
    names = sorted({m for r in results for m in r["total"]["methods"]} - {"forewarp"})
    rows = []
    for name in ["forewarp", *names]:
        cells = [r["total"]["methods"].get(name, {}).get("mape_percent") for r in results]
        rows.append([name] + [number(c, 0) for c in cells])
    best = []
    for r in results:
        others = [(m["mape_percent"], n) for n, m in r["total"]["methods"].items() if n != "forewarp"]
        best.append("yes" if r["total"]["methods"]["forewarp"]["mape_percent"] <= min(others)[0]
                    else f"no: {min(others)[1]}")
    rows.append(["**forewarp ahead**", *best])
    return table(["MAPE %", *(r["suite"] for r in results)], rows)


def stages_table(results):
    with_stages = [r for r in results if r["total"].get("stages")]
    names = sorted({s for r in with_stages for s in r["total"]["stages"]})
    rows = []
    for name in names:
        cells = []
        for r in with_stages:
            stage = r["total"]["stages"].get(name)
            cells.append(f"{stage['median_error_percent']:.1f} ({stage['bias_percent']:+.1f})" if stage else "-")
        rows.append([name, *cells])
    return table(["median error % (bias %)", *(r["suite"] for r in with_stages)], rows)


def gpus_table(results):
    by_gpu = {}
    for r in results:
        for row in r["rows"]:
            by_gpu.setdefault(row["gpu"], []).append(row)
    return table(["GPU", "rows", *ACCURACY],
                 [[gpu, str(len(rows)), *accuracy_cells(rows)] for gpu, rows in sorted(by_gpu.items())])


def worst_table(results):
    """The ten spaces whose median is the furthest off, as a factor; short kernels apart."""
    spaces = {}
    for r in results:
        for row in r["rows"]:
            if row["measured_ms"] >= LONG_MS:
                spaces.setdefault((r["suite"], row["kernel"], row["gpu"]), []).append(row)
    ratios = [(median(row["predicted_ms"] / row["measured_ms"] for row in rows), key) for key, rows in spaces.items()]
    ratios.sort(key=lambda entry: -abs(math.log(entry[0])))
    return table(["suite", "kernel", "GPU", "rows", "predicted / measured"],
                 [[*key, str(len(spaces[key])), number(ratio, 2)] for ratio, key in ratios[:10]], 3)


def write_plots(arguments):
    for suite, curve in PLOTS:
        page = run(arguments, ROOT / "validation" / "suites" / f"{suite}.toml", "html", arguments.plot_sample)
        plots = re.findall(r"<svg.*?</svg>\n", page, re.DOTALL)
        chosen = [plots[0]] + [p for p in plots if curve in p][:1]
        for name, svg in zip(["scatter", "curve"], chosen):
            (PAGE.parent / f"accuracy_{suite}_{name}.svg").write_text(svg)


def plots_text():
    return "".join(f"![{suite}: predicted against measured](accuracy_{suite}_scatter.svg)\n"
                   f"![{curve}: time along the sampled rows](accuracy_{suite}_curve.svg)\n\n" for suite, curve in PLOTS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--plot-sample", type=int, default=60)
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    # Suites of published figures have their own data and page: make_results_published.py.
    suites = [s for s in sorted((ROOT / "validation" / "suites").glob("*.toml"))
              if not s.stem.startswith("published_") and (not arguments.only or s.stem in arguments.only)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        texts = list(pool.map(lambda suite: run(arguments, suite, "json", arguments.sample), suites))
    results = [json.loads(text)[0] for text in texts]
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    write_plots(arguments)
    rows = sum(len(r["rows"]) for r in results)
    made = (f"{BEGIN}\nMade by `tools/make_results_accuracy.py` with `--sample {arguments.sample}` (rows of each kernel and GPU, "
            f"`--seed 1`): {rows} rows, {seconds:.0f} s of CPU time.\n\n## Time, by suite\n\n{suites_table(results)}\n"
            f"## The other methods on the same rows\n\n{methods_table(results)}\n## Stages\n\n{stages_table(results)}\n"
            f"## Time, by GPU\n\n{gpus_table(results)}\n## Plots\n\n{plots_text()}"
            f"## The ten spaces that are furthest off\n\n{worst_table(results)}\n{END}")
    text = PAGE.read_text()
    before, rest = text.split(BEGIN, 1)
    PAGE.write_text(before + made + rest.split(END, 1)[1])


if __name__ == "__main__":
    main()
