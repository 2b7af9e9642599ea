#!/usr/bin/env python3
"""tools/fit_intervals.py: a width holds nine rows of ten, and a suite is judged by the widths of the others."""
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import fit_intervals as fit  # noqa: E402

WIDTHS = fit.present_widths(fit.code_of_widths().read_text(encoding="utf-8"))
assert WIDTHS["dram_bandwidth"] == WIDTHS["fp32"] and len(WIDTHS) == 18, WIDTHS


def suite(name, errors, limiter="fp32", space="k"):
    """Rows whose measured time is exp(error) times the predicted 1 ms; the interval is the class's alone."""
    half = math.exp(fit.Z90 * WIDTHS[limiter])
    return {"suite": name, "rows": [{"kernel": space, "gpu": "g", "limiter": limiter, "predicted_ms": 1, "measured_ms": math.exp(e),
                                     "interval_ms": [1 / half, half]} for e in errors]}


def judged(*results):
    rows = fit.read_rows(results, WIDTHS)
    return {line[0]: line[3:] for line in fit.judged(rows, WIDTHS, lambda name: name)}, rows


# Errors of 0.01 to 0.10: nine of ten lie within 0.09, so the width is 0.09 / 1.645.
small = [i / 100 for i in range(1, 11)]
lines, rows = judged(suite("a", small))
own_class = fit.classes_of(WIDTHS)["fp32"]
assert abs(fit.fit(rows, WIDTHS)[own_class] - 0.09 / fit.Z90) < 1e-9
assert math.isclose(lines["a"][1], 0.9)
# A suite with errors twice as large is covered by its own width and not by the other's: 0.02 to 0.08, four of ten.
lines, _ = judged(suite("a", small), suite("b", [2 * e for e in small]))
assert math.isclose(lines["b"][2], 0.4) and math.isclose(lines["a"][2], 1.0)
assert abs(lines["all"][2] - 0.7) < 1e-9 # spaces weigh the same
# A space weighs the same however many rows it has.
_, rows = judged(suite("a", small * 100), suite("b", [1.0] * 10))
assert abs(fit.fit(rows, WIDTHS)[own_class] - 1.0 / fit.Z90) < 1e-9
# What widens an interval beside the class stays outside of the fit.
wide = suite("a", [0.5] * 10)
for row in wide["rows"]:
    row["interval_ms"] = [math.exp(-2), math.exp(2)]
assert fit.fit(fit.read_rows([wide], WIDTHS), WIDTHS)[own_class] == 0
# Checks of GPU files are left out unless asked for.
assert [r["suite"] for r in fit.kernels_only([{"suite": s} for s in ("pmpp", "gpu-benches-l2", "clpeak", "published-scan")])] == ["pmpp"]
