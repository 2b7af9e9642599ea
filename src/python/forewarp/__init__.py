"""How long a GPU kernel runs, on a GPU that is not there.

`predict` and `explore` take the arguments of the commands of the same names: an option `--dynamic-shared` is the argument
`dynamic_shared`, `--global` is `global_`. Lists repeat an option; dictionaries (`arg`, `define`, `space`) write NAME=VALUE.
"""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    import numpy
    import numpy.typing


def _find_data() -> None:
    """The GPU catalogue lies beside an installed module or in the source tree; the program finds it by its own place."""
    if "FOREWARP_DATA" in os.environ:
        return
    here = pathlib.Path(__file__).resolve().parent
    for folder in (here, *here.parents):
        for data in (folder / "data", folder / "share" / "forewarp"):
            if (data / "gpus").is_dir():
                os.environ["FOREWARP_DATA"] = str(data)
                return


_find_data()

from . import _native  # noqa: E402  (reads the environment)
from .buffers import Buffer, buffer  # noqa: E402

Word = Union[str, int, float, bool, os.PathLike]
Option = Union[Word, Iterable[Word], Mapping[str, Any], None]


class Error(Exception):
    """What the command would have said: message, where, hint, error class ("usage", "compile", ...), exit code."""

    def __init__(self, message: str, where: str, hint: str, code: str, exit_code: int):
        super().__init__(": ".join(part for part in (where, message) if part) + (f" ({hint})" if hint else ""))
        self.message, self.where, self.hint, self.code, self.exit_code = message, where, hint, code, exit_code


def _text(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return ",".join(str(item) for item in value)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _words(source: Word | None, options: Mapping[str, Option]) -> list[str]:
    words = [] if source is None else [_text(source)]
    for name, value in options.items():
        option = "--" + name.strip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            words += [f"{option}={key}={_text(item)}" for key, item in value.items()]
        elif isinstance(value, (str, int, float, os.PathLike)) or name in ("global_", "grid", "local"):
            words.append(f"{option}={_text(value)}")
        else:
            words += [f"{option}={_text(item)}" for item in value]
    return words


def _call(function: Any, words: list[str]) -> Any:
    try:
        return function(words)
    except _native.NativeError as error:
        raise Error(*error.args) from None


def predict(source: Word | None = None, **options: Option) -> list[dict[str, Any]]:
    """Predictions, one a GPU, fastest first: the objects of `forewarp predict --format json`.

    >>> predict("scale.cl", gpu=["v100", "h200"], global_=1048576, local=256,
    ...         arg={"x": "buffer:f32[1048576]", "n": 1048576}, define={"UNROLL": 4})
    """
    return json.loads(_call(_native.predict, _words(source, options)))["predictions"]


@dataclass(frozen=True)
class Exploration:
    """Every configuration of a space, in the order of ids; arrays are configurations x GPUs, NaN where not valid."""

    gpus: list[str]
    parameters: dict[str, list[str]]
    ids: numpy.typing.NDArray[numpy.uint64]
    valid: numpy.typing.NDArray[numpy.bool_]
    time_ms: numpy.typing.NDArray[numpy.float64]
    low_ms: numpy.typing.NDArray[numpy.float64]
    high_ms: numpy.typing.NDArray[numpy.float64]
    registers: numpy.typing.NDArray[numpy.float64]
    shared_bytes: numpy.typing.NDArray[numpy.float64]
    occupancy: numpy.typing.NDArray[numpy.float64]
    dram_bytes: numpy.typing.NDArray[numpy.float64]
    gflops: numpy.typing.NDArray[numpy.float64]
    limiters: numpy.typing.NDArray[numpy.str_]
    reasons: numpy.typing.NDArray[numpy.str_]
    summary: dict[str, Any]
    """The command's JSON without `configurations`: best, worst, Pareto, effects, what to measure."""

    def configuration(self, index: int) -> dict[str, str]:
        return {name: values[index] for name, values in self.parameters.items()}

    def best(self, gpu: int | str = 0) -> dict[str, str]:
        """The configuration of least time on one GPU."""
        import numpy
        column = self.gpus.index(gpu) if isinstance(gpu, str) else gpu
        return self.configuration(int(numpy.nanargmin(self.time_ms[:, column])))


def explore(source: Word | None = None, **options: Option) -> Exploration:
    """A whole design space: `forewarp explore`.

    >>> explore(launch="matmul.toml", gpu="v100", space={"TILE": "8,16,32", "local.x": "TILE", "local.y": "TILE"}).best()
    """
    try:
        import numpy
    except ImportError as error:
        raise ImportError("forewarp.explore gives arrays of NumPy, which is not installed: pip install numpy") from error
    raw = _call(_native.explore, _words(source, options))
    summary = json.loads(raw.pop("summary"))
    gpus = [gpu["gpu"] for gpu in summary["gpus"]]
    raw["ids"] = numpy.frombuffer(raw["ids"], dtype=numpy.uint64)
    shape = (len(raw["ids"]), len(gpus))
    raw["valid"] = numpy.frombuffer(raw["valid"], dtype=numpy.uint8).astype(bool).reshape(shape)
    for name in ("time_ms", "low_ms", "high_ms", "registers", "shared_bytes", "occupancy", "dram_bytes", "gflops"):
        raw[name] = numpy.frombuffer(raw[name], dtype=numpy.float64).reshape(shape)
    for name in ("limiters", "reasons"):
        raw[name] = numpy.array(raw[name], dtype=str).reshape(shape)
    return Exploration(gpus=gpus, summary=summary, **raw)


__all__ = ["Buffer", "Error", "Exploration", "buffer", "explore", "predict"]
