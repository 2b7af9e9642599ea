#!/usr/bin/env python3
"""The layer checker must refuse what the table forbids, and only that."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = "low:\nhigh: low\n@llvm high\n"
CASES = [
    ({"high/a.cpp": '#include "low/b.h"\n#include "llvm/IR/Module.h"\n', "low/b.h": "#include <vector>\n"}, None),
    ({"low/a.cpp": '#include "high/b.h"\n'}, "may not include room 'high'"),
    ({"low/a.cpp": '#include "llvm/IR/Module.h"\n'}, "may not include LLVM"),
    ({"other/a.cpp": "\n"}, "has no line in the table"),
    ({"low/a.cpp": "\n" * 901}, "split it"),
]


def main():
    for files, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            base = pathlib.Path(folder)
            (base / "table").write_text(TABLE)
            for name, text in files.items():
                path = base / "src" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([ROOT / "tools/check_layers", "--table", base / "table", "--tree", base / "src"],
                                  capture_output=True, text=True)
        good = done.returncode == 0 if expected is None else done.returncode == 1 and expected in done.stdout
        if not good:
            sys.exit(f"{files}: exit code {done.returncode}, output: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
