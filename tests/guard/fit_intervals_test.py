#!/usr/bin/env python3
"""tools/fit_intervals.py: terms hold nine rows of ten, and a suite or GPU is judged by the terms of the others."""
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import fit_intervals as fit  # noqa: E402

CODE = fit.code_of_widths().read_text(encoding="utf-8")
WIDTHS = fit.present_widths(CODE)
TERMS = fit.present_terms(CODE)
assert WIDTHS["fp64"] == WIDTHS["fp32"] > WIDTHS["dram_bandwidth"] and len(WIDTHS) == 18, WIDTHS
assert set(fit.FURTHER) <= set(TERMS), TERMS  # each further term stands in the code
OWN = f"class:{fit.classes_of(WIDTHS)['fp32']}"
PLAIN = {"registers": 32, "occupancy": 1, "spilled_bytes": 0, "amd_board": False, "gpu": "g", "policies": 0, "assumed": 0}


def suite(name, errors, limiter="fp32", space="k", gpu="g", basis=None, wider=0.0):
    """Rows whose measured time is exp(error) times the predicted 1 ms; the interval is that of the terms, and `wider` (a sigma) on top."""
    basis = PLAIN | (basis or {})
    known = TERMS[f"class:{fit.classes_of(WIDTHS)[limiter]}"] ** 2 + sum(fit.FURTHER[t](basis) * TERMS[t] ** 2 for t in fit.FURTHER)
    half = math.exp(fit.Z90 * math.sqrt(known + wider ** 2))
    return {"suite": name, "rows": [{"kernel": space, "gpu": gpu, "limiter": limiter, "predicted_ms": 1, "measured_ms": math.exp(e),
                                     "interval_ms": [1 / half, half], "basis": basis} for e in errors]}


def rows_of(*results):
    return fit.read_rows(results, TERMS, WIDTHS)


def judged(rows, group):
    return {line[0]: line[3:] for line in fit.judged(rows, TERMS, lambda row: row[group])}


# Errors of 0.05 to 0.50: nine of ten lie within 0.45, a width of 0.274; widths are tried by hundredths.
small = [i / 20 for i in range(1, 11)]
rows = rows_of(suite("a", small))
assert 0.45 / fit.Z90 <= fit.fit(rows, TERMS)[OWN] < 0.45 / fit.Z90 + 0.01
assert math.isclose(judged(rows, "suite")["a"][1], 0.9)
# A suite with errors twice as large is covered by its own terms and not by the other's: 0.1 to 0.4, four of ten.
lines = judged(rows_of(suite("a", small), suite("b", [2 * e for e in small])), "suite")
assert math.isclose(lines["b"][2], 0.4) and math.isclose(lines["a"][2], 1.0)
assert abs(lines["all"][2] - 0.7) < 1e-9  # spaces weigh the same
# The same by GPU.
lines = judged(rows_of(suite("a", small, gpu="x"), suite("a", [2 * e for e in small], gpu="y")), "gpu")
assert math.isclose(lines["y"][2], 0.4) and math.isclose(lines["x"][2], 1.0)
# A space weighs the same however many rows it has.
rows = rows_of(suite("a", small * 100), suite("b", [1.0] * 10))
assert fit.fit(rows, TERMS)[OWN] >= 1.0 / fit.Z90
# Rows of few warps are wider by a term of their own: the class keeps the width of the others.
rows = rows_of(suite("a", small), suite("b", [3 * e for e in small], space="few", basis={"occupancy": 0.2}))
fitted = fit.fit(rows, TERMS)
assert 0.45 / fit.Z90 <= fitted[OWN] <= 0.5 / fit.Z90 + 0.01
assert 1.35 / fit.Z90 - 0.01 <= math.hypot(fitted[OWN], fitted["few_warps"]) <= 1.5 / fit.Z90 + 0.01
# GPUs whose programs a closed compiler built: what inherits from GCN's family, and nothing of LLVM's time.
assert {"Radeon HD 7970", "Radeon R9 290X", "Radeon RX 480"} <= fit.closed_compilers()
assert not {"Instinct MI50", "Instinct MI100", "Radeon RX 6900 XT", "A100 PCIe 40GB"} & fit.closed_compilers()
# What widens an interval beside the terms stays outside of the fit.
assert fit.fit(rows_of(suite("a", [0.5] * 10, wider=2.0)), TERMS)[OWN] == 0
# Checks of GPU files are left out unless asked for.
assert [r["suite"] for r in fit.kernels_only([{"suite": s} for s in ("pmpp", "gpu-benches-l2", "clpeak", "published-scan")])] == ["pmpp"]
