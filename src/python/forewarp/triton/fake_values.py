"""Values of small tensors of integers in the stand-in for torch: lengths, starts and places that a script makes decide what a kernel does.
They live through what scripts do to them before a launch; elsewhere tensors have no contents."""
from __future__ import annotations

import functools
import math
import operator
import random
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from .fake_tensor import Tensor, TorchDType

MOST = 1 << 16
"""Elements of a tensor whose values are kept."""
_numbers = random.Random(1)


def integer(kind: TorchDType) -> bool:
    return not kind.is_floating_point


def with_values(tensor: Tensor, values: list[int] | None) -> Tensor:
    if values is not None and len(values) == tensor.numel() <= MOST and integer(tensor.dtype):
        tensor.values = [bool(value) for value in values] if str.__str__(tensor.dtype) == "bool" else list(values)
    return tensor


def drawn(count: int, low: int, high: int) -> list[int] | None:
    return [_numbers.randrange(low, max(high, low + 1)) for _ in range(count)] if count <= MOST else None


def _other(tensor: Tensor, other: Any) -> list[int] | None:
    """The second operand, element by element of the first."""
    if isinstance(other, (int, bool)):
        return [other] * len(tensor.values)
    if not isinstance(other, Tensor) or other.values is None:
        return None
    same = other.shape == tensor.shape
    return other.values if same else other.values * len(tensor.values) if other.numel() == 1 else None


def _pairwise(rule: Callable[[int, int], int], swapped: bool = False) -> Callable[..., list[int] | None]:
    def values(tensor: Tensor, other: Any = None, *_: Any, **__: Any) -> list[int] | None:
        seconds = _other(tensor, other)
        return seconds and [rule(b, a) if swapped else rule(a, b) for a, b in zip(tensor.values, seconds)]
    return values


def _whole(rule: Callable[[list[int]], int]) -> Callable[..., list[int] | None]:
    """Of a reduction over everything."""
    def values(tensor: Tensor, dim: Any = None, *_: Any, **__: Any) -> list[int] | None:
        return [rule(tensor.values)] if tensor.values and (dim is None or tensor.ndim == 1 and isinstance(dim, int)) else None
    return values


def _cumulated(tensor: Tensor, *_: Any, **__: Any) -> list[int] | None:
    return list(accumulate(tensor.values)) if tensor.ndim == 1 else None


def _kept(tensor: Tensor, *_: Any, **__: Any) -> list[int] | None:
    return tensor.values


def _picked(tensor: Tensor, index: Any) -> list[int] | None:
    """Of rows and slices of the first dimension, in order."""
    rows = list(range(len(tensor)))[index] if isinstance(index, (int, slice)) else None
    if rows is None:
        return None
    width = len(tensor.values) // max(1, len(tensor))
    return [value for row in ([rows] if isinstance(rows, int) else rows) for value in tensor.values[row * width:(row + 1) * width]]


_ARITHMETIC = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "floordiv": operator.floordiv, "mod": operator.mod}
_ORDERS = {"lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "eq": operator.eq, "ne": operator.ne}
_RULES: dict[str, Callable[..., list[int] | None]] = {
    **{f"__{name}__": _pairwise(rule) for name, rule in (*_ARITHMETIC.items(), *_ORDERS.items())},
    **{f"__r{name}__": _pairwise(rule, swapped=True) for name, rule in _ARITHMETIC.items()},
    **{name: _pairwise(rule) for name, rule in (("add", operator.add), ("sub", operator.sub), ("mul", operator.mul), ("maximum", max), ("minimum", min))},
    **{name: _whole(rule) for name, rule in (("sum", sum), ("amax", max), ("amin", min), ("prod", math.prod), ("all", all), ("any", any))},
    **{name: (lambda tensor, *words, rule=_whole(rule), **named: None if words or named else rule(tensor)) for name, rule in (("max", max), ("min", min))},
    **{name: _kept for name in ("clone", "contiguous", "to", "int", "long", "short", "view", "reshape", "flatten", "squeeze", "unsqueeze", "detach")},
    "cumsum": _cumulated, "__getitem__": _picked,
}


def _remembering(plain: Callable[..., Any], rule: Callable[..., list[int] | None]) -> Callable[..., Any]:
    @functools.wraps(plain)
    def method(self: Tensor, *words: Any, **named: Any) -> Any:
        made = plain(self, *words, **named)
        if self.values is None or not isinstance(made, Tensor) or made is self:
            return made
        return with_values(made, rule(self, *words, **named))
    return method


def _written(plain: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(plain)
    def method(self: Tensor, index: Any, value: Any) -> None:
        before = self.values
        plain(self, index, value)
        if before is None or self.ndim != 1 or not isinstance(index, (int, slice)):
            return
        places = list(range(len(before)))[index]
        places = [places] if isinstance(places, int) else places
        given = value.values if isinstance(value, Tensor) else [value] * len(places) if isinstance(value, int) else None
        if given is not None and len(given) == len(places):
            for place, each in zip(places, given):
                before[place] = each
            self.values = before
    return method


def _single(plain: Callable[..., Any], made: Callable[[int], Any]) -> Callable[..., Any]:
    def method(self: Tensor, *words: Any) -> Any:
        return made(self.values[0]) if self.values is not None and len(self.values) == 1 else plain(self, *words)
    return method


def _listed(plain: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Tensor) -> Any:
        if self.values is None:
            return plain(self)
        nested: Any = self.values
        for size in reversed(self.shape[1:]):
            nested = [nested[at:at + size] for at in range(0, len(nested), size)] if size else []
        return nested if self.ndim else nested[0]
    return method


def concatenated(tensors: list[Tensor], made: Tensor) -> Tensor:
    known = [each.values for each in tensors]
    return made if made.ndim != 1 or any(values is None for values in known) else with_values(made, [value for values in known for value in values])


def install() -> None:
    """Once, at the end of fake_torch.py's imports."""
    for name, rule in _RULES.items():
        setattr(Tensor, name, _remembering(getattr(Tensor, name), rule))
    Tensor.__setitem__ = _written(Tensor.__setitem__)  # type: ignore[method-assign]
    Tensor.tolist = _listed(Tensor.tolist)  # type: ignore[method-assign]
    for name, made in (("item", lambda value: value), ("__int__", int), ("__index__", int), ("__float__", float), ("__bool__", bool)):
        setattr(Tensor, name, _single(getattr(Tensor, name), made))


def counted(start: int, stop: int, step: int) -> list[int] | None:
    return list(range(start, stop, step)) if len(range(start, stop, step)) <= MOST else None


def same(count: int, value: Any, kind: TorchDType) -> list[int] | None:
    return [int(value)] * count if count <= MOST and integer(kind) else None
