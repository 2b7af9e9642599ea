"""Numba kernels (`@cuda.jit`) on NVIDIA GPUs that are not there (docs/guide/numba.md). Needs numba-cuda with its compiler wheels.

>>> import forewarp, forewarp.numba
>>> x = forewarp.buffer("fp32", 1 << 24)
>>> forewarp.numba.predict(axpy, 1 << 16, 256, 2.0, x, x, gpu="a100,h100")
"""
from __future__ import annotations

from ..recorder.launches import Launch, LaunchNotModelled
from ..recorder.memo import Recorded
from .predicting import compiling_for, kernel_values, predict, ptx_of
from .script import run_script

__all__ = ["Launch", "LaunchNotModelled", "Recorded", "compiling_for", "kernel_values", "predict", "ptx_of", "run_script"]
