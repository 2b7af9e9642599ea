#!/usr/bin/env python3
"""Writes docs/results/wfg.md: what Baghsorkhi et al. (PPoPP 2010) say in words of their kernels on a GeForce 8800, and the trace lengths
of loop-free kernels in Table IV of Wang et al. (DATE 2019), beside predictions for the corpus.

    tools/make_results_wfg.py build/bin/forewarp            writes the page
    tools/make_results_wfg.py build/bin/forewarp --check    says whether it would change

--rodinia FOLDER: the `opencl` folder of a copy of Rodinia 3.1 (yuhc/gpu-rodinia on GitHub), whose own sources are then counted; without it that
column stays as the page has it."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/results/wfg.md"
GPU = "GeForce 8800 GTX"
SCANS = [("Init", "scan_tree", "{}"), ("Init_B", "scan_tree_padded", "banks16{}"), ("Div", "scan_tree_packed", "{}"),
         ("Div_B", "scan_tree_packed_padded", "banks16{}")]
SPMV = [("Global", "spmv_csr_scalar", 1, []), ("Shared", "spmv_csr_shared", 1, []),
        ("Consecutive", "spmv_csr_vector", 16, ["-D", "LANES=16"]), ("Coalesced", "spmv_csr_aligned", 16, [])]
MATRICES = [("banded", 20000, 20), ("power_law", 20000, 20), ("fem", 20000, 20)]
# kernel of Table IV, corpus kernel, instructions a warp as printed, Rodinia's file and kernel, launch of two groups (one for the last, whose warp
# takes the branch)
ROWS = ["--global", "384", "--local", "192"]
TABLE_IV = [
    ("memset", "cfd_fill", 2, "cfd/Kernels.cl", "memset_kernel",
     [*ROWS, "--arg", "mem_d=buffer:i8[384]", "--arg", "val=0", "--arg", "ct=384"]),
    ("BFS_2", "bfs_commit", 7, "bfs/Kernels.cl", "BFS_2",
     [*ROWS, "--arg", "g_graph_mask=buffer:i8[384]", "--arg", "g_updating_graph_mask=buffer:i8[384]", "--arg",
      "g_graph_visited=buffer:i8[384]", "--arg", "g_over=buffer:i8[1]", "--arg", "no_of_nodes=384"]),
    ("nearestNeighbor", "nearest_neighbour", 9, "nn/nearestNeighbor_kernel.cl", "NearestNeighbor",
     [*ROWS, "--arg", "d_locations=buffer:f32[768]", "--arg", "d_distances=buffer:f32[384]", "--arg", "numRecords=384", "--arg", "lat=1",
      "--arg", "lng=2"]),
    ("initialize_variables", "cfd_initialize", 18, "cfd/Kernels.cl", "initialize_variables",
     [*ROWS, "--arg", "variables=buffer:f32[1920]", "--arg", "ff_variable=buffer:f32[5]", "--arg", "nelr=384"]),
    ("time_step", "cfd_time_step", 31, "cfd/Kernels.cl", "time_step",
     [*ROWS, "--arg", "j=1", "--arg", "nelr=384", "--arg", "old_variables=buffer:f32[1920]", "--arg", "variables=buffer:f32[1920]", "--arg",
      "step_factors=buffer:f32[384]", "--arg", "fluxes=buffer:f32[1920]"]),
    ("compute_step_factor", "cfd_step_factor", 33, "cfd/Kernels.cl", "compute_step_factor",
     [*ROWS, "--arg", "variables=buffer:f32[1920]", "--arg", "areas=buffer:f32[384]", "--arg", "step_factors=buffer:f32[384]", "--arg",
      "nelr=384"]),
    ("bpnn_adjust_weights", "backprop_adjust_weights", 41, "backprop/backprop_kernel.cl", "bpnn_adjust_weights_ocl",
     ["--global", "16,2", "--local", "16,2", "--arg", "delta=buffer:f32[17]", "--arg", "hid=16", "--arg", "ly=buffer:f32[64]", "--arg", "in=2",
      "--arg", "w=buffer:f32[1024]", "--arg", "oldw=buffer:f32[1024]"])]


def ask(program, words):
    done = subprocess.run([program, *words, "--format", "json"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stderr}")
    return json.loads(done.stdout)


def launch(kernel, variant=""):
    return ["--launch", f"corpus/{kernel}/default.toml" + (f":{variant}" if variant else "")]


def predict(program, words, gpu=GPU):
    answer = ask(program, ["predict", *words, "--gpu", gpu])
    return answer.get("predictions", [answer])[0]


def wfg_ms(program, words):
    return ask(program, ["models", *words, "--gpu", GPU, "--models", "wfg"])["models"][0]["time_ms"]


def number(value):
    return f"{value:.4g}"


def tiles(program):
    lines = ["| tile | predicted ms | wfg ms | limiter |", "| --- | ---: | ---: | --- |"]
    for width in ("width16", "width32", "", "width128", "width192"):
        words = launch("matrix_multiply_strip", width)
        answer = predict(program, words)
        tile = (width or "width64").replace("width", "16 x ")
        lines.append(f"| {tile} | {number(answer['time_ms'])} | {number(wfg_ms(program, words))} | {answer['limiter']} |")
    return lines


def radices(program):
    lines = ["| kernel | registers | spilled B | resident warps | predicted ms |", "| --- | ---: | ---: | ---: | ---: |"]
    for kernel, variant in (("fft_radix2_global", ""), ("fft_radix4_global", ""), ("fft_radix16_global", ""),
                            ("fft_radix2_shared", ""), ("fft_radix4_shared", ""), ("fft_radix16_shared", "by_parts")):
        answer = predict(program, launch(kernel, variant))
        lines.append(f"| {kernel}{':' + variant if variant else ''} | {answer['registers_per_thread']:.0f} | "
                     f"{answer['spill_bytes_per_thread']:.0f} | {answer['occupancy']['active_warps_per_sm']} | "
                     f"{number(answer['time_ms'])} |")
    return lines


def scans(program):
    lines = ["| variant | 64 ms | 128 ms | 256 ms | wfg 64 | wfg 128 | wfg 256 |", "| --- |" + " ---: |" * 6]
    for name, kernel, pattern in SCANS:
        ours, theirs = [], []
        for group in ("group64", "", "group256"):
            variant = pattern.format(group if pattern == "{}" else "_" + group if group else "")
            words = launch(kernel, variant)
            ours.append(number(predict(program, words)["time_ms"]))
            theirs.append(number(wfg_ms(program, words)))
        lines.append(f"| {name} (`{kernel}`) | {' | '.join(ours + theirs)} |")
    return lines


def spmv(program):
    lines = ["| matrix | variant | predicted ms | instructions a warp | longest / mean | DRAM MB |", "| --- | --- |" + " ---: |" * 4]
    with tempfile.TemporaryDirectory() as folder:
        for kind, rows, size in MATRICES:
            path = pathlib.Path(folder) / f"{kind}.mtx"
            path.write_text(subprocess.run([ROOT / "tools/make_sparse_matrix.py", kind, str(rows), str(size)], check=True,
                                           capture_output=True, text=True).stdout)
            for name, kernel, lanes, words in SPMV:
                items = -(-rows * lanes // 128) * 128
                answer = predict(program, [
                    f"corpus/{kernel}/kernel.cl", *words, "--global", str(items), "--local", "128",
                    "--arg", f"row_begin=buffer:i32[]:@{path}#row_starts", "--arg", f"column=buffer:i32[]:@{path}#columns",
                    "--arg", f"value=buffer:f32[]:@{path}#values", "--arg", f"x=buffer:f32[{rows}]:random(2)",
                    "--arg", f"y=buffer:f32[{rows}]:zeros", "--arg", f"rows={rows}"])
                fp32 = next(unit for unit in answer["units"] if unit["unit"] == "fp32")
                mean = max(fp32["total"], 1e-9)
                lines.append(f"| {kind} | {name} | {number(answer['time_ms'])} | {number(answer['instructions_per_warp'])} | "
                             f"{fp32['longest'] / mean:.1f} | {answer['rates']['dram_bytes'] / 1e6:.1f} |")
    return lines


def kept_counts():
    """Rodinia's column of the page as it stands."""
    counts = {}
    for line in PAGE.read_text().splitlines() if PAGE.exists() else []:
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 8 and any(cells[1] == row[0] for row in TABLE_IV):
            counts[cells[1]] = cells[3]
    return counts


