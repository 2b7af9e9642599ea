#!/usr/bin/env python3
"""forewarp-measure needs no shared library but the C library's own, and no later version of it than is here."""
import re
import shutil
import subprocess
import sys

ALLOWED = re.compile(r"lib(c|m|dl|pthread|rt)\.so|ld-linux")


def version(text):
    return tuple(int(part) for part in text.split("."))


def main():
    if not shutil.which("objdump"):
        print("SKIPPED: no objdump (package binutils)")
        sys.exit(77)
    program = sys.argv[1]
    needed = re.findall(r"NEEDED\s+(\S+)", subprocess.run(["objdump", "-p", program], capture_output=True, text=True,
                                                          check=True).stdout)
    foreign = [name for name in needed if not ALLOWED.match(name)]
    symbols = subprocess.run(["objdump", "-T", program], capture_output=True, text=True, check=True).stdout
    wanted = max(version(text) for text in re.findall(r"GLIBC_([0-9.]+)", symbols))
    here = re.search(r"(\d+\.\d+)\s*$", subprocess.run(["ldd", "--version"], capture_output=True,
                                                       text=True).stdout.splitlines()[0])
    print("needs:", ", ".join(needed), "- C library", ".".join(map(str, wanted)), "or later; here:", here[1])
    if not needed or foreign:
        sys.exit(f"needs libraries that a GPU machine may lack: {foreign}")
    if wanted > version(here[1]):
        sys.exit("needs a later C library than the build machine's")


if __name__ == "__main__":
    main()
