#!/usr/bin/env python3
"""Fits the widths of intervals on some suites and judges them on others: tools/fit_intervals.py RESULT.json ...

RESULT.json: what `forewarp validate --format json` wrote, of any number of suites (docs/develop/validation.md). An interval's variance (of
ln(predicted / measured), src/predict/traced/answer/interval.cpp) is a sum: one term by what limits the kernel, and further ones by what the answer
rests on (`basis` of a row). Terms are fitted together, so that 90 % of the rows lie inside: least pinball loss of |ln(measured / predicted)| at that
share, each space of a kernel and a GPU weighing the same. Then every repository, and every GPU, is left out in turn: terms are fitted on the others, and
its rows are judged.
"""

import argparse
import functools
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
STEPS = 100  # widths that are tried, up to 1
MOST_ROWS = 20  # of a space, in a fit
# Checks of the GPU files: micro-benchmarks that a width for kernels should not be narrowed by.
CHECKS = ("babelstream", "clpeak", "gpu-benches", "mixbench", "published")


MARGIN = 1.3  # of the widths in the code over fitted ones: rows that nobody looked at err more than those that were mended
OLDER_CAPABILITY = 7  # as interval.cpp


@functools.cache
def catalogue():
    """{file's stem: its TOML} of the GPU files."""
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "data" / "gpus").glob("*.toml")}


def gpu_value(stem, key):
    """The value of a GPU file, its own or inherited; None where there is none."""
    own = catalogue()[stem].get(key, {}).get("value")
    parent = catalogue()[stem].get("extends")
    return gpu_value(parent, key) if own is None and parent else own


@functools.cache
def closed_compilers():
    """GPUs of the catalogue whose file says `opencl_compiler = "closed"`, or inherits it."""
    return {values["name"] for stem, values in catalogue().items() if "name" in values and gpu_value(stem, "opencl_compiler") == "closed"}


@functools.cache
def older_assemblers():
    """NVIDIA's GPUs before Volta."""
    return {values["name"] for stem, values in catalogue().items()
            if "name" in values and (gpu_value(stem, "compute_capability") or OLDER_CAPABILITY) < OLDER_CAPABILITY}


# Further terms: name in interval.cpp (`constexpr double NAME_sigma`), and how often a row has it.
FURTHER = {
    "few_warps": lambda basis: float(0 < basis["occupancy"] <= 0.25),
    "many_registers": lambda basis: float(basis["registers"] >= 96),
    "spills": lambda basis: float(basis["spilled_bytes"] > 0),
    "older_assembler": lambda basis: float(basis["gpu"] in older_assemblers()),
    "amd_board": lambda basis: float(basis["amd_board"]),
    "closed_compiler": lambda basis: float(basis["gpu"] in closed_compilers()),
    "assumption": lambda basis: float(basis["policies"]),
    "gpu_value": lambda basis: float(basis["assumed"]),
}


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


def present_terms(code):
    """{term: standard deviation}: `class:<width>` for each class of limiters, and the further ones."""
    terms = {f"class:{name}": float(name) for name in set(classes_of(present_widths(code)).values())}
    for name, value in re.findall(r"constexpr double (\w+)_sigma = (\d+\.\d+);", code):
        if name in FURTHER:
            terms[name] = float(value)
    return terms


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


def read_rows(results, terms, widths):
    """Rows: error |ln(measured / predicted)|, how often each term counts, and the variance that no term explains (sampling, short kernels)."""
    rows = []
    for result in results:
        for row in result["rows"]:
            limiter = row["limiter"].replace(" ", "_").replace("-", "_").lower()
            if limiter not in widths:
                sys.exit(f"{result['suite']}: interval.cpp has no limiter '{row['limiter']}'")
            counts = {f"class:{classes_of(widths)[limiter]}": 1.0}
            basis = row["basis"] | {"gpu": row["gpu"]}
            counts |= {name: FURTHER[name](basis) for name in terms if name in FURTHER}
            counts = {name: count for name, count in counts.items() if count}
            total = math.log(row["interval_ms"][1] / row["predicted_ms"]) / Z90
            known = sum(count * terms[name] ** 2 for name, count in counts.items())
            rows.append({"suite": result["suite"], "gpu": row["gpu"], "space": (result["suite"], row["kernel"], row["gpu"]), "counts": counts,
                         "error": abs(math.log(row["measured_ms"] / row["predicted_ms"])), "other": max(0.0, total * total - known)})
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


def variance(row, terms):
    return row["other"] + sum(count * terms[name] ** 2 for name, count in row["counts"].items())


