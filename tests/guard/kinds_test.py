#!/usr/bin/env python3
"""Every kernel of every suite has one kind in validation/kinds.toml, and the table names nothing else."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import kernel_kinds  # noqa: E402

_, kinds = kernel_kinds.read_kinds((ROOT / "validation/kinds.toml").read_text(encoding="utf-8"))
wrong = kernel_kinds.wrong_kinds(kinds, kernel_kinds.suites())
assert len(kernel_kinds.wrong_kinds({("s", "a"): "x", ("none", None): "x"}, {"s": {"a", "b"}})) == 2, "made-up faults are not found"
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
