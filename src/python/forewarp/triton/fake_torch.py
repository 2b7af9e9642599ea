"""A module `torch` for scripts that launch Triton kernels on a machine without torch: tensors have type, shape and
strides and no contents. What is not here is an AttributeError that says so."""
from __future__ import annotations

import math
import types
from typing import Any

from ..buffers import Buffer, DType, buffer, dtype

_TYPES = ("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool",
          "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz")


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
        self.requires_grad, self.grad = False, None
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
        return self if self.is_contiguous() else _new(self.shape, self.dtype)

    def transpose(self, a: int, b: int) -> "Tensor":
        return Tensor(self._under.transposed(a % self.ndim, b % self.ndim), self.dtype)

    t = T.fget  # type: ignore[attr-defined]

    def view(self, *shape: Any) -> "Tensor":
        sizes = list(shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape)
        if -1 in sizes:
            known = math.prod(size for size in sizes if size != -1)
            sizes[sizes.index(-1)] = self.numel() // max(1, known)
        return Tensor(Buffer(self._under.dtype, tuple(sizes), address=self._under.address), self.dtype)

    reshape = view

    def to(self, *what: Any, **__: Any) -> "Tensor":
        kinds = [each for each in what if isinstance(each, TorchDType)]
        kinds += [__["dtype"]] if isinstance(__.get("dtype"), TorchDType) else []
        if not kinds or kinds[0] == self.dtype:
            return self
        return Tensor(Buffer(dtype(kinds[0]), self._under.shape, self._under.strides, self._under.elements), kinds[0])

    def half(self) -> "Tensor":
        return self.to(_KINDS["float16"])

    def float(self) -> "Tensor":
        return self.to(_KINDS["float32"])

    def _same(self, *_: Any, **__: Any) -> "Tensor":
        return self

    cuda = cpu = detach = requires_grad_ = zero_ = fill_ = copy_ = normal_ = uniform_ = random_ = _same

    def _like(self, *_: Any, **__: Any) -> "Tensor":
        return _new(self.shape, self.dtype)

    clone = abs = exp = sqrt = softmax = __neg__ = _like

    def _with(self, other: Any, *_: Any) -> "Tensor":
        return _new(_broadcast(self.shape, getattr(other, "shape", ())), self.dtype)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _with

    def _reduced(self, dim: Any = None, keepdim: bool = False, **_: Any) -> "Tensor":
        if dim is None:
            return _new((), self.dtype)
        sizes = list(self.shape)
        sizes[dim:dim + 1 or None] = [1] if keepdim else []
        return _new(tuple(sizes), self.dtype)

    sum = mean = var = std = amax = amin = _reduced

    def __matmul__(self, other: "Tensor") -> "Tensor":
        return _new((*self.shape[:-1], other.shape[-1]), self.dtype)

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


def _maker(default: str, first: int = 0) -> Any:
    """A function such as torch.empty(*sizes, dtype=...); the first `first` words are no sizes."""
    def make(*words: Any, size: Any = None, dtype: Any = None, **_: Any) -> Tensor:
        shape = _sizes((size,) if size is not None else words[first:])
        return _new(shape, dtype or _KINDS[default])
    return make


def _randint(*words: Any, size: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    return _new(tuple(size if size is not None else words[-1]), dtype or _KINDS["int64"])


def _full(size: Any, value: Any, *, dtype: Any = None, **_: Any) -> Tensor:
    return _new(_sizes((size,)), dtype or _KINDS["float32" if isinstance(value, float) else "int64"])


def _arange(*words: int, dtype: Any = None, **_: Any) -> Tensor:
    return _new((len(range(*words)),), dtype or _KINDS["int64"])


def _like(tensor: Tensor, *_: Any, dtype: Any = None, **__: Any) -> Tensor:
    return _new(tensor.shape, dtype or tensor.dtype)


def module(gpu: Any) -> types.ModuleType:
    """The module, for one GPU."""
    torch = types.ModuleType("torch")
    torch.__version__ = "2.0.0+forewarp"
    for name, kind in _KINDS.items():
        setattr(torch, name, kind)
    torch.half, torch.float, torch.double, torch.int, torch.long = (
        _KINDS[name] for name in ("float16", "float32", "float64", "int32", "int64"))
    torch.Tensor, torch.device, torch.dtype, torch.Size = Tensor, Device, TorchDType, Size
    for name in ("empty", "zeros", "ones", "rand", "randn"):
        setattr(torch, name, _maker("float32"))
    torch.randint, torch.full, torch.arange = _randint, _full, _arange
    for name in ("empty_like", "zeros_like", "ones_like", "rand_like", "randn_like", "softmax", "exp", "sqrt", "abs"):
        setattr(torch, name, _like)
    torch.matmul = torch.mm = lambda a, b, **_: a @ b
    torch.max = lambda tensor, *_, **__: _new((), tensor.dtype)
    torch.allclose = lambda *_, **__: True  # nothing is there that could differ
    torch.manual_seed = lambda *_: None
    torch.testing = types.SimpleNamespace(assert_close=lambda *_, **__: None)
    torch.cuda = types.SimpleNamespace(
        is_available=lambda: True, synchronize=lambda *_: None, current_device=lambda: 0, device_count=lambda: 1,
        get_device_name=lambda *_: gpu.name, empty_cache=lambda: None, manual_seed=lambda *_: None,
        get_device_capability=lambda *_: divmod(gpu.arch, 10) if isinstance(gpu.arch, int) else (9, 4),
        get_device_properties=lambda *_: types.SimpleNamespace(
            name=gpu.name, multi_processor_count=gpu.facts["sm_count"], gcnArchName=str(gpu.arch)))
    torch.version = types.SimpleNamespace(cuda=None if gpu.backend == "hip" else "12.8", hip="6.4" if gpu.backend == "hip" else None)

    def missing(name: str) -> Any:
        raise AttributeError(f"torch.{name} is not in the stand-in for torch: install torch (CPU is enough), or take it "
                             "out of the script")

    torch.__getattr__ = missing
    return torch
