"""The clock that a script reads: the host's, without what the recorder takes, with the predicted time that the host waits for the GPU."""
from __future__ import annotations

import contextlib
import time
import timeit
from collections.abc import Iterator

from .script import replaced

_NAMES = ("time", "perf_counter", "monotonic")


class Clock:
    """Launches follow each other on the GPU; the host goes on until it waits."""

    def __init__(self) -> None:
        self._real = time.perf_counter
        self._added = 0.0
        """Seconds that the script's clock is ahead of the real one."""
        self._busy_until = 0.0
        self._hidden = 0

    def now(self) -> float:
        return self._real() + self._added

    def launched(self, milliseconds: float) -> None:
        """NaN, where nothing is predicted, takes no time."""
        if milliseconds == milliseconds and milliseconds != float("inf"):
            self._busy_until = max(self._busy_until, self.now()) + milliseconds / 1000

    def wait(self) -> None:
        self._added += max(0.0, self._busy_until - self.now())

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """What runs inside takes no time of the script's."""
        begin, self._hidden = self._real(), self._hidden + 1
        try:
            yield
        finally:
            self._hidden -= 1
            if self._hidden == 0:
                self._added -= self._real() - begin

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """Inside, `time` and `timeit` tell this clock."""
        readings = {}
        for name in _NAMES:
            seconds, whole = getattr(time, name), getattr(time, f"{name}_ns")
            readings[name] = lambda seconds=seconds: seconds() + self._added
            readings[f"{name}_ns"] = lambda whole=whole: whole() + int(1e9 * self._added)
        timer = timeit.default_timer
        with contextlib.ExitStack() as stack:
            stack.enter_context(replaced(time, **readings))
            stack.enter_context(replaced(timeit, default_timer=readings["perf_counter"]))
            for function in (timeit.Timer.__init__, timeit.timeit, timeit.repeat):
                given = tuple(readings["perf_counter"] if each is timer else each for each in function.__defaults__ or ())
                stack.enter_context(replaced(function, __defaults__=given))
            yield