def fit_term(name, rows, weight, terms):
    """The step of one term that costs least (pinball loss of the bound at the nominal share), all others as they are."""
    own = [(row["error"], w, variance(row, terms) - row["counts"][name] * terms[name] ** 2, row["counts"][name])
           for row, w in zip(rows, weight) if name in row["counts"]]
    if not own:
        return terms[name]
    step = 0.0005 if name == "gpu_value" else 0.01

    def cost(index):
        square = (step * index) ** 2
        total = 0.0
        for error, w, rest, count in own:
            beyond = error - Z90 * math.sqrt(max(0.0, rest + count * square))
            total += w * beyond * (NOMINAL if beyond > 0 else NOMINAL - 1)
        return total

    low, high = 0, STEPS
    while high - low > 2:  # the loss falls and then rises
        third = (high - low) // 3 or 1
        if cost(low + third) <= cost(high - third):
            high -= third
        else:
            low += third
    return step * min(range(low, high + 1), key=cost)


def thinned(rows):
    """At most MOST_ROWS of each space, evenly: a fit needs no more, and spaces weigh the same."""
    spaces = {}
    for row in rows:
        spaces.setdefault(row["space"], []).append(row)
    return [own[i * len(own) // min(MOST_ROWS, len(own))] for own in spaces.values() for i in range(min(MOST_ROWS, len(own)))]


def fit(rows, terms, rounds=5):
    """{term: width}; a term without rows keeps its width. One term after the other, some rounds: what is rare first."""
    fitted = dict(terms)
    rows = thinned(rows)
    weight = weights(rows)
    for _ in range(rounds):
        before = dict(fitted)
        for name in sorted(fitted, key=lambda term: (term not in FURTHER, term)):
            fitted[name] = fit_term(name, rows, weight, fitted)
        if fitted == before:
            break
    return fitted


def cover(rows, fitted):
    """Share of the rows inside, each space weighing the same."""
    weight = weights(rows)
    inside = [w for row, w in zip(rows, weight) if row["error"] <= Z90 * math.sqrt(variance(row, fitted)) + 1e-12]
    return sum(inside) / sum(weight)


def judged(rows, terms, group_of):
    """Lines (group, rows, spaces, cover as it is, fitted on all, fitted on the others, that with the margin), and one for all. `group_of`: of a row."""
    on_all = fit(rows, terms)
    lines, left_out = [], []
    for group in sorted({group_of(row) for row in rows}):
        own = [row for row in rows if group_of(row) == group]
        others = [row for row in rows if group_of(row) != group]
        fitted = fit(others, terms) if others else terms
        spaces = len({row["space"] for row in own})
        with_margin = {name: MARGIN * width for name, width in fitted.items()}
        lines.append((group, len(own), spaces, cover(own, terms), cover(own, on_all), cover(own, fitted), cover(own, with_margin)))
        left_out.append((spaces, lines[-1][5:]))
    spaces = sum(count for count, _ in left_out)
    means = [sum(count * shares[i] for count, shares in left_out) / spaces for i in range(2)]
    lines.append(("all", len(rows), spaces, cover(rows, terms), cover(rows, on_all), *means))
    return lines


def terms_table(rows, terms, widths):
    on_all = fit(rows, terms)
    text = f"| term | width in the code | fitted on all | times {MARGIN} | rows |\n| --- | ---: | ---: | ---: | ---: |\n"
    classes = classes_of(widths)
    for name in sorted(terms):
        words = ", ".join(limiter for limiter in widths if f"class:{classes[limiter]}" == name) or name.replace("_", " ")
        count = sum(1 for row in rows if name in row["counts"])
        text += f"| {words} | {terms[name]:.3g} | {on_all[name]:.3g} | {MARGIN * on_all[name]:.2g} | {count} |\n"
    return text


def folds_table(head, lines, fewest=0):
    text = f"| {head} | rows | spaces | cover % as it is | fitted on all | fitted on the others | that times {MARGIN} |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    for group, count, spaces, *shares in lines:
        if spaces >= fewest:
            text += f"| {group} | {count} | {spaces} | " + " | ".join(f"{100 * share:.0f}" for share in shares) + " |\n"
    return text


def report(rows, terms, widths, repository_of):
    return (terms_table(rows, terms, widths) + "\n" +
            folds_table("repository left out", judged(rows, terms, lambda row: repository_of(row["suite"]))) + "\n" +
            folds_table("GPU left out (of 5 spaces and more)", judged(rows, terms, lambda row: row["gpu"]), 5))


def kernels_only(results):
    return [result for result in results if not result["suite"].startswith(CHECKS)]


def report_of(results):
    """The page's tables of results, with the code's terms."""
    code = code_of_widths().read_text(encoding="utf-8")
    terms, widths = present_terms(code), present_widths(code)
    rows = read_rows(results, terms, widths)
    if not rows:
        sys.exit("no rows: the results hold checks of GPU files alone, or nothing was predicted")
    of_suite = repositories()
    return report(rows, terms, widths, lambda suite: of_suite.get(suite, suite))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    parser.add_argument("--checks", action="store_true", help="with the checks of GPU files and the published figures")
    arguments = parser.parse_args()
    results = [result for path in arguments.results for result in json.loads(path.read_text(encoding="utf-8"))]
    print(report_of(results if arguments.checks else kernels_only(results)), end="")


if __name__ == "__main__":
    main()
