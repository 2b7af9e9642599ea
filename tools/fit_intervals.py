#!/usr/bin/env python3
"""Fits the widths of intervals on some suites and judges them on others: tools/fit_intervals.py RESULT.json ...

RESULT.json: what `forewarp validate --format json` wrote, of any number of suites (docs/develop/validation.md). The widths are the standard
deviations of ln(predicted / measured) by what limits a kernel (src/predict/traced/answer/interval.cpp, whose classes are kept). A width is fitted so
that 90 % of the rows lie inside, each space of a kernel and a GPU weighing the same; what an interval is wider for other reasons (policies,
sampling) is taken from the row. Then every repository in turn is left out: widths are fitted on the others, and its rows are judged.
"""

import argparse
import json
import math
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = ROOT / "data" / "evidence" / "rules.toml"
Z90 = 1.645  # as interval.cpp
NOMINAL = 0.90
# Checks of the GPU files: micro-benchmarks that a width for kernels should not be narrowed by.
CHECKS = ("babelstream", "clpeak", "gpu-benches", "mixbench", "published")


def present_widths(code):
    """{limiter: standard deviation} as the switch of model_sigma says it."""
    body = code[code.index("double model_sigma"):]
    widths, waiting = {}, []
    for name, value in re.findall(r"case (\w+):|return (\d+\.\d+);", body[:body.index("\n}")]):
        if name:
            waiting.append(name)
        else:
            widths.update((limiter, float(value)) for limiter in waiting)
            waiting = []
    return widths


def code_of_widths():
    """The file that the table of rules names for them."""
    rules = tomllib.loads(RULES.read_text(encoding="utf-8"))["rule"]
    return ROOT / next(rule["code"] for rule in rules if rule["name"] == "interval-widths")


def classes_of(widths):
    """Limiters that share a width, each class named by it."""
    return {limiter: f"{width:.2f}" for limiter, width in widths.items()}


def repositories():
    """{suite: repository}: suites of one repository share boards, kernels or both, and are left out together."""
    found = {}
    for path in (ROOT / "validation" / "suites").glob("*.toml"):
        suite = tomllib.loads(path.read_text(encoding="utf-8"))
        repository = suite.get("repository", "")
        found[suite["name"]] = suite["name"] if repository in ("", "this one") else repository.split("/")[-1]
    return found


def read_rows(results, widths):
    """Rows as (suite, space, limiter, |ln(measured / predicted)|, variance that is not the class's)."""
    rows = []
    for result in results:
        for row in result["rows"]:
            limiter = row["limiter"].replace(" ", "_").replace("-", "_").lower()
            if limiter not in widths:
                sys.exit(f"{result['suite']}: interval.cpp has no limiter '{row['limiter']}'")
            total = math.log(row["interval_ms"][1] / row["predicted_ms"]) / Z90
            rows.append({"suite": result["suite"], "space": (result["suite"], row["kernel"], row["gpu"]), "limiter": limiter,
                         "error": abs(math.log(row["measured_ms"] / row["predicted_ms"])),
                         "other": max(0.0, total * total - widths[limiter] ** 2)})
    return rows


def weights(rows):
    """Each space weighs the same."""
    sizes = {}
    for row in rows:
        sizes[row["space"]] = sizes.get(row["space"], 0) + 1
    return [1 / sizes[row["space"]] for row in rows]


def quantile(values, weight, share):
    pairs = sorted(zip(values, weight))
    reach = share * sum(weight)
    seen = 0.0
    for value, w in pairs:
        seen += w
        if seen >= reach - 1e-12:
            return value
    return pairs[-1][0]


def fit(rows, widths):
    """{class: width} that holds 90 % of the rows; a class without rows keeps its width."""
    classes = classes_of(widths)
    fitted = {name: float(name) for name in set(classes.values())}
    for name in fitted:
        own = [row for row in rows if classes[row["limiter"]] == name]
        if own:
            needed = [math.sqrt(max(0.0, (row["error"] / Z90) ** 2 - row["other"])) for row in own]
            fitted[name] = quantile(needed, weights(own), NOMINAL)
    return fitted


def cover(rows, widths, fitted):
    """Share of the rows inside, each space weighing the same."""
    classes = classes_of(widths)
    weight = weights(rows)
    inside = [w for row, w in zip(rows, weight)
              if row["error"] <= Z90 * math.sqrt(fitted[classes[row["limiter"]]] ** 2 + row["other"]) + 1e-12]
    return sum(inside) / sum(weight)


def judged(rows, widths, group_of):
    """Lines (group, rows, spaces, cover as it is, cover fitted on all, cover fitted on the others), and one for all."""
    as_is = {name: float(name) for name in classes_of(widths).values()}
    on_all = fit(rows, widths)
    lines, left_out = [], []
    for group in sorted({group_of(row["suite"]) for row in rows}):
        own = [row for row in rows if group_of(row["suite"]) == group]
        others = [row for row in rows if group_of(row["suite"]) != group]
        fitted = fit(others, widths) if others else as_is
        spaces = len({row["space"] for row in own})
        lines.append((group, len(own), spaces, cover(own, widths, as_is), cover(own, widths, on_all), cover(own, widths, fitted)))
        left_out.append((spaces, lines[-1][5]))
    spaces = sum(count for count, _ in left_out)
    lines.append(("all", len(rows), spaces, cover(rows, widths, as_is), cover(rows, widths, on_all),
                  sum(count * share for count, share in left_out) / spaces))
    return lines


def report(rows, widths, group_of):
    classes = classes_of(widths)
    on_all = fit(rows, widths)
    text = "| limiters | width in the code | fitted on all | rows |\n| --- | ---: | ---: | ---: |\n"
    for name in sorted(set(classes.values())):
        limiters = ", ".join(limiter for limiter in widths if classes[limiter] == name)
        count = sum(1 for row in rows if classes[row["limiter"]] == name)
        text += f"| {limiters} | {name} | {on_all[name]:.2f} | {count} |\n"
    text += "\n| left out | rows | spaces | cover % as it is | fitted on all | fitted on the others |\n| --- | ---: | ---: | ---: | ---: | ---: |\n"
    for group, count, spaces, *shares in judged(rows, widths, group_of):
        text += f"| {group} | {count} | {spaces} | " + " | ".join(f"{100 * share:.0f}" for share in shares) + " |\n"
    return text


def kernels_only(results):
    return [result for result in results if not result["suite"].startswith(CHECKS)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    parser.add_argument("--checks", action="store_true", help="with the checks of GPU files and the published figures")
    arguments = parser.parse_args()
    results = [result for path in arguments.results for result in json.loads(path.read_text(encoding="utf-8"))]
    widths = present_widths(code_of_widths().read_text(encoding="utf-8"))
    rows = read_rows(results if arguments.checks else kernels_only(results), widths)
    if not rows:
        sys.exit("no rows: the results hold checks of GPU files alone, or nothing was predicted")
    of_suite = repositories()
    print(report(rows, widths, lambda suite: of_suite.get(suite, suite)), end="")


if __name__ == "__main__":
    main()
