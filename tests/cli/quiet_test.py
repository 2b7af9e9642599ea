#!/usr/bin/env python3
"""Progress appears on a terminal only: a prediction writes nothing to a piped standard error, and the same bytes twice. A reader
that leaves ends the program quietly."""
import os
import pathlib
import pty
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORDS = ["predict", "--launch", str(ROOT / "corpus/vector_add/default.toml"), "--gpu", "v100,k620", "--format", "json"]


def check_reader_that_leaves(program):
    reader, writer = os.pipe()
    os.close(reader)
    listed = subprocess.run([program, "gpus"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    if listed.returncode != -signal.SIGPIPE or listed.stderr:
        sys.exit(f"the reader left: exit code {listed.returncode}, stderr: {listed.stderr.decode()}")
    with open("/dev/full", "wb") as full:
        listed = subprocess.run([program, "gpus"], stdout=full, stderr=subprocess.PIPE, text=True)
    if listed.returncode != 3 or "cannot be written" not in listed.stderr:
        sys.exit(f"a full disk: exit code {listed.returncode}, stderr: {listed.stderr}")


def main():
    program = sys.argv[1]
    check_reader_that_leaves(program)
    first = subprocess.run([program, *WORDS], capture_output=True)
    second = subprocess.run([program, *WORDS], capture_output=True)
    if first.returncode != 0 or first.stderr:
        sys.exit(f"exit code {first.returncode}, stderr: {first.stderr.decode()}")
    if first.stdout != second.stdout:
        sys.exit("two runs differ")
    leader, follower = pty.openpty()
    shown = subprocess.run([program, *WORDS], stdout=subprocess.PIPE, stderr=follower)
    os.close(follower)
    progress = os.read(leader, 65536)
    if shown.stdout != first.stdout or b"\r" not in progress:
        sys.exit(f"on a terminal: stdout same: {shown.stdout == first.stdout}, progress: {progress!r}")


if __name__ == "__main__":
    main()
