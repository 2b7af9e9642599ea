#!/usr/bin/env python3
"""A sweep of which some variants do not compile and some cannot be launched, killed in the middle: the same command completes it, nothing is lost
or there twice, failures keep their reasons, and the result is that of a sweep that was left alone. Then four sweeps that fill one cache folder at
the same time, one of them killed."""
import csv
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

KERNEL = """#if MODE % 5 == 3
#error this mode is not written
#endif
__kernel void scale(__global const float* in, __global float* out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] * MODE;
}
"""
LAUNCH = """source = "scale.cl"
global = "{ceildiv(n, 256) * 256}"
local = 256

[arguments]
in = "buffer:f32[{n}]:random(1)"
out = "buffer:f32[{n}]:zeros"
n = "{n}"

[values]
n = 4096
"""
MODES, LOCALS, SIZES = 20, 3, 15
CONFIGURATIONS = MODES * LOCALS * SIZES
# Local size 2048 is more than any GPU takes; MODE 3, 8, 13, 18 do not compile.
SPACE = ["--space", f"MODE=1:{MODES}:+1", "--space", "local=64,256,2048", "--space", "global=ceildiv(n, local)*local",
         "--space", f"n=1000:{1000 * SIZES}:+1000"]


def command(program, *more):
    return [program, "explore", "--launch", "scale.toml", "--gpu", "k620", *SPACE, *more]


def committed(store):
    """Identity of every committed row; read from a copy, beside the writer without a lock."""
    with tempfile.TemporaryDirectory() as folder:
        for end in ("", "-wal"):
            if os.path.exists(store + end):
                pathlib.Path(folder, "copy" + end).write_bytes(pathlib.Path(store + end).read_bytes())
        try:
            return sqlite3.connect(os.path.join(folder, "copy")).execute("SELECT * FROM outcome ORDER BY id, gpu").fetchall()
        except sqlite3.Error:
            return []


def killed_in_the_middle(program, folder):
    store = os.path.join(folder, "sweep.sqlite")
    words = command(program, "--jobs", "2", "--store", store, "--format", "csv", "--output", os.path.join(folder, "resumed.csv"))
    for part in (4, 2):  # twice: what the second run adds is killed too
        job = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True)
        while job.poll() is None and len(committed(store)) < CONFIGURATIONS // part:
            time.sleep(0.005)
        assert job.poll() is None, "the sweep ended before it was killed: " + job.communicate()[1]
        os.kill(job.pid, signal.SIGKILL)
        job.communicate()
        before = committed(store)
        assert CONFIGURATIONS // part <= len(before) < CONFIGURATIONS, len(before)
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    after = committed(store)
    assert len(after) == CONFIGURATIONS and len({row[:2] for row in after}) == CONFIGURATIONS, len(after)
    assert set(before) <= set(after), "rows of the killed run are gone or changed"
    subprocess.run(command(program, "--jobs", "1", "--no-cache", "--format", "csv", "--output", os.path.join(folder, "alone.csv")), cwd=folder,
                   check=True, timeout=120)
    resumed, alone = (pathlib.Path(folder, name).read_bytes() for name in ("resumed.csv", "alone.csv"))
    assert resumed == alone, "the completed sweep differs from one that was left alone"
    rows = list(csv.DictReader(resumed.decode().splitlines()))
    not_compiled = [row for row in rows if int(row["MODE"]) % 5 == 3]
    too_large = [row for row in rows if int(row["MODE"]) % 5 != 3 and row["local"] == "2048"]
    assert len(not_compiled) == 4 * LOCALS * SIZES and len(too_large) == 16 * SIZES
    assert all(row["valid"] == "no" and "this mode is not written" in row["reason"] for row in not_compiled), not_compiled[0]
    assert all(row["valid"] == "no" and row["reason"] for row in too_large), too_large[0]
    assert sum(row["valid"] == "yes" for row in rows) == 16 * 2 * SIZES
    return len(before)


def several_writers(program, folder):
    """The killed one may leave a part of an entry behind; nobody else sees it."""
    cache = os.path.join(folder, "cache")
    expected = pathlib.Path(folder, "alone.csv").read_bytes()
    outputs = [os.path.join(folder, f"writer{n}.csv") for n in range(4)]
    jobs = [subprocess.Popen(command(program, "--jobs", "1", "--cache-dir", cache, "--format", "csv", "--output", output), cwd=folder)
            for output in outputs]
    while jobs[0].poll() is None and len(list(pathlib.Path(cache).rglob("*"))) < 5:
        time.sleep(0.001)
    jobs[0].kill()
    assert [job.wait(timeout=120) for job in jobs][1:] == [0, 0, 0]
    for output in outputs[1:]:
        assert pathlib.Path(output).read_bytes() == expected, f"{output}: another answer"
    subprocess.run(command(program, "--cache-dir", cache, "--format", "csv", "--output", outputs[0]), cwd=folder, check=True, timeout=120)
    assert pathlib.Path(outputs[0]).read_bytes() == expected, "what the writers left gives another answer"


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="forewarp-resume-") as folder:
        pathlib.Path(folder, "scale.cl").write_text(KERNEL)
        pathlib.Path(folder, "scale.toml").write_text(LAUNCH)
        there = killed_in_the_middle(program, folder)
        several_writers(program, folder)
    print(f"{there} of {CONFIGURATIONS} configurations were there when the sweep was killed for the second time")


if __name__ == "__main__":
    main()
