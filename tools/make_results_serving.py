#!/usr/bin/env python3
"""Writes docs/results/serving.md: attention over prompts and of single tokens, and layers of experts, as a tuner of serving
frameworks measured them, and predictions of kernels of our own that do the same (examples/triton/serving_kernels.py).

    PYTHONPATH=build/python /path/to/venv/bin/python tools/make_results_serving.py context_attention.csv.gz \\
        generation_attention.csv.gz moe.csv.gz docs/results/serving.md [KEPT.json [ROWS]]

The tables are those of aiconfigurator: gpu, framework, version, kernel_source, the problem, latency_ms. ROWS of each table and
GPU are taken, spread evenly (default 24). KEPT.json holds the predictions of earlier runs by the same program: delete it after a
change. Needs the wheels triton and numpy.
"""

import csv
import gzip
import json
import math
import pathlib
import statistics
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "examples" / "triton"))

import forewarp  # noqa: E402
import forewarp.triton  # noqa: E402
import numpy  # noqa: E402
import serving_kernels as kernels  # noqa: E402
import tensor_roofline  # noqa: E402
import triton  # noqa: E402
from forewarp.triton import LaunchNotModelled  # noqa: E402

GPUS = {"a100_sxm": "a100-sxm4-80gb", "h100_sxm": "h100-sxm", "h200_sxm": "h200", "l40s": "l40s"}
WARM = {"cache": "warm"}  # replays of a graph, nothing flushed between
WAYS = {"": WARM, " by machine code": {**WARM, "code": "sass"}}  # LLVM IR, and what Triton's assembler made of it


def attention_tile(gpu, head):
    """Rows and keys of a block, as sglang chooses them by compute capability and size of a head."""
    if gpu != "l40s":  # 9.0
        return (128, 64) if head <= 256 else (32, 64)
    return (64, 128) if head <= 128 else (64, 64)


