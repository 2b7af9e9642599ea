#!/usr/bin/env python3
"""The licence checker must refuse libraries under the GPL, archives under the LGPL, and packages that the table does not know."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CASES = [
    ([("libfree1", "MIT", "shared")], ["shared=libfree1"], None),
    ([("libfree1", "MIT", "shared")], ["shared=libother2"], "libother2 is shared, and has no row"),
    ([("libfree1", "MIT", "shared")], ["static=libfree1"], "its archive is inside the program"),
    ([("libgpl1", "GPL-3.0-or-later", "shared")], [], "does not go with Apache-2.0"),
    ([("libgpl1", "AGPL-3.0-only", "data")], [], "does not go with Apache-2.0"),
    ([("libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1", "static")], [], None),
    ([("linux", "GPL-2.0-only WITH Linux-syscall-note", "static")], [], "does not go with Apache-2.0"),
    ([("liblesser", "LGPL-2.1-or-later", "shared")], [], None),
    ([("liblesser", "LGPL-2.1-or-later", "static")], [], "may only be linked as a shared library"),
]


def main():
    for rows, found, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "licences.toml"
            table.write_text("".join(f'[[package]]\nname = "{name}"\nlicence = "{licence}"\nhow = "{how}"\n' for name, licence, how in rows))
            words = [ROOT / "tools/check_licences", "--table", table, *(f"--found={text}" for text in found)]
            done = subprocess.run(words, capture_output=True, text=True)
        if (done.returncode != 0) != (expected is not None) or (expected or "") not in done.stderr:
            sys.exit(f"{rows}, {found}: expected {expected}, exit code {done.returncode}:\n{done.stderr}")


if __name__ == "__main__":
    main()
