#!/usr/bin/env python3
"""Writes docs/results/cgpredict.md: Tables 4 to 7 and Fig. 8 and 9 of Wang, Zhong, Mitra (CGPredict, ACM TECS 2017) beside `forewarp port` on the
programs of examples/port.

    tools/make_results_cgpredict.py build/bin/forewarp            writes the page
    tools/make_results_cgpredict.py build/bin/forewarp --check    says whether it would change"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/results/cgpredict.md"
GPU = "Jetson TK1"
CG, SIMPLE, DEFAULT = "cgpredict", "cgpredict_simple_cache", "hybrid"
FDTD = ["-D", "STEPS=33"]

# program, traced size, work size, the paper's measured and estimated ms (Table 4), regions that count, further words
TABLE4 = [
    ("2dconv", 512, 4096, 29.52, 28.01, ["2dconv"], []),
    ("2mm", 128, 4096, 16294.07, 15518.11, ["2mm_first"], []),
    ("3dconv", 64, 256, 84.54, 68.30, ["3dconv"], []),
    ("3mm", 128, 2048, 5990.76, 5819.73, ["3mm"], []),
    ("atax", 1024, 4096, 201.70, 193.04, ["atax_rows"], []),
    ("bicg", 1024, 4096, 237.69, 199.22, ["bicg_rows"], []),
    ("corr", 128, 1024, 3071.66, 2678.05, ["corr"], []),
    ("covar", 128, 1024, 3073.58, 3465.71, ["covar"], []),
    ("fdtd2d", 64, 4096, 1492.23, 1243.21, ["fdtd2d_ey", "fdtd2d_ex", "fdtd2d_hz"], FDTD),
    ("gemm", 128, 1024, 249.16, 242.53, ["gemm"], []),
    ("gesummv", 1024, 4096, 680.85, 769.69, ["gesummv"], []),
    ("gramschm", 512, 8192, 43.79, 45.58, ["gramschm"], []),
    ("mvt", 1024, 4096, 215.96, 193.04, ["mvt_rows"], []),
    ("syr2k", 128, 1024, 5430.54, 5204.73, ["syr2k"], []),
    ("syrk", 128, 1024, 2762.50, 2605.45, ["syrk"], []),
]
A_LAUNCH = {"gramschm"}  # the paper's figure is of the order of one launch
TABLE5 = [("2mm", 128, 4096, 7019.37, 6748.05, ["2mm_first"]), ("3mm", 128, 2048, 2538.99, 2530.52, ["3mm"]),
          ("gemm", 128, 1024, 112.44, 105.75, ["gemm"]), ("syr2k", 128, 1024, 1468.68, 1445.48, ["syr2k"]),
          ("syrk", 128, 1024, 721.89, 713.42, ["syrk"])]
TABLE6 = [("syrk", 128, 1024, 2605.45, 237.53, 2762.50, 250.37), ("gemm", 128, 1024, 242.53, 105.75, 249.16, 112.44)]
TABLE7 = [("mm", 128, 1024, 242.51, 250.27, ["mm"]), ("mvt", 1024, 2048, 48.31, 42.371, ["mvt_rows"])]
FIG8 = ["2dconv", "2mm", "3mm", "atax", "bicg", "corr", "gemm", "mvt", "syr2k", "syrk"]


def run(program, name, traced, wanted, model, words=(), advice=False):
    command = [program, "port", f"examples/port/{name}.c", "-D", f"N={traced}", "--size", f"N={wanted}", "--gpu", GPU, "--model", model,
               "--format", "json", "--cpu-seconds", "0", "--repetitions", "1", "-D", "IN_MEMORY", *words]
    if model != DEFAULT:
        command += ["--operations", "table2", "--loads", "written"]
    if not advice:
        command += ["--no-advice"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)["regions"]


def time_of(regions, names, name):
    found = [region for region in regions if region["name"] in names]
    total = sum(region["time_ms"] for region in found)
    return total / max(1.0, found[0]["launches"]) if name in A_LAUNCH else total


def number(value):
    return f"{value:.2f}" if value < 1000 else f"{value:.0f}"


def percent(value, reference):
    return f"{100 * (value / reference - 1):+.1f} %"


def mape(pairs):
    return 100 * sum(abs(ours / reference - 1) for ours, reference in pairs) / len(pairs)


def table4(program):
    lines = ["| Kernel | Work size | Measured | C's estimate | C's error | C's model, ours | to C's estimate | its error | "
             "Eq. 24-25, ours | its error | Default predictor | its error |", "|---|" + "---:|" * 11]
    columns = {"C's own": [], "C's model, ours": [], "simple cache, ours": [], "default predictor": []}
    for name, traced, wanted, measured, printed, regions, words in TABLE4:
        warm = ["--cache", "warm"] if name == "fdtd2d" else []
        ours = time_of(run(program, name, traced, wanted, CG, [*words, *warm]), regions, name)
        simple = time_of(run(program, name, traced, wanted, SIMPLE, [*words, *warm]), regions, name)
        default = time_of(run(program, name, traced, wanted, DEFAULT, words), regions, name)
        lines.append(f"| {name} | {wanted} | {number(measured)} | {number(printed)} | {percent(printed, measured)} | {number(ours)} | "
                     f"{percent(ours, printed)} | {percent(ours, measured)} | {number(simple)} | {percent(simple, measured)} | "
                     f"{number(default)} | {percent(default, measured)} |")
        for column, value in zip(columns, (printed, ours, simple, default)):
            columns[column].append((name, value, measured))
    summary = ["| MAPE against the measured times | 15 kernels | without gramschm | without gesummv and gramschm |", "|---|---:|---:|---:|"]
    for column, rows in columns.items():
        cells = [mape([(v, m) for n, v, m in rows if n not in left_out])
                 for left_out in ((), ("gramschm",), ("gramschm", "gesummv"))]
        summary.append(f"| {column} | " + " | ".join(f"{cell:.1f} %" for cell in cells) + " |")
    return "\n".join(lines) + "\n\n" + "\n".join(summary)


def table5(program):
    lines = ["| Kernel | Work size | Measured | C's estimate | C's model, ours | to C's estimate | its error | Default predictor | its error |",
             "|---|" + "---:|" * 8]
    for name, traced, wanted, measured, printed, regions in TABLE5:
        ours, default = (time_of(run(program, name, traced, wanted, model, ["-D", "TILED"]), regions, name) for model in (CG, DEFAULT))
        lines.append(f"| {name} | {wanted} | {number(measured)} | {number(printed)} | {number(ours)} | {percent(ours, printed)} | "
                     f"{percent(ours, measured)} | {number(default)} | {percent(default, measured)} |")
    return "\n".join(lines)


def table6(program):
    lines = ["| Kernel | Model | First advice | From | To | Gain | Paper's estimate | its gain | Paper's measurement | its gain |",
             "|---|---|---|" + "---:|" * 7]
    for name, traced, wanted, before, after, measured_before, measured_after in TABLE6:
        for model in (CG, DEFAULT):
            region = run(program, name, traced, wanted, model, advice=True)[0]
            advice = region["advice"][0] if region["advice"] else None
            cells = [advice["kind"], number(region["time_ms"]), number(advice["time_ms"]), number(advice["gain_ms"])] if advice else ["none"] + ["-"] * 3
            lines.append(f"| {name} | {model} | {' | '.join(cells)} | {number(after)} | {number(before - after)} | {number(measured_after)} | "
                         f"{number(measured_before - measured_after)} |")
    return "\n".join(lines)


def table7(program):
    lines = ["| Kernel | Size | Measured | C's estimate | C's model, ours | Default predictor |", "|---|" + "---:|" * 5]
    for name, traced, wanted, printed, measured, regions in TABLE7:
        ours, default = (time_of(run(program, name, traced, wanted, model), regions, name) for model in (CG, DEFAULT))
        lines.append(f"| {name} | {wanted} | {number(measured)} | {number(printed)} | {number(ours)} | {number(default)} |")
    return "\n".join(lines)


def fig8(program):
    lines = ["| Kernel | Work size | whole | half | quarter |", "|---|" + "---:|" * 4]
    for name, traced, wanted, _, _, regions, words in TABLE4:
        if name in FIG8:
            times = [time_of(run(program, name, traced, wanted // part, CG, words), regions, name) for part in (1, 2, 4)]
            lines.append(f"| {name} | {wanted} | " + " | ".join(number(value) for value in times) + " |")
    return "\n".join(lines)


def without_load(program):
    regions = json.loads(subprocess.run(
        [program, "port", "examples/port/corr.c", "-D", "N=128", "--size", "N=1024", "--gpu", GPU, "--format", "json", "--cpu-seconds", "0",
         "--repetitions", "1", "--no-advice"], cwd=ROOT, capture_output=True, text=True, check=True).stdout)["regions"]
    return time_of(regions, ["corr"], "corr")


def speed(program):
    lines = ["| Kernel | Traced size | C's model: CPU s | MB | Default predictor: CPU s | MB | with advice: CPU s | MB | Region alone ms | Recorded ms | Slow-down |",
             "|---|" + "---:|" * 10]
    for name, traced, wanted, _, _, regions, words in TABLE4:
        cells = []
        for model in ([CG, "--no-advice"], [DEFAULT, "--no-advice"], [DEFAULT]):
            command = [program, "port", f"examples/port/{name}.c", "-D", f"N={traced}", "--size", f"N={wanted}", "--gpu", GPU, "--format", "json",
                       "--cpu-seconds", "0", "-D", "IN_MEMORY", *words, "--model", *model]
            with tempfile.TemporaryFile() as out:
                child = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.DEVNULL)
                _, _, usage = os.wait4(child.pid, 0)
                out.seek(0)
                found = json.loads(out.read())["regions"]
            cells += [f"{usage.ru_utime + usage.ru_stime:.2f}", f"{usage.ru_maxrss / 1024:.0f}"]
        counted = [region for region in found if region["name"] in regions and region["traced_cpu_ms"]]
        alone, recorded = (sum(region[key] for region in counted) for key in ("traced_cpu_ms", "recorded_ms"))
        ratio = f"{recorded / alone:.1f}" if alone else "-"
        lines.append(f"| {name} | {traced} | {' | '.join(cells)} | {alone:.2f} | {recorded:.2f} | {ratio} |")
    return "\n".join(lines)


SPEED = "## Speed\n"


def page(program):
    return f"""# CGPredict's tables

