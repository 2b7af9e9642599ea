#!/usr/bin/env python3
"""Writes docs/results/models.md: every published model on the corpus for four GPUs, with the sentences of
docs/results/models_sentences.toml.

    tools/make_results_models.py build/bin/forewarp            writes the page
    tools/make_results_models.py build/bin/forewarp --check    says whether it would change"""
import argparse
import json
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
GPUS = ["quadro k620", "gtx 1060 6gb", "rtx 2070", "h200"]
PAGE = ROOT / "docs/results/models.md"
SENTENCES = ROOT / "docs/results/models_sentences.toml"
REFERENCE = "pipeline"
HEAD = """# The published models on the corpus

Made by `tools/make_results_models.py`; do not edit. The launches are the corpus' `default.toml`. A cell is the model's time over that of the Pipeline
simulator (context-dependent mapper, round robin) on the same facts: 1 is agreement, below 1 is faster. `ind.` is the simulator with the
context-independent mapper, `hybrid` the default of `forewarp predict`; `-`: the model lacks a fact. What the models are: [index](../models/README.md).
The simulator is no measurement: the tables show where models differ, not which is right.
"""
SHORT = {"mwp_cwp": "mwp", "mwp_cwp_corrected": "mwp c", "wfg_corrected": "wfg c", "gpumech_rr": "rr", "gpumech_rr_corrected": "rr c",
         "gpumech_gto": "gto", "gpumech_gto_corrected": "gto c", "pipeline_context_independent": "ind."}


def rows_of(program, kernel):
    command = [program, "models", "--launch", f"corpus/{kernel}/default.toml", "--gpu", ",".join(GPUS), "--format", "json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{kernel}: {done.stderr}")
    return json.loads(done.stdout)["models"]


def cell(row, reference):
    return "-" if row["time_ms"] is None else f"{row['time_ms'] / reference['time_ms']:.2f}"


def table(rows):
    names = [name for name in dict.fromkeys(row["name"] for row in rows) if name != REFERENCE]
    lines = ["| GPU | simulator ms | its limiter | " + " | ".join(SHORT.get(name, name) for name in names) + " |",
             "|---|---|---|" + "---|" * len(names)]
    for gpu in dict.fromkeys(row["gpu"] for row in rows):
        mine = {row["name"]: row for row in rows if row["gpu"] == gpu}
        reference = mine[REFERENCE]
        cells = [cell(mine[name], reference) if name in mine else "-" for name in names]
        lines.append(f"| {gpu} | {reference['time_ms']:.4g} | {reference['limiter']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def spread(results):
    """Geometric mean and extremes of each model's ratio over all kernels and GPUs."""
    import math
    ratios = {}
    for rows in results.values():
        references = {row["gpu"]: row["time_ms"] for row in rows if row["name"] == REFERENCE}
        for row in rows:
            if row["name"] != REFERENCE and row["time_ms"]:
                ratios.setdefault(row["name"], []).append(row["time_ms"] / references[row["gpu"]])
    lines = ["| Model | points | geometric mean | least | most | within 25 % |", "|---|---|---|---|---|---|"]
    for name, values in ratios.items():
        mean = math.exp(sum(map(math.log, values)) / len(values))
        near = sum(0.8 <= value <= 1.25 for value in values) / len(values)
        lines.append(f"| {name} | {len(values)} | {mean:.2f} | {min(values):.2f} | {max(values):.2f} | {100 * near:.0f} % |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=lambda word: str(pathlib.Path(word).resolve()))
    parser.add_argument("--check", action="store_true")
    words = parser.parse_args()
    sentences = tomllib.loads(SENTENCES.read_text()) if SENTENCES.exists() else {}
    kernels = sorted(path.parent.name for path in (ROOT / "corpus").glob("*/default.toml"))
    results = {kernel: rows_of(words.program, kernel) for kernel in kernels}
    text = HEAD + "\n## All kernels and GPUs\n\n" + spread(results) + "\n\n" + sentences.get("all", "").strip() + "\n"
    missing = [kernel for kernel in kernels if kernel not in sentences]
    for kernel in kernels:
        text += f"\n## {kernel}\n\n{sentences.get(kernel, '').strip()}\n\n{table(results[kernel])}\n"
    if missing:
        print(f"{SENTENCES.name} has no sentence for {', '.join(missing)}", file=sys.stderr)
    if words.check:
        sys.exit(0 if PAGE.exists() and PAGE.read_text() == text and not missing else f"{PAGE} is out of date")
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(text)


if __name__ == "__main__":
    main()
