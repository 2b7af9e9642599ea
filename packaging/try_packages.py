#!/usr/bin/env python3
"""Tries the packages in bare systems (debootstrap, needs root): packaging/try_packages.py FOLDER [--mirror URL] [--keep ROOT]

FOLDER holds what `./run package` made. In a bare Debian 12: the Debian package, then the steps of the Containerfile, then the wheel
with nothing but python3 and pip; each predicts a kernel in an empty folder, from the install on in less than 20 s (of processor time,
which a busy machine changes little). Then an older system (Debian 11) must refuse both with one sentence."""
import argparse
import json
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNEL = """kernel void saxpy(global float* y, global const float* x, float a, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}
"""
WORDS = "saxpy.cl --gpu v100,h200 --global 1048576 --local 256 --arg y=buffer:f32[1048576] --arg x=buffer:f32[1048576] --arg a=2 --arg n=1048576"
PREDICT = f"mkdir -p /empty && cd /empty && cat > saxpy.cl <<'E'\n{KERNEL}E\nforewarp predict {WORDS}"
MODULE = ("cd /empty && python3 -c \"import forewarp; print(forewarp.predict('saxpy.cl', gpu='v100', global_=1048576, local=256, "
          "arg={'y': 'buffer:f32[1048576]', 'x': 'buffer:f32[1048576]', 'a': 2, 'n': 1048576})[0]['time_ms'])\"")
MOST_SECONDS = 20


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class System:
    """A folder with a Debian in it."""

    def __init__(self, root, suite, mirror):
        self.root = root
        if not (root / "etc/os-release").exists():
            subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates", suite, root, mirror], check=True,
                           stdout=subprocess.DEVNULL)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        # The loader asks /proc where a program lies.
        subprocess.run(["mount", "--bind", "/proc", root / "proc"], check=True)

    def close(self):
        subprocess.run(["umount", self.root / "proc"], check=True)

    def run(self, text, refused=None):
        """Runs shell text; `refused` is what a refusal must say. Returns the processor seconds that it took."""
        began, before = time.monotonic(), processor_seconds()
        done = subprocess.run(["chroot", self.root, "/usr/bin/env", "-i", "HOME=/root", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                               "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "sh", "-ec", text],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wall, seconds = time.monotonic() - began, processor_seconds() - before
        if (done.returncode != 0) != (refused is not None) or (refused or "") not in done.stdout:
            sys.exit(f"{text}\nexit code {done.returncode}, expected {refused or 'success'}:\n{done.stdout[-3000:]}")
        print(f"{wall:6.1f} s, {seconds:5.1f} s of processor  {text.splitlines()[0][:110]}\n          {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ''}",
              flush=True)
        return seconds

    def put(self, file):
        shutil.copy(file, self.root / "tmp" / file.name)
        return f"/tmp/{file.name}"


def quick(seconds):
    if seconds > MOST_SECONDS:
        sys.exit(f"{seconds:.1f} s of processor from install to answer; the most is {MOST_SECONDS}")


def steps(containerfile):
    """(instruction, words) of a Containerfile; lines end in \\ where they go on."""
    text = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", containerfile.read_text(), flags=re.M))
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


def run_containerfile(system, folder):
    place = "/"
    for instruction, words in steps(ROOT / "packaging/Containerfile"):
        if instruction == "FROM" and "debian:bookworm" not in words:
            sys.exit(f"these steps are tried on Debian 12, not on {words}")
        elif instruction == "COPY":
            pattern, target = words.split()
            for file in folder.glob(pathlib.PurePath(pattern).name):
                shutil.copy(file, system.root / target.lstrip("/"))
        elif instruction == "RUN":
            system.run(f"cd {place} && {words}")
        elif instruction == "WORKDIR":
            place = words.strip()
            (system.root / place.lstrip("/")).mkdir(exist_ok=True)
        elif instruction == "ENTRYPOINT":
            entry = words
    system.run(shlex.join([*json.loads(entry), "--help"]))


def try_new(system, folder, deb, wheel):
    quick(system.run(f"dpkg -i {system.put(deb)} && {PREDICT}"))
    system.run("dpkg --purge forewarp && ! command -v forewarp")
    run_containerfile(system, folder)
    system.run("dpkg --purge forewarp && apt-get update && apt-get install -y --no-install-recommends python3 python3-pip")
    quick(system.run(f"pip install --break-system-packages {system.put(wheel)} && {PREDICT}"))
    system.run(MODULE)


def try_old(system, folder, deb, wheel):
    system.run(f"dpkg -i {system.put(deb)}", refused="forewarp depends on libc6 (>= 2.36)")
    system.run("dpkg --purge forewarp && apt-get update && apt-get install -y --no-install-recommends python3 python3-pip unzip")
    system.run(f"pip3 install {system.put(wheel)}", refused="is not a supported wheel on this platform")
    system.run(f"unzip -q {system.put(wheel)} -d /unpacked && cd /unpacked && python3 forewarp/__main__.py --version",
            refused="this build needs the GNU C library 2.36 or newer and finds 2.31")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    parser.add_argument("--keep", type=pathlib.Path, help="make the bare systems below this folder, and leave them there")
    options = parser.parse_args()
    (deb,), (wheel,) = options.folder.glob("*.deb"), options.folder.glob("*.whl")
    scratch = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="forewarp-packages-"))
    scratch.mkdir(exist_ok=True)
    for suite, attempt in (("bookworm", try_new), ("bullseye", try_old)):
        system = System(scratch / suite, suite, options.mirror)
        try:
            attempt(system, options.folder, deb, wheel)
        finally:
            system.close()
    if not options.keep:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