Made by `tools/make_results_cgpredict.py`; do not edit. Times in ms. Paper: Wang, Zhong, Mitra: CGPredict, ACM TECS 2017 (C), measured on a Jetson TK1.
Ours: `forewarp port` on the C programs of `examples/port`, traced at C's trace sizes and asked with `--size` for its work sizes; nothing is fitted. "C's model"
is `--model cgpredict --operations table2 --loads written` on the value set `cgpredict`, the default predictor is `hybrid` on the main values of the same GPU file.
How each of C's figures comes about, and what does not follow from the text: [cgpredict](../models/cgpredict.md).

## Table 4: fifteen kernels

{table4(program)}

One kernel of a program counts where C's figures show one: 2mm one of its two products, atax, bicg and mvt the row-wise kernel, corr and covar the loop over pairs;
3mm all three products, fdtd2d its three kernels for 33 time steps (the number is not printed; C's model with `--cache warm`, the default predictor cold),
gramschm one launch of the third kernel (the mean of the first four). 3dconv's "4096" is 256 a side. An error is against the measured time.

Twelve meet C's estimate within 5 %; a test holds it (`tests/derived/port/programs_test.cpp`). The other three: gesummv (C's estimate and measurement are twice what the printed size gives), covar (C's estimate needs more
than the same loop in corr), gramschm (C's estimate fits coalesced hits; the trace has misses).

Both models see the same traces. corr and covar hold the sum over i in memory there (`-D IN_MEMORY`), read and written in every iteration, as C's trace does;
without it the compiler drops the load, and the default predictor gives {number(without_load(program))} for corr.

In atax, bicg, mvt and gesummv every thread walks a row of its own: nearly every 32-byte sector misses L2 (2048 lines of 128 bytes in 128 KB) and opens a row
of the DRAM. C's measured delay of 10 cycles a transaction holds that; the default predictor has it from the memory's timing (10.6 ns: four activations in
34.6 ns, at the part of the peak that streaming reaches; [memory](../models/memory/README.md)). gesummv's measurement is twice what the printed size gives, in both models.

Where the default predictor is far off: 3dconv (measured 0.33 ms a launch; 254 launches of 64 blocks, none of which fills the multiprocessor twice over; its
launches cost 5 us each in the file, and nobody has published what they cost on this board), gramschm (the measured time is below what its 805 MB of one launch
take at the pins, so the figure is not one launch's).

## Table 5: tiled

{table5(program)}

The region is the untiled loop with `shared(...)` and `tile(32)`; the tiled version is made from its trace. The tiled products are bound by the pipe of shared
memory: two loads a product, a warp a cycle, is 78.8 ms for gemm; the measured time is 1.43 times that. How far Kepler's pipe stays below a warp a cycle
with 4-byte words is in no data sheet, and nothing was fitted to these rows.

## Table 6: the first advice

{table6(program)}

The paper's SYRK figure has a constant-access rate of 3/1024 where the trace gives 1/64. Ours holds the transposition itself, the paper's does not.

## Table 7: the GPU column

{table7(program)}

## Fig. 8: half and a quarter of the work size, C's model

{fig8(program)}

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    text = page(program)
    if arguments.check:
        same = PAGE.exists() and PAGE.read_text().split(SPEED)[0] == text
        print("up to date" if same else f"{PAGE.relative_to(ROOT)} would change")
        sys.exit(0 if same else 1)
    PAGE.write_text(text + f"""{SPEED}
Of the machine that made this page: processor time of the whole command with its children (compiling, traced and timed runs at four sizes, prediction of all
regions; with advice, of some ten versions of each) and its largest resident memory; then the counted region at the traced size, at -O2 and recorded by
the survey (the slower of the two recorded runs: every access of every iteration is checked for dependences). \"-\": too brief to be measured. fdtd2d's is
that of its three kernels together.

{speed(program)}
""")


if __name__ == "__main__":
    main()
