#!/usr/bin/env python3
"""What `derived_from` names exists: suites, kernels and boards; places in the code that rules speak of; and no value of a GPU file
cites measured rows in words only (tools/gpu_tables/provenance.py)."""
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROVENANCE = ROOT / "tools/gpu_tables/provenance.py"


def entries_of(node, where=""):
    """(place, entry) of every derived_from below a TOML node."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "derived_from":
                yield from ((where, entry) for entry in value)
            else:
                yield from entries_of(value, f"{where}.{key}")
    elif isinstance(node, list):
        for item in node:
            yield from entries_of(item, where)


def read(path):
    return tomllib.loads(path.read_text(encoding="utf-8"))


def wrong_entries(files, suites, gpus):
    """Lines of entries that name a suite, kernel or GPU which is not there. A kernel in parentheses stands for rows of the suite's
    table that the suite does not run."""
    for name, table in files.items():
        for where, entry in entries_of(table):
            kernels = suites.get(entry["suite"])
            if kernels is None:
                yield f"{name}{where}: no suite '{entry['suite']}'"
                continue
            yield from (f"{name}{where}: suite '{entry['suite']}' has no kernel '{kernel}'" for kernel in entry.get("kernels", [])
                        if kernel not in kernels and not kernel.startswith("("))
            yield from (f"{name}{where}: no GPU '{gpu}'" for gpu in entry.get("gpus", []) if gpu not in gpus)


def wrong_places(rules):
    for rule in rules:
        path = ROOT / rule["code"]
        if path.is_file() and rule["text"] in path.read_text(encoding="utf-8"):
            continue
        there = [str(file.relative_to(ROOT)) for file in sorted((ROOT / "src").rglob("*.*")) if rule["text"] in file.read_text(encoding="utf-8")]
        yield (f"rule {rule['name']}: '{rule['text']}' does not stand in {rule['code']}, " +
               (f"but in {', '.join(there)}: mend data/evidence/rules.toml" if there else "nor below src: is the rule still there?"))


def main():
    suites = {}
    for path in (ROOT / "validation/suites").glob("*.toml"):
        suite = read(path)
        suites[suite["name"]] = {kernel["name"] for kernel in suite["kernel"]}
    files = {path.name: read(path) for folder in ("data/gpus", "data/evidence", "validation/suites")
             for path in (ROOT / folder).glob("*.toml")}
    gpus = {table["name"] for table in files.values() if "name" in table}
    rules = files["rules.toml"]["rule"]
    wrong = [*wrong_entries(files, suites, gpus), *wrong_places(rules)]
    made_up = {"x.toml": {"a": {"derived_from": [{"suite": "none"}, {"suite": "pmpp", "kernels": ["none"], "gpus": ["none"]}]}}}
    assert len(list(wrong_entries(made_up, suites, gpus))) == 3, "made-up entries are not found"
    assert len(list(wrong_places([{**rules[0], "code": "src/none.cpp"}, {**rules[0], "text": "none such"}]))) == 2
    checked = subprocess.run([sys.executable, PROVENANCE, "--check", ROOT / "data/gpus"], capture_output=True, text=True, check=False)
    if checked.returncode != 0:
        wrong.append(checked.stdout + checked.stderr)
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
