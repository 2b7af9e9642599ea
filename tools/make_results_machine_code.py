#!/usr/bin/env python3
"""Writes the tables of docs/results/machine_code.md that hold predictions against measured times:
tools/make_results_machine_code.py PROGRAM --sources DIR --data DIR --keep DIR [--sample N] [--spaces-sample N]
    [--compiler RELEASE=FILE ...] [--only SUITE ...] [--kept-only] [--no-page]

Runs each suite on each of its boards from sm_75 on three times: imitated, and with the vendor's code, timed by dependences (but for tuned spaces) and by control
words; tuned spaces with --spaces-sample rows each. What ran is kept in --keep as JSON and taken from there, so a run that was ended goes on where it stopped, and the
tables show what is there with --kept-only. DIRs: docs/develop/validation.md.

--compiler gives the compiler of a release of RELEASES, e.g. `11.7=.../nvidia/cuda_nvrtc/lib/libnvrtc.so.11.2`; without it, and for all other suites, the nvcc that
`forewarp setup-toolkit` finds is taken. Needs nvcc and ptxas on PATH.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tomllib

from make_results_accuracy import between, number, table

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results" / "machine_code.md"
SUITES, SPACES = [(f"<!-- {what}: begin -->\n", f"<!-- {what}: end -->\n") for what in ("suites", "spaces")]
WAYS = {"imitated": [], "dependences": ["--code", "sass", "--ignore-control-words"], "control words": ["--code", "sass"]}
# Suites that are tuned spaces, and the oldest release that a wheel has where theirs is older (KTT and Kernel Tuner, 2020 to 2022; registers of KTT's rows agree
# with 11.7). No row names its release.
TUNED = {"benchmark_hub": "12.0", "kernel_tuner_convolution": "11.7", "kernel_tuner_gemm": None, "ktt": "11.7"}
# Sweeps of one instruction or one cache level say nothing about a compiler; their rows are many.
NOT_KERNELS = ("babelstream", "clpeak", "gpu_benches_", "mixbench", "miopen_naive")
NEAR = 1.1
RANKED = 5


def arguments_of_command():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--keep", type=pathlib.Path, required=True)
    parser.add_argument("--sample", type=int, default=10)
    parser.add_argument("--spaces-sample", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--compiler", nargs="*", default=[])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--kept-only", action="store_true", help="run nothing")
    parser.add_argument("--no-page", action="store_true", help="print the tables and leave the page alone")
    return parser.parse_args()


def new_boards(program):
    """Catalogue's names of the GPUs that the vendor's current tools assemble for."""
    listed = subprocess.run([program, "gpus"], capture_output=True, text=True, check=True).stdout.splitlines()
    names = set()
    for line in listed[2:]:
        name, _, rest = line.partition("  sm_")
        if rest and int(rest.split()[0]) >= 75:
            names.add(name.strip())
    return names


def boards_of(suite, boards):
    named = tomllib.loads(suite.read_text(encoding="utf-8"))["gpus"].values()
    names = {board if isinstance(board, str) else board["name"] for board in named}
    spelled = {name.lower().replace(" ", ""): name for name in boards}
    return sorted({spelled[key] for key in (name.lower().replace(" ", "") for name in names) if key in spelled})


def compilers(given):
    found = dict(one.split("=", 1) for one in given)
    unknown = set(found) - {release for release in TUNED.values() if release}
    if unknown:
        sys.exit(f"--compiler: no suite is compiled by {', '.join(sorted(unknown))}")
    return found


def ways_of(suite):
    return [way for way in WAYS if way != "dependences" or suite not in TUNED]


def run(arguments, suite, way, board):
    """The suite's result on this board, from --keep where it lies there; None: there is none."""
    kept = arguments.keep / f"{suite.stem}.{board.replace(' ', '_')}.{way.replace(' ', '_')}.json"
    if kept.is_file():
        return json.loads(kept.read_text(encoding="utf-8"))[0]
    if arguments.kept_only:
        return None
    published = suite.stem.startswith("published_")
    sample = arguments.spaces_sample if suite.stem in TUNED else arguments.sample
    command = [arguments.program, "validate", suite, "--sources", ROOT if published else arguments.sources, "--data",
               ROOT / "data" / "published" if published else arguments.data, "--sample", str(sample), "--seed", "1", "--jobs", str(arguments.jobs),
               "--gpu", board, "--format", "json", *WAYS[way]]
    environment = dict(os.environ)
    compiler = compilers(arguments.compiler).get(TUNED.get(suite.stem))
    if compiler:
        environment["FOREWARP_CUDA_COMPILER"] = compiler
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        print(f"{suite.stem} on {board}, {way}: {done.stderr.strip() or done.returncode}", file=sys.stderr)
        return None
    arguments.keep.mkdir(parents=True, exist_ok=True)
    kept.write_text(done.stdout, encoding="utf-8")
    return json.loads(done.stdout)[0]


def spaces_of(results):
    """{(kernel, GPU): {row: {way: row's result}}} of rows that all ways predict."""
    spaces = {}
    for way, result in results.items():
        for row in result["rows"]:
            spaces.setdefault((row["kernel"], row["gpu"]), {}).setdefault(row["row"], {})[way] = row
    return {space: {row: by for row, by in rows.items() if len(by) == len(results)} for space, rows in spaces.items()}


def error(row):
    return abs(row["predicted_ms"] / row["measured_ms"] - 1)


def mape(rows):
    return f"{100 * statistics.fmean(map(error, rows)):.1f}" if rows else "-"


