#!/usr/bin/env python3
"""Runs programs of HeCBench under `forewarp run`, and writes their table into docs/results/run.md.

    tools/make_results_run.py run HECBENCH/src ROWS.json [--draw 100] [--seed 27] [--seconds 60] [--program build/bin/forewarp] [--only NAME]
    tools/make_results_run.py table ROWS.json

`run` draws programs (folders NAME-cuda), takes sources, options and arguments from what their own Makefile would do, and runs each in a
copy of its folder, one after the other. A program that does not end in time is tried again with smaller arguments, which the row
then shows. Rows that the file already has are kept, so that a run can go on. `table` puts the rows between the marks of the page.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/results/run.md"
MARKS = "<!-- hecbench: tools/make_results_run.py -->\n", "<!-- end of hecbench -->\n"
CAUSES = {  # what the message says -> the table's words
    "out of time": "still running when the time was over",
    "no build": "its Makefile needs something else (MPI, another compiler)",
    "link": "a library or function that is not there",
    "compile": "does not compile",
    "wrong": "ends, and its own check fails",
    "input": "an input file that the repository does not hold",
    "refused": "a kernel that is not executed",
    "crash": "the program crashed or failed",
}


def plan(folder):
    """Sources, options and arguments as the folder's Makefile has them; None: it has none that can be read."""
    made = subprocess.run(["make", "-n", "-B", "run", "CC=nvcc", "ARCH=sm_70", "LAUNCHER="], cwd=folder, capture_output=True, text=True,
                          check=False, timeout=30)
    sources, options, words = [], [], None
    for line in made.stdout.replace("\\\n", " ").splitlines():
        try:
            parts = shlex.split(line)
        except ValueError:
            continue
        if not parts or parts[0] in ("rm", "echo", "mkdir"):
            continue
        if parts[0] in ("nvcc", "g++", "gcc", "c++", "cc"):
            here = [p for p in parts[1:] if re.search(r"\.(cu|cpp|cc|cxx|c)$", p) and not p.startswith("-")]
            sources += [p for p in here if p not in sources]
            options += [p for p in options_of(parts[1:]) if p not in options]
        elif parts[0].startswith("./") and words is None:
            words = [p for p in parts[1:] if p not in (">", "|")]
    return (sources, options, words) if sources and words is not None else None


def options_of(parts):
    out = []
    for k, part in enumerate(parts):
        following = parts[k + 1] if k + 1 < len(parts) else ""
        if part in ("-I", "-D"):
            out.append(part + following)
        elif part.startswith(("-I", "-D")):
            out.append(part)
        elif part.startswith("-std="):
            out.append("--std=" + part[5:])
        elif re.match(r"-l(?!cu|nv)", part):
            out.append("--library=" + part[2:])
    return out


