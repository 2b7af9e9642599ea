#!/usr/bin/env python3
"""Writes docs/results/triton.md: Triton's tutorials as people measured them, and predictions of kernels of our own that
do the same (examples/triton/kernels.py and gluon_kernels.py), compiled by the Triton at hand.

    PYTHONPATH=build/python /path/to/venv/bin/python tools/make_results_triton.py triton_tutorials.csv docs/results/triton.md [KEPT.json]
        [--triton-of TABLE=PYTHON ...]

The first file is a table with columns table, GPU, M, N, K, ms; rows of other tables are passed over and counted. KEPT.json
holds the predictions of earlier runs by the same program: delete it after a change. With the wheel nvidia-matmul-heuristics
NVIDIA's model stands beside ours. --triton-of: a Python that has the Triton of a table's rows; what it compiles stands in a column beside.
"""

import argparse
import contextlib
import csv
import functools
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "examples" / "triton"))

import forewarp  # noqa: E402
import forewarp.triton  # noqa: E402
import kernels  # noqa: E402
import tensor_roofline  # noqa: E402
import triton  # noqa: E402

try:
    import nvMatmulHeuristics
except ImportError:
    nvMatmulHeuristics = None
with contextlib.suppress(ImportError):  # older releases have neither
    import gluon_kernels
    from triton.tools.tensor_descriptor import TensorDescriptor

CODE = {}  # {"code": "sass"} while machine code is predicted in place of Triton's LLVM IR
DIRTY = {"cache": "dirty"}  # the tutorials' benchmark flushes L2 before each call by writing a buffer
GRAPH = {"cache": "warm"}  # launches in a graph, one after the other, nothing flushed between
A100, L20, H100 = "a100-sxm4-80gb", "l20", "h100-sxm"


def vector_add(row, gpu):
    count = int(row["N"])
    x = forewarp.buffer("fp32", count)
    return forewarp.triton.predict(kernels.add, (triton.cdiv(count, 1024),), x, x, x, count, BLOCK=1024, gpu=gpu,
                                   options=DIRTY | CODE)[0], ""


def softmax(row, gpu):
    rows, columns = int(row["M"]), int(row["N"])
    x = forewarp.buffer("fp32", (rows, columns))
    meta = dict(BLOCK=triton.next_power_of_2(columns), num_stages=2, num_warps=8)
    sms = forewarp._native.gpu(gpu)["sm_count"]
    first = forewarp.triton.predict(kernels.softmax, (sms,), x, x, columns, rows, columns, gpu=gpu, options=DIRTY | CODE, **meta)[0]
    programs = min(rows, sms * int(first["occupancy"]["groups_by_registers"]))
    return forewarp.triton.predict(kernels.softmax, (programs,), x, x, columns, rows, columns, gpu=gpu, options=DIRTY | CODE,
                                   **meta)[0], f"{programs} groups"