def tau(rows):
    """Kendall's tau-b, as the program's own."""
    agree = measured_ties = predicted_ties = pairs = 0
    for i, one in enumerate(rows):
        for other in rows[:i]:
            measured = (one["measured_ms"] > other["measured_ms"]) - (one["measured_ms"] < other["measured_ms"])
            predicted = (one["predicted_ms"] > other["predicted_ms"]) - (one["predicted_ms"] < other["predicted_ms"])
            agree += measured * predicted
            measured_ties += measured == 0
            predicted_ties += predicted == 0
            pairs += 1
    below = ((pairs - measured_ties) * (pairs - predicted_ties)) ** 0.5
    return agree / below if below else 0


def slowdown(rows):
    """Measured time of the row that is predicted shortest, over the shortest measured."""
    return min(rows, key=lambda row: row["predicted_ms"])["measured_ms"] / min(row["measured_ms"] for row in rows)


def stage(rows, name):
    """Relative errors of a stage that the data have."""
    pairs = [row["stages"][name] for row in rows if name in row["stages"]]
    return [pair["predicted"] / pair["measured"] - 1 for pair in pairs if pair["measured"]]


def stage_cell(rows, name, within):
    errors = stage(rows, name)
    return f"{sum(abs(e) <= within for e in errors)} of {len(errors)}" if errors else "-"


def suites_table(every):
    lines = []
    total = {way: [] for way in WAYS}
    for (name, gpu), results in every.items():
        rows = [by for found in spaces_of(results).values() for by in found.values()]
        ways = {way: [by[way] for by in rows if way in by] for way in WAYS}
        for way, own in ways.items():
            total[way] += own
        lines.append([name, gpu, str(len(rows)), str(len(results["control words"]["left_out"])), *(mape(own) for own in ways.values()),
                      stage_cell(ways["imitated"], "registers_per_thread", 0), stage_cell(ways["control words"], "registers_per_thread", 0),
                      stage_cell(ways["imitated"], "instructions_per_warp", 0.01), stage_cell(ways["control words"], "instructions_per_warp", 0.01)])
    lines.append(["**all**", "", str(len(total["imitated"])), str(sum(int(line[3]) for line in lines)),
                  *(mape(rows if len(rows) == len(total["imitated"]) else []) for rows in total.values()),  # of the same rows
                 
                  *(stage_cell(total[way], name, within) for name, within in (("registers_per_thread", 0), ("instructions_per_warp", 0.01))
                    for way in ("imitated", "control words"))])
    return table(["suite", "board", "rows", "left out", "MAPE %: imitated", "by dependences", "by control words", "registers equal: imitated", "by code",
                  "instructions within 1 %: imitated", "by code"], lines, 2)


def spaces_table(every):
    shown = ["imitated", "control words"]
    lines, taus, near = [], {way: [] for way in shown}, {way: [] for way in shown}
    for (name, _), results in every.items():
        if name not in TUNED:
            continue
        for (kernel, gpu), found in sorted(spaces_of(results).items()):
            if len(found) < RANKED:
                continue
            line = [f"{name}, {kernel}", gpu, str(len(found))]
            for way in shown:
                rows = [by[way] for by in found.values()]
                taus[way].append(tau(rows))
                near[way].append(slowdown(rows))
                line.append(f"{mape(rows)} %, {tau(rows):.2f}, {slowdown(rows):.2f}")
            lines.append(line)
    if not lines:
        return ""
    lines.append(["**all spaces**: median of tau; best within 10 %", "", ""]
                 + [f"{number(statistics.median(taus[way]), 2)}; {sum(s <= NEAR for s in near[way])} of {len(near[way])}" for way in shown])
    return table(["space", "board", "rows", *(f"{way}: MAPE, tau, best" for way in shown)], lines, 2)


def reasons_table(every, folders):
    reasons = {}
    for (name, _), results in every.items():
        for row in results["control words"]["left_out"]:
            why = row["reason"].replace("|", "/").split("\n")[0]
            for folder in folders:
                why = why.replace(f"{folder}/", "")
            reasons.setdefault((name, row["kernel"], why), []).append(row)
    if not reasons:
        return "All of these rows are predicted with exact code.\n"
    return "Not predicted with exact code:\n\n" + table(["suite", "kernel", "rows", "why"],
                 [[name, kernel, str(len(rows)), why] for (name, kernel, why), rows in sorted(reasons.items())])


def main():
    arguments = arguments_of_command()
    boards = new_boards(arguments.program)
    every = {}
    for suite in sorted((ROOT / "validation" / "suites").glob("*.toml")):
        chosen = boards_of(suite, boards)
        if suite.stem.startswith(NOT_KERNELS) or not chosen or (arguments.only and suite.stem not in arguments.only):
            continue
        for board in chosen:
            results = {way: run(arguments, suite, way, board) for way in ways_of(suite.stem)}
            if all(results.values()):
                every[suite.stem, board] = results
    named = {name for name, _ in every}
    used = ", ".join(f"{name} by {release}" for name, release in TUNED.items() if name in named and release in compilers(arguments.compiler))
    head = (f"Made by `tools/make_results_machine_code.py` with `--sample {arguments.sample} --spaces-sample {arguments.spaces_sample}`"
            + (f"; NVRTC of a release: {used}" if used else "") + ".\n")
    spaces = f"{SPACES[0]}\n{head}\n{spaces_table(every)}\n{SPACES[1]}" if any(name in TUNED for name, _ in every) else ""
    suites = f"{SUITES[0]}\n{head}\n{suites_table(every)}\n{reasons_table(every, [ROOT, arguments.sources])}\n{SUITES[1]}"
    if arguments.no_page:
        print(spaces + suites)
        return
    PAGE.write_text(between(between(PAGE.read_text(encoding="utf-8"), SUITES, suites), SPACES, spaces), encoding="utf-8")


if __name__ == "__main__":
    main()
