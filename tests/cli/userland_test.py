#!/usr/bin/env python3
"""The reader of symbol versions must see what a program needs, and refuse what is above the limit."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "packaging"))
sys.dont_write_bytecode = True
import userland  # noqa: E402


def main():
    needs = {"/bin/sh": userland.highest(pathlib.Path("/bin/sh").resolve())}
    if "GLIBC" not in needs["/bin/sh"]:
        sys.exit(f"/bin/sh needs no C library: {needs}")
    if userland.too_new(needs, {"GLIBC": "2.999"}):
        sys.exit("2.999 is older than what /bin/sh needs")
    if not userland.too_new(needs, {"GLIBC": "2.2"}):
        sys.exit("/bin/sh needs no more than GLIBC 2.2")
    if userland.number("2.36") <= userland.number("2.4"):
        sys.exit("versions are compared as texts")


if __name__ == "__main__":
    main()
