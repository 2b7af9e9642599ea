#!/usr/bin/env python3
"""Writes docs/results/predict.md: tools/make_results_predict.py PROGRAM [--launches FOLDER]

The corpus on four GPUs, and the launch files of FOLDER (kernels that are not ours and stay outside the repository) on
the first of them. Without --launches the second table of the page is kept as it stands.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results" / "predict.md"
GPUS = ["k620", "gtx 1060", "v100", "h200"]
MARK = "## Kernels of Wang et al. (DATE 2019), Table IV"
HEAD = """# Predictions of the corpus

Made by `tools/make_results_predict.py`; predictions, not measurements. Sizes: `corpus/*/default.toml`; cold L2; model `hybrid`.
*Moved*: bytes between L2 and DRAM. *Least*: distinct bytes read and written, an estimate from the sampled groups. *Ratio* 1.00 is a
kernel that moves nothing twice; a little below 1.00 the estimate of the least is too high.

| kernel | GPU | time ms | limiter | moved MB | least MB | ratio | GB/s | of achievable % |
| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |
"""
TABLE = """

The OpenCL kernels of Rodinia as published, launches of our own (sizes of its default runs; contents generated, a B+ tree of order
256 with 2^20 keys, a mesh with four neighbours an element); their code and launches stay outside the repository. Quadro K620. *Process*:
wall time of the whole command, front end included. *Assumed*: assumptions about kernel and launch that the answer lists.

| kernel | time ms | limiter | IR instructions a warp | process s | assumed | `wang2019` ms |
| --- | ---: | --- | ---: | ---: | ---: | ---: |
"""


def predict(program, launch, gpus, model="hybrid"):
    """(answer, seconds, error text)."""
    start = time.monotonic()
    environment = dict(os.environ, FOREWARP_DATA=str(ROOT / "data"))
    done = subprocess.run([program, "predict", "--launch", str(launch), "--gpu", ",".join(gpus), "--model", model,
                           "--format", "json"], capture_output=True, text=True, env=environment, timeout=300)
    seconds = time.monotonic() - start
    if done.returncode:
        return None, seconds, done.stderr.strip().splitlines()[0]
    return json.loads(done.stdout)["predictions"], seconds, ""


def corpus_rows(program):
    rows = []
    for launch in sorted(ROOT.glob("corpus/*/default.toml")):
        answers, _, error = predict(program, launch, GPUS)
        if answers is None:
            sys.exit(f"{launch.parent.name}: {error}")
        order = {gpu: i for i, gpu in enumerate(GPUS)}
        for p in sorted(answers, key=lambda p: order[p["gpu_requested"]]):
            r = p["rates"]
            moved, least = r["dram_bytes"] / 1e6, r["compulsory_bytes"] / 1e6
            share = 100 * r["dram_gbps"] / r["dram_achievable_gbps"]
            rows.append(f"| {launch.parent.name} | {p['gpu']} | {p['time_ms']:.4g} | {p['limiter']} | {moved:.1f} | "
                        f"{least:.1f} | {moved / max(least, 1e-9):.2f} | {r['dram_gbps']:.4g} | {share:.0f} |")
    return "\n".join(rows)


def launch_rows(program, folder):
    rows = []
    for launch in sorted(pathlib.Path(folder).glob("*.toml")):
        answers, seconds, error = predict(program, launch, GPUS[:1])
        if answers is None:
            rows.append(f"| {launch.stem} | - | refused: {error.split(': ')[-1]} | | {seconds:.2f} | | |")
            continue
        p = answers[0]
        assumed = sum("GPU file" not in str(a) for a in p["assumptions"])
        wang, _, _ = predict(program, launch, GPUS[:1], "wang2019")
        other = f"{wang[0]['time_ms']:.4g}" if wang else "-"
        rows.append(f"| {launch.stem} | {p['time_ms']:.4g} | {p['limiter']} | {p['ir_instructions_per_warp']:.0f} | "
                    f"{seconds:.2f} | {assumed} | {other} |")
    return "\n".join(rows)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("program")
    arguments.add_argument("--launches")
    options = arguments.parse_args()
    old = PAGE.read_text() if PAGE.exists() else ""
    second = old[old.index(MARK):].rstrip() if MARK in old else ""
    if options.launches:
        second = MARK + TABLE + launch_rows(options.program, options.launches)
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(HEAD + corpus_rows(options.program) + "\n\n" + second + "\n")


main()
