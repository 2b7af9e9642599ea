#!/usr/bin/env python3
"""Writes docs/reference/corpus.md, a table of the corpus, from corpus/*/kernel.toml and default.toml.

tools/make_corpus_table.py [--check]; --check says whether the page is up to date and writes nothing."""
import argparse
import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEAD = """# The kernels of the corpus

Made by `tools/make_corpus_table.py`; do not edit. {kernels} kernels, {cuda} of them also in CUDA, {launches} launches. All code is the project's
own; *origin* names the suite, the paper or the application whose algorithm it is. What the files of a folder are:
[corpus/README.md](../../corpus/README.md).

*Default launch*: `forewarp predict --launch corpus/<kernel>/default.toml`, with its [values](launch_file.md#several-launches-in-one-file).
*Variants*: `--launch corpus/<kernel>/default.toml:<variant>`, with the values that differ.
"""
TABLE = "\n| kernel | what | origin | default launch | variants |\n| --- | --- | --- | --- | --- |\n"


def numbers(values):
    return ", ".join(f"{name} {value}" for name, value in values.items())


def size(value):
    return "x".join(map(str, value)) if isinstance(value, list) else str(value)


def plain_launch(launch):
    items = f"global {size(launch['global'])}" if "global" in launch else f"grid {size(launch['grid'])}"
    return f"{items}, local {size(launch.get('local', launch.get('block', '-')))}"


def row(folder):
    kernel = tomllib.loads((folder / "kernel.toml").read_text())
    if missing := {"title", "origin"} - kernel.keys():
        sys.exit(f"{folder.name}/kernel.toml lacks {', '.join(sorted(missing))}")
    launch = tomllib.loads((folder / "default.toml").read_text())
    variants = launch.get("variants", {})
    default = numbers(launch["values"]) if "values" in launch else plain_launch(launch)
    shown = "; ".join(f"`{name}` {numbers(values)}" for name, values in variants.items())
    name = folder.name + (" (CUDA too)" if "cuda" in kernel else "")
    line = f"| {name} | {kernel['title']} | {kernel['origin']} | {default} | {shown} |\n"
    return kernel["origin"], line, "cuda" in kernel, 1 + len(variants)


def page(tree=ROOT):
    rows = sorted(row(path.parent) for path in tree.glob("corpus/*/kernel.toml"))
    head = HEAD.format(kernels=len(rows), cuda=sum(r[2] for r in rows), launches=sum(r[3] for r in rows))
    return head + TABLE + "".join(r[1] for r in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    words = parser.parse_args()
    path = ROOT / "docs" / "reference" / "corpus.md"
    text = page()
    if not words.check:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        sys.exit("docs/reference/corpus.md is out of date: tools/make_corpus_table.py")


if __name__ == "__main__":
    main()
