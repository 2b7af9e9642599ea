"""A module `torch` for scripts that launch Triton kernels on a machine without torch: tensors have type, shape and
strides and no contents. What is not here is an AttributeError that says so."""
from __future__ import annotations

import contextlib
import math
import types
from collections.abc import Callable, Iterator
from typing import Any

from ..buffers import Buffer, DType, buffer, dtype
from . import fake_autograd

_TYPES = ("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool",
          "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz")


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


def _launched(kind: str, reads: list[Any], writes: list[Any]) -> None:
    for watcher in _watchers:
        watcher(kind, [each for each in reads if isinstance(each, Tensor)], writes)


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


def _broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    width = max(len(a), len(b))
    pairs = zip((1,) * (width - len(a)) + tuple(a), (1,) * (width - len(b)) + tuple(b))
    return tuple(y if x == 1 else x for x, y in pairs)


class Tensor:
    def __init__(self, under: Buffer, kind: TorchDType) -> None:
        self._under, self.dtype = under, kind
        self.requires_grad, self.grad, self.grad_fn = False, None, None
        self.device, self.is_cuda, self.layout = Device(), True, "strided"

    @property
    def shape(self) -> Size:
        return Size(self._under.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def T(self) -> "Tensor":
        return self.transpose(0, 1)

    @property
    def data(self) -> "Tensor":
        return self

    @property
    def forewarp_contents(self) -> str:
        return self._under.contents

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

    def is_contiguous(self, *_: Any, **__: Any) -> bool:
        return self._under.strides == Buffer(self._under.dtype, self._under.shape).strides

    def contiguous(self) -> "Tensor":
        return self if self.is_contiguous() else self._like()

    def transpose(self, a: int, b: int) -> "Tensor":
        return Tensor(self._under.transposed(a % self.ndim, b % self.ndim), self.dtype)

    t = T.fget  # type: ignore[attr-defined]

    def view(self, *shape: Any) -> "Tensor":
        sizes = list(shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape)
        if -1 in sizes:
            known = math.prod(size for size in sizes if size != -1)
            sizes[sizes.index(-1)] = self.numel() // max(1, known)
        return Tensor(Buffer(self._under.dtype, tuple(sizes), contents=self._under.contents, address=self._under.address), self.dtype)

    reshape = view

    def to(self, *what: Any, **__: Any) -> "Tensor":
        kinds = [each for each in what if isinstance(each, TorchDType)]
        kinds += [__["dtype"]] if isinstance(__.get("dtype"), TorchDType) else []
        if not kinds or kinds[0] == self.dtype:
            return self
        made = Tensor(Buffer(dtype(kinds[0]), self._under.shape, self._under.strides, self._under.elements), kinds[0])
        _launched("pass", [self], [made])
        return made

    def half(self) -> "Tensor":
        return self.to(_KINDS["float16"])

    def float(self) -> "Tensor":
        return self.to(_KINDS["float32"])

    def _same(self, *_: Any, **__: Any) -> "Tensor":
        return self

    cuda = cpu = _same

    def detach(self) -> "Tensor":
        return Tensor(self._under, self.dtype)

    def requires_grad_(self, needs: bool = True) -> "Tensor":
        self.requires_grad = needs
        return self

    def backward(self, gradient: "Tensor | None" = None, **_: Any) -> None:
        fake_autograd.backward(self, gradient)

    def _filled(self, *_: Any, **__: Any) -> "Tensor":
        _launched("fill", [], [self])
        return self

    zero_ = fill_ = normal_ = uniform_ = random_ = _filled

    def copy_(self, other: "Tensor", *_: Any) -> "Tensor":
        _launched("pass", [other], [self])
        return self

    def ones_like(self) -> "Tensor":
        return _new(self.shape, self.dtype)._filled()

    def _like(self, *_: Any, **__: Any) -> "Tensor":
        made = _new(self.shape, self.dtype)
        _launched("pass", [self], [made])
        return made

    clone = abs = exp = sqrt = softmax = log_softmax = __neg__ = _like

    def _with(self, other: Any, *_: Any) -> "Tensor":
        made = _new(_broadcast(self.shape, getattr(other, "shape", ())), self.dtype)
        _launched("pass", [self, other], [made])
        return made

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _with

    def _compared(self, other: Any) -> "Tensor":
        made = _new(_broadcast(self.shape, getattr(other, "shape", ())), _KINDS["bool"])
        _launched("pass", [self, other], [made])
        return made

    __lt__ = __le__ = __gt__ = __ge__ = _compared

    def __eq__(self, other: Any) -> Any:
        return self._compared(other) if isinstance(other, (Tensor, int, float)) else NotImplemented

    def __ne__(self, other: Any) -> Any:
        return self._compared(other) if isinstance(other, (Tensor, int, float)) else NotImplemented

    __hash__ = object.__hash__

    def _reduced(self, dim: Any = None, keepdim: bool = False, **_: Any) -> "Tensor":
        sizes = [] if dim is None else list(self.shape)
        if dim is not None:
            sizes[dim:dim + 1 or None] = [1] if keepdim else []
        made = _new(tuple(sizes), self.dtype)
        _launched("sum", [self], [made])
        return made

    sum = mean = var = std = amax = amin = _reduced

    def __matmul__(self, other: "Tensor") -> "Tensor":
        made = _new((*self.shape[:-1], other.shape[-1]), self.dtype)
        _launched("matmul", [self, other], [made])
        return made

    def squeeze(self, dim: int) -> "Tensor":
        sizes = list(self.shape)
        if sizes[dim] == 1:
            del sizes[dim]
        return self.view(*sizes)

    def unsqueeze(self, dim: int) -> "Tensor":
        sizes = list(self.shape)
        sizes.insert(dim if dim >= 0 else len(sizes) + 1 + dim, 1)
        return self.view(*sizes)

    def __len__(self) -> int:
        return self.shape[0]

    def _no_contents(self, *_: Any) -> Any:
        raise RuntimeError("a tensor of a GPU that is not there has no contents: a kernel was not run")

    item = tolist = numpy = __bool__ = __float__ = __int__ = __iter__ = _no_contents

    def __format__(self, how: str) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"tensor(shape={tuple(self.shape)}, dtype={self.dtype}, no contents)"


_KINDS = {name: TorchDType(name) for name in _TYPES}


def _new(shape: tuple[int, ...], kind: TorchDType) -> Tensor:
    return Tensor(buffer(str.__str__(kind), tuple(shape)), kind)


def _sizes(words: tuple[Any, ...]) -> tuple[int, ...]:
    if len(words) == 1 and isinstance(words[0], (tuple, list)):
        return tuple(int(size) for size in words[0])
    return tuple(int(size) for size in words)


def _maker(default: str, fills: bool = True) -> Any:
    """A function such as torch.empty(*sizes, dtype=...)."""
    def make(*words: Any, size: Any = None, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
        made = _new(_sizes((size,) if size is not None else words), dtype or _KINDS[default])
        return (made._filled() if fills else made).requires_grad_(requires_grad)
    return make


def _randint(*words: Any, size: Any = None, low: int = 0, high: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """As torch's (low=0, high, size): numbers that decide addresses are there, of a seed of ours."""
    numbers = list(words)
    shape = tuple(size) if size is not None else tuple(numbers.pop())
    high = numbers.pop() if numbers else high
    low = numbers.pop() if numbers else low
    kind = dtype or _KINDS["int64"]
    return Tensor(buffer(str.__str__(kind), shape, contents=f"random(1,{int(low)},{int(high)})"), kind)


def _full(size: Any, value: Any, *, dtype: Any = None, **_: Any) -> Tensor:
    return _new(_sizes((size,)), dtype or _KINDS["float32" if isinstance(value, float) else "int64"])


def _arange(*words: int, dtype: Any = None, **_: Any) -> Tensor:
    return _new((len(range(*words)),), dtype or _KINDS["int64"])


def _like(tensor: Tensor, *_: Any, dtype: Any = None, **__: Any) -> Tensor:
    return _new(tensor.shape, dtype or tensor.dtype)


def _filled_like(tensor: Tensor, *_: Any, dtype: Any = None, **__: Any) -> Tensor:
    return _like(tensor, dtype=dtype)._filled()


def _made_of(name: str) -> Any:
    """torch.NAME(tensor, ...) as tensor.NAME(...)."""
    return lambda tensor, *words, **named: getattr(tensor, name)(*words, **named)


def _tensor(values: Any, dtype: Any = None, **_: Any) -> Tensor:
    shape, inner = [], values
    while isinstance(inner, (list, tuple)):
        shape.append(len(inner))
        inner = inner[0] if inner else 0.0
    return _new(tuple(shape), dtype or _KINDS["float32" if isinstance(inner, float) else "int64"])


def module(gpu: Any) -> types.ModuleType:
    """The module, for one GPU."""
    torch = types.ModuleType("torch")
    torch.__version__ = "2.0.0+forewarp"
    for name, kind in _KINDS.items():
        setattr(torch, name, kind)
    torch.half, torch.float, torch.double, torch.int, torch.long = (
        _KINDS[name] for name in ("float16", "float32", "float64", "int32", "int64"))
    torch.Tensor, torch.device, torch.dtype, torch.Size = Tensor, Device, TorchDType, Size
    torch.empty = _maker("float32", fills=False)
    for name in ("zeros", "ones", "rand", "randn"):
        setattr(torch, name, _maker("float32"))
    torch.randint, torch.full, torch.arange, torch.tensor = _randint, _full, _arange, _tensor
    torch.empty_like = _like
    for name in ("zeros_like", "ones_like", "rand_like", "randn_like"):
        setattr(torch, name, _filled_like)
    for name in ("softmax", "exp", "sqrt", "abs", "sum", "mean"):
        setattr(torch, name, _made_of(name))
    torch.autograd = types.SimpleNamespace(Function=fake_autograd.Function, backward=fake_autograd.backward, grad=fake_autograd.grad)
    torch.matmul = torch.mm = lambda a, b, **_: a @ b
    torch.max = lambda tensor, *_, **__: _new((), tensor.dtype)
    torch.allclose = torch.equal = lambda *_, **__: True  # nothing is there that could differ
    torch.manual_seed = lambda *_: None
    torch.testing = types.SimpleNamespace(assert_close=lambda *_, **__: None)
    torch.cuda = types.SimpleNamespace(
        is_available=lambda: True, synchronize=lambda *_: None, current_device=lambda: 0, device_count=lambda: 1,
        get_device_name=lambda *_: gpu.name, empty_cache=lambda: None, manual_seed=lambda *_: None,
        get_device_capability=lambda *_: divmod(gpu.arch, 10) if isinstance(gpu.arch, int) else (9, 4),
        get_device_properties=lambda *_: types.SimpleNamespace(
            name=gpu.name, multi_processor_count=gpu.facts["sm_count"], gcnArchName=str(gpu.arch)))
    plain = lambda function=None, **_: function if callable(function) else lambda each: each  # noqa: E731: a decorator
    torch.amp = torch.cuda.amp = types.SimpleNamespace(custom_fwd=plain, custom_bwd=plain)
    torch.version = types.SimpleNamespace(cuda=None if gpu.backend == "hip" else "12.8", hip="6.4" if gpu.backend == "hip" else None)

    def missing(name: str) -> Any:
        raise AttributeError(f"torch.{name} is not in the stand-in for torch: install torch (CPU is enough), or take it "
                             "out of the script")

    torch.__getattr__ = missing
    return torch
