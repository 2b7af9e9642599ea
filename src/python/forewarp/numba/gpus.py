"""GPUs that Numba compiles for."""
from __future__ import annotations

import functools
from dataclasses import dataclass

from .. import Error, _call, _native
from ..recorder import gpus


@dataclass(frozen=True)
class Gpu(gpus.Gpu):
    capability: tuple[int, int]
    """(8, 0) for sm_80."""


@functools.lru_cache(maxsize=None)
def gpu_named(name: str) -> Gpu:
    """Error where there is no such GPU, or one that runs no CUDA."""
    facts = _call(_native.gpu, name)
    target = str(facts["target"])
    if not target.startswith("sm_"):
        raise Error(f"Numba compiles CUDA kernels; {facts['name']} is {target}", name, "choose an NVIDIA GPU", "unsupported", 7)
    tenths = round(10 * float(facts["compute_capability"])) or int(target[3:].rstrip("af"))
    major, minor = divmod(tenths, 10)
    return Gpu(name, str(facts["name"]), facts, (major, minor))
