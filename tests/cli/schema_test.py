#!/usr/bin/env python3
"""JSON output against data/schema/prediction.schema.json: one GPU, several GPUs, CUDA, an AMD GPU; damaged answers are refused."""
import copy
import json
import pathlib
import subprocess
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LAUNCHES = [
    ["--launch", "corpus/matrix_multiply_tiled/check.toml", "--gpu", "v100"],
    ["--launch", "corpus/histogram/check.toml", "--gpu", "k620,v100,h200,mi210"],
    ["corpus/matrix_multiply_tiled/kernel.cu", "--launch", "corpus/matrix_multiply_tiled/check.toml", "--gpu", "a100"],
]
NEEDED = ["schema_version", "kernel", "gpu", "time_ms", "interval_ms", "cycles", "limiter", "valid", "assumptions", "occupancy",
          "registers_per_thread", "instructions_per_warp", "memory"]


def answer(program, words):
    done = subprocess.run([program, "predict", *words, "--format", "json"], cwd=ROOT, capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        sys.exit(f"{words}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def check_answer(validator, words, document):
    validator.validate(document)
    predictions = document["predictions"]
    assert len(predictions) == words[-1].count(",") + 1, f"{words}: {len(predictions)} predictions"
    times = [prediction["time_ms"] for prediction in predictions]
    assert times == sorted(times), f"{words}: not fastest first"
    for prediction in predictions:
        low, high = prediction["interval_ms"]
        assert low <= prediction["time_ms"] <= high, f"{words}: the time is outside of its interval"
        assert abs(sum(cause["share"] for cause in prediction["causes"]) - 1) < 1e-3, f"{words}: causes do not add up to 1"
        assert prediction["limiter"] == prediction["causes"][0]["cause"], f"{words}: the limiter is not the first cause"
    if len(predictions) == 1:
        assert all(document[key] == predictions[0][key] for key in NEEDED), f"{words}: top level and list differ"


def check_refusals(validator, document):
    def damaged(change):
        copied = copy.deepcopy(document)
        change(copied["predictions"][0])
        return copied
    for change in (lambda p: p.pop("limiter"), lambda p: p.update(limiter="dram"), lambda p: p.update(time_ms="1"),
                   lambda p: p.update(surprise=1), lambda p: p["interval_ms"].pop()):
        assert not validator.is_valid(damaged(change)), "the schema takes a damaged answer"


def main():
    schema = json.loads((ROOT / "data/schema/prediction.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for words in LAUNCHES:
        document = answer(sys.argv[1], words)
        check_answer(validator, words, document)
    check_refusals(validator, document)


if __name__ == "__main__":
    main()
