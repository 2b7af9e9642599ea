#!/usr/bin/env python3
"""Files are compiled together only where their local names do not meet; a file stays in its group while it may."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = {
    "a.cpp": "namespace x { namespace { int helper(int v) { return v; } } int a() { return helper(1); } }\n",
    "b.cpp": "namespace x { namespace { int helper(int v) { return v + 1; } } int b() { return helper(1); } }\n",  # as in a
    "c.cpp": "namespace x { int c(int helper_) { return helper_; } }\n",
    "d.cpp": "using namespace std;\nint d;\n",
    "e.cpp": "namespace x { namespace { constexpr int most = 3; struct Pair { int first; }; } int e() { return most; } }\n",
    "f.cpp": "namespace x { int f(int most) { return most; } }\n",  # -Wshadow would object to e's constant
    "g.cpp": "namespace x { namespace { using facts::Op; const char* text = \"helper( most\"; } int g() { return 0; } // helper()\n}\n",
}


def groups(folder, names):
    subprocess.run([sys.executable, ROOT / "cmake/group_sources.py", folder / "out", "room", folder, *(folder / name for name in names)],
                   check=True, capture_output=True)
    lines = (folder / "out/room.groups").read_text().splitlines()
    return [{pathlib.Path(file).name for file in line.split("\t")} for line in lines]


def apart(found, one, other):
    if any({one, other} <= group for group in found):
        sys.exit(f"{one} and {other} must not be compiled together: {found}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in FILES.items():
            (folder / file).write_text(text)
        found = groups(folder, FILES)
        apart(found, "a.cpp", "b.cpp")
        apart(found, "e.cpp", "f.cpp")
        if {"d.cpp"} not in found or sorted(file for group in found for file in group) != sorted(FILES):
            sys.exit(f"d.cpp must be alone, and no file be lost or doubled: {found}")
        if len(found) != 3:
            sys.exit(f"two groups and d.cpp are enough: {found}")
        before = groups(folder, FILES)
        (folder / "c.cpp").write_text("namespace x { int c() { return 2; } }\n")
        if groups(folder, FILES) != before:
            sys.exit("an edit that changes no local name moved a file")
        (folder / "c.cpp").write_text("namespace x { namespace { int helper() { return 2; } } int c() { return helper(); } }\n")
        if {file for group in before if len(group) > 1 and "c.cpp" not in group for file in group} - {
                file for group in groups(folder, FILES) if len(group) > 1 for file in group}:
            sys.exit("one file's new name broke up another group")
        now = groups(folder, FILES)
        apart(now, "c.cpp", "a.cpp")
        apart(now, "c.cpp", "b.cpp")


if __name__ == "__main__":
    main()