def layer_norm(row, gpu):
    rows, columns = int(row["M"]), int(row["N"])
    x, weight, mean = (forewarp.buffer("fp16", (rows, columns)), forewarp.buffer("fp16", columns),
                       forewarp.buffer("fp32", rows))
    block = min(65536 // 2, triton.next_power_of_2(columns))
    return forewarp.triton.predict(kernels.layer_norm, (rows,), x, x, weight, weight, mean, mean, columns, columns, 1e-5,
                                   BLOCK=block, num_warps=min(max(block // 256, 1), 8), gpu=gpu, options=DIRTY | CODE)[0], ""


def matmul(row, gpu, dtype="fp16", precision="tf32", sizes=None):
    m, n, k = sizes or (int(row["M"]),) * 3
    if forewarp._native.gpu(gpu)["vendor"] == "amd":
        precision = "ieee"  # Triton knows no tf32 there; factors of 16 bits do not ask for it
    a, b, c = (forewarp.buffer(dtype, shape) for shape in ((m, k), (k, n), (m, n)))
    kernel, strides_of_b = kernels.autotuned_matmul, (n, 1)
    if dtype.startswith("fp8"):  # the tutorial lays the second factor along K then, and writes fp16
        kernel, strides_of_b, c = kernels.autotuned_matmul_of_bytes, (1, k), forewarp.buffer("fp16", (m, n))
    ranking = forewarp.triton.rank(kernel, kernels.matmul_grid, a, b, c, m, n, k, k, 1, *strides_of_b, n, 1,
                                   PRECISION=precision, gpu=gpu, options=DIRTY | CODE)
    best = ranking.configurations[0]
    tile = best.config.kwargs
    return {"time_ms": best.time_ms, "interval_ms": best.interval_ms, "limiter": best.limiter}, \
        f"{tile['BLOCK_M']}x{tile['BLOCK_N']}x{tile['BLOCK_K']}, {best.config.num_stages} stages, {best.config.num_warps} warps"


def matmul_fp32(row, gpu):
    return matmul(row, gpu, "fp32", "ieee")


def matmul_by_descriptors(row, gpu, kernel=kernels.matmul_descriptors, dtype="fp16", made="fp32", tile=(128, 128, 64), stages=7, warps=4):
    """The tile and the result's type are those of the rows' tutorial."""
    m, n, k = (int(row[key]) for key in "MNK")
    block_m, block_n, block_k = tile
    a, b, c = (TensorDescriptor.from_tensor(forewarp.buffer(kind, shape), block) for kind, shape, block in (
        (dtype, (m, k), [block_m, block_k]), (dtype, (n, k), [block_n, block_k]), (made, (m, n), [block_m, block_n])))
    grid, more = (triton.cdiv(m, block_m), triton.cdiv(n, block_n)), {}
    if kernel is kernels.matmul_descriptors_persistent:
        grid, more = (forewarp._native.gpu(gpu)["sm_count"],), {"GROUP": 8}
    answer = forewarp.triton.predict(kernel, grid, a, b, c, k, BLOCK_M=block_m, BLOCK_N=block_n, BLOCK_K=block_k, num_stages=stages,
                                     num_warps=warps, gpu=gpu, options=DIRTY | CODE, **more)[0]
    return answer, f"{'x'.join(map(str, tile))}, {stages} stages, {warps} warps"


def matmul_gluon(row, gpu):
    """Tiles and buffers as the row names them ("BLOCK 128x256x64 buffers 4 warps 8"; "3/4": Hopper's comes first)."""
    m, n, k = (int(row[key]) for key in "MNK")
    tile, buffers, warps = re.search(r"BLOCK (\S+).* buffers (\d+).* warps (\d+)", row["config"]).groups()
    rows_together = re.search(r"GROUP_SIZE_M (\d+)|grouped (\d+)", row["config"])
    block_m, block_n, block_k = map(int, tile.split("x"))
    a, b, c = (gluon_kernels.descriptor(forewarp.buffer("fp16", shape), block)
               for shape, block in (((m, k), [block_m, block_k]), ((k, n), [block_k, block_n]), ((m, n), [block_m, block_n])))
    name = row["tutorial"].split(": ")[1].split(",")[0]
    tiles = triton.cdiv(m, block_m) * triton.cdiv(n, block_n)
    kernel, groups = {"matmul_pipelined_kernel": (gluon_kernels.matmul_ring, tiles),
                      "persistent_matmul_kernel": (gluon_kernels.matmul_ring_persistent, forewarp._native.gpu(gpu)["sm_count"]),
                      "persistent_matmul_pipelined_kernel": (gluon_kernels.matmul_ring_across,
                                                             forewarp._native.gpu(gpu)["sm_count"])}[name]
    together = int(next(filter(None, rows_together.groups()))) if rows_together else 1
    answer = forewarp.triton.predict(kernel, (min(groups, tiles),), a, b, c, k, BUFFERS=int(buffers), GROUP=together,
                                     num_warps=int(warps), gpu=gpu, options=GRAPH | CODE)[0]
    return answer, f"{tile}, {buffers} buffers, {warps} warps, {together} rows of tiles together"


def matmul_fp8_persistent(row, gpu):
    if row["tutorial"].endswith("matmul_kernel"):
        return matmul(row, gpu, "fp8e4nv", sizes=tuple(int(row[key]) for key in "MNK"))
    return matmul_by_descriptors(row, gpu, kernels.matmul_descriptors_persistent, "fp8e4nv", "fp8e4nv", (128, 256, 128), 3, 8)


def attention(row, gpu):
    """Causal; the tile is ours, the row names none."""
    batch, heads, head = map(int, re.search(r"batch (\d+), heads (\d+), head dim (\d+)", row["config"]).groups())
    length = int(row["N"])
    x = forewarp.buffer("fp16", (batch * heads * length, head))
    answer = forewarp.triton.predict(kernels.causal_attention, (triton.cdiv(length, 128), batch * heads), x, x, x, x, length,
                                     1.44 * head**-0.5, BLOCK_M=128, BLOCK_N=64, HEAD=head, num_warps=4, num_stages=3, gpu=gpu,
                                     options=DIRTY | CODE)[0]
    return answer, "128x64, 3 stages, 4 warps"


def matmul_fp8(row, gpu):
    return matmul(row, gpu, "fp8e5")


TABLES = {
    "l20_vector_add": ("Vector addition, fp32", L20, vector_add, 0.10),
    "l20_softmax": ("Softmax, fp32", L20, softmax, 0.10),
    "l20_layer_norm_forward": ("Layer norm forward, fp16", L20, layer_norm, 0.10),
    "a100_fp16_2404": ("Matrix multiplication, fp16 (April 2024)", A100, matmul, 0.20),
    "a100_fp16_351": ("Matrix multiplication, fp16 (Triton 3.5.1)", A100, matmul, 0.20),
    "a100_fp16_33": ("Matrix multiplication, fp16 (Triton 3.3)", A100, matmul, 0.20),
    "a100_fp16_32": ("Matrix multiplication, fp16 (Triton 3.2)", A100, matmul, 0.20),
    "mi100_fp16": ("Matrix multiplication, fp16", "instinct-mi100", matmul, 0.20),
    "h100_fp8": ("Matrix multiplication, fp8", H100, matmul_fp8, 0.20),
    "h100_tmastg": ("Matrix multiplication by tensor descriptors, fp16 (September 2023)", H100, matmul_by_descriptors, 0.20),
    "h100_persistent_fp8": ("Matrix multiplication, fp8, without and with persistent groups", H100, matmul_fp8_persistent, 0.20),
    "gluon_pipelined_hopper": ("Gluon, fp16, a tile a group", H100, matmul_gluon, 0.20),
    "gluon_persistent_hopper": ("Gluon, fp16, persistent groups", H100, matmul_gluon, 0.20),
    "gluon_grouped_hopper": ("Gluon, persistent groups, by order of tiles", H100, matmul_gluon, 0.20),
    "gluon_K_sweep_matmul_pipelined_kernel_hopper": ("Gluon, a tile a group, by depth", H100, matmul_gluon, 0.20),
    "gluon_K_sweep_persistent_matmul_kernel_hopper": ("Gluon, persistent groups, by depth", H100, matmul_gluon, 0.20),
    "gluon_K_sweep_persistent_matmul_pipelined_kernel_hopper": ("Gluon, persistent groups that load across tiles, by depth", H100,
                                                                matmul_gluon, 0.20),
    "h100_attention": ("Attention forward, causal, fp16", H100, attention, 0.25),
    "a100_fp32": ("Matrix multiplication, fp32 without tensor cores", "a100-pcie-80gb", matmul_fp32, 0.20),
}


def counts_for_the_target(table, row):
    """Streams above 50 us; products of 1024 and more whose time is not the host's, as the table's notes say."""
    if "matmul" in TABLES[table][2].__name__:
        return int(row["M"]) >= 1024 and "host-bound" not in row["note"] or \
            (int(row["M"]) >= 2048 and "host-bound" in row["note"])
    return float(row["ms"]) > 0.05


def roofline(table, row):
    """Milliseconds by the peaks of tensor cores (fp32: of FP32 units) and DRAM."""
    _, gpu, predict, _ = TABLES[table]
    if predict is attention:
        batch, heads, head = map(int, re.search(r"batch (\d+), heads (\d+), head dim (\d+)", row["config"]).groups())
        values = batch * heads * head * int(row["N"])
        return tensor_roofline.milliseconds(gpu, 2 * values * int(row["N"]), 4 * values * 2)  # half of the products: causal
    if "matmul" in predict.__name__:
        m, n, k = (int(row[key] or row["M"]) for key in "MNK")
        bits = {matmul_fp8: 8, matmul_fp8_persistent: 8, matmul_fp32: 32}.get(predict, 16)
        return tensor_roofline.milliseconds(gpu, 2 * m * n * k, (m + n) * k * bits // 8 + m * n * max(bits, 16) // 8, bits)
    elements = int(row["M"] or 1) * int(row["N"])
    return tensor_roofline.milliseconds(gpu, 0, elements * {vector_add: 12, softmax: 8, layer_norm: 4}[predict])


# Of tables whose GPU, types and layout nvMatmulHeuristics knows: its name of the GPU, types of factors, sum and result, backend and
# whether the second factor lies along K. Of factors of 8 bits it knows e4m3, whose products are as fast as the tutorial's e5m2.
HEURISTICS = dict.fromkeys(("a100_fp16_2404", "a100_fp16_351", "a100_fp16_33", "a100_fp16_32"), ("A100_SXM_80GB", "HSH", "CUTLASS", False)) \
    | dict.fromkeys(("h100_fp8", "h100_persistent_fp8"), ("H100_SXM", "QSH", "CUTLASS3", True)) | {"h100_tmastg": ("H100_SXM", "HSH", "CUTLASS3", True)} \
    | dict.fromkeys((name for name in TABLES if name.startswith("gluon")), ("H100_SXM", "HSH", "CUTLASS3", False))


@functools.cache
def heuristics_of(gpu, backend):
    return nvMatmulHeuristics.NvMatmulHeuristicsInterfaceEx(
        backend=nvMatmulHeuristics.NvMatmulHeuristicsTarget[backend], gpu=nvMatmulHeuristics.NvMatmulHeuristicsNvidiaGpu[gpu],
        flags=nvMatmulHeuristics.NvMatmulHeuristicsFlags.PERF_MODEL_BASED_AUTO_TUNING)


def by_heuristics(table, row):
    """Milliseconds of the first of four configurations by NVIDIA's own model; nothing without its wheel."""
    if not nvMatmulHeuristics or table not in HEURISTICS:
        return None
    gpu, types, backend, along_k = HEURISTICS[table]
    layout = nvMatmulHeuristics.NvMatmulHeuristicsMatmulLayout["NT_ROW_MAJOR" if along_k else "NN_ROW_MAJOR"]
    model = heuristics_of(gpu, backend)
    problem = model.makeNvMatmulHeuristicsProblem(*(int(row[key] or row["M"]) for key in "MNK"), layout)
    return 1e3 * model.get(problem, 4, precision=types)[0]["runtime"]


def host_time(rows):
    """Of a table that calls its small sizes host-bound: what the longest of those takes that do not count for it."""
    return max((float(row["ms"]) for row in rows if "host-bound" in row["note"] and int(row["M"] or 2048) < 2048), default=0.0)


def size_of(row):
    return " x ".join(row[key] for key in ("M", "N", "K") if row[key])


def predicted(row, gpu, predict):
    """Time, limiter and configuration, by Triton's LLVM IR and, of products on NVIDIA, by the machine code; None: not to be had."""
    def once(**code):
        CODE.update(code)
        try:
            answer, how = predict(row, gpu)
        except (forewarp.Error, RuntimeError) as error:
            if not code:
                raise
            print(error, file=sys.stderr)
            return None
        finally:
            CODE.clear()
        return {"time_ms": answer["time_ms"], "limiter": answer["limiter"], "how": how} if math.isfinite(answer["time_ms"]) else None
    by_code = "matmul" in predict.__name__ and forewarp._native.gpu(gpu)["vendor"] == "nvidia"
    return [once(), once(code="sass") if by_code else None]


def predict_rows(rows, kept):
    """Rows with their predictions. `kept`: a file of those that are known, or None."""
    path = pathlib.Path(kept) if kept else None
    memo = json.loads(path.read_text()) if path and path.exists() else {}
    made = []
    for row in rows:
        _, gpu, predict, _ = TABLES[row["table"]]
        kernel = row["tutorial"] if predict in (matmul_gluon, matmul_fp8_persistent) else ""
        key = " ".join((predict.__name__, gpu, row["M"], row["N"], row["K"], row["config"], kernel))
        if key not in memo:
            memo[key] = predicted(row, gpu, predict)
            print(row["table"], size_of(row), row["ms"], *(each and each["time_ms"] for each in memo[key]), file=sys.stderr, flush=True)
            if path:
                path.write_text(json.dumps(memo))
        made.append((row, *memo[key]))
    return made


def by_other_release(source, table, python):
    """The same rows by the Triton of another Python: its version, and predictions."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder, "rows.json")
        subprocess.run([python, __file__, source, str(target), "--rows", table], check=True, env={**os.environ, "TRITON_CACHE_DIR": folder})
        return json.loads(target.read_text())


def mean_error(pairs):
    return f"{statistics.mean(abs(time / ms - 1) for time, ms in pairs):.1%}" if pairs else ""


def section(table, rows, release):
    """Line of the summary and the table of rows."""
    title, gpu, _, goal = TABLES[table]
    title += f", compiled by Triton {release}" if release else ""
    name, host = forewarp._native.gpu(gpu)["name"], host_time([row for row, _, _ in rows])
    counted = [(row, ours, code) for row, ours, code in rows if counts_for_the_target(table, row)]
    errors = [(ours["time_ms"], float(row["ms"])) for row, ours, _ in counted]
    within = sum(abs(time / ms - 1) <= goal for time, ms in errors)
    beyond = [(time, ms) for time, ms in errors if ms > host]
    codes = [(code["time_ms"], float(row["ms"])) for row, _, code in counted if code]
    others = [[(time, float(row["ms"])) for row, _, _ in counted if (time := model(table, row))] for model in (roofline, by_heuristics)]
    summary = (f"| {title} | {name} | {len(rows)} | {len(errors)} | {goal:.0%} | {mean_error(errors) or '-'} | "
               f"{f'{within} of {len(errors)}' if errors else '-'} | {mean_error(codes)} | {mean_error(others[0])} | {mean_error(others[1])} | "
               + (f"{len(beyond)} rows: {mean_error(beyond)} |" if host and beyond else "|"))
    details = ["", f"## {title}, {name}", "", "| Size | measured ms | predicted ms | error | bound by | how | by machine code ms | error | how | "
               "Roofline ms | nvMatmulHeuristics ms | |", "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for row, ours, code in rows:
        measured = float(row["ms"])
        mark = "host's time" if measured <= host else ""
        mark = mark if counts_for_the_target(table, row) else "not counted"
        theirs = by_heuristics(table, row)
        shown = f"{code['time_ms']:.4g} | {code['time_ms'] / measured - 1:+.1%} | {'' if code['how'] == ours['how'] else code['how']}" if code else "| |"
        details.append(f"| {size_of(row)} | {measured:.4g} | {ours['time_ms']:.4g} | {ours['time_ms'] / measured - 1:+.1%} | {ours['limiter']} | "
                       f"{ours['how']} | {shown} | {roofline(table, row):.4g} | " + (f"{theirs:.4g}" if theirs else "") + f" | {mark} |")
    return summary, details


def main(source, target, kept, releases):
    with open(source, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    made = predict_rows([row for row in rows if row["table"] in TABLES], kept)
    lines = [HEAD.format(version=triton.__version__)]
    lines += ["| What | GPU | rows | counted | goal | MAPE of the counted | within the goal | by machine code: MAPE | Roofline: MAPE | "
              "nvMatmulHeuristics: MAPE | longer than the host's time: MAPE |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    details = []
    for table in TABLES:
        parts = [([entry for entry in made if entry[0]["table"] == table], "")]
        if table in releases:
            other = by_other_release(source, table, releases[table])
            parts.append(([tuple(entry) for entry in other["rows"]], other["version"]))
        for part, release in parts:
            summary, table_of_rows = section(table, part, release)
            lines.append(summary)
            details += table_of_rows
    left_out = [row["table"] for row in rows if row["table"] not in TABLES]
    others = ", ".join(f"{name} ({left_out.count(name)})" for name in dict.fromkeys(left_out))
    lines += ["", f"Rows that were not predicted: {others} (its second kernel adds under locks that groups take in turns)."]
    pathlib.Path(target).write_text("\n".join(lines + details) + "\n", encoding="utf-8")


def write_rows(source, target, table):
    """For by_other_release."""
    with open(source, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == table]
    pathlib.Path(target).write_text(json.dumps({"version": triton.__version__, "rows": predict_rows(rows, None)}), encoding="utf-8")


HEAD = """# Triton kernels: predicted and measured

Written by `tools/make_results_triton.py`; Triton {version}. The measurements are figures that people printed when they ran
Triton's tutorials (vector addition, softmax, layer norm, matrix multiplication, attention). The kernels that are predicted are
our own (`examples/triton/kernels.py`, `gluon_kernels.py`): the same operation and tiles, compiled by a newer Triton than most rows
were, and where a table says so by the rows' own release. Products on NVIDIA are predicted twice: from Triton's LLVM IR, whose machine code is
imitated, and from the machine code that its assembler made. One number was made from these rows: how much of L2 is still to be written after a flush (`l2_dirty_share`), by hand from the three
kernels on L20, whose rows are no test of it. Rules of asynchronous copies, of `--registers` and of the tensor core's
queue (products of a warp group) were also found while A100, L20 and Hopper rows were looked at: the page is no untouched test.

- Streams count above 50 us, matrix multiplications from 1024 on; those that the table calls host-bound from 2048 on, as its README
  says. Some of these still take no longer than the longest row below that: they show the host's time, whatever is predicted. They
  are counted and marked, and the last column leaves them out.
- L2 is full of written lines, as the tutorials' benchmark leaves it: `cache="dirty"`; Gluon's rows were taken by launches in a graph, which
  flush nothing: `cache="warm"`. Clocks are the GPU files'; those of the measurements are not known.
- Gluon's kernels have the tiles and the number of buffers that a row names, and its order of tiles.
- Clocks decide the long products on Hopper: at 1755 MHz (`clock=1755`), at which published micro-benchmarks ran such boards, Gluon's thirteen
  rows of depth 2048 and more are -5.9 to +5.6 % off, those of depth 512 +10 to +14 %. The rows do not say their clock; the tables use the file's (1980 MHz).
- The rows of September 2023 are of a Triton that reached half of what the library did (370 and 722 TFLOPS at 2048 x 8192 x 8192); what is
  predicted is today's code, with the tile, the stages and the fp32 result of that tutorial.
- Two tables of A100 contradict each other: at 2816 the library itself took 0.194 ms in April 2024 and 0.283 ms beside Triton 3.5.1 (230.8 and
  158.0 TFLOPS), at 2560 0.137 and 0.208 ms: 1.46 and 1.51 times as long. Triton took 1.49 times as long at both, so that no rule can meet both tables: the
  board of the second was slower, by its power or its clock, which are not recorded.
- Matrix multiplications are predicted in the configuration that predicts fastest, of eight; which one the measurement took
  is not recorded.
- Roofline is the longer of two times: the products at the tensor cores' dense peak (fp32: the FP32 units'), and each tensor's bytes once at
  DRAM's peak. nvMatmulHeuristics (wheel nvidia-matmul-heuristics) is NVIDIA's own model of CUTLASS's kernels: the first of four configurations
  for the same sizes, types and layout; it says nothing of the schedule that a row times.
- Rows of April 2024 and September 2023 by the machine code of Triton 2.2.0: [releases](../guide/triton.md#releases-of-triton).
- The board of the L20 rows is inferred by who took them from 92 SMs.

How L2 is flushed decides the streams: with L2 empty and clean in place of full of written lines, the same rows were 28 to 43 %
too fast. The rule (docs/models/memory/caches.md) was written after these rows had been looked at, and its share of 0.7 is from those of L20.
"""

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("kept", nargs="?")
    parser.add_argument("--triton-of", action="append", default=[], metavar="TABLE=PYTHON")
    parser.add_argument("--rows", metavar="TABLE", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rows:
        write_rows(given.source, given.target, given.rows)
    else:
        main(given.source, given.target, given.kept, dict(each.split("=", 1) for each in given.triton_of))
