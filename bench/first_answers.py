#!/usr/bin/env python3
"""First answers of real files: wall time, processor time and peak memory of one command each, nothing kept from runs before.

usage: bench/first_answers.py ROOT [--list bench/first_answers.txt] [--program build/bin/forewarp] [--gpu h100]

ROOT holds the repositories that the list names, each in a folder of its own. A line of the list: a file below ROOT, a kernel ("-": the
only one), further options. Each file is asked by `forewarp predict`; where no host code starts the kernel, by `forewarp template` and the
launch file as it stands, and both count. The sources of one's own folder do as well: write a list of them."""
import argparse
import os
import pathlib
import shlex
import shutil
import statistics
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
NO_SIZE = 6


def run(words, folder, environment, limit):
    """Exit code, wall seconds, processor seconds, peak MB of one process in `folder`."""
    null = os.open(os.devnull, os.O_RDWR)
    begin = time.perf_counter()
    child = os.fork()
    if child == 0:
        import resource
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execve(words[0], words, environment)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - begin
    os.close(null)
    return os.waitstatus_to_exitcode(status), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def first_answer(program, folder, source, kernel, options, words, environment, scratch):
    chosen = [] if kernel == "-" else ["--kernel", kernel]
    asked = [program, "predict", source, *chosen, *options, "--gpu", words.gpu]
    steps = [run(asked, folder, environment, words.limit)]
    how = "predict"
    if steps[0][0] == NO_SIZE:
        launch = str(scratch / "launch.toml")
        steps.append(run([program, "template", source, *chosen, *options, "-o", launch], folder, environment, words.limit))
        how = "template"
        if steps[-1][0] == 0:
            steps.append(run([program, "predict", "--launch", launch, "--gpu", words.gpu], folder, environment, words.limit))
    codes, walls, processor, memory = zip(*steps)
    return how if codes[-1] == 0 else f"exit {codes[-1]}", sum(walls), sum(processor), max(memory)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("--list", default=str(ROOT / "bench/first_answers.txt"))
    parser.add_argument("--program", default=str(ROOT / "build/bin/forewarp"))
    parser.add_argument("--gpu", default="h100")
    parser.add_argument("--limit", type=int, default=60, help="seconds of processor time for a command")
    words = parser.parse_args()
    program = str(pathlib.Path(words.program).resolve())
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="forewarp-bench-"))
    environment = {**os.environ, "XDG_CACHE_HOME": str(scratch / "cache")}
    answered = []
    print(f"{'wall s':>7} {'cpu s':>6} {'MB':>5}  answer    file, kernel", flush=True)
    try:
        for line in pathlib.Path(words.list).read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            source, kernel, *options = shlex.split(line)
            repository, _, inside = source.partition("/")
            folder = pathlib.Path(words.root) / repository
            if not (folder / inside).exists():
                print(f"{'':>20}  not there {source}")
                continue
            how, wall, cpu, memory = first_answer(program, folder, inside, kernel, options, words, environment, scratch)
            print(f"{wall:7.2f} {cpu:6.2f} {memory:5.0f}  {how:<9} {source} {kernel}", flush=True)
            if not how.startswith("exit"):
                answered.append((wall, cpu, memory))
    finally:
        shutil.rmtree(scratch)
    if answered:
        for name, values in zip(("wall", "cpu"), list(zip(*answered))[:2]):
            values = sorted(values)
            print(f"{len(values)} answered; {name}: median {statistics.median(values):.2f} s, "
                  f"90th percentile {values[len(values) * 9 // 10]:.2f} s, most {values[-1]:.2f} s")
        print(f"most memory {max(m for _, _, m in answered):.0f} MB")


if __name__ == "__main__":
    main()
