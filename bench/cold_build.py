#!/usr/bin/env python3
"""What a build costs: bench/cold_build.py [TARGETS...]   (default: forewarp, what `./run demo` builds; `all` is what `./run test` builds)

Builds in a fresh folder without ccache, with itself as the compiler's launcher, and prints processor seconds and objects by room, the
dearest objects, and the whole. Processor seconds (user and system, of the compiler and what it starts) say the same on a busy machine
as on an idle one, nearly."""
import argparse
import collections
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOG = "FOREWARP_BUILD_LOG"


def launch(words):
    """As launcher: runs the compiler and notes what it took."""
    status = subprocess.call(words)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    name = words[words.index("-o") + 1] if "-o" in words else " ".join(words)
    with open(os.environ[LOG], "a") as log:
        log.write(f"{usage.ru_utime + usage.ru_stime:.3f}\t{usage.ru_maxrss // 1024}\t{name}\n")
    return status


def room(name):
    match = re.search(r"forewarp_(\w+)\.dir", name)
    if match:
        return match[1]
    return "tests" if name.startswith("tests/") else "programs"


def show(rows, whole):
    seconds, objects = collections.Counter(), collections.Counter()
    for took, _, name in rows:
        seconds[room(name)] += took
        objects[room(name)] += 1
    print(f"{'room':12}{'objects':>8}{'cpu s':>8}")
    for name, took in seconds.most_common():
        print(f"{name:12}{objects[name]:8}{took:8.1f}")
    compiled = sum(seconds.values())
    print(f"{'all':12}{len(rows):8}{compiled:8.1f}   and {whole - compiled:.1f} s for configuring, archives and links")
    print("dearest:", ", ".join(f"{pathlib.Path(name).name} {took:.1f} s {megabytes} MB" for took, megabytes, name in sorted(rows, reverse=True)[:6]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", default=["forewarp"])
    parser.add_argument("--jobs", "-j", default=str(os.cpu_count()))
    parser.add_argument("--groups", choices=["ON", "OFF"], default="ON", help="OFF: every file by itself")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="forewarp-cold-build-"))
    environment = dict(os.environ, CCACHE_DISABLE="1", **{LOG: str(folder / "log")})
    try:
        tests = "ON" if "all" in options.targets else "OFF"
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DFOREWARP_TESTS={tests}",
                        f"-DFOREWARP_GROUPS={options.groups}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={sys.executable};{pathlib.Path(__file__).resolve()};--launch"],
                       check=True, stdout=subprocess.DEVNULL, env=environment)
        subprocess.run(["cmake", "--build", folder, "-j", options.jobs, "--target", *options.targets], check=True,
                       stdout=subprocess.DEVNULL, env=environment)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        rows = [line.split("\t") for line in (folder / "log").read_text().splitlines()]
        show([(float(took), int(megabytes), name) for took, megabytes, name in rows], usage.ru_utime + usage.ru_stime)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(launch(sys.argv[2:]) if sys.argv[1:2] == ["--launch"] else main())
