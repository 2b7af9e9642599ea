"""Predictions by what is launched: scripts launch the same thing a thousand times."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .gpus import Gpu
from .launches import Launch, predict_launch
from .room import with_room


@dataclass(frozen=True)
class Recorded:
    launch: Launch
    times: int
    """So often in the script, with equal sizes and arguments."""
    prediction: dict[str, Any] | None
    error: str
    """Why there is no prediction; else ""."""

    @property
    def time_ms(self) -> float:
        return float("nan") if self.prediction is None else float(self.prediction["time_ms"])


class Memo:
    def __init__(self, gpu: Gpu, options: dict[str, Any]) -> None:
        self._gpu, self._options = gpu, options
        self._known: dict[tuple[Any, ...], dict[str, Any] | Exception] = {}
        self._launches: dict[tuple[Any, ...], Launch] = {}

    def prediction(self, launch: Launch) -> dict[str, Any]:
        if launch.key not in self._known:
            self._launches[launch.key] = launch
            try:
                self._known[launch.key] = with_room(lambda each: predict_launch(each, self._gpu, **self._options), launch)
            except Exception as error:  # kept: the next one would end the same way
                self._known[launch.key] = error
        found = self._known[launch.key]
        if isinstance(found, Exception):
            raise found
        return found

    def milliseconds(self, launches: list[Launch]) -> float:
        """Of launches in a row; NaN where one cannot be predicted, which `failed` remembers."""
        try:
            made = [self.prediction(launch) for launch in launches]
        except Exception:
            return math.nan
        return sum(each["time_ms"] for each in made) if all(each.get("valid", True) for each in made) else math.inf

    def failed(self, launches: list[Launch]) -> list[Launch]:
        """Launches of benchmarks without a prediction that are not among these."""
        listed = {launch.key for launch in launches}
        return [self._launches[key] for key, found in self._known.items() if isinstance(found, Exception) and key not in listed]

    def recorded(self, launches: list[Launch]) -> list[Recorded]:
        """In the order of first launches."""
        counts: dict[tuple[Any, ...], list[Any]] = {}
        for launch in launches:
            counts.setdefault(launch.key, [launch, 0])[1] += 1
        recorded = []
        for launch, times in counts.values():
            try:
                recorded.append(Recorded(launch, times, self.prediction(launch), ""))
            except Exception as error:  # of any kind: the other launches still count
                recorded.append(Recorded(launch, times, None, str(error)))
        return recorded
