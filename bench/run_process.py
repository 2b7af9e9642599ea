#!/usr/bin/env python3
"""Whole-process runs of forewarp: median and least wall time, processor time and peak memory of each.

usage: bench/run_process.py [--program build/bin/forewarp] [--runs 15]"""
import argparse
import os
import pathlib
import statistics
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOST_HEADERS = '#include <iostream>\n#include <vector>\n#include <algorithm>\n#include <string>\n'


def runs(scratch):
    tiled = "corpus/matrix_multiply_tiled/"
    with_headers = scratch / "with_host_headers.cu"
    with_headers.write_text(HOST_HEADERS + (ROOT / tiled / "kernel.cu").read_text())
    launch = ["--launch", tiled + "default.toml", "--gpu", "v100"]
    return {
        "start and stop (--version)": ["--version"],
        "tiled matrix multiply 1024^3, OpenCL": ["predict", *launch],
        "2-D stencil, OpenCL": ["predict", "--launch", "corpus/stencil_2d/default.toml", "--gpu", "v100"],
        "tiled matrix multiply 1024^3, CUDA": ["predict", tiled + "kernel.cu", *launch],
        "the same with four C++ host headers": ["predict", str(with_headers), *launch],
        "tiled matrix multiply, three GPUs": ["predict", "--launch", tiled + "default.toml", "--gpu", "k620,v100,h200"],
    }


def run(program, words):
    """Wall seconds, processor seconds, peak resident bytes of one process."""
    null = os.open(os.devnull, os.O_RDWR)
    begin = time.perf_counter()
    child = os.posix_spawn(program, [program, *words], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begin
    os.close(null)
    if status != 0:
        raise SystemExit(f"{' '.join(words)}: status {status}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="build/bin/forewarp")
    parser.add_argument("--runs", type=int, default=15)
    words = parser.parse_args()
    program = str(pathlib.Path(words.program).resolve())
    scratch = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"forewarp-bench-{os.getpid()}"
    scratch.mkdir()
    os.chdir(ROOT)
    print(f"{'run':<40} {'median s':>9} {'least s':>8} {'cpu s':>6} {'peak MB':>8}")
    try:
        for name, arguments in runs(scratch).items():
            results = [run(program, arguments) for _ in range(words.runs)]
            wall, cpu, memory = zip(*results)
            print(f"{name:<40} {statistics.median(wall):9.3f} {min(wall):8.3f} {statistics.median(cpu):6.3f} {max(memory) / 1e6:8.0f}")
    finally:
        for file in scratch.iterdir():
            file.unlink()
        scratch.rmdir()


if __name__ == "__main__":
    main()
