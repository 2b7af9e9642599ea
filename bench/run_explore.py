#!/usr/bin/env python3
"""The sweep of a whole benchmark suite: 306,558 configurations of 20 corpus kernels, as many of each as in Table IV of Wang et al. (DATE 2019).

  bench/run_explore.py [--program build/bin/forewarp] [--gpu k620] [--share 0.01 | --parts] [--jobs 2] [KERNEL...]

--share runs that part of each kernel's configurations, drawn at random, and extrapolates; --parts runs a dense part of each space (PARTS below)
instead, which shares simulations as the whole does. Prints configurations, seconds, rate, processor time each and peak memory."""
import argparse
import math
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COVER = "global=ceildiv({0}, local)*local"

# (kernel of H, corpus kernel, configurations, H's milliseconds each, space)
KERNELS = [
    ("backprop bpnn_adjust_weights", "backprop_adjust_weights", 11450, 23.03, ["inputs=16:183200:+16"]),
    ("backprop bpnn_layerforward", "backprop_layer_forward", 11450, 40.08, ["inputs=16:183200:+16"]),
    ("bfs BFS_1", "bfs_step", 14028, 60.09, ["group=64,128,192,256,384,512", "nodes=1000:2338000:+1000"]),
    ("bfs BFS_2", "bfs_commit", 14028, 10.40, ["group=64,128,192,256,384,512", "nodes=1000:2338000:+1000"]),
    ("b+tree findK", "btree_find_key", 42000, 72.93, ["queries=1:42000:+1"]),
    ("b+tree findRangeK", "btree_find_range", 42000, 119.66, ["queries=1:42000:+1"]),
    ("cfd compute_flux", "cfd_flux", 3072, 77.55, ["group=64,128,192,256", "elements=1000:768000:+1000"]),
    ("cfd compute_step_factor", "cfd_step_factor", 3072, 14.01, ["local=64,128,192,256", COVER.format("elements"), "elements=1000:768000:+1000"]),
    ("cfd initialize_variables", "cfd_initialize", 3072, 15.38, ["local=64,128,192,256", COVER.format("elements"), "elements=1000:768000:+1000"]),
    ("cfd memset", "cfd_fill", 12, 7.081, ["local=64,128,256", COVER.format("count"), "count=100000:400000:+100000"]),
    ("cfd time_step", "cfd_time_step", 3072, 23.78, ["local=64,128,192,256", COVER.format("elements"), "elements=1000:768000:+1000"]),
    ("hotspot hotspot", "hotspot", 1024, 4130.09, ["size=16:4096:+16", "steps=1,2,3,4"]),
    ("kmeans kmeans_c", "kmeans_assign", 40000, 824.60, ["local=128,256", COVER.format("points"), "clusters=2:21:+1", "points=1000:1000000:+1000"]),
    ("kmeans kmeans_swap", "kmeans_swap", 40000, 219.67, ["local=128,256", COVER.format("points"), "features=5:44:+1", "points=1000:500000:+1000"]),
    ("lud lud_internal", "lud_internal", 8267, 45.10, ["dimension=2048:3088:+16", "offset=0:2016:+16"]),
    ("nn nearestNeighbor", "nearest_neighbour", 66, 6.030, ["local=64,128,256", COVER.format("places"), "places=50000:1100000:+50000"]),
    ("nw nw_kernel1", "needleman_wunsch_tile", 19408, 65.27, ["size=8192:8784:+16", "diagonal=0:511:+1"]),
    ("nw nw_kernel2", "needleman_wunsch_lower", 19408, 63.99, ["size=8192:8784:+16", "skipped=1:511:+1"]),
    ("particlefilter particle_naive", "particle_find_index", 104, 11751.93, ["particles=400:41600:+400"]),
    ("pathfinder dynproc", "pathfinder", 31025, 1055.97, ["steps=1:25:+1", "columns=10000:12410000:+10000"]),
]

# Corpus kernel -> the parameters that are narrowed for --parts: all values of what configurations share most along, few of the others.
PARTS = {
    "backprop_adjust_weights": ["inputs=80000:89584:+16"],
    "backprop_layer_forward": ["inputs=80000:89584:+16"],
    "bfs_step": ["nodes=1000:2338000:+58000"],
    "bfs_commit": ["nodes=1000:2338000:+29000"],
    "btree_find_key": ["queries=20001:20420:+1"],
    "btree_find_range": ["queries=20001:20420:+1"],
    "cfd_flux": ["elements=1000:768000:+19000"],
    "cfd_step_factor": ["elements=300000:363000:+1000"],
    "cfd_initialize": ["elements=300000:363000:+1000"],
    "cfd_time_step": ["elements=300000:363000:+1000"],
    "hotspot": ["size=16:4096:+128"],
    "kmeans_assign": ["clusters=2:21:+6", "local=256"],
    "kmeans_swap": ["features=10,40", "local=256"],
    "lud_internal": ["dimension=2048:3088:+160", "offset=0:2016:+32"],
    "needleman_wunsch_tile": ["size=8192:8784:+144"],
    "needleman_wunsch_lower": ["size=8192:8784:+144"],
    "particle_find_index": ["particles=400:41600:+4000"],
    "pathfinder": ["steps=5:25:+10", "columns=10000:12410000:+30000"],
}


def part_of(kernel, space):
    narrow = {text.split("=")[0]: text for text in PARTS.get(kernel, [])}
    return [narrow.get(text.split("=")[0], text) for text in space]


def run(words, kernel, count, space):
    """Seconds, processor seconds, peak megabytes, configurations and valid ones of one sweep; `count`: of a sample."""
    command = [words.program, "explore", "--launch", str(ROOT / "corpus" / kernel / "default.toml"), "--gpu", words.gpu, "--jobs", str(words.jobs),
               "--format", "csv"] + ([] if count is None else ["--sample", str(count)])
    for parameter in space:
        command += ["--space", parameter]
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    lines = [b",yes," in line for line in process.stdout]
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{kernel}: failed")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, len(lines) - 1, sum(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/bin/forewarp"))
    parser.add_argument("--gpu", default="k620")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("kernels", nargs="*")
    words = parser.parse_args()
    assert sum(kernel[2] for kernel in KERNELS) == 306558
    print(f"{'kernel':<31}{'all':>7}{'run':>7}{'valid':>7}{'seconds':>9}{'cpu ms':>8}{'H ms':>9}{'peak MB':>9}")
    seconds = processor = 0.0
    peak, done = 0.0, 0
    chosen = [row for row in KERNELS if not words.kernels or row[1] in words.kernels]
    configurations = sum(row[2] for row in chosen)
    for name, kernel, count, paper, space in chosen:
        sample = None if words.parts or words.share >= 1 else max(1, math.ceil(count * words.share))
        wall, cpu, memory, part, valid = run(words, kernel, sample, part_of(kernel, space) if words.parts else space)
        print(f"{name:<31}{count:>7}{part:>7}{valid:>7}{wall:>9.1f}{1000 * cpu / part:>8.2f}{paper:>9.2f}{memory:>9.0f}", flush=True)
        seconds += wall * count / part
        processor += cpu * count / part
        peak, done = max(peak, memory), done + part
    print(f"all: {done} of {configurations} run; the whole takes {seconds / 60:.1f} min on {words.jobs} threads ({processor / 60:.1f} min of processor time), "
          f"{configurations / seconds:.0f} configurations a second, at most {peak:.0f} MB")


if __name__ == "__main__":
    main()
