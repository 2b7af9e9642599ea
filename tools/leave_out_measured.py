#!/usr/bin/env python3
"""What a GPU file is worth without micro-benchmarks: tools/leave_out_measured.py --sources DIR --data DIR [--sample N]

For each board of BOARDS: every value of its file that somebody measured (micro-benchmarks, papers of micro-benchmarks, values derived from
measured rows, proxies; its own and inherited ones) is replaced by that of another chip, as for a board that is known from its data sheet alone.
Bandwidths are scaled by the data sheets (DRAM by peak, L2 by multiprocessors and clock), clocks become the boost clock, what belongs to a
multiprocessor is taken as it is. Both files predict the same rows; prints Markdown: rows, MAPE and cover with and without the measured values.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from gpu_tables import provenance, toml_writer  # noqa: E402

# Board -> chip that the measured values come from: another generation where the family has one measured chip.
BOARDS = {
    "tesla-k40": "geforce-gtx-980",
    "geforce-gtx-980": "tesla-k40",
    "geforce-gtx-1080-ti": "geforce-gtx-980",
    "tesla-v100-pcie": "tesla-p100-pcie-16gb",
    "geforce-rtx-2080-ti": "tesla-v100-pcie",
    "a100-pcie-40gb": "tesla-v100-pcie",
    "geforce-rtx-3090": "geforce-rtx-2080-ti",
    "rtx-a4000": "geforce-rtx-2080-ti",
    "instinct-mi210": "instinct-mi100",
    "radeon-rx-6900-xt": "instinct-mi100",
}
SUITES = ["gpuperfpredict_simple", "gpuperfpredict_rodinia", "ktt", "kernel_tuner_convolution", "kernel_tuner_gemm", "benchmark_hub",
          "gpu_benches_strides", "miopen_naive"]
MEASURED = {"microbenchmark", "paper", "proxy"}
TIMES = ("latency", "_bw_", "dram_efficiency", "launch_", "kernel_min", "dispatch", "atomic_", "refill", "replay", "stall", "l1_tag", "sm_clock_mhz")
DRAM = {"dram_bw_read_gbps", "dram_bw_write_gbps", "dram_bw_copy_gbps", "dram_bw_triad_gbps"}
KNOWN = {"l1_bw_bytes_per_clk_per_sm", "smem_bw_bytes_per_clk_per_sm"}  # white papers print a multiprocessor's rates
BY_SIZE = {"l2_bw_read_gbps", "l3_bw_read_gbps", "l2_bw_bytes_per_clk"}


def effective(catalogue, stem):
    """{key: value} that the file has, its own and inherited ones."""
    chain = []
    while stem:
        chain.append(catalogue.values[stem])
        stem = catalogue.files[stem].get("extends")
    values = {}
    for level in reversed(chain):
        values |= level
    return values


def is_measured(key, value):
    """A time or rate that somebody measured, here or on a sibling: a data sheet does not say it."""
    if key in KNOWN:
        return False
    if value.get("derived_from"):
        return True
    return value["source"] in MEASURED and any(word in key for word in TIMES) and "peak" not in key


def number(values, key):
    return float(values[key]["value"])


def clock(values):
    return number(values, "sm_clock_boost_mhz" if "sm_clock_boost_mhz" in values else "sm_clock_mhz")


def without(own, other):
    """Values that replace the measured ones of `own`: {key: (value, unit, ref)}."""
    replaced = {}
    for key, value in own.items():
        if not is_measured(key, value):
            continue
        if key == "sm_clock_mhz":
            replaced[key] = (clock(own), value["unit"])
        elif key in DRAM:
            peak = number(own, "dram_bw_peak_gbps")
            share = number(other, key) / number(other, "dram_bw_peak_gbps") if key in other else number(other, "dram_efficiency")
            replaced[key] = (peak * share, value["unit"])
        elif key in other and not isinstance(other[key]["value"], (str, list, bool)):
            factor = 1.0
            if key in BY_SIZE:
                factor = number(own, "sm_count") / number(other, "sm_count")
                if value["unit"] == "GB/s":
                    factor *= clock(own) / clock(other)
            replaced[key] = (float(other[key]["value"]) * factor, value["unit"])
    return replaced


def write_without(catalogue, folder, board, donor):
    """The board's file in `folder`, its measured values replaced. Returns how many were."""
    own = effective(catalogue, board)
    replaced = without(own, effective(catalogue, donor))
    identity = {key: value for key, value in catalogue.files[board].items() if not isinstance(value, dict)}
    facts = {}
    for key, value in catalogue.values[board].items():
        facts[key] = (value["value"], value["unit"], (value["source"], value.get("ref", "")))
    for key, (value, unit) in replaced.items():
        facts[key] = (value, unit, ("proxy", f"{donor}: the board's own is left out"))
    toml_writer.write_file(folder / f"{board}.toml", "Made by tools/leave_out_measured.py.", identity, facts, {}, [])
    return len(replaced)


