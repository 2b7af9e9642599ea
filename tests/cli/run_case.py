#!/usr/bin/env python3
"""Runs one case of tests/cli/cases/*.toml: exit code, and texts that the outputs must hold.

A case is a table: args (list; {root} is the repository), exit (int), stdout / stderr (texts that must occur), not_stdout /
not_stderr, files (name -> text), hex (name -> bytes), written (file -> text that it must hold), timeout (seconds). It runs in a folder
of its own."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KEYS = {"args", "exit", "stdout", "stderr", "not_stdout", "not_stderr", "files", "hex", "written", "timeout"}


REFUSALS = range(2, 10)  # exit codes of support/result.h that people meet
OF_A_SOURCE = {5, 7, 8}  # the compiler's, what cannot be modelled, faults of the kernel
SOURCES = (".cu", ".cl", ".hip", ".ll", ".ptx")


def without_way_out(case, message):
    """Every refusal says what to do, and those of a kernel's source where."""
    if "\nhint: " not in message:
        yield "stderr has no 'hint: '"
    has_source = any(name.endswith(SOURCES) for name in [*case.get("files", {}), *case["args"]])
    if case["exit"] in OF_A_SOURCE and has_source and not re.search(r"[\w.\]-]+:\d+|line \d+", message):
        yield "stderr names no line"


def cases_of(pattern):
    """The cases of the files that the pattern names, by FILE.NAME."""
    cases = {}
    for path in sorted((HERE / "cases").glob(pattern)):
        for name, case in tomllib.loads(path.read_text()).items():
            unknown = set(case) - KEYS
            if unknown:
                sys.exit(f"{path}: case {name} has unknown keys {sorted(unknown)}")
            cases[f"{path.stem}.{name}"] = case
    return cases



def environment(program):
    """Compiled kernels are kept beside the program, not in the user's folder."""
    return {**os.environ, "XDG_CACHE_HOME": str(pathlib.Path(program).resolve().parent / "test-cache")}


def run(program, case):
    with tempfile.TemporaryDirectory(prefix="forewarp-case-") as folder:
        for name, text in case.get("files", {}).items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for name, text in case.get("hex", {}).items():
            (pathlib.Path(folder) / name).write_bytes(bytes.fromhex(text))
        words = [word.replace("{root}", str(ROOT)) for word in case["args"]]
        try:
            done = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, env=environment(program),
                                  timeout=case.get("timeout", 60))
        except subprocess.TimeoutExpired:
            return ["it hung"], None
        problems = []
        for name, part in case.get("written", {}).items():
            path = pathlib.Path(folder) / name
            if not path.exists() or part not in path.read_text():
                problems.append(f"{name} is not there or lacks {part!r}")
    if done.returncode != case["exit"]:
        problems.append(f"exit code {done.returncode}, expected {case['exit']}")
    for stream in ("stdout", "stderr"):
        text = getattr(done, stream).decode(errors="replace")
        problems += [f"{stream} lacks {part!r}" for part in case.get(stream, []) if part not in text]
        problems += [f"{stream} has {part!r}" for part in case.get("not_" + stream, []) if part in text]
    message = done.stderr.decode(errors="replace")
    if case["exit"] in REFUSALS:
        problems += without_way_out(case, message)
    if case["exit"] != 0 and not message.startswith("forewarp: ") and "\nforewarp: error: " not in message:
        problems.append("stderr has no 'forewarp: error: '")
    return problems, done


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the names of all cases")
    parser.add_argument("--program")
    parser.add_argument("--case")
    words = parser.parse_args()
    if words.list:
        print(";".join(cases_of("*.toml")), end="")
        return
    problems, done = run(words.program, cases_of(words.case.split(".")[0] + ".toml")[words.case])
    if problems:
        for problem in problems:
            print("FAIL:", problem)
        if done:
            print("--- stdout\n" + done.stdout.decode(errors="replace"))
            print("--- stderr\n" + done.stderr.decode(errors="replace"))
        sys.exit(1)


if __name__ == "__main__":
    main()
