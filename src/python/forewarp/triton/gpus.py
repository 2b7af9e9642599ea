"""What Triton's compiler and launcher ask about a GPU, from the GPU files."""
from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from .. import Error, _call, _native
from ..recorder import gpus


@dataclass(frozen=True)
class Gpu(gpus.Gpu):
    backend: str
    """Triton's: "cuda" or "hip"."""
    arch: int | str
    """80 for sm_80, "gfx942"."""


@functools.lru_cache(maxsize=None)
def gpu_named(name: str) -> Gpu:
    """Error where there is no such GPU, or one that Triton does not compile for."""
    facts = _call(_native.gpu, name)
    target = str(facts["target"])
    number = re.fullmatch(r"sm_(\d+)a?", target)
    capability = round(10 * float(facts["compute_capability"])) or (number and int(number[1]))
    if number is None and not target.startswith("gfx"):
        raise Error(f"Triton has no target for {facts['name']} ({target})", name, "", "unsupported", 7)
    if number and int(number[1]) < 75:
        raise Error(f"Triton compiles for compute capability 7.5 and later; {facts['name']} is {target}", name,
                    "choose a newer GPU", "unsupported", 7)
    return Gpu(name, str(facts["name"]), facts, "cuda" if number else "hip", capability if number else target)
