#!/usr/bin/env python3
"""What each shortcut saves and costs: bench/shortcuts.py [--gpu v100] [--limit SECONDS] [--kernels N] [NAMES...]

Predicts the corpus's default launches with all shortcuts and without each of them (`forewarp predict --exact NAME`), and prints the rows of
the table of docs/reference/shortcuts.md: kernels whose time changed, by how much, and processor seconds. A launch whose long way takes
longer than the limit is counted, not waited for. With --csv every run is listed."""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def predict(forewarp, launch, gpu, names, limit):
    """Time in ms and processor seconds; None: refused, or longer than the limit."""
    command = [forewarp, "predict", "--launch", launch, "--gpu", gpu, "--format", "json", "--max-seconds", str(10 * limit)]
    command += ["--max-instructions", "4000000000"] if names else []
    command += ["--exact", names] if names else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    bounded = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, preexec_fn=bounded)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode != 0:
        return None, seconds
    return json.loads(done.stdout)["predictions"][0]["time_ms"], seconds


def names_of(forewarp):
    text = subprocess.run([forewarp, "predict", "--help"], capture_output=True, text=True).stdout
    words = " ".join(text[text.index("--exact"):].split())
    return [word.strip(",") for word in words[words.index("shortcuts: all,") + 15:words.index("(docs/reference/shortcuts")].split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--forewarp", default=str(ROOT / "build/bin/forewarp"))
    parser.add_argument("--gpu", default="v100")
    parser.add_argument("--limit", type=int, default=10, help="processor seconds a prediction")
    parser.add_argument("--kernels", type=int, default=0, help="so many of the corpus, evenly spread; 0: all")
    parser.add_argument("--csv", help="file for every run")
    options = parser.parse_args()
    launches = sorted((ROOT / "corpus").glob("*/default.toml"))
    if options.kernels:
        launches = launches[::max(1, len(launches) // options.kernels)]
    usual = {launch: predict(options.forewarp, launch, options.gpu, "", options.limit) for launch in launches}
    rows = [("launch", "left out", "ms", "ms with it", "s", "s with it")]
    print("| left out | kernels | changed | median change | 90th percentile | largest | beyond the limit | processor time |")
    print("|---|---|---|---|---|---|---|---|")
    for name in options.names or names_of(options.forewarp) + ["all"]:
        changes, seconds, base_seconds, beyond = [], 0, 0, 0
        for launch in launches:
            base, base_s = usual[launch]
            if base is None:
                continue
            time, took = predict(options.forewarp, launch, options.gpu, name, options.limit)
            rows.append((launch.parent.name, name, time or "", base, round(took, 3), round(base_s, 3)))
            if time is None:
                beyond += 1
                continue
            changes.append((abs(time / base - 1), launch.parent.name))
            seconds, base_seconds = seconds + took, base_seconds + base_s
        changed = sorted(change for change in changes if change[0] > 1e-6)
        quantile = lambda q: 100 * changes_sorted[min(len(changes_sorted) - 1, int(q * len(changes_sorted)))]
        changes_sorted = sorted(change for change, _ in changes)
        largest = max(changes)
        print(f"| `{name}` | {len(changes)} | {len(changed)} | {100 * statistics.median(changes_sorted):.2f} % | {quantile(0.9):.1f} % "
              f"| {100 * largest[0]:.1f} % ({largest[1]}) | {beyond} | x {seconds / base_seconds:.2f} |", flush=True)
    if options.csv:
        pathlib.Path(options.csv).write_text("".join(",".join(map(str, row)) + "\n" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
