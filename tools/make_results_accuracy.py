#!/usr/bin/env python3
"""Writes the first screen, tables and plots of docs/results/accuracy.md:
tools/make_results_accuracy.py PROGRAM --sources DIR --data DIR [--sample N] [--only SUITE ...] [--keep DIR]

Runs every suite of validation/suites (two at a time; the published figures too, for the first screen) and puts what it finds between
the page's marks; the text around them is written by hand. DIRs: docs/develop/validation.md. With --keep, results are written to a folder as JSON and
taken from there where they lie already (plots are then left as they are).
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

import fit_intervals
import kernel_kinds
from gpu_tables import provenance

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results" / "accuracy.md"
BEGIN, END = "<!-- tables: begin -->\n", "<!-- tables: end -->\n"
SCREEN = "<!-- first screen: begin -->\n", "<!-- first screen: end -->\n"
LONG_MS = 0.020
PUBLISHED = ROOT / "data" / "published"
# Suite, and (kernel, GPU) of the curve that is shown beside its scatter plot.
PLOTS = [("gpuperfpredict_rodinia", "lud_perimeter on GeForce GTX 980"),
         ("ktt", "ktt_convolution on GeForce RTX 2080 Ti"),
         ("kernel_tuner_gemm", "gemm on Tesla V100")]


# Suites whose rows cost a second each: most rows of each kernel and GPU.
MOST = {"miopen_naive": 2}


def run(arguments, suite, form, sample, data=None):
    command = [arguments.program, "validate", suite, "--sources", ROOT if data else arguments.sources, "--data", data or arguments.data,
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


STANDINGS = ["never looked at", "related", "used"]
# Columns of the first screen, and the generations of GPU files that they hold.
GENERATIONS = {"Kepler": ["kepler"], "Maxwell": ["maxwell"], "Pascal": ["pascal"], "Volta": ["volta"], "Turing": ["turing"],
               "Ampere": ["ampere"], "Ada": ["ada"], "Hopper": ["hopper"], "Blackwell": ["blackwell"], "GCN, CDNA": ["gcn", "cdna", "cdna2", "cdna3"],
               "RDNA": ["rdna2", "rdna3"], "older": ["tesla", "fermi"]}
# Chains of arithmetic, streams and cache sweeps made to find one rate: easier than kernels, and many rows.
MICRO_BENCHMARKS = ("babelstream", "clpeak", "gpu-benches", "mixbench")
FEW = 5  # rows that a cell of the first screen needs


def by_standing(results, standing):
    """The same results with the rows and spaces of one standing."""
    return [{**r, "rows": [row for row in r["rows"] if row["standing"] == standing],
             "spaces": [space for space in r["spaces"] if space["standing"] == standing],
             "total": r["by_standing"].get(standing)} for r in results if standing in r["by_standing"]]


def suites_row(name, results, left_out):
    every = [row for r in results for row in r["rows"]]
    return [*name, str(len(every)), left_out, *accuracy_cells(every), *ranking_cells([s for r in results for s in r["spaces"]])]


def count_left_out(results):
    return str(sum(len(r["left_out"]) for r in results))


def suites_table(results):
    rows = []
    for r in results:
        parts = [(standing, by_standing([r], standing)) for standing in STANDINGS]
        for standing, part in parts:
            if part:
                rows.append(suites_row([r["suite"], standing], part, count_left_out([r]) if standing == parts_first(parts) else ""))
    return table(["suite", "standing", "rows", "left out", *ACCURACY, "tau", "best within 10 %"], rows, 2)


def parts_first(parts):
    return next(standing for standing, part in parts if part)


def standings_table(results):
    kernels = [r for r in results if not r["suite"].startswith(MICRO_BENCHMARKS)]
    rows = []
    for standing in STANDINGS:
        mark = "**" if standing == STANDINGS[0] else ""
        for name, chosen in ((f"{mark}{standing}, without micro-benchmarks{mark}", kernels), (standing, results)):
            part = by_standing(chosen, standing)
            if part:
                rows.append(suites_row([name], part, ""))
    for name, chosen in (("all, without micro-benchmarks", kernels), ("all", results)):
        rows.append(suites_row([name], chosen, count_left_out(chosen)))
    return table(["rows that were", "rows", "left out", *ACCURACY, "tau", "best within 10 %"], rows)


def generations():
    """{GPU: generation}."""
    files = provenance.Catalogue(ROOT / "data" / "gpus").files
    found = {}
    for table in files.values():
        if table.get("abstract"):
            continue
        base = table
        while "generation" not in base:
            base = files[base["extends"]]
        found[table["name"]] = base["generation"]
    return found


def weighted(rows):
    """(absolute errors, weights): each space of a kernel and a GPU weighs the same."""
    sizes = {}
    for row in rows:
        sizes[row["space"]] = sizes.get(row["space"], 0) + 1
    return [abs(error_percent(row)) for row in rows], [1 / sizes[row["space"]] for row in rows]


def half_and_nine(rows):
    errors, weights = weighted(rows)
    return tuple(round(fit_intervals.quantile(errors, weights, share)) for share in (0.5, 0.9))


def screen_cell(rows):
    """"8 / 25": half of the rows are within 8 %, nine of ten within 25 %. Rows that were never looked at, if there are enough; else with
    related ones ("~"), else with used ones ("*")."""
    for last, mark in enumerate(("", "~", "*"), 1):
        chosen = [row for row in rows if row["standing"] in STANDINGS[:last]]
        if len(chosen) >= FEW:
            half, nine = half_and_nine(chosen)
            return f"{mark}{half} / {nine}"
    return ""


def screen_rows(results, kinds):
    """All rows with their kind and generation; a tiny launch is of no other kind."""
    generation_of = generations()
    rows = []
    for r in results:
        for row in r["rows"]:
            kind = "tiny launches" if row["measured_ms"] < LONG_MS else kernel_kinds.kind_of(kinds, r["suite"], row["kernel"])
            rows.append({**row, "space": (r["suite"], row["kernel"], row["gpu"]), "kind": kind, "generation": generation_of[row["gpu"]]})
    return rows


def screen_table(rows, order):
    columns = {name: members for name, members in GENERATIONS.items() if any(row["generation"] in members for row in rows)}
    lines = []
    for kind, _ in order:
        own = [row for row in rows if row["kind"] == kind]
        lines.append([kind, screen_cell(own), *(screen_cell([row for row in own if row["generation"] in members])
                                                for members in columns.values())])
    lines.append(["**all**", screen_cell(rows), *(screen_cell([row for row in rows if row["generation"] in members])
                                                  for members in columns.values())])
    return table(["kind of kernel", "all GPUs", *columns], lines)


def headline(rows):
    lines = []
    for standing in [*STANDINGS, None]:
        own = [row for row in rows if standing in (None, row["standing"])]
        if own:
            half, nine = half_and_nine(own)
            bias = fit_intervals.quantile([error_percent(row) for row in own], weighted(own)[1], 0.5)
            lines.append([standing or "all", str(len(own)), str(len({row["space"] for row in own})), f"{half} %", f"{nine} %", f"{bias:+.0f} %"])
    lines[0] = [f"**{cell}**" for cell in lines[0]]
    return table(["rows that were", "rows", "kernels x GPUs", "half are within", "nine of ten are within", "middle of the errors"], lines)


def screen(results):
    order, kinds = kernel_kinds.read_kinds((ROOT / "validation" / "kinds.toml").read_text(encoding="utf-8"))
    order.append(("tiny launches", "kernels of any kind that run for less than 20 microseconds"))
    rows = screen_rows(results, kinds)
    meanings = "".join(f"- *{name}*: {meaning}\n" for name, meaning in order)
    return (f"{SCREEN[0]}\n{headline(rows)}\n{screen_table(rows, order)}\n{meanings}\n{SCREEN[1]}")


def intervals_table(results):
    return fit_intervals.report_of(fit_intervals.kernels_only(results))


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


def kept(arguments, suite, data):
    """A suite's result as JSON; from --keep where it lies there already."""
    path = arguments.keep and arguments.keep / f"{suite.stem}.json"
    if path and path.is_file():
        return json.loads(path.read_text(encoding="utf-8"))[0]
    text = run(arguments, suite, "json", 0 if data else min(arguments.sample, MOST.get(suite.stem, arguments.sample)), data)
    if path:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return json.loads(text)[0]


