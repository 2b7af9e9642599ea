#!/usr/bin/env python3
"""The layer checker must refuse what the table forbids, and only that."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = "low:\nmiddle: low\nhigh: middle low\nhigh/shy: low\ntop: middle\nfull: low\n@llvm high\n@clang high\n@files full 20\n"
CASES = [
    ({"high/a.cpp": '#include "low/b.h"\n#include "llvm/IR/Module.h"\n', "low/b.h": "#include <vector>\n"}, None),
    ({"low/a.cpp": '#include "high/b.h"\n'}, "may not include room 'high'"),
    ({"low/a.cpp": '#include "llvm/IR/Module.h"\n'}, "may not include LLVM"),
    ({"other/a.cpp": "\n"}, "has no line in the table"),
    ({"low/a.cpp": "\n" * 901}, "split it"),
    # Through other headers, and through .inc files.
    ({"top/a.cpp": '#include "middle/b.h"\n', "middle/b.h": '#include "low/c.h"\n', "low/c.h": "\n"},
     "may not include room 'low' (low/c.h, through middle/b.h)"),
    ({"low/a.cpp": '#include "low/b.inc"\n', "low/b.inc": '#include "high/c.h"\n'}, "may not include room 'high'"),
    ({"low/b.inc": '#include "llvm/IR/Module.h"\n'}, "may not include LLVM"),
    ({"top/a.cpp": '#include "middle/b.h"\n', "middle/b.h": '#include "middle/a.h"\n', "middle/a.h": '#include "middle/b.h"\n'},
     None),
    # A folder with a line of its own.
    ({"high/a.cpp": '#include "middle/b.h"\n', "middle/b.h": "\n"}, None),
    ({"high/shy/a.cpp": '#include "middle/b.h"\n', "middle/b.h": "\n"}, "room 'high/shy' may not include room 'middle'"),
    ({"high/shy/a.cpp": '#include "high/b.h"\n', "high/b.h": "\n"}, "room 'high/shy' may not include room 'high'"),
    ({"high/a.cpp": '#include "high/shy/b.h"\n', "high/shy/b.h": "\n"}, None),
    ({"high/a.cpp": '#include "clang/AST/Decl.h"\n'}, None),
    ({"high/shy/a.cpp": '#include "clang/AST/Decl.h"\n'}, "room 'high/shy' may not include Clang"),
    ({"high/shy/a.cpp": '#include "llvm/IR/Module.h"\n'}, None),
    # Parts of a folder.
    ({f"low/a{i}.{end}": "\n" for i in range(15) for end in ("h", "cpp")}, None),
    ({f"low/a{i}.h": "\n" for i in range(16)}, "make sub-folders"),
    ({f"full/a{i}.h": "\n" for i in range(20)}, None),
    ({f"full/a{i}.h": "\n" for i in range(21)}, "make sub-folders"),
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
