"""Triton kernels on GPUs that are not there (docs/guide/triton.md). Needs the wheel `triton`; torch only where a script imports it.

>>> import forewarp, forewarp.triton
>>> x = forewarp.buffer("fp32", 1 << 24)
>>> forewarp.triton.predict(add, (1 << 14,), x, x, x, 1 << 24, BLOCK=1024, gpu=["a100", "h100"])
"""
from __future__ import annotations

import importlib.util

from ..recorder.launches import Launch, LaunchNotModelled, predict_launch
from ..recorder.memo import Recorded
from .predicting import predict
from .ranking import Ranked, Ranking, perf_model, rank
from .script import run_script

if importlib.util.find_spec("triton") is not None:
    from .releases import decorate_without_gpu
    decorate_without_gpu()

__all__ = ["Launch", "LaunchNotModelled", "Ranked", "Ranking", "Recorded", "perf_model", "predict", "predict_launch",
           "rank", "run_script"]
