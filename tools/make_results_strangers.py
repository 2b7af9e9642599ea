#!/usr/bin/env python3
"""Writes the tables of docs/results/strangers.md from answers of `forewarp survey`.

    forewarp survey FOLDER ... --gpu h100 --draw N --seed S --format json -o ONE.json
    tools/make_results_strangers.py ONE.json ... [--named HeCBench,llama.cpp] [--draw "another draw"]

Answers of several runs become one draw: a file's first folder is its repository. `--named`: the suites that the program was first made to
answer; kernels of the others are counted apart. `--draw`: which part of the page is written, by the name in its marks; a part that the page
lacks is put behind its last.
"""
import argparse
import collections
import json
import pathlib
import re
import statistics
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/results/strangers.md"
END = "<!-- end of draw -->\n"
ANSWERED, BY_TEMPLATE, REFUSED, UNFINISHED = "answered", "answered by the template", "refused", "not finished"
LARGEST_RATIO = 10  # between boards, without a reason


def mark(draw):
    return f"<!-- {draw}: tools/make_results_strangers.py -->\n"


def share(kernels):
    return sum(kernel["outcome"] in (ANSWERED, BY_TEMPLATE) for kernel in kernels) / max(1, len(kernels))


def repository(kernel):
    return kernel["file"].split("/")[0]


def cell(text, most=200):
    text = re.sub(r"\s+", " ", str(text).split("\n")[0]).replace("|", "/").strip()
    text = re.sub(r"(?<![\w.])/[^\s:']*/(?=[^\s/:']+/)", ".../", text)  # folders of the machine that drew
    return text if len(text) <= most else text[:most] + "..."


def row_of(name, kernels):
    counts = collections.Counter(kernel["outcome"] for kernel in kernels)
    numbers = [len(kernels), counts[ANSWERED], counts[BY_TEMPLATE], counts[REFUSED], counts[UNFINISHED]]
    return f"| {name} | " + " | ".join(map(str, numbers)) + f" | {100 * share(kernels):.1f} % |"


def ratio(kernel):
    times = [time for time in kernel["time_ms"].values() if time > 0]
    return max(times) / min(times) if times else 1


def summary(kernels, named, runs):
    unnamed = [kernel for kernel in kernels if repository(kernel) not in named]
    done = [kernel for kernel in kernels if kernel["outcome"] in (ANSWERED, BY_TEMPLATE)]
    seeds = ", ".join(sorted({str(run["seed"]) for run in runs}, key=int))
    lines = [f"{len(kernels)} kernels, one a file, seed {seeds}: **{100 * share(kernels):.1f} % are answered**"]
    if named:
        lines[0] += (f" ({len(unnamed)} of them are not from the suites that the program was first tried on: "
                     f"{100 * share(unnamed):.1f} %)")
    lines[0] += f". {sum(run['files_without_kernels'] for run in runs)} files that the draw met have no kernel."
    lines.append(f"Times below DRAM bytes at the board's peak: {sum(kernel['below_peak'] for kernel in done)}. "
                 f"Boards more than {LARGEST_RATIO} times apart: {sum(ratio(kernel) > LARGEST_RATIO for kernel in done)}. "
                 f"An answer rests on {statistics.median(kernel['assumptions'] for kernel in done):.0f} assumptions in the median.")
    return lines


def tables(kernels, named, runs, level):
    lines = summary(kernels, named, runs)
    lines += ["", "| Repository | Kernels | Answered | By the template | Refused | Not finished | Share |", "|---|---|---|---|---|---|---|"]
    by_repository = collections.defaultdict(list)
    for kernel in kernels:
        by_repository[repository(kernel)].append(kernel)
    lines += [row_of(name, by_repository[name]) for name in sorted(by_repository)] + [row_of("all", kernels)]
    lines += ["", f"{level} Refused", "", "| File | Kernel | Where | Why | Way out |", "|---|---|---|---|---|"]
    for kernel in kernels:
        if kernel["outcome"] in (REFUSED, UNFINISHED):
            lines.append(f"| {kernel['file']} | `{cell(kernel['kernel'], 60) or '-'}` | {cell(kernel['where'], 100)} | {cell(kernel['why'])} | "
                         f"{cell(kernel['remedy'], 150)} |")
    boards = sorted({board for kernel in kernels for board in kernel["time_ms"]})
    lines += ["", f"{level} Answered", "", "| File | Kernel | How | " + " | ".join(f"{board} (ms)" for board in boards) + " | Assumptions |",
              "|---|---|---|" + "---|" * len(boards) + "---|"]
    for kernel in kernels:
        if kernel["outcome"] in (ANSWERED, BY_TEMPLATE):
            how = "one command" if kernel["outcome"] == ANSWERED else "template"
            times = " | ".join(f"{kernel['time_ms'].get(board, 0):.4g}" for board in boards)
            lines.append(f"| {kernel['file']} | `{cell(kernel['kernel'], 60)}` | {how} | {times} | {kernel['assumptions']} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("answers", nargs="+", type=pathlib.Path)
    parser.add_argument("--named", default="", help="repositories, with commas")
    parser.add_argument("--draw", default="draw", help="the part of the page that is written")
    arguments = parser.parse_args()
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.answers]
    kernels = [kernel for run in runs for kernel in run["kernels"]]
    if not kernels:
        sys.exit("no kernel in the answers")
    page, begin = PAGE.read_text(encoding="utf-8"), mark(arguments.draw)
    if begin not in page:
        page = f"{page.rstrip()}\n\n## {arguments.draw[0].upper()}{arguments.draw[1:]}\n\n{begin}{END}"
    before, rest = page.split(begin)
    after = rest.split(END, 1)[1]
    named = set(filter(None, arguments.named.split(",")))
    level = "##" if arguments.draw == "draw" else "###"
    PAGE.write_text(before + begin + "\n" + tables(kernels, named, runs, level) + "\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