def table_iv(program, rodinia):
    lines = ["| kernel | Table IV | Rodinia's source | corpus kernel | executed trace | static trace |",
             "| --- | ---: | ---: | --- | ---: | ---: |"]
    kept = kept_counts()
    for name, kernel, printed, path, symbol, words in TABLE_IV:
        own = kept.get(name, "-")
        if rodinia:
            answer = predict(program, [f"{rodinia}/{path}", "-k", symbol, *words, "--model", "wang2019", "--trace", "static"], "k620")
            own = number(answer["instructions_per_warp"])
        counts = [predict(program, [*launch(kernel), "--model", "wang2019", "--trace", trace], "k620")["instructions_per_warp"]
                  for trace in ("run", "static")]
        lines.append(f"| {name} | {printed} | {own} | {kernel} | {counts[0]:.1f} | {counts[1]:.1f} |")
    return lines


def page(program, rodinia):
    parts = ["# Trends of the work flow graph's paper, and H's trace lengths", "",
             "Made by `tools/make_results_wfg.py`. Baghsorkhi et al. (PPoPP 2010, section 4) measured on a GeForce 8800; the text names no "
             "times (they are in figures that are not in it), so what is held is what it says in words. "
             "`baghsorkhi_trends_test.cpp` asserts each. \"wfg\" is their published model on our facts.", "",
             "## Matrix product: wider tiles are faster", "",
             "\"The measured performance improves as the tile size increases\" (4.1). n = 1536, 16 x 16 work-items a group.", "", *tiles(program), "",
             "## FFT: radix 16 spills and loses warps", "",
             "The text: radix 16 raises the use of registers, local arrays are spilled, fewer warps are active (4.1). "
             "`by_parts` exchanges real and imaginary parts one after the other, so that 256 work-items fit 16 KB.", "", *radices(program), "",
             "## Scan: divergence and bank conflicts", "",
             "Init_B is worse than Init, Div_B better than Div, groups of 256 cost more than those of 128 (4.2); Div costs a little more than Init "
             "\"for some thread-block sizes\". Both columns have it so at all three sizes. Padding is for the 16 banks of compute capability 1.x, "
             "by a shift of an unsigned index. The loops of `stride *= 2` stay loops, as the compiler of that day left them "
             "([loops](../models/machine_code/loops.md#what-the-compiler-repeats)): when they are unrolled, `wfg` has Div at 1.6 times Init, and Div_B behind Div at 256, "
             "because all warps compute the addresses of all steps in advance. With signed indices `wfg` has one order wrong at 64, by 2.7 %: the indices are "
             "extended to addresses of 64 bits here, which that GPU does not have. Shared memory is read by the arithmetic pipe there, so a conflict's passes take its cycles; that one arithmetic "
             "instruction can take an operand from shared memory without a load of its own is not modelled. It costs elsewhere: the seven published "
             "reductions on that GPU ([published.md](published.md)) are off by 20.8 % with this rule and by 15.2 % without, five of them 16 to 53 % too slow; the "
             "guard holds them there, with this reason (`tests/guard/accepted.toml`).", "", *scans(program), "",
             "## Sparse matrix times vector", "",
             "The text claims that one work-item a row wastes cycles where rows are uneven (Global), that row starts are reused in shared memory "
             "(Shared), and that Coalesced mends Consecutive's unaligned loads (4.3). Three matrices of `tools/make_sparse_matrix.py`, 20,000 "
             "rows, read as Matrix Market files: trip counts and active lanes are those of the real rows. Coalesced moves less than "
             "Consecutive on all; on the power law's short rows its further step costs more than that saves.", "", *spmv(program), "",
             "## Table IV of Wang et al. (DATE 2019): instructions a warp of loop-free kernels", "",
             "`--model wang2019` counts a compile of its own: Clang's -O2 for no target, ids as one call, pruned as the paper says "
             "([wang2019.md](../models/wang2019.md)). Rodinia's sources give the printed lengths in five of seven kernels. Of "
             "`compute_step_factor` Clang folds a negation into a constant; of `bpnn_adjust_weights` LLVM 19 moves three constants of indices into "
             "addresses, which are not counted (Clang 14 leaves them: 41). `initialize_variables` says that the paper's compile unrolls: its loop of five, left alone, "
             "would have 7 instructions in the listing and some 30 in the trace. `bpnn_adjust_weights` is the warp that takes the branch. "
             "The corpus kernels are the same algorithms, written anew (a vector load in the place of a structure's two, separate arrays, one guard more), and "
             "their traces count the warps at the grid's border, which do less.", "",
             *table_iv(program, rodinia), ""]
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rodinia", help="folder `opencl` of a copy of Rodinia")
    words = parser.parse_args()
    text = page(str(pathlib.Path(words.program).resolve()), words.rodinia)
    if words.check:
        sys.exit(0 if PAGE.exists() and PAGE.read_text() == text else f"{PAGE} would change")
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
