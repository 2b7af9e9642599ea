"""One launch of a compiled kernel as the words of `forewarp predict`, and what is predicted of it."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import Error, predict as predict_source
from .gpus import Gpu


class LaunchNotModelled(Exception):
    """A launch that cannot be written as arguments of a prediction; says which part of it."""


@dataclass(frozen=True)
class Launch:
    kernel: str
    grid: tuple[int, int, int]
    arguments: dict[str, Any]
    """By name as the kernel was called, compile-time values too."""
    options: dict[str, Any]
    """What else the launch was made with, such as num_warps or the size of a block."""
    shared_bytes: int
    registers: int | None
    """Per thread, from the assembler; None: estimated."""
    code: Path
    """What is predicted: LLVM IR, PTX or machine code."""
    words: tuple[str, ...] = field(repr=False, default=())
    """Of `forewarp predict`, without the GPU."""
    reason: str = field(repr=False, default="")
    """Why the launch cannot be written as such words; else ""."""

    @property
    def key(self) -> tuple[Any, ...]:
        """Launches of equal keys take equal time."""
        return (self.code, self.words, self.reason)


def predict_launch(launch: Launch, gpu: Gpu | str, **options: Any) -> dict[str, Any]:
    """The object of `forewarp predict --format json` for one launch that was compiled for this GPU. `options` are
    those of `forewarp.predict`, such as cache="cold"."""
    if launch.reason:
        raise LaunchNotModelled(launch.reason)
    values: dict[str, list[str]] = {}
    for word in launch.words:
        name, value = word[2:].split("=", 1)
        values.setdefault(name, []).append(value)
    for name in options:
        if name.strip("_").replace("_", "-") in values:
            raise Error(f"'{name}' is what the launch itself says", "", "", "usage", 2)
    return predict_source(str(launch.code), gpu=gpu.requested if isinstance(gpu, Gpu) else gpu, **values, **options)[0]


def invalid_because(prediction: dict[str, Any]) -> str:
    return "; ".join(note["text"] for note in prediction["notes"]
                     if note.get("severity") == "invalid") or "the prediction is not valid"
