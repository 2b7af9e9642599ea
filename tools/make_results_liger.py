#!/usr/bin/env python3
"""Writes docs/results/liger.md: Liger's Triton kernels as its authors measured them on A100 and H100, and predictions of
the very kernels, launched by Liger's own functions of the commit that brought the rows.

    PYTHONPATH=build/python /path/to/venv/bin/python tools/make_results_liger.py LIGER.git liger_speed.csv docs/results/liger.md \\
        [KEPT.json [PART OF A KERNEL'S NAME]]

LIGER.git is a clone (its folder .git); the table is Liger's own of all benchmarks, rows of speed, with columns gpu, kernel,
provider, mode, x_name, x_value, config, time_ms_median, liger_version. KEPT.json holds the predictions of earlier runs by
the same program: delete it after a change. Needs the wheels triton and packaging; no torch (`fake_torch.py` stands in).
"""

import csv
import importlib
import io
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tarfile
import tempfile
import types

import forewarp
import forewarp.triton
import triton
import triton.language as tl
from forewarp.triton import fake_torch
from forewarp.triton.driver import ForewarpDriver
from forewarp.triton.gpus import gpu_named
from forewarp.triton.releases import active
from forewarp.triton import predict_launch

GPUS = {"A100-SXM4-80GB": "a100-sxm4-80gb", "H100 80GB HBM3": "h100-sxm", "H100 PCIe": "h100-pcie"}


