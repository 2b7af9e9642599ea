#!/usr/bin/env python3
"""Table of bench_stages_bench: processor time by kernel and stage, slowest first, with sums and medians.

    build-bench/bin/bench_stages_bench --benchmark_min_time=0.05 --benchmark_format=json >stages.json
    bench/stage_totals.py stages.json [ROWS]
"""
import json
import statistics
import sys


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]
    shown = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    kernels: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.get("run_type") == "aggregate" or "cpu_time" not in row:
            continue
        kernel, stage = row["name"].split("/")[:2]
        times = kernels.setdefault(kernel, {})
        times[stage] = min(times.get(stage, float("inf")), row["cpu_time"])
    stages = list(next(iter(kernels.values())))
    print(f"{'kernel':30}" + "".join(f"{stage:>16}" for stage in [*stages, "all"]))
    for kernel, times in sorted(kernels.items(), key=lambda item: -sum(item[1].values()))[:shown]:
        print(f"{kernel:30}" + "".join(f"{times[stage]:16.2f}" for stage in stages) + f"{sum(times.values()):16.2f}")
    for name, reduce in (("median", statistics.median), ("sum", sum)):
        columns = [reduce([times[stage] for times in kernels.values()]) for stage in stages]
        print(f"{name:30}" + "".join(f"{value:16.2f}" for value in columns)
              + f"{reduce([sum(times.values()) for times in kernels.values()]):16.2f}")


if __name__ == "__main__":
    main()