def between(text, marks, made):
    before, rest = text.split(marks[0], 1)
    return before + made + rest.split(marks[1], 1)[1]


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
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    suites = [s for s in sorted((ROOT / "validation" / "suites").glob("*.toml")) if not arguments.only or s.stem in arguments.only]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        every = list(pool.map(lambda s: kept(arguments, s, PUBLISHED if s.stem.startswith("published_") else None), suites))
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    # Suites of published figures have a page of their own: make_results_published.py.
    results = [r for r in every if not r["suite"].startswith("published-")]
    if not arguments.keep:
        write_plots(arguments)
    rows = sum(len(r["rows"]) for r in results)
    clean = by_standing(results, STANDINGS[0])
    spent = "" if arguments.keep else f", {seconds:.0f} s of CPU time"
    made = (f"{BEGIN}\nMade by `tools/make_results_accuracy.py` with `--sample {arguments.sample}` (rows of each kernel and GPU, "
            f"`--seed 1`): {rows} rows{spent}.\n\n## Time, by standing\n\n{standings_table(results)}\n"
            f"## Time, by suite and standing\n\n{suites_table(results)}\n"
            f"## The other methods, on rows that were never looked at\n\n{methods_table(clean)}\n"
            f"## The other methods, on all rows\n\n{methods_table(results)}\n"
            f"## Stages, on rows that were never looked at\n\n{stages_table(clean)}\n## Stages, on all rows\n\n{stages_table(results)}\n"
            f"## Time, by GPU\n\nRows that were never looked at:\n\n{gpus_table(clean)}\nAll rows:\n\n{gpus_table(results)}\n"
            f"## Intervals, each repository and each GPU judged by the others\n\n{intervals_table(results)}\n## Plots\n\n{plots_text()}"
            f"## The ten spaces that are furthest off\n\n{worst_table(results)}\n{END}")
    text = between(PAGE.read_text(encoding="utf-8"), (BEGIN, END), made)
    PAGE.write_text(between(text, SCREEN, screen(every)), encoding="utf-8")


if __name__ == "__main__":
    main()