def smaller(words, divisor):
    """The last whole number (most often of repetitions) to 1, large ones to a part of theirs, and what may be an exponent to 12."""
    numbers = [(k, found) for k, word in enumerate(words) if (found := re.fullmatch(r"(\D*=)?(\d+)", word)) and int(found[2]) >= 8]
    out = list(words)
    for k, found in numbers:
        n = int(found[2])
        of_an_option = k > 0 and words[k - 1].startswith("-")
        if k == numbers[-1][0] and not of_an_option and (len(numbers) > 1 or 33 < n < 5000):
            less = 1
        elif divisor > 16 and 18 <= n <= 33:
            less = 12
        else:
            less = max(n // divisor, 16) if n >= 256 else n
        out[k] = (found[1] or "") + str(less)
    return ["small" if word == "large" else word for word in out]


def processor_seconds(group):
    """Of the processes of a group, and of their children that have ended."""
    ticks = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            ticks += sum(int(each) for each in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def limited(child, seconds):
    """What a process says, and its processor time. TimeoutExpired: it took more, or thirty times as much by the clock."""
    began, used, said = time.time(), 0.0, []
    reader = threading.Thread(target=lambda: said.extend(iter(lambda: child.stdout.read1(1 << 16), b"")), daemon=True)
    reader.start()
    while child.poll() is None:
        used = max(used, processor_seconds(child.pid))
        if used > seconds or time.time() - began > 30 * seconds:
            raise subprocess.TimeoutExpired(child.args, seconds, output=b"".join(said))
        time.sleep(0.2)
    reader.join(timeout=5)
    return b"".join(said), used


def run_once(arguments, folder, sources, options, words):
    report = folder / "forewarp_report.json"
    command = [arguments.program, "run", *sources, "--gpu", "v100", "--format", "json", "--output", str(report), *options, "--", *words]
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                             process_group=0, preexec_fn=lambda: os.nice(arguments.nice))
    try:
        said, used = limited(child, arguments.seconds)
    except subprocess.TimeoutExpired as ended:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return {"ends": False, "cause": "out of time", "said": ended.output[-300:].decode(errors="replace"), "seconds": arguments.seconds}
    text = said.decode(errors="replace")
    row = {"ends": child.returncode == 0, "seconds": round(used, 1), "said": text[-1500:]}
    if report.exists():
        told = json.loads(report.read_text())
        row["kernels"] = len(told["gpus"][0]["kernels"])
        row["launches"] = sum(each["calls"] for each in told["gpus"][0]["kernels"])
        row["not_executed"] = sorted(set(told["not_executed"].values()))[:3]
        report.unlink()
    row.update(judged(row, text, folder, words))
    return row


def judged(row, text, folder, words):
    text = re.sub(r"[^\n]*(failed as expected|assertion failures|0 failed|No mismatch)[^\n]*", "passed", text)
    text = re.sub(r"(?m)^forewarp: (?!error).*$", "", text)
    bad = re.search(r"\b(FAIL(ED|URE)?|Fail(ed)?|failed|mismatch(es)?|incorrect|not correct)\b", text)
    good = re.search(r"\b(PASS(ED)?|[Pp]assed|[Ss]uccess(ful|fully)?|[Cc]orrect|0 errors|verified)\b", text)
    if row["ends"]:
        if row.get("not_executed"):
            return {"ends": False, "cause": "refused"}
        if bad and "the program failed" not in text:
            return {"cause": "wrong", "right": "no"}
        return {"right": "its own check" if good else "no check of its own"}
    if "undefined symbol" in text or "unable to find library" in text:
        return {"cause": "link"}
    if re.search(r"error: .*(\.cu|\.h|\.cuh|\.hpp|\.cpp|\.c):\d+", text) or "fatal error" in text:
        return {"cause": "compile"}
    if re.search(r"(cannot|[Cc]ould not|[Uu]nable to|[Ff]ailed to|[Ee]rror).{0,40}(open|read|file)|[Ff]ile error|[Cc]ould not find a sub-directory", text):
        return {"cause": "input"}
    if row.get("not_executed"):
        return {"cause": "refused"}
    return {"cause": "input" if lacks_input(folder, words) else "crash"}


def lacks_input(folder, words):
    """An argument names a file that is not there."""
    return any(re.search(r"/|\.\w*[a-zA-Z]\w*$", word) and not (folder / word).exists() for word in words)


def workplace(root, name):
    """A copy of the program's folder, with its neighbours beside it."""
    work = pathlib.Path(tempfile.gettempdir()) / "forewarp-hecbench" / "src"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for other in root.iterdir():
        if other.name != name:
            (work / other.name).symlink_to(other)
    shutil.copytree(root / name, work / name, symlinks=True)
    for other in root.parent.iterdir():
        if other.name != "src" and not (work.parent / other.name).exists():
            (work.parent / other.name).symlink_to(other)
    return work / name


def run(arguments):
    root = arguments.source.resolve()
    names = sorted(each.name for each in root.iterdir() if each.name.endswith("-cuda"))
    drawn = random.Random(arguments.seed).sample(names, arguments.draw)
    if arguments.only:
        drawn = [name for name in drawn if name in arguments.only.split(",")]
    rows = json.loads(arguments.rows.read_text()) if arguments.rows.exists() else {}
    for name in drawn:
        if name in rows and not arguments.only and (rows[name]["ends"] or not arguments.again):
            continue
        folder = workplace(root, name)
        found = plan(folder)
        if not found:
            rows[name] = {"ends": False, "cause": "no build"}
        else:
            sources, options, given = found
            trials = [given, smaller(given, 16), smaller(given, 256)]
            if arguments.small:
                trials.reverse()
            elif rows.get(name, {}).get("cause") == "out of time":  # it needs no second trial of larger sizes
                trials = trials[2:]
            go_on = ("crash", "wrong", "input") if arguments.small else ("out of time",)
            row, words = {"cause": go_on[0]}, None
            for trial in trials:
                if row.get("cause") in go_on and trial != words:
                    words = trial
                    row = run_once(arguments, folder, sources, options, words)
            rows[name] = {**row, "arguments": " ".join(words), "as_given": words == given}
        arguments.rows.write_text(json.dumps(rows, indent=1, sort_keys=True))
        print(name, rows[name].get("cause", "ends"), rows[name].get("right", ""), rows[name].get("seconds", ""), flush=True)


def table(arguments):
    rows = json.loads(arguments.rows.read_text())
    causes = collections.Counter(row["cause"] for row in rows.values() if not row["ends"])
    wrong = [name for name, row in rows.items() if row.get("right") == "no"]
    ends = {name: row for name, row in rows.items() if row["ends"]}
    checked = sum(row.get("right") == "its own check" for row in ends.values())
    less = sum(not row["as_given"] for row in ends.values())
    idle = sum(not row.get("launches") for row in ends.values())
    lines = [f"Of {len(rows)} programs, {len(ends)} end: {checked} say that their own check passed, {len(wrong)} that it failed, "
             f"{len(ends) - checked - len(wrong)} check nothing in words. {less} of those that end had smaller arguments than their Makefile "
             f"gives; {idle} launched no kernel (one device, or an input that is not there).", "", "| What the others met | Programs |", "|---|---|"]
    for cause, _ in causes.most_common():
        names = ", ".join(name.removesuffix("-cuda") for name, row in sorted(rows.items()) if not row["ends"] and row["cause"] == cause)
        lines.append(f"| {CAUSES[cause]} | {causes[cause]}: {names} |")
    if wrong:
        lines += ["", "Whose own check fails: " + ", ".join(name.removesuffix("-cuda") for name in sorted(wrong)) + "."]
    lines += ["", "| Ends | Arguments | Kernels, launches | Right by |", "|---|---|---|---|"]
    for name, row in sorted(ends.items()):
        given = row["arguments"] + ("" if row["as_given"] else " (smaller)")
        lines.append(f"| {name.removesuffix('-cuda')} | {given or 'none'} | {row.get('kernels', 0)}, {row.get('launches', 0)} | {row['right']} |")
    page = PAGE.read_text()
    before, rest = page.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    PAGE.write_text(before + MARKS[0] + "\n" + "\n".join(lines) + "\n\n" + MARKS[1] + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("run")
    command.add_argument("source", type=pathlib.Path)
    command.add_argument("rows", type=pathlib.Path)
    command.add_argument("--draw", type=int, default=100)
    command.add_argument("--seed", type=int, default=27)
    command.add_argument("--seconds", type=float, default=60, help="of processor time that a trial may take, the compiler's included")
    command.add_argument("--only", default="")
    command.add_argument("--small", action="store_true", help="the smallest arguments first; larger ones where the program does not take them")
    command.add_argument("--nice", type=int, default=10, help="the programs' priority")
    command.add_argument("--again", action="store_true", help="programs that did not end, once more")
    command.add_argument("--program", type=lambda text: str(pathlib.Path(text).resolve()), default="build/bin/forewarp")
    command.set_defaults(call=run)
    command = commands.add_parser("table")
    command.add_argument("rows", type=pathlib.Path)
    command.set_defaults(call=table)
    arguments = parser.parse_args()
    arguments.call(arguments)


if __name__ == "__main__":
    main()
