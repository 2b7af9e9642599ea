#!/usr/bin/env python3
"""The document checker must refuse dead links, copies and quoted outputs that differ, and names without a page."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REGISTRY = {"src/report/registry.cpp": '{"text", "for people", write_text},\n'}
CASES = [
    ({"README.md": "[a](docs/a.md) `[b](none.md)`\n", "docs/a.md": "[web](https://example.org)\n"}, None),
    ({"README.md": "[a](docs/none.md)\n"}, "leads nowhere"),
    ({"docs/a.md": "<!-- same as ../k.toml -->\n```toml\na = 1\n```\n", "k.toml": "a = 1\n"}, None),
    ({"docs/a.md": "<!-- same as ../k.toml -->\n```toml\na = 1\n```\n", "k.toml": "a = 2\n"}, "differs from"),
    ({**REGISTRY, "docs/reference/output.md": "| `text` |\n"}, None),
    ({**REGISTRY, "docs/reference/output.md": "| `json` |\n"}, "the report `text` is not documented"),
    ({"a.md": "<!-- output of forewarp good -->\n```text\ngood\n```\n"}, None),  # the program is echo
    ({"a.md": "<!-- output of forewarp good -->\n```text\nbad\n```\n"}, "is another now"),
    ({"src/facts/names.cpp": 'limiter_names = {"fp32"};\n', "docs/reference/vocabulary.md": ""}, "the limiter `fp32`"),
]


def main():
    for files, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([ROOT / "tools/check_docs", "--tree", folder, "--program", "/bin/echo"], capture_output=True, text=True)
        good = done.returncode == 0 if expected is None else done.returncode == 1 and expected in done.stdout
        if not good:
            sys.exit(f"{files}: exit code {done.returncode}, output: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
