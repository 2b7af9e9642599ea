#!/usr/bin/env python3
"""Writes the tables of docs/results/published.md: tools/make_results_published.py PROGRAM [--keep DIR]

Runs the suites validation/suites/published_*.toml (their data lie in data/published) and sets what is predicted now beside
what was predicted when they were first run (data/published/first_seen.csv).
"""

import argparse
import csv
import math
import pathlib
import sys

from make_results_accuracy import STANDINGS, kept, median, methods_table, number, table

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "data" / "published"
PAGE = ROOT / "docs" / "results" / "published.md"
BEGIN, END = "<!-- tables: begin -->\n", "<!-- tables: end -->\n"
MANY_BOARDS = "lattice_boltzmann"
HASHES = "pbkdf2"
# Columns that the tables show in other ways, or that only the suite needs.
NOT_SHOWN = {"source", "gpu", "gflops", "time_ms", "time_us", "mlups", "gbps", "interactions_per_ns", "percent_of_target", "vgprs",
             "fetch_gb", "khash_s", "bm", "bn", "bk", "wm", "wn", "lx", "ly", "tm", "tn", "vector", "transpose", "stages", "unroll"}


def read(name):
    with open(DATA / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def predictions(arguments):
    """The suites' results, and one entry a row: its data, what is predicted now and what was first."""
    first = {(r["data"], int(r["row"])): r for r in read("first_seen.csv")}
    rows, results = [], []
    for suite in sorted((ROOT / "validation" / "suites").glob("published_*.toml")):
        name = suite.stem.removeprefix("published_")
        result = kept(arguments, suite, DATA)
        if result["left_out"]:
            print(f"{name}: left out: {result['left_out']}", file=sys.stderr)
        results.append({**result, "suite": name})
        data = read(f"{name}.csv")
        for row in result["rows"]:
            then = first.get((name, row["row"]))
            rows.append({"data": name, "said": data[row["row"]], "gpu": row["gpu"], "limiter": row["limiter"],
                         "standing": row["standing"],
                         "measured": row["measured_ms"], "now": (row["predicted_ms"], *row["interval_ms"]),
                         "first": then and tuple(float(then[k]) for k in ("predicted_ms", "low_ms", "high_ms"))})
    return results, rows


def ratio(row, when):
    return row[when][0] / row["measured"] if row[when] else None


def cells(rows, when):
    rows = [r for r in rows if r[when]]
    if not rows:
        return ["-"] * 4
    errors = [100 * (ratio(r, when) - 1) for r in rows]
    covered = sum(r[when][1] <= r["measured"] <= r[when][2] for r in rows)
    return [number(sum(map(abs, errors)) / len(errors)), number(median(map(abs, errors))), number(median(errors)),
            number(100 * covered / len(rows), 0)]


SUMMARY = ["rows", "first: MAPE %", "median %", "bias %", "cover %", "now: MAPE %", "median %", "bias %", "cover %"]


def summary_line(head, rows):
    return [*head, str(len(rows)), *cells(rows, "first"), *cells(rows, "now")]


def standings_table(rows):
    lines = [summary_line([f"**{standing}**" if standing == STANDINGS[0] else standing], [r for r in rows if r["standing"] == standing])
             for standing in STANDINGS if any(r["standing"] == standing for r in rows)]
    return table(["rows that were", *SUMMARY], [*lines, summary_line(["all"], rows)])


def sources_table(rows):
    lines = []
    for source in read("sources.csv"):
        own = [r for r in rows if r["said"]["source"] == source["source"]]
        boards = sorted({r["gpu"] for r in own})
        head = [source["source"], f"{source['author']}: {source['title']} ({source['year']}), {source['address']}",
                boards[0] if len(boards) == 1 else f"{len(boards)} boards"]
        lines.append(summary_line(head, own))
    others = [r for r in rows if r["data"] != MANY_BOARDS]
    lines.append(summary_line(["**all**", "", f"{len({r['gpu'] for r in rows})} boards"], rows))
    lines.append(summary_line([f"**all but {MANY_BOARDS}**", "", f"{len({r['gpu'] for r in others})} boards"], others))
    return table(["source", "what", "GPU", *SUMMARY], lines, 3)


def what(row):
    return ", ".join(v if k in ("kernel", "version") else f"{k} {v}"
                     for k, v in row["said"].items() if k not in NOT_SHOWN and v and not (k == "kernel" and "version" in row["said"]))


def milliseconds(value):
    return f"{value:.4g}"


def rows_table(rows):
    lines = []
    for row in rows:
        low, high = row["now"][1:]
        lines.append([row["said"]["source"], row["gpu"], what(row), milliseconds(row["measured"]), milliseconds(row["now"][0]),
                      number(ratio(row, "first"), 2), number(ratio(row, "now"), 2),
                      "yes" if low <= row["measured"] <= high else "no", row["limiter"], row["standing"]])
    return table(["source", "GPU", "kernel", "published ms", "predicted ms", "first ratio", "ratio", "in interval", "limit", "standing"], lines, 3)


def boards_table(rows):
    """The suite of one kernel on many boards: a line a board."""
    boards = {}
    for row in rows:
        boards.setdefault(row["said"]["gpu"], {})[row["said"]["kernel"]] = row
    lines = []
    for board, kinds in boards.items():
        line = [board]
        for kind in ("lbm_fp32", "lbm_fp16"):
            row = kinds[kind]
            line += [row["said"]["mlups"], number(ratio(row, "first"), 2), number(ratio(row, "now"), 2)]
        lines.append(line)
    return table(["GPU", "floats: million cells a s", "first ratio", "ratio", "halves: million cells a s", "first ratio", "ratio"], lines)


def hashes_table(rows):
    """First and present ratio of each hash: a line a board."""
    boards = {}
    for row in rows:
        boards.setdefault((row["said"]["source"], row["gpu"]), {})[row["said"]["hash"]] = row
    kinds = ("md5", "sha1", "sha256", "sha512")
    lines = [[source, board, *(number(ratio(row, when), 2) if row else "-"
                               for kind in kinds for row in [of.get(kind)] for when in ("first", "now"))]
             for (source, board), of in boards.items()]
    heads = [head for name in ("MD5", "SHA-1", "SHA-256", "SHA-512") for head in (f"{name}: first", "now")]
    return table(["source", "GPU", *heads], lines, 2)


def worst_table(rows):
    rows = sorted(rows, key=lambda r: -abs(math.log(ratio(r, "now"))))
    return table(["source", "GPU", "kernel", "ratio"],
                 [[r["said"]["source"], r["gpu"], what(r), number(ratio(r, "now"), 2)] for r in rows[:15]], 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, help="folder of results, as of make_results_accuracy.py")
    results, rows = predictions(parser.parse_args())
    single = [r for r in rows if r["data"] not in (MANY_BOARDS, HASHES)]
    made = (f"{BEGIN}\nMade by `tools/make_results_published.py`: {len(rows)} rows. A ratio is predicted over published time.\n\n"
            f"## By standing\n\n{standings_table(rows)}\n"
            f"## By source\n\n{sources_table(rows)}\n## The other methods on the same rows\n\n{methods_table(results)}\n"
            f"## Furthest off now\n\n{worst_table(rows)}\n"
            f"## Rows\n\n{rows_table(single)}\n"
            f"## Rounds of PBKDF2 by hash (ratios)\n\n{hashes_table([r for r in rows if r['data'] == HASHES])}\n"
            f"## The lattice Boltzmann kernel on {len({r['said']['gpu'] for r in rows if r['data'] == MANY_BOARDS})} boards\n\n"
            f"{boards_table([r for r in rows if r['data'] == MANY_BOARDS])}\n{END}")
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN, 1)
    PAGE.write_text(before + made + rest.split(END, 1)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
