#!/usr/bin/env python3
"""Writes the table of instructions of docs/reference/ptx.md from the rows of src/frontend/ptx/operations: tools/make_ptx_table.py
A test holds the page against the program's own table (Ptx.ThePageListsTheTable)."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
# As src/frontend/ptx/expansion.cpp puts them together.
ORDER = ("arithmetic", "comparison", "conversions/conversion", "moves", "memory", "atomics", "copies", "asynchronous/bulk", "asynchronous/meetings",
         "warp", "synchronisation", "matrices/matrix", "asynchronous/tensor_memory", "accesses/texture", "video", "accesses/multimem",
         "predicates", "asynchronous/launch_control")
ROW = re.compile(r'\{"(\w+)",\s*\w+,\s*((?:"[^"]*"\s*)+|\w+)\}')


def rows():
    for subject in ORDER:
        text = (ROOT / f"src/frontend/ptx/operations/{subject}.cpp").read_text()
        words = dict(re.findall(r'constexpr const char\* (\w+) = "([^"]*)";', text))
        for name, forms in ROW.findall(text[re.search(r"constexpr Operation \w+\[\]", text).start():]):
            yield name, words.get(forms) or "".join(re.findall(r'"([^"]*)"', forms))


page = ROOT / "docs/reference/ptx.md"
table = "".join(f"| `{name}` | {forms} |\n" for name, forms in sorted(rows(), key=lambda row: row[0]))
mark = "| Instruction | What is read |\n|---|---|\n"
head, rest = page.read_text().split(mark, 1)
page.write_text(head + mark + table + re.sub(r"^(\|.*\n)*", "", rest))
