"""Arrays that exist by type and shape only."""
from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

# Type names as Triton, torch and NumPy write them -> (one name, bytes, type of a --arg buffer of the same size).
_TYPES = {
    "float16": (2, "f16"), "bfloat16": (2, "u16"), "float32": (4, "f32"), "float64": (8, "f64"),
    "float8_e4m3fn": (1, "u8"), "float8_e5m2": (1, "u8"), "float8_e4m3fnuz": (1, "u8"), "float8_e5m2fnuz": (1, "u8"),
    "int8": (1, "i8"), "int16": (2, "i16"), "int32": (4, "i32"), "int64": (8, "i64"),
    "uint8": (1, "u8"), "uint16": (2, "u16"), "uint32": (4, "u32"), "uint64": (8, "u64"), "bool": (1, "u8"),
}
_ALIASES = {
    "fp16": "float16", "half": "float16", "bf16": "bfloat16", "fp32": "float32", "float": "float32", "fp64": "float64",
    "double": "float64", "fp8e4nv": "float8_e4m3fn", "fp8e5": "float8_e5m2", "fp8e4b8": "float8_e4m3fnuz",
    "fp8e5b16": "float8_e5m2fnuz", "i1": "bool", "int1": "bool", "long": "int64", "int": "int32",
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)}, **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}
_ADDRESS_STEP = 1 << 12  # places are as aligned as an allocator's
_next_address = itertools.count(1)


class DType(str):
    """A type's name; what Triton and scripts ask of a dtype."""

    @property
    def itemsize(self) -> int:
        return _TYPES[self][0]

    @property
    def buffer_type(self) -> str:
        return _TYPES[self][1]

    @property
    def is_floating_point(self) -> bool:
        return "float" in self

    @property
    def primitive_bitwidth(self) -> int:
        return 8 * self.itemsize


def dtype(name: Any) -> DType:
    """The type of a name, a torch or Triton dtype. ValueError names what is known."""
    word = str(name).rsplit(".", 1)[-1]
    word = _ALIASES.get(word, word)
    if word not in _TYPES:
        raise ValueError(f"unknown element type '{name}'; known are {', '.join(sorted({*_TYPES, *_ALIASES}))}")
    return DType(word)


def _row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(math.prod(shape[i + 1:]) for i in range(len(shape)))


@dataclass(frozen=True)
class Buffer:
    """An array of a GPU that is not there: a Triton kernel takes it where it takes a tensor. It has no contents."""

    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...] = ()
    elements: int = 0
    """Of the memory behind it; strides may reach less or share it."""
    contents: str = ""
    """What follows TYPE[COUNT] in `--arg`: "", ":zeros", ":iota", ":random(1)", ":@file.npy"."""
    address: int = field(default_factory=lambda: next(_next_address) * _ADDRESS_STEP, compare=False)
    leads_to: Buffer | None = None
    """Of a table of addresses: the array behind each of them."""

    def __post_init__(self) -> None:
        if not self.strides:
            object.__setattr__(self, "strides", _row_major(self.shape))
        if not self.elements:
            object.__setattr__(self, "elements", math.prod(self.shape))

    def data_ptr(self) -> int:
        return self.address

    def stride(self, dimension: int | None = None) -> Any:
        return self.strides if dimension is None else self.strides[dimension]

    def size(self, dimension: int | None = None) -> Any:
        return self.shape if dimension is None else self.shape[dimension]

    def numel(self) -> int:
        return math.prod(self.shape)

    def element_size(self) -> int:
        return self.dtype.itemsize

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def T(self) -> "Buffer":
        return self.transposed(0, 1)

    def transposed(self, a: int, b: int) -> "Buffer":
        shape, strides = list(self.shape), list(self.strides)
        shape[a], shape[b], strides[a], strides[b] = shape[b], shape[a], strides[b], strides[a]
        return Buffer(self.dtype, tuple(shape), tuple(strides), self.elements, self.contents, self.address)

    def argument(self) -> str:
        """The value of `--arg`."""
        return f"buffer:{self.dtype.buffer_type}[{max(1, self.elements)}]{self.contents}"

    def arguments(self, place: int) -> list[str]:
        """`--arg` of the kernel's parameter at a place, from 0, and of what its elements lead to."""
        own = [f"--arg={place}={self.argument()}"]
        return own + ([f"--arg={place}[]={self.leads_to.argument()}"] if self.leads_to else [])


def buffer(element_type: Any, shape: int | tuple[int, ...], strides: tuple[int, ...] = (), contents: str = "",
           leads_to: Buffer | None = None) -> Buffer:
    """`buffer("fp16", (4096, 4096))`: row-major unless `strides` (in elements) say otherwise. `buffer("int64", 4,
    leads_to=buffer("fp16", (512, 512)))`: a table of addresses."""
    sizes = (shape,) if isinstance(shape, int) else tuple(int(size) for size in shape)
    if any(size < 0 for size in sizes):
        raise ValueError(f"the shape {sizes} has a negative size")
    reach = 1 + sum((size - 1) * abs(stride) for size, stride in zip(sizes, strides)) if strides and all(sizes) else 0
    suffix = contents if not contents or contents.startswith(":") else ":" + contents
    return Buffer(dtype(element_type), sizes, tuple(strides), reach, suffix, leads_to=leads_to)
