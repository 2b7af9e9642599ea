"""Tensors of the stand-in for torch (fake_torch.py): type, shape and strides, and no contents but those that a script
spells out (torch.tensor, torch.arange)."""
from __future__ import annotations

import contextlib
import math
from collections import namedtuple
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ..buffers import Buffer, DType, buffer, dtype
from . import fake_autograd
from .contents import kept_values

_TYPES = ("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool",
          "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz")


reads: list["Tensor"] = []
"""Whose values a script read that only kernels could have made."""
_watchers: list[Callable[[str, list[Any], list[Any]], None]] = []


@contextlib.contextmanager
def watched(watcher: Callable[[str, list[Any], list[Any]], None]) -> Iterator[None]:
    """Tells `watcher` what torch would launch kernels of its own for: the kind ("fill", "pass" over elements, "sum",
    "matmul"), the tensors read and those written."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def launched(kind: str, reads: list[Any], writes: list[Any]) -> None:
    tensors = [each for each in reads if isinstance(each, Tensor)]
    fake_autograd.follow(tensors, writes)
    for watcher in _watchers:
        watcher(kind, tensors, writes)


class TorchDType(DType):
    def __str__(self) -> str:
        return f"torch.{str.__str__(self)}"

    __repr__ = __str__

    def __hash__(self) -> int:
        return str.__hash__(self)


class Size(tuple):
    def numel(self) -> int:
        return math.prod(self)


class Device:
    def __init__(self, kind: Any = "cuda", index: int | None = None) -> None:
        words = str(kind).split(":")
        self.type = words[0]
        self.index = int(words[1]) if len(words) > 1 else index if index is not None else 0

    def __str__(self) -> str:
        return f"{self.type}:{self.index}"

    def __eq__(self, other: Any) -> bool:
        return str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    width = max(len(a), len(b))
    pairs = zip((1,) * (width - len(a)) + tuple(a), (1,) * (width - len(b)) + tuple(b))
    return tuple(y if x == 1 else x for x, y in pairs)


def _indexed(under: Buffer, index: Any) -> tuple[Buffer, list[tuple[int, ...]]]:
    """A view by integers, slices, None and dots, and the shapes of tensors among the indices, which gather."""
    words = list(index) if isinstance(index, tuple) else [index]
    given = sum(each is not None and each is not Ellipsis for each in words)
    if not any(each is Ellipsis for each in words):
        words.append(Ellipsis)
    at = next(place for place, each in enumerate(words) if each is Ellipsis)
    words[at:at + 1] = [slice(None)] * (len(under.shape) - given)
    shape, strides, offset, gathered, left = [], [], 0, [], iter(zip(under.shape, under.strides))
    for word in words:
        if word is None:
            shape.append(1)
            strides.append(0)
            continue
        size, step = next(left, (None, 0))
        if size is None:
            raise IndexError(f"too many indices for a tensor of dimension {len(under.shape)}")
        if isinstance(word, slice):
            places = range(*word.indices(size))
            offset += places.start * step if len(places) else 0
            shape.append(len(places))
            strides.append(step * places.step)
        elif isinstance(word, list):
            gathered.append((len(word),))
        elif isinstance(word, Tensor):
            if word.dtype == "bool":
                word._no_contents()
            gathered.append(tuple(word.shape))
        else:
            if not -size <= int(word) < size:
                raise IndexError(f"index {word} is out of bounds for dimension of size {size}")
            offset += int(word) % size * step
    return Buffer(under.dtype, tuple(shape), tuple(strides), max(1, under.elements - offset), under.contents if not offset else "",
                  under.address + offset * under.element_size()), gathered


class Tensor:
    def __init__(self, under: Any, kind: TorchDType | None = None) -> None:
        """Of a place; a script's `torch.Tensor([...])` gives numbers, `torch.Tensor(2, 3)` sizes (their values are not kept)."""
        if not isinstance(under, Buffer):
            shape = (under, kind) if kind is not None else (under,) if isinstance(under, int) else (len(under),)
            under, kind = buffer("float32", shape), KINDS["float32"]
        self._under, self.dtype = under, kind
        self.values: list[int] | None = None  # of small integers (fake_values.py)
        self.requires_grad, self.grad, self.grad_fn = False, None, None
        self.device, self.is_cuda, self.layout = Device(), True, "strided"

    def _view(self, under: Buffer) -> "Tensor":
        made = Tensor(under, self.dtype)
        fake_autograd.follow([self], [made])
        return made

    @property
    def shape(self) -> Size:
        return Size(self._under.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def T(self) -> "Tensor":
        return self.transpose(0, 1) if self.ndim > 1 else self

    mT = property(lambda self: self.transpose(-2, -1))

    @property
    def data(self) -> "Tensor":
        return self

    @property
    def forewarp_contents(self) -> str:
        return self._under.contents if self.values is None else ":" + kept_values(self.values, str.__str__(self.dtype))

    @property
    def forewarp_leads_to(self) -> Buffer | None:
        return self._under.leads_to

    def data_ptr(self) -> int:
        return self._under.address

    def stride(self, dimension: int | None = None) -> Any:
        return self._under.stride(dimension)

    def size(self, dimension: int | None = None) -> Any:
        return self.shape if dimension is None else self.shape[dimension]

    def dim(self) -> int:
        return self.ndim

    def numel(self) -> int:
        return self._under.numel()

    nelement = numel

    def element_size(self) -> int:
        return self.dtype.itemsize

    itemsize = property(element_size)
    nbytes = property(lambda self: self.numel() * self.element_size())

    def is_floating_point(self) -> bool:
        return self.dtype.is_floating_point

    def is_contiguous(self, *_: Any, **__: Any) -> bool:
        return self._under.strides == Buffer(self._under.dtype, self._under.shape).strides

    def contiguous(self, *_: Any, **__: Any) -> "Tensor":
        return self if self.is_contiguous() else self._like()

    def transpose(self, a: int, b: int) -> "Tensor":
        return self._view(self._under.transposed(a % self.ndim, b % self.ndim))

    t = T.fget  # type: ignore[attr-defined]

    def permute(self, *order: Any) -> "Tensor":
        places = [place % self.ndim for place in sizes_of(order)]
        under = self._under
        return self._view(replace(under, shape=tuple(under.shape[i] for i in places), strides=tuple(under.strides[i] for i in places)))

    def view(self, *shape: Any) -> "Tensor":
        if len(shape) == 1 and isinstance(shape[0], TorchDType):
            under = Buffer(dtype(shape[0]), self._under.shape, self._under.strides, self._under.elements, address=self._under.address)
            return Tensor(under, shape[0])
        sizes = list(shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape)
        if -1 in sizes:
            known = math.prod(size for size in sizes if size != -1)
            sizes[sizes.index(-1)] = self.numel() // max(1, known)
        if math.prod(sizes) != self.numel():
            raise RuntimeError(f"shape '{sizes}' is invalid for input of size {self.numel()}")
        return self._view(Buffer(self._under.dtype, tuple(sizes), contents=self._under.contents, address=self._under.address))

    reshape = view

    def flatten(self, *_: Any) -> "Tensor":
        return self.view(-1)

    ravel = flatten

    def expand(self, *shape: Any) -> "Tensor":
        sizes = sizes_of(shape)
        under = self._under
        old, steps = (1,) * (len(sizes) - self.ndim) + under.shape, (0,) * (len(sizes) - self.ndim) + under.strides
        return self._view(replace(under, shape=tuple(was if size == -1 else size for size, was in zip(sizes, old)),
                                  strides=tuple(step if size in (-1, was) else 0 for size, was, step in zip(sizes, old, steps))))

    def expand_as(self, other: "Tensor") -> "Tensor":
        return self.expand(*other.shape)

    def as_strided(self, size: Any, stride: Any, *_: Any) -> "Tensor":
        return self._view(replace(self._under, shape=tuple(size), strides=tuple(stride)))

    def squeeze(self, dim: int | None = None) -> "Tensor":
        sizes = list(self.shape)
        if dim is None:
            sizes = [size for size in sizes if size != 1]
        elif sizes[dim] == 1:
            del sizes[dim]
        return self.view(*sizes) if sizes else self.view(())

    def unsqueeze(self, dim: int) -> "Tensor":
        sizes = list(self.shape)
        sizes.insert(dim if dim >= 0 else len(sizes) + 1 + dim, 1)
        return self.view(*sizes)

    def __getitem__(self, index: Any) -> "Tensor":
        under, gathered = _indexed(self._under, index)
        if not gathered:
            return self._view(under)
        shape: tuple[int, ...] = ()
        for each in gathered:
            shape = broadcast(shape, each)
        made = new((*shape, *under.shape), self.dtype)
        launched("pass", [self], [made])
        return made

    def __setitem__(self, index: Any, value: Any) -> None:
        self._forget()
        words = index if isinstance(index, tuple) else (index,)
        chosen = self if any(isinstance(each, Tensor) for each in words) else self[index]
        launched("pass" if isinstance(value, Tensor) else "fill", [value], [chosen])

    def split(self, size: int, dim: int = 0) -> tuple["Tensor", ...]:
        places = (slice(None),) * (dim % self.ndim)
        return tuple(self[(*places, slice(at, at + size))] for at in range(0, self.shape[dim], size))

    def chunk(self, count: int, dim: int = 0) -> tuple["Tensor", ...]:
        return self.split(-(-self.shape[dim] // count), dim)

    def to(self, *what: Any, **__: Any) -> "Tensor":
        kinds = [each for each in what if isinstance(each, TorchDType)]
        kinds += [each.dtype for each in what if isinstance(each, Tensor)]
        kinds += [__["dtype"]] if isinstance(__.get("dtype"), TorchDType) else []
        if not kinds or kinds[0] == self.dtype:
            return self
        made = Tensor(Buffer(dtype(kinds[0]), self._under.shape, self._under.strides, self._under.elements), kinds[0])
        launched("pass", [self], [made])
        return made

    type_as = type = to

    def _same(self, *_: Any, **__: Any) -> "Tensor":
        return self

    cuda = cpu = pin_memory = retain_grad = _same

    def detach(self) -> "Tensor":
        return Tensor(self._under, self.dtype)

    def requires_grad_(self, needs: bool = True) -> "Tensor":
        self.requires_grad = needs
        return self

    def backward(self, gradient: "Tensor | None" = None, **_: Any) -> None:
        fake_autograd.backward(self, gradient)

    def _forget(self) -> None:
        self._under, self.values = replace(self._under, contents=""), None

    def _filled(self, *_: Any, **__: Any) -> "Tensor":
        self._forget()
        launched("fill", [], [self])
        return self

    zero_ = fill_ = normal_ = uniform_ = random_ = _filled

    def copy_(self, other: "Tensor", *_: Any, **__: Any) -> "Tensor":
        self._forget()
        launched("pass", [other], [self])
        return self

    def ones_like(self) -> "Tensor":
        return new(self.shape, self.dtype)._filled()

    def new_empty(self, *shape: Any, dtype: Any = None, **_: Any) -> "Tensor":
        return new(sizes_of(shape), dtype or self.dtype)

    def new_zeros(self, *shape: Any, dtype: Any = None, **_: Any) -> "Tensor":
        return self.new_empty(*shape, dtype=dtype)._filled()

    def _like(self, *_: Any, **__: Any) -> "Tensor":
        made = new(self.shape, self.dtype)
        launched("pass", [self], [made])
        return made

    def _with(self, other: Any, *_: Any, **__: Any) -> "Tensor":
        kind = promoted(self.dtype, other.dtype if isinstance(other, Tensor) else other)
        made = new(broadcast(self.shape, getattr(other, "shape", ())), kind)
        launched("pass", [self, other], [made])
        return made

    def _into(self, other: Any = None, *_: Any, **__: Any) -> "Tensor":
        self._forget()
        launched("pass", [self.detach(), other], [self])
        return self

    def _compared(self, other: Any = None) -> "Tensor":
        made = new(broadcast(self.shape, getattr(other, "shape", ())), KINDS["bool"])
        launched("pass", [self, other], [made])
        return made

    def __eq__(self, other: Any) -> Any:
        return self._compared(other) if isinstance(other, (Tensor, int, float)) else NotImplemented

    def __ne__(self, other: Any) -> Any:
        return self._compared(other) if isinstance(other, (Tensor, int, float)) else NotImplemented

    __hash__ = object.__hash__

    def _reduced(self, dim: Any = None, keepdim: bool = False, axis: Any = None, **_: Any) -> "Tensor":
        dim = axis if dim is None else dim
        gone = set(range(self.ndim)) if dim is None else {each % max(1, self.ndim) for each in (dim if isinstance(dim, (tuple, list)) else (dim,))}
        kept = [1 if place in gone else size for place, size in enumerate(self.shape) if keepdim or place not in gone]
        made = new(tuple(kept), self.dtype)
        launched("sum", [self], [made])
        return made

    def _extreme(self, dim: Any = None, keepdim: bool = False, **_: Any) -> Any:
        """max and min: of one dimension with the places."""
        if isinstance(dim, Tensor):
            return self._with(dim)
        made = self._reduced(dim, keepdim, **_)
        return made if dim is None and "axis" not in _ else Extreme(made, new(made.shape, KINDS["int64"]))

    def _place(self, dim: Any = None, keepdim: bool = False, **_: Any) -> "Tensor":
        made = self._reduced(dim, keepdim)
        return Tensor(replace(made._under, dtype=dtype("int64")), KINDS["int64"])

    def repeat(self, *times: Any) -> "Tensor":
        counts = sizes_of(times)
        sizes = (1,) * (len(counts) - self.ndim) + tuple(self.shape)
        made = new(tuple(size * count for size, count in zip(sizes, counts)), self.dtype)
        launched("pass", [self], [made])
        return made

    def __matmul__(self, other: "Tensor", *, out: "Tensor | None" = None) -> "Tensor":
        made = out if out is not None else new(
            (*broadcast(self.shape[:-2], other.shape[:-2]), *self.shape[-2:-1], *other.shape[-1:]), self.dtype)
        launched("matmul", [self, other], [made])
        return made

    mm = matmul = bmm = __matmul__

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator["Tensor"]:
        return iter([self[place] for place in range(len(self))]) if self.ndim else self._no_contents()

    def _no_contents(self, *_: Any) -> Any:
        raise RuntimeError("a tensor of a GPU that is not there has no contents: a kernel was not run; what reads results can be "
                           "left out here by torch.__version__.endswith('+forewarp')")

    def _result(self, *_: Any) -> Any:
        """A number that a script reports, such as a loss, is not known; one that it goes on with would be a guess."""
        if not self.dtype.is_floating_point or self.numel() != 1:
            return self._no_contents()
        reads.append(self)
        return math.nan

    def numpy(self, *_: Any, **__: Any) -> Any:
        """NaN where NumPy is there: scripts keep results so."""
        if not self.dtype.is_floating_point:
            return self._no_contents()
        import numpy

        reads.append(self)
        return numpy.broadcast_to(numpy.float32("nan"), tuple(self.shape))

    item = __float__ = _result
    tolist = nonzero = __bool__ = __int__ = __index__ = _no_contents

    def __format__(self, how: str) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"tensor(shape={tuple(self.shape)}, dtype={self.dtype}, no contents)"


Extreme = namedtuple("Extreme", ("values", "indices"))

ELEMENTWISE = ("clone", "abs", "exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sin", "cos", "tan", "asin", "acos", "atan", "tanh", "erf",
               "sigmoid", "relu", "square", "reciprocal", "floor", "ceil", "round", "sign", "clamp", "softmax", "log_softmax", "cumsum",
               "tril", "triu", "flip", "roll", "logical_not", "masked_fill", "nan_to_num", "bitwise_not")
_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "pow", "mod", "and", "or", "xor", "lshift", "rshift")
for _name in (*ELEMENTWISE, "__neg__", "__invert__", "__pos__"):
    setattr(Tensor, _name, Tensor._like)
for _name in _OPERATORS:
    setattr(Tensor, f"__{_name}__", Tensor._with)
    setattr(Tensor, f"__r{_name}__", Tensor._with)
    setattr(Tensor, f"__i{_name}__", Tensor._into)
PAIRWISE = ("add", "sub", "mul", "div", "pow", "maximum", "minimum", "remainder", "bitwise_and", "bitwise_or", "bitwise_xor")
for _name in PAIRWISE:
    setattr(Tensor, _name, Tensor._with)
for _name in ("add_", "sub_", "mul_", "div_", "clamp_", "masked_fill_", "exponential_", "sqrt_", "exp_", "relu_", "scatter_", "index_copy_"):
    setattr(Tensor, _name, Tensor._into)
for _name in ("__lt__", "__le__", "__gt__", "__ge__", "isnan", "isinf", "isfinite", "eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Tensor, _name, Tensor._compared)
REDUCTIONS = ("sum", "mean", "var", "std", "amax", "amin", "prod", "norm", "logsumexp", "all", "any")
for _name in REDUCTIONS:
    setattr(Tensor, _name, Tensor._reduced)
for _name in ("max", "min"):
    setattr(Tensor, _name, Tensor._extreme)
for _name in ("argmax", "argmin", "count_nonzero"):
    setattr(Tensor, _name, Tensor._place)

KINDS = {name: TorchDType(name) for name in _TYPES}
SHORT = {"half": "float16", "float": "float32", "double": "float64", "int": "int32", "long": "int64", "short": "int16"}
for _name, _kind in {**SHORT, "bfloat16": "bfloat16", "bool": "bool"}.items():
    setattr(Tensor, _name, lambda self, kind=KINDS[_kind]: self.to(kind))


def promoted(a: TorchDType, b: Any) -> TorchDType:
    """The type of a result of two tensors, or of a tensor and a number, as torch has it; a number's width does not count."""
    if not isinstance(b, TorchDType):
        return KINDS["float32"] if isinstance(b, float) and not a.is_floating_point else a
    order = {kind: place for place, kind in enumerate(("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"))}
    if {a, b} == {KINDS["float16"], KINDS["bfloat16"]}:
        return KINDS["float32"]
    return a if order.get(a, 0) >= order.get(b, 0) else b


_places: dict[int, Buffer] = {}
"""Tensors that were made, by address: scripts write addresses into tables."""


def new(shape: tuple[int, ...], kind: TorchDType, contents: str = "") -> Tensor:
    under = buffer(str.__str__(kind), tuple(shape), contents=contents)
    _places[under.address] = under
    return Tensor(under, kind)


def table_of(addresses: list[int], kind: TorchDType) -> Tensor | None:
    """Where these are addresses of tensors; each leads to as much as the largest of them."""
    if not addresses or not all(each in _places for each in addresses):
        return None
    most = max((_places[each] for each in addresses), key=lambda under: under.elements * under.element_size())
    return Tensor(buffer(str.__str__(kind), len(addresses), leads_to=most), kind)


def sizes_of(words: tuple[Any, ...]) -> tuple[int, ...]:
    if len(words) == 1 and isinstance(words[0], (tuple, list)):
        return tuple(int(size) for size in words[0])
    return tuple(int(size) for size in words)