def kept_tokens(tokens, of_kv, head, cached, gpu, options):
    """The framework's call writes the new tokens' keys and values to the cache before attention reads them."""
    width, rows = of_kv * head, max(1, 2048 // (of_kv * head))
    new = forewarp.buffer("bf16", (tokens, width))
    return forewarp.triton.predict(kernels.keep_tokens, (triton.cdiv(tokens, rows),), new, new, cached, cached,
                                   forewarp.buffer("int32", tokens, contents="iota"), tokens, WIDTH=width, ROWS=rows, gpu=gpu, options=options)[0]


def attention(row, folder, options):
    batch, length, heads, of_kv, head = (int(row[name]) for name in ("batch_size", "isl", "num_heads", "num_key_value_heads", "head_dim"))
    gpu = GPUS[row["gpu"]]
    m, n = attention_tile(row["gpu"], head)
    q, k = forewarp.buffer("bf16", (batch * length, heads, head)), forewarp.buffer("bf16", (batch * length, of_kv, head))
    starts, cached_starts = (forewarp.buffer("int32", batch + 1, contents=f"iota(0,{step})") for step in (length, 0))
    answer = forewarp.triton.predict(kernels.prompt_attention, (batch, heads, triton.cdiv(length, m)), q, k, k, q, k, k, starts, cached_starts,
                                     forewarp.buffer("int64", 1), head**-0.5, *q.stride()[:2], *k.stride()[:2], *k.stride()[:2],
                                     HEADS_PER_KV=heads // of_kv, BLOCK_M=m, BLOCK_N=n, HEAD=head, num_warps=4 if head <= 64 else 8,
                                     num_stages=1, gpu=gpu, options=options)[0]
    pairs = sum(min(length, (block + 1) * m) * m for block in range(triton.cdiv(length, m)))
    flops = 4 * batch * heads * head * pairs
    return {"keep": kept_tokens(batch * length, of_kv, head, k, gpu, options), "attention": answer}, flops, 2 * (2 * q.numel() + 4 * k.numel())


def attention_size(row):
    return f"{row['batch_size']} x {row['isl']}, {row['num_heads']} / {row['num_key_value_heads']} heads of {row['head_dim']}"


def is_attention(row):
    return float(row["latency_ms"]) >= 0.05 and row["framework"] == "sglang" and row["attn_dtype"] == "bfloat16" and row["window_size"] in ("", "0") and \
        int(row["head_dim"]) in (64, 128, 256)


def splits_of(gpu, batch, heads, of_kv, length, most=8):
    """sglang's parts of a sequence, where all are equally long."""
    sms = int(forewarp._native.gpu(gpu)["sm_count"])
    wanted = int(sms * max(math.log2(length / 64), 1.0))
    per_kv = heads // of_kv
    grid = batch * (heads if per_kv == 1 else triton.cdiv(heads, min(16, per_kv)))
    chunk = triton.cdiv(length, min(triton.cdiv(wanted, grid), most))
    return triton.cdiv(length, chunk)


def generation(row, folder, options):
    batch, length, heads, of_kv, head = (int(row[name]) for name in ("batch_size", "step", "num_heads", "num_key_value_heads", "head_dim"))
    length += 1  # the new token
    gpu, most = GPUS[row["gpu"]], 8
    splits = splits_of(gpu, batch, heads, of_kv, length, most)
    q, k = forewarp.buffer("bf16", (batch, heads, head)), forewarp.buffer("bf16", (batch * length, of_kv, head))
    parts, logs = forewarp.buffer("fp32", (batch, heads, most, head)), forewarp.buffer("fp32", (batch, heads, most))
    places = forewarp.buffer("int64", batch * length, contents="iota")
    sizes = dict(HEADS=heads, HEAD=head, MOST_SPLITS=most, gpu=gpu, options=options)
    grid = (batch, triton.cdiv(heads, min(16, heads // of_kv)), most)
    return {"keep": kept_tokens(batch, of_kv, head, k, gpu, options),
            "parts": forewarp.triton.predict(kernels.token_attention, grid, q, k, k, parts, logs, places, head**-0.5, length, splits,
                                             *q.stride()[:2], *k.stride()[:2], HEADS_PER_KV=heads // of_kv, BLOCK_H=16, BLOCK_N=32,
                                             num_warps=4, num_stages=2, **sizes)[0],
            "join": forewarp.triton.predict(kernels.join_parts, (batch, heads), parts, logs, q, length, splits, num_warps=4,
                                            num_stages=2, **sizes)[0]}, 4 * batch * heads * head * length, 2 * (2 * k.numel() + 2 * q.numel())


def generation_size(row):
    return f"{row['batch_size']} x {row['step']}, {row['num_heads']} / {row['num_key_value_heads']} heads of {row['head_dim']}"


def is_generation(row):
    """Whole caches of 16 bits, heads that share keys and values (others take another kernel)."""
    return float(row["latency_ms"]) >= 0.05 and row["framework"] == "sglang" and row["kv_cache_dtype"] == "bfloat16" and \
        row["window_size"] in ("", "0") and int(row["head_dim"]) in (64, 128, 256, 512) and \
        int(row["num_heads"]) > int(row["num_key_value_heads"])


def moe_tile(tokens, experts):
    """sglang's choice where no file of tiles is there for the GPU, the number of experts and their width (bfloat16)."""
    return (16, 32, 64, 1) if tokens <= experts else (64, 64, 32, 8)


def places_of(tokens, per_token, experts, block, folder):
    """Token t's j-th place goes to expert (t * per_token + j) mod experts; blocks of one expert, filled up."""
    numbers = numpy.arange(tokens * per_token, dtype=numpy.int32)
    places, of_block = [], []
    for expert in range(experts):
        own = numbers[numbers % experts == expert]
        if len(own) == 0:
            continue
        filled = -len(own) % block
        places.append(numpy.concatenate([own, numpy.full(filled, tokens * per_token, numpy.int32)]))
        of_block += [expert] * (len(places[-1]) // block)
    every = numpy.concatenate(places)
    name = f"{folder}/{tokens}_{per_token}_{experts}_{block}"
    numpy.save(f"{name}_places.npy", every)
    numpy.save(f"{name}_experts.npy", numpy.array(of_block, numpy.int32))
    return (forewarp.buffer("int32", len(every), contents=f"@{name}_places.npy"),
            forewarp.buffer("int32", len(of_block), contents=f"@{name}_experts.npy"), len(every))


def moe(row, folder, options):
    tokens, hidden, inner, per_token, experts, parts = (
        int(row[name]) for name in ("num_tokens", "hidden_size", "inter_size", "topk", "num_experts", "moe_tp_size"))
    inner //= parts
    gpu, all_places = GPUS[row["gpu"]], tokens * per_token
    m, n, k, group = moe_tile(tokens, experts)
    places, of_block, padded = places_of(tokens, per_token, experts, m, folder)
    weights = forewarp.buffer("fp32", all_places)
    x, up, act, down, out = (forewarp.buffer("bf16", shape) for shape in (
        (tokens, hidden), (all_places, 2 * inner), (all_places, inner), (all_places, hidden), (tokens, hidden)))

    def products(a, c, width, depth, per_row, weighted):
        b = forewarp.buffer("bf16", (experts, width, depth))
        return forewarp.triton.predict(
            kernels.expert_products, (triton.cdiv(padded, m) * triton.cdiv(width, n),), a, b, c, weights, places, of_block, width,
            depth, padded, all_places, width * depth, depth, depth, width, PER_ROW=per_row, WEIGHTED=weighted, BLOCK_M=m,
            BLOCK_N=n, BLOCK_K=k, GROUP=group, gpu=gpu, options=options)[0]

    parts_of = {"up": products(x, up, 2 * inner, hidden, per_token, False),
                "gate": forewarp.triton.predict(kernels.gated, (all_places,), up, act, inner, BLOCK=1024, gpu=gpu, options=options)[0],
                "down": products(act, down, hidden, inner, 1, True),
                "sum": forewarp.triton.predict(kernels.sum_of_experts, (tokens, triton.cdiv(hidden, 1024)), down, out, hidden,
                                               PER_ROW=per_token, BLOCK=1024, gpu=gpu, options=options)[0]}
    used = min(experts, all_places)
    return parts_of, 6 * all_places * hidden * inner, 2 * (3 * used * hidden * inner + all_places * (3 * inner + hidden) + 2 * tokens * hidden)


def moe_size(row):
    return f"{row['num_tokens']} tokens, {row['topk']} of {row['num_experts']}, {row['hidden_size']} x {row['inter_size']} / {row['moe_tp_size']}"


def is_moe(row):
    """Shapes for which no file of tiles was in the framework's repository: the tile is known by rule."""
    return (row["gpu"], row["framework"], row["moe_dtype"], row["distribution"], row["moe_ep_size"]) == (
        "a100_sxm", "sglang", "bfloat16", "balanced", "1") and (row["hidden_size"], row["inter_size"]) in (("2688", "1856"), ("3072", "1536"))


TABLES = {"Attention over prompts, bfloat16, causal": (attention, attention_size, is_attention),
          "Attention of one token a sequence, bfloat16": (generation, generation_size, is_generation),
          "Layer of experts, bfloat16, balanced": (moe, moe_size, is_moe)}


def taken(rows, wanted):
    rows = sorted(rows, key=lambda row: float(row["latency_ms"]))
    return rows if len(rows) <= wanted else [rows[i * (len(rows) - 1) // (wanted - 1)] for i in range(wanted)]


def tau(pairs):
    agree = [(a[0] - b[0]) * (a[1] - b[1]) for i, a in enumerate(pairs) for b in pairs[:i]]
    return sum((each > 0) - (each < 0) for each in agree) / max(1, len(agree))


def time_of(made):
    return sum(time for time, _ in made["parts"].values())


def answer_of(predict, row, folder, way, key, memo, kept):
    """Of one row one way: parts with time and limiter, or the error."""
    key += way
    if key not in memo:
        try:
            parts, flops, moved = predict(row, folder, WAYS[way])
            memo[key] = {"parts": {name: [part["time_ms"], part["limiter"]] for name, part in parts.items()}, "flops": flops, "bytes": moved}
        except (forewarp.Error, LaunchNotModelled) as error:
            memo[key] = {"error": str(error)}
        if kept:
            pathlib.Path(kept).write_text(json.dumps(memo))
        print(key, row["latency_ms"], memo[key], file=sys.stderr, flush=True)
    return memo[key]


def main(context, tokens, experts, target, kept=None, wanted="24"):
    memo = json.loads(pathlib.Path(kept).read_text()) if kept and pathlib.Path(kept).exists() else {}
    lines = [HEAD.format(version=triton.__version__),
             "| What | GPU | rows | MAPE | median of predicted / measured | within 25 % | tau | by machine code: MAPE | Roofline: MAPE |",
             "|---|---|---|---|---|---|---|---|---|"]
    details = []
    with tempfile.TemporaryDirectory() as folder:
        for (title, (predict, size, is_ours)), source in zip(TABLES.items(), (context, tokens, experts)):
            rows = [row for row in csv.DictReader(gzip.open(source, "rt", encoding="utf-8")) if is_ours(row)]
            for gpu in dict.fromkeys(row["gpu"] for row in rows):
                pairs, bounds, by_code = [], [], []
                details += ["", f"## {title}, {gpu}", "", "| Size | measured ms | predicted ms | error | of which | by machine code | Roofline ms |",
                            "|---|---|---|---|---|---|---|"]
                for row in taken([row for row in rows if row["gpu"] == gpu], int(wanted)):
                    measured = float(row["latency_ms"])
                    made, code = (answer_of(predict, row, folder, way, " ".join((title, gpu, size(row))), memo, kept) for way in WAYS)
                    if "error" in made:
                        details.append(f"| {size(row)} | {measured:.4g} | - | - | {made['error']} | - | - |")
                        continue
                    total, bound = time_of(made), tensor_roofline.milliseconds(GPUS[gpu], made["flops"], made["bytes"])
                    pairs.append((measured, total))
                    bounds.append(bound)
                    beside = "-"
                    if "error" not in code:
                        by_code.append(abs(time_of(code) / measured - 1))
                        beside = f"{time_of(code):.4g} ({time_of(code) / measured - 1:+.1%})"
                    parts = ", ".join(f"{name} {time:.3g} ({limiter})" for name, (time, limiter) in made["parts"].items())
                    details.append(f"| {size(row)} | {measured:.4g} | {total:.4g} | {total / measured - 1:+.1%} | {parts} | {beside} | {bound:.4g} |")
                errors = [abs(total / measured - 1) for measured, total in pairs]
                if errors:
                    lines.append(f"| {title} | {gpu} | {len(pairs)} | {statistics.mean(errors):.1%} | "
                                 f"{statistics.median(total / measured for measured, total in pairs):.2f} | "
                                 f"{sum(error <= 0.25 for error in errors)} of {len(errors)} | {tau(pairs):.2f} | "
                                 + (f"{statistics.mean(by_code):.1%} ({len(by_code)} rows) | " if by_code else "- | ") +
                                 f"{statistics.mean(abs(bound / pair[0] - 1) for bound, pair in zip(bounds, pairs)):.1%} |")
    pathlib.Path(target).write_text("\n".join(lines + details) + "\n", encoding="utf-8")


HEAD = """# Kernels of serving frameworks: predicted and measured

Written by `tools/make_results_serving.py`; Triton {version}. Measured by the authors of aiconfigurator with sglang's Triton
kernels, by replays of a CUDA graph, caches warm. The kernels that are predicted are our own (`examples/triton/serving_kernels.py`)
of the same operation, with sglang's tiles.

- Attention over prompts: a row is a call of the framework: a kernel that writes the new keys and values to the cache, and attention. Whole prompts, no window, 50 us and more.
- Attention of one token: the same kernel for the new token, one over parts of the sequences, one that joins them; 50 us and more.
- L40S: the collector runs these kernels for a model with attention sinks, which add one power a row behind the loop; not predicted.
- Experts: a row is a whole layer of several kernels; the two grouped products, the gate and the sum are predicted and added. Not
  predicted: the choice of the experts and three copies of it, sorting the tokens by expert (by the collector's source some six launches a row: few tokens are predicted
  too fast), and gaps between kernels. Only shapes are taken for which sglang's repository has no file
  of tiles, since their tile follows from its rule.
- The rows are no untouched test: A100's DRAM rows (values of HBM2 from literature) and the rule of numbers that are read from given
  buffers were added after they had been looked at. No value was taken from them.
- By machine code: the same launches by what Triton's assembler made (`options={{"code": "sass"}}`). Attention of one token: where registers are full the assembler puts each
  load of a place right before the copy that it is for, so that a step waits for them one after the other; the imitation does so since these rows and their listings were
  looked at.
- Attention over prompts: the kernel does what the framework's does in each step since its public source was read for that: the starts of the prompts and the tokens that are
  already in the cache come from lists, and a block of which a row sees nothing is guarded. Before, a shorter step was predicted (31.8 % by LLVM IR, 31.9 % by machine code).
- Rules that were made after these rows had been looked at, from listings of kernels of ours: seven predicate registers, scaling under a predicate around powers of two, selections that
  read a predicate as an operand, 4 cycles a comparison ([selection.md](../models/machine_code/selection.md)). Attention over prompts by LLVM IR: 30.4 -> 11.3 %, with the two lines below.
- L40S has 96 MB of L2, as its twin L40 has. Its file said 48 (a public table's number), so that tensors of 67 MB were read from DRAM in each replay: 64 x 64 and 64 x 256 of prompts, 2 x 16383, 2048 x 63
  and 4 x 65535 of one token were predicted 1.5 to 2.7 times too slow. That these rows took no longer than those of half the size is what led to it.
- Writing to the cache is predicted since the collector's source was read for what a row times.
- **Check:** 24 other rows of L40S, spread evenly, by the same program: prompts 9.4 % by LLVM IR and 14.6 % by machine code (22 of 24 within 25 % each; none was predicted before), one token 9.6 and 10.0 %
  (their measured times were among those that led to L2's size).
- Known errors: the clock of the L40S rows is not known; the file's is the highest (2520 MHz), and by machine code most prompts are 4 to 29 % too fast. One token, 8 and more sequences in few groups
  (8 x 65535, 8 x 131071): groups are in step, so that DRAM gets the loads of a step at once and idles between (predicted 310 GB/s, measured 450).
- Roofline is the longer of two times: the products at the tensor cores' dense peak, and each tensor's bytes once at DRAM's peak.
"""

if __name__ == "__main__":
    if not 5 <= len(sys.argv) <= 7:
        sys.exit(__doc__)
    main(*sys.argv[1:])
