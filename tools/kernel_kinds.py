"""Kinds of kernels: validation/kinds.toml, read and held against the suites."""

import pathlib
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def read_kinds(text):
    """[(name, meaning)] in the file's order, and {(suite, kernel or None for all): name}."""
    order, kinds = [], {}
    for kind in tomllib.loads(text)["kind"]:
        order.append((kind["name"], kind["means"]))
        for line in kind["kernels"]:
            suite, _, names = line.partition(": ")
            for name in names.split(", ") if names else [None]:
                if kinds.setdefault((suite, name), kind["name"]) != kind["name"]:
                    raise ValueError(f"{suite}: {name} is of two kinds")
    return order, kinds


def kind_of(kinds, suite, kernel):
    return kinds.get((suite, kernel)) or kinds.get((suite, None))


def suites():
    """{suite: kernels}."""
    found = {}
    for path in sorted((ROOT / "validation" / "suites").glob("*.toml")):
        suite = tomllib.loads(path.read_text(encoding="utf-8"))
        found[suite["name"]] = {kernel["name"] for kernel in suite["kernel"]}
    return found


def wrong_kinds(kinds, known):
    """Lines: kernels without a kind, and entries of no suite or kernel."""
    wrong = [f"{suite}: kernel '{kernel}' has no kind" for suite, kernels in known.items() for kernel in sorted(kernels)
             if kind_of(kinds, suite, kernel) is None]
    for suite, kernel in kinds:
        if suite not in known or (kernel is not None and kernel not in known[suite]):
            wrong.append(f"there is no {suite}: {kernel}")
    return wrong