# What torch launches between Liger's kernels, as kernels of the same bytes.
@triton.jit
def fill(result, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(result + at, tl.zeros([BLOCK], result.dtype.element_ty), mask=at < count)


@triton.jit
def one_pass(x, y, result, count, TWO: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < count).to(tl.float32)
    if TWO:
        value += tl.load(y + at, mask=at < count).to(tl.float32)
    tl.store(result + at, value.to(result.dtype.element_ty), mask=at < count)


@triton.jit
def sum_parts(x, result, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(result + tl.program_id(0), tl.sum(tl.load(x + at, mask=at < count, other=0.0).to(tl.float32)))


@triton.jit
def sum_rows(x, result, rows, columns, BLOCK: tl.constexpr, DEPTH: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros([DEPTH, BLOCK], tl.float32)
    for first in range(0, rows, DEPTH):
        row = first + tl.arange(0, DEPTH)
        total += tl.load(x + row[:, None] * columns + at[None, :], mask=(row[:, None] < rows) & (at[None, :] < columns),
                         other=0.0).to(tl.float32)
    tl.store(result + at, tl.sum(total, 0), mask=at < columns)


def launch_of_torch(kind, reads, writes):
    """`fake_torch.watched`: launches what stands for torch's kernel."""
    result = writes[0]
    if kind == "matmul":
        raise RuntimeError("a product by torch's library: not a Triton kernel")
    if kind == "fill":
        fill[(triton.cdiv(result.numel(), 1024),)](result, result.numel(), BLOCK=1024)
    elif kind == "pass":
        large = [each for each in reads if each.numel() == result.numel()]
        first = large[0] if large else result
        one_pass[(triton.cdiv(result.numel(), 1024),)](first, large[-1] if large else result, result, result.numel(),
                                                      TWO=len(large) > 1, BLOCK=1024)
    elif result.numel() == 1:
        parts = fake_torch.new((triton.cdiv(reads[0].numel(), 4096),), reads[0].dtype)
        sum_parts[(parts.numel(),)](reads[0], parts, reads[0].numel(), BLOCK=4096)
    else:
        columns = result.numel()
        sum_rows[(triton.cdiv(columns, 32),)](reads[0], result, reads[0].numel() // columns, columns, BLOCK=32, DEPTH=64)


class Case:
    """Forward and backward of one row; what is made outside of the clock is made in __init__."""

    def __init__(self, torch, row):
        self.torch, self.row = torch, row
        self.config = json.loads(row["config"])
        self.x = int(float(row["x_value"]))

    def size(self, name):
        value = self.config.get(name)
        return self.x if value is None else value

    def tensor(self, *shape, dtype=None, grad=True):
        kind = dtype or self.config.get("dtype", "torch.float32")
        return self.torch.empty(*shape, dtype=getattr(self.torch, kind.rsplit(".", 1)[-1]), requires_grad=grad)

    def module(self, name):
        return importlib.import_module(f"liger_kernel.{name}")


    def gradients(self, results):
        return tuple(self.torch.empty(*each.shape, dtype=each.dtype) for each in results)

    def grown(self, mode):
        """Tensors whose gradients grow from call to call of the benchmark, which does not put them back."""
        return ()


class RmsNorm(Case):
    def forward(self):
        m, h = self.size("M"), self.size("H")
        x, weight = self.tensor(m, h), self.tensor(h, dtype="float32")
        return self.module("ops.rms_norm").LigerRMSNormFunction.apply(x, weight, 1e-6)


class LayerNorm(Case):
    def forward(self):
        m, n = self.size("M"), self.size("N")
        x, weight, bias = self.tensor(m, n), self.tensor(n, dtype="float32"), self.tensor(n, dtype="float32")
        return self.module("ops.layer_norm").LigerLayerNormFunction.apply(x, weight, bias, 1e-6)


class Rope(Case):
    def forward(self):
        t, h, q_heads, kv_heads = (self.size(name) for name in ("seq_len", "hidden_size", "num_q_heads", "num_kv_heads"))
        d = h // q_heads
        q, k = (self.tensor(1, t, heads, d).transpose(1, 2).requires_grad_() for heads in (q_heads, kv_heads))
        cos, sin = (self.tensor(1, t, d, grad=False) for _ in range(2))
        return self.module("ops.rope").LigerRopeFunction.apply(q, k, cos, sin)

    def gradients(self, results):
        return tuple(self.tensor(each.shape[0], each.shape[2], each.shape[1], each.shape[3]).transpose(1, 2) for each in results)


class Embedding(Case):
    def forward(self):
        table = self.table = self.tensor(self.size("V"), self.size("D"))
        words = self.torch.randint(0, self.size("V"), (self.size("B"), self.size("T")))
        return self.module("ops.experimental.embedding").LigerEmbeddingFunction.apply(table, words)

    def gradients(self, results):  # made anew in every call
        return tuple(self.torch.randn(*each.shape, dtype=each.dtype) for each in results)

    def grown(self, mode):
        return (self.table,)


class CrossEntropy(Case):
    def forward(self):
        tokens = self.size("B") * self.size("T")
        fake_torch.Tensor.item = lambda _: tokens  # no token is ignored
        self.logits = self.tensor(tokens, self.size("V"))
        target = self.torch.randint(0, self.size("V"), (tokens,))
        return self.module("ops.cross_entropy").LigerCrossEntropyFunction.apply(self.logits, target, -100)

    def grown(self, mode):
        return (self.logits,)


class Divergence(Case):
    def forward(self):
        p, q = (self.tensor(self.size("B") * self.size("T"), self.size("V"), grad=grad) for grad in (True, False))
        module, function, further = {"kl_div": ("kl_div", "LigerKLDivLossFunction", ()),
                                     "jsd": ("jsd", "LigerJSDFunction", ()),
                                     "tvd": ("tvd", "LigerTVDLossFunction", ())}[self.row["kernel"]]
        return getattr(self.module(f"ops.{module}"), function).apply(p, q, *further)


class ReluSquared(Case):
    def forward(self):
        return self.module("ops.relu_squared").LigerReLUSquaredFunction.apply(self.tensor(self.size("M"), self.size("N")))


class FusedAddRmsNorm(Case):
    def forward(self):
        m, h = self.size("M"), self.size("H")
        x, residual, weight = self.tensor(m, h), self.tensor(m, h), self.tensor(h, dtype="float32")
        function = self.module("ops.fused_add_rms_norm").LigerFusedAddRMSNormFunction
        return function.apply(x, residual, weight, 1e-6, 0.0, "llama", False)


class MegatronSwiglu(Case):
    def forward(self):
        x = self.tensor(self.size("S") * self.size("B"), 2 * self.size("ffn_local"), dtype="bfloat16")
        function = self.module("ops.swiglu").LigerFusedGateUpSiLUMulFunction
        return function.apply(x, self.row["provider"] == "liger_in_place")


class MegatronRmsNorm(Case):
    def forward(self):
        h = self.size("H")
        x, weight = self.tensor(self.size("S"), self.size("B"), h, dtype="bfloat16"), self.tensor(h, dtype="bfloat16")
        return self.module("ops.rms_norm").LigerRMSNormFunction.apply(x, weight, 1e-6, 0.0, "llama", False)


# Kernel and Liger's version -> the commit that brought the rows, the case, whether "backward" was timed with its forward.
CASES = {
    ("rms_norm", "0.2.1"): ("b5672a15", RmsNorm, False),
    ("layer_norm", "0.2.1"): ("b5672a15", LayerNorm, False),
    ("layer_norm", "0.6.0"): ("6a2c4913", LayerNorm, False),
    ("rope", "0.2.1"): ("b5672a15", Rope, False),
    ("embedding", "0.2.1"): ("b5672a15", Embedding, False),
    ("cross_entropy", "0.2.1"): ("b5672a15", CrossEntropy, False),
    ("kl_div", "0.2.1"): ("a307eac8", Divergence, False),
    ("jsd", "0.3.1"): ("6817c2d3", Divergence, False),
    ("tvd", "0.7.0"): ("5c9cecc8", Divergence, False),
    ("relu_squared", "0.7.0"): ("39a1f454", ReluSquared, False),
    ("fused_add_rms_norm", "0.7.0"): ("b7025a70", FusedAddRmsNorm, False),
    ("megatron_swiglu", "0.8.1"): ("2120862b", MegatronSwiglu, True),
    ("megatron_rms_norm", "0.8.0"): ("27fe47e2", MegatronRmsNorm, True),
}


def launches_of(case, mode, torch, driver, with_forward):
    """What is launched while the clock runs."""
    results = case.forward()
    outputs = results if isinstance(results, tuple) else (results,)
    if mode == "forward":
        return driver.launches
    if mode == "backward" and not with_forward:
        driver.launches = []
    if with_forward:  # of y.sum(), whose gradient is a single one seen at every place
        launch_of_torch("sum", [outputs[0]], [torch.empty(1)])
        launch_of_torch("fill", [], [outputs[0]])
    gradients = case.gradients(outputs)
    torch.autograd.backward(outputs, gradients)
    for each in case.grown(mode):
        launch_of_torch("pass", [each, each], [each])
    return driver.launches


def prediction(row, torch, gpu):
    _, case, with_forward = CASES[row["kernel"], row["liger_version"]]
    driver = ForewarpDriver(gpu, lambda launches: sum(predict_launch(each, gpu, cache="dirty")["time_ms"] for each in launches))
    with active(driver), fake_torch.watched(launch_of_torch):
        launches = launches_of(case(torch, row), row["mode"], torch, driver, with_forward)
    parts = {}
    for each in launches:
        answer = predict_launch(each, gpu, cache="dirty")
        known = parts.setdefault(each.kernel, {"time_ms": 0.0, "limiter": answer["limiter"], "bytes": 0.0})
        known["time_ms"] += answer["time_ms"]
        known["bytes"] += answer["rates"]["compulsory_bytes"]
    return {"time_ms": sum(part["time_ms"] for part in parts.values()), "parts": parts}


def roofline(row, made):
    """Milliseconds of what each launch touches, once, at DRAM's peak: none of these kernels uses tensor cores."""
    peak = float(forewarp._native.gpu(GPUS[row["gpu"]])["dram_peak_gbps"])
    return sum(part["bytes"] for part in made["parts"].values()) / (1e6 * peak)


def host_floor(rows, row):
    """Milliseconds that the host takes for the row's operation: where the second smallest size of its sweep takes less than 1.25 of
    the smallest, the longer of the two; else 0. From measured times alone."""
    same = ("gpu", "kernel", "provider", "mode", "x_name", "config", "liger_version")
    sweep = sorted((float(other["x_value"]), float(other["time_ms_median"])) for other in rows
                   if all(other[name] == row[name] for name in same))
    times = [time for _, time in sweep]
    return max(times[:2]) if len(times) > 2 and times[1] < 1.25 * times[0] else 0.0


def key_of(row):
    return " ".join(row[name] for name in ("gpu", "kernel", "provider", "mode", "x_name", "x_value", "config", "liger_version"))


def work(folder, rows):
    """In a process of its own, since each commit's modules have the same names: predictions as JSON lines."""
    for name in ("liger_kernel", "liger_kernel.ops", "liger_kernel.ops.experimental"):  # without what their __init__ imports
        package = types.ModuleType(name)
        package.__path__ = [str(pathlib.Path(folder, "src", *name.split(".")))]
        sys.modules[name] = package
    for row in rows:
        gpu = gpu_named(GPUS[row["gpu"]])
        torch = fake_torch.module(gpu)
        torch.distributed = types.SimpleNamespace(tensor=types.SimpleNamespace(DTensor=type("DTensor", (), {})))
        sys.modules["torch"] = torch
        for name in [each for each in sys.modules if each.startswith("liger_kernel.") and sys.modules[each].__spec__]:
            del sys.modules[name]  # they hold the module torch of another GPU
        try:
            made = prediction(row, torch, gpu)
        except Exception as error:  # the page names it
            made = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps([key_of(row), made]), flush=True)
    os._exit(0)  # Triton's compiled kernels would ask for a real driver as they are let go


def predictions(git, rows, kept):
    memo = json.loads(pathlib.Path(kept).read_text()) if kept and pathlib.Path(kept).exists() else {}
    for commit in dict.fromkeys(CASES[row["kernel"], row["liger_version"]][0] for row in rows):
        wanted = [row for row in rows if CASES[row["kernel"], row["liger_version"]][0] == commit and key_of(row) not in memo]
        if not wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            archive = subprocess.run(["git", f"--git-dir={git}", "archive", commit, "src/liger_kernel"], check=True, capture_output=True)
            tarfile.open(fileobj=io.BytesIO(archive.stdout)).extractall(folder, filter="data")
            worker = subprocess.Popen([sys.executable, __file__, "--worker", folder], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)
            worker.stdin.write(json.dumps(wanted))
            worker.stdin.close()
            for line in worker.stdout:
                key, made = json.loads(line)
                memo[key] = made
                row = next(row for row in wanted if key_of(row) == key)
                print(row["kernel"], row["gpu"], row["mode"], row["x_value"], row["time_ms_median"],
                      made.get("time_ms", made.get("error")), file=sys.stderr, flush=True)
                if kept:
                    pathlib.Path(kept).write_text(json.dumps(memo))
            if worker.wait() != 0:
                raise RuntimeError(f"the predictions of {commit} ended with {worker.returncode}")
    return memo


def main(git, source, target, kept=None, part=""):
    rows, left_out = [], {}
    table = list(csv.DictReader(open(source, newline="", encoding="utf-8")))
    for row in table:
        if not row["provider"].startswith("liger") or float(row["time_ms_median"]) <= 0.05:
            continue
        row["host_bound"] = float(row["time_ms_median"]) < 1.25 * host_floor(table, row)
        is_other = row["kernel"] == "fused_add_rms_norm" and row["provider"] == "liger_rms_norm"  # torch's own addition is in it
        is_torchs = row["kernel"] in ("kl_div", "jsd", "tvd") and row["mode"] != "forward"  # its input is torch's softmax
        is_spilled = row["kernel"] == "jsd" and float(row["x_value"]) > 16384  # 256 values and more a thread
        if (row["kernel"], row["liger_version"]) in CASES and not (is_other or is_torchs or is_spilled):
            if part in row["kernel"]:
                rows.append(row)
        else:
            left_out[row["kernel"]] = left_out.get(row["kernel"], 0) + 1
    memo = predictions(git, rows, kept)
    lines = [HEAD.format(version=triton.__version__),
             "| Kernel | GPU | mode | rows | median of predicted / measured | MAPE | within 25 % | Roofline: MAPE |",
             "|---|---|---|---|---|---|---|---|"]
    details, all_errors, all_bounds = [], [], []
    for name in dict.fromkeys((row["kernel"], row["gpu"], row["liger_version"]) for row in rows):
        details += ["", f"## {name[0]}, {name[1]}, Liger {name[2]}", "",
                    "| Mode | size | measured ms | predicted ms | error | of which | Roofline ms | |", "|---|---|---|---|---|---|---|---|"]
        for mode in ("forward", "backward", "full"):
            ratios, bounds = [], []
            for row in rows:
                if (row["kernel"], row["gpu"], row["liger_version"], row["mode"]) != (*name, mode):
                    continue
                made, measured = memo[key_of(row)], float(row["time_ms_median"])
                fixed = ", ".join(f"{key} {value}" for key, value in json.loads(row["config"]).items()
                                  if isinstance(value, int) and not isinstance(value, bool))
                size = f"{row['x_name']} {float(row['x_value']):g}, {fixed}"
                if row["provider"] != "liger" and row["provider"] != "liger_fused_add_rms_norm":
                    size += f", {row['provider']}"
                if "error" in made:
                    details.append(f"| {mode} | {size} | {measured:.4g} | - | - | {made['error']} | | |")
                    continue
                ratio = made["time_ms"] / measured
                if not row["host_bound"]:
                    ratios.append(ratio)
                    bounds.append(abs(roofline(row, made) / measured - 1))
                parts = ", ".join(f"{kernel} {each['time_ms']:.3g} ({each['limiter']})" for kernel, each in made["parts"].items())
                details.append(f"| {mode} | {size} | {measured:.4g} | {made['time_ms']:.4g} | {ratio - 1:+.1%} | {parts} | {roofline(row, made):.4g} | "
                               + ("host |" if row["host_bound"] else "|"))
            if ratios:
                errors = [abs(ratio - 1) for ratio in ratios]
                all_errors += errors
                all_bounds += bounds
                lines.append(f"| {name[0]} {name[2]} | {name[1]} | {mode} | {len(ratios)} | {statistics.median(ratios):.2f} | "
                             f"{statistics.mean(errors):.1%} | {sum(error <= 0.25 for error in errors)} of {len(errors)} | "
                             f"{statistics.mean(bounds):.1%} |")
    lines += ["", f"All {len(all_errors)} rows: MAPE {statistics.mean(all_errors):.1%}, median {statistics.median(all_errors):.1%}, "
              f"within 25 % {sum(error <= 0.25 for error in all_errors)}. Roofline: MAPE {statistics.mean(all_bounds):.1%}.", "",
              "Rows that were not predicted: " + ", ".join(f"{name} ({count})" for name, count in left_out.items()) + ". " + LEFT_OUT]
    pathlib.Path(target).write_text("\n".join(lines + details) + "\n", encoding="utf-8")


LEFT_OUT = """Most of the losses (`fused_linear_*`, `distill_*`,
`kto_loss`), `swiglu` and `geglu` 0.2.1 consist mostly of matrix products by torch's library. The backward pass of `kl_div`, `jsd` and `tvd` goes through torch's softmax. `jsd` beyond 16384 columns keeps 256 values and more
in each thread, which takes Triton minutes to compile. Rows of `fused_add_rms_norm` that time torch's own addition are left out. For the others the tool has no case."""

HEAD = """# Liger's kernels: predicted and measured

Written by `tools/make_results_liger.py`; Triton {version}. Measured by Liger's authors with `triton.testing.do_bench` (their
own Triton of the day), published in their repository; the kernels are Liger's own, launched by its own functions of the commit
that brought the rows. All rows above 50 us whose work is Triton kernels.

- L2 is full of written lines before each kernel, as that benchmark leaves it before the first (`cache="dirty"`).
- A row is a whole operation. What torch launches between Liger's kernels (sums over rows, fills, passes over elements) is predicted
  as the project's own kernels that move the same bytes, one after the other, without gaps.
- Modes: `full` is forward and backward.
- Roofline: what each launch touches, once, at DRAM's peak; none of these kernels multiplies on tensor cores.
- Rows whose time is the host's are marked "host" and not counted. Where the second smallest size of a sweep takes less than 1.25
  times as long as the smallest, the longer of the two is taken for the host's time, and rows below 1.25 times that are the host's.
- The rows are no untouched test: the rules of half conversions, of vectors in index arithmetic and of stack frames were written
  after they had been looked at. No rule takes a value from them. Before the last of these rules, an H100 row was predicted at 3.2 times
  its measured time, for spills that the assembler does not make.
"""

if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--worker":
        work(sys.argv[2], json.load(sys.stdin))
    elif 4 <= len(sys.argv) <= 6:
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