def data_folder(target):
    """A copy of data/ whose GPU files may be changed."""
    for entry in (ROOT / "data").iterdir():
        if entry.name == "gpus":
            shutil.copytree(entry, target / "gpus")
        else:
            (target / entry.name).symlink_to(entry)


def predict(arguments, suite, gpus, data):
    """Rows of one suite: {(suite, kernel, GPU, row): (measured, predicted, inside)}."""
    with tempfile.NamedTemporaryFile(suffix=".json") as answer:
        command = [arguments.program, "validate", str(ROOT / "validation" / "suites" / f"{suite}.toml"), "--sources", arguments.sources, "--data",
                   arguments.data, "--gpu", ",".join(gpus), "--sample", str(arguments.sample), "--seed", str(arguments.seed), "--jobs",
                   str(arguments.jobs), "--format", "json", "--output", answer.name]
        done = subprocess.run(command, env=os.environ | {"FOREWARP_DATA": str(data)}, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{suite}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode}", file=sys.stderr)
            return {}
        results = json.load(open(answer.name, encoding="utf-8"))
    return {(result["suite"], row["kernel"], row["gpu"], row["row"], row["measured_ms"]):
            (row["measured_ms"], row["predicted_ms"], row["interval_ms"][0] <= row["measured_ms"] <= row["interval_ms"][1])
            for result in results for row in result["rows"]}


def figures(rows):
    errors = [100 * abs(predicted / measured - 1) for measured, predicted, _ in rows]
    return f"{statistics.mean(errors):.1f} | {statistics.median(errors):.1f} | {100 * statistics.mean(inside for *_, inside in rows):.0f}"


def table(with_values, without_values, replaced):
    """One line a board: with its measured values, and without."""
    text = ("| GPU | measured values of | replaced | rows | MAPE % | median % | cover % | MAPE % without | median % without | cover % without |\n"
            "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
    keys = [key for key in with_values if key in without_values]
    for name, (donor, count) in replaced.items():
        own = [key for key in keys if key[2] == name]
        if own:
            text += (f"| {name} | {donor} | {count} | {len(own)} | {figures([with_values[key] for key in own])} | "
                     f"{figures([without_values[key] for key in own])} |\n")
    if keys:
        text += (f"| **all** | | | {len(keys)} | {figures([with_values[key] for key in keys])} | "
                 f"{figures([without_values[key] for key in keys])} |\n")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "forewarp"))
    parser.add_argument("--sources", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sample", type=int, default=2, help="rows of each kernel and GPU (default 2)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--suites", default=",".join(SUITES))
    parser.add_argument("--boards", default=",".join(BOARDS), help="file names of BOARDS")
    arguments = parser.parse_args()
    catalogue = provenance.Catalogue(ROOT / "data" / "gpus")
    replaced = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        data_folder(folder)
        for board in arguments.boards.split(","):
            count = write_without(catalogue, folder / "gpus", board, BOARDS[board])
            replaced[catalogue.files[board]["name"]] = (catalogue.files[BOARDS[board]]["name"], count)
        with_values, without_values = {}, {}
        for suite in arguments.suites.split(","):
            with_values |= predict(arguments, suite, replaced, ROOT / "data")
            without_values |= predict(arguments, suite, replaced, folder)
    if not with_values:
        sys.exit("no row was predicted: are the sources of the suites below --sources?")
    print(table(with_values, without_values, replaced), end="")


if __name__ == "__main__":
    main()
