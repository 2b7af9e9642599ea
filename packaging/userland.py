#!/usr/bin/env python3
"""The oldest C and C++ libraries that a prebuilt forewarp runs with, read off the files: packaging/userland.py FILES...

Prints the highest version of each family of symbols and fails where one is above packaging/userland.toml. --linked also reads the
shared libraries that the files load, but for those that come from the user's system."""
import argparse
import pathlib
import re
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# From the user's system: the C library and GCC's run-time libraries. All else is shipped.
SYSTEM = re.compile(r"(linux-vdso|ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s)\.so[.\d]*$")
SKIPPED = 77


def libraries(file):
    """Shared libraries that a program or library loads and that are shipped with it: {name that is asked for: path}."""
    text = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
    if "not found" in text:
        sys.exit(f"{file}: a library is missing:\n{text}")
    found = re.findall(r"^\s*(\S+) => (/\S+)", text, flags=re.M)
    return {name: pathlib.Path(path) for name, path in found if not SYSTEM.search(name)}


def number(version):
    return [int(part) for part in version.split(".")]


def highest(file):
    """{family: highest version} of the symbols that a file takes from others."""
    text = subprocess.run(["objdump", "-T", file], capture_output=True, text=True, check=True).stdout
    most = {}
    for family, version in re.findall(r"\*UND\*.*\b(GLIBC|GLIBCXX|CXXABI|GCC)_([\d.]+)", text):
        most[family] = max(most.get(family, "0"), version, key=number)
    return most


def too_new(needs, limits):
    return [f"{file} needs {family}_{version}; the most is {limits[family]}"
            for file, most in needs.items() for family, version in most.items() if number(version) > number(limits[family])]


def check(files):
    """Errors, and the highest versions of all files together."""
    limits = tomllib.loads((HERE / "userland.toml").read_text())
    needs = {str(file): highest(file) for file in files}
    together = {}
    for most in needs.values():
        for family, version in most.items():
            together[family] = max(together.get(family, "0"), version, key=number)
    errors = too_new(needs, limits)
    launcher = (ROOT / "src/python/forewarp/__main__.py").read_text()
    if f"NEEDED = ({', '.join(limits['GLIBC'].split('.'))})" not in launcher:
        errors.append(f"src/python/forewarp/__main__.py asks for another C library than {limits['GLIBC']}")
    return errors, together


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--linked", action="store_true")
    options = parser.parse_args()
    release = pathlib.Path("/etc/os-release")
    if not release.exists() or 'VERSION_CODENAME=bookworm' not in release.read_text():
        print("skipped: packages are made on Debian 12")
        sys.exit(SKIPPED)
    files = [file for file in options.files if file.exists()]
    if options.linked:
        files += sorted({path for file in files for path in libraries(file).values()})
    errors, together = check(files)
    print(", ".join(f"{family} {version}" for family, version in sorted(together.items())), f"({len(files)} files)")
    for error in errors:
        print(f"userland: {error}", file=sys.stderr)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
