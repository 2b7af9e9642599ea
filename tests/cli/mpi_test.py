#!/usr/bin/env python3
"""A sweep of four MPI processes, one of them killed half-way: the same command again completes it, and the result is that of a
single process to the byte. Skipped (exit 77) where MPI is not there."""
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPACE = ["--space", "local=32:256:+32", "--space", "n=1:4001:+20", "--space", "COPY=1,2,3"]
CONFIGURATIONS = 8 * 201 * 3


def command(program, *more):
    launch = str(ROOT / "corpus/vector_add/check.toml")
    return [program, "explore", "--launch", launch, "--gpu", "k620", *SPACE, *more]


def mpirun(words):
    # Containers run as root and have fewer cores than processes; ranks of one machine need no network.
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                       OMPI_MCA_btl="self,vader", OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_plm="isolated")
    return subprocess.Popen(["mpirun", "-n", "4", *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def rows(store):
    """Committed rows, read beside the writer without a lock."""
    with tempfile.TemporaryDirectory() as folder:
        for end in ("", "-wal"):
            if os.path.exists(store + end):
                shutil.copy(store + end, os.path.join(folder, "copy" + end))
        try:
            return sqlite3.connect(os.path.join(folder, "copy")).execute("SELECT count(*) FROM configuration").fetchone()[0]
        except sqlite3.Error:
            return 0


def children(pid):
    """Processes below `pid` that run the sweep."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
        if int(rest[1]) == pid and name == "forewarp":
            found.append(int(path.parent.name))
    return found


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if not shutil.which("mpirun") or not pathlib.Path(program).with_name("forewarp_mpi.so").exists():
        print("skipped: no mpirun, or built without MPI")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="forewarp-mpi-") as folder:
        store, single, several = (os.path.join(folder, name) for name in ("s.sqlite", "single.csv", "several.csv"))
        words = command(program, "--store", store, "--format", "csv", "--output", several)
        job = mpirun(words)
        killed = False
        deadline = time.time() + 60
        while job.poll() is None and time.time() < deadline:
            if not killed and rows(store) > CONFIGURATIONS // 10:
                ranks = children(job.pid)
                assert len(ranks) == 4, ranks
                os.kill(sorted(ranks)[2], signal.SIGKILL)
                killed = True
            time.sleep(0.01)
        errors = job.communicate(timeout=60)[1]
        assert killed, "the job ended before half of it was done: " + errors
        assert job.returncode != 0, "a killed rank has to be seen"
        there = rows(store)
        assert 0 < there < CONFIGURATIONS, there
        again = mpirun(words)
        errors = again.communicate(timeout=120)[1]
        assert again.returncode == 0, errors
        subprocess.run(command(program, "--format", "csv", "--output", single), check=True, timeout=120)
        assert rows(store) == CONFIGURATIONS, rows(store)
        assert pathlib.Path(single).read_bytes() == pathlib.Path(several).read_bytes(), "results differ"
        # An error is said once, and by the first process.
        bad = mpirun(command(program, "--space", "BAD=1,,2"))
        errors = bad.communicate(timeout=60)[1]
        assert bad.returncode != 0 and errors.count("an empty value") == 1, errors
        print(f"{there} of {CONFIGURATIONS} were there after the kill; the rest came from the second run")


if __name__ == "__main__":
    main()
