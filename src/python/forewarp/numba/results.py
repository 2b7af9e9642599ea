"""Comparisons of results that are not there."""
from __future__ import annotations

import contextlib
from typing import Any

from ..recorder.script import replaced

_ANSWERS = {"allclose": True, "array_equal": True, "array_equiv": True}
_CHECKS = ("assert_allclose", "assert_almost_equal", "assert_approx_equal", "assert_array_almost_equal", "assert_array_equal",
           "assert_array_less", "assert_equal", "assert_array_almost_equal_nulp", "assert_array_max_ulp")


class Comparisons:
    """NumPy's comparisons of arrays pass from the first launch on, as `torch.allclose` does for Triton's kernels: what the script
    compares is mostly what a kernel would have written."""

    def __init__(self, recorder: Any) -> None:
        self._recorder, self._stack = recorder, contextlib.ExitStack()
        self.passed = 0

    def __enter__(self) -> "Comparisons":
        import numpy
        import numpy.testing

        self._stack.enter_context(replaced(numpy, **{name: self._passing(getattr(numpy, name), answer) for name, answer in _ANSWERS.items()}))
        checks = {name: self._passing(getattr(numpy.testing, name), None) for name in _CHECKS if hasattr(numpy.testing, name)}
        self._stack.enter_context(replaced(numpy.testing, **checks))
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.close()

    def _passing(self, compare: Any, answer: Any) -> Any:
        def passes(*words: Any, **named: Any) -> Any:
            if not self._recorder.launches:
                return compare(*words, **named)
            self.passed += 1
            return answer
        return passes
