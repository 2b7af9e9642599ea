"""`triton.profiler` where nothing runs: a profile is what `forewarp triton` lists at the end."""
from __future__ import annotations

import contextlib
import types
from typing import Any


def _nothing(*_: Any, **__: Any) -> None:
    pass


class _Scope(contextlib.ContextDecorator):
    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __enter__(self) -> "_Scope":
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    enter = exit = _nothing


def _profile(function: Any = None, **_: Any) -> Any:
    return function if callable(function) else lambda each: each


def _module(name: str, **members: Any) -> types.ModuleType:
    made = types.ModuleType(name)
    vars(made).update(members)
    return made


def modules() -> dict[str, types.ModuleType]:
    viewer = _module("triton.profiler.viewer", parse=lambda *_, **__: (None, None), print_tree=_nothing, read=lambda *_: (None,) * 4)
    profiler = _module("triton.profiler", __path__=[], viewer=viewer, start=lambda *_, **__: 0, activate=_nothing, deactivate=_nothing,
                       finalize=_nothing, enter_scope=lambda *_, **__: 0, exit_scope=lambda *_, **__: 0, scope=_Scope,
                       cpu_timed_scope=_Scope, profile=_profile)
    return {made.__name__: made for made in (profiler, viewer)}
