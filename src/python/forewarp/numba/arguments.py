"""A launch's arguments as the compiled kernel takes them."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .. import Error
from ..buffers import Buffer, dtype
from ..recorder.launches import LaunchNotModelled

_SCALARS = {bool: "boolean", int: "int64", float: "float64"}  # as Numba takes Python's numbers
_KINDS = ("Array", "Number", "Boolean", "Record", "BaseTuple", "NPDatetime", "NPTimedelta", "EnumMember")
_PARTS = {"complex64": "float32", "complex128": "float64", "datetime64": "int64", "timedelta64": "int64"}


@dataclass(frozen=True)
class Array:
    """The memory behind an argument."""

    buffer: Buffer
    address: int | None = None
    """None: there is none, only type and shape."""

    @property
    def bytes(self) -> int:
        return self.buffer.elements * self.buffer.element_size()


def _elements(kind: Any, count: int) -> tuple[Any, int]:
    """Of an array of a NumPy type: the type and number of the buffer's elements."""
    name = str(getattr(kind, "name", kind))
    for whole, part in _PARTS.items():
        if name.startswith(whole):
            return dtype(part), count * (2 if whole.startswith("complex") else 1)
    try:
        return dtype(name), count
    except ValueError:  # records, texts
        return dtype("uint8"), count * int(kind.itemsize)


def _interface(value: Any) -> tuple[int, tuple[int, ...] | None] | None:
    """Address and strides by either array interface."""
    found = getattr(value, "__cuda_array_interface__", None) or getattr(value, "__array_interface__", None)
    if not isinstance(found, dict) or not found.get("data"):
        return None
    return int(found["data"][0] or 0), found.get("strides")


def _of_interface(value: Any) -> Any:
    """Others' device arrays, as Numba takes them."""
    if not hasattr(value, "__cuda_array_interface__"):
        return None
    from numba import cuda
    return cuda.as_cuda_array(value)


def array_words(value: Any) -> list[str | Array] | None:
    """Numba hands an array over as two places of the host, numbers of elements and bytes of one, its data, its sizes, its strides
    in bytes. Of anything with type, shape and strides in bytes (NumPy's, Numba's device arrays), or ours; None: it is no array."""
    if isinstance(value, Buffer):
        size = value.element_size()
        return ["0", "0", str(value.numel()), str(size), Array(value), *map(str, value.shape),
                *(str(step * size) for step in value.strides)]
    value = value if hasattr(value, "dtype") else _of_interface(value)
    if not hasattr(value, "dtype") or not hasattr(value, "shape") or not hasattr(value, "strides"):
        return None
    shape = tuple(int(size) for size in value.shape)
    if not shape and not hasattr(value, "gpu_data") and not _is_ndarray(value):
        return None
    size, strides = int(value.dtype.itemsize), tuple(int(step) for step in value.strides)
    reach = 0 if 0 in shape else 1 + sum((count - 1) * abs(step) // size for count, step in zip(shape, strides))
    kind, elements = _elements(value.dtype, reach)
    place = _interface(value)
    behind = Array(Buffer(kind, (elements,), (), elements), place[0] if place else None)
    count = 1
    for each in shape:
        count *= each
    return ["0", "0", str(count), str(size), behind, *map(str, shape), *map(str, strides)]


def _is_ndarray(value: Any) -> bool:
    import numpy
    return isinstance(value, numpy.ndarray)


def _number(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    plain = getattr(value, "item", lambda: value)()
    return str(int(plain)) if isinstance(plain, bool) else repr(plain)


def _record(value: Any) -> list[str | Array]:
    """A pointer to one."""
    size = int(value.dtype.itemsize)
    place = _interface(value)
    return [Array(Buffer(dtype("uint8"), (size,), (), size), place[0] if place else None)]


def kernel_values(arguments: Iterable[Any], pointer: Any = None) -> list[str | Array]:
    """The values of the compiled kernel's parameters in order. `pointer(ADDRESS)` gives the memory behind a number that stands for
    an address. LaunchNotModelled names what is no argument."""
    words: list[str | Array] = []
    for value in arguments:
        if isinstance(value, Array):
            words.append(value)
            continue
        value = getattr(value, "value", value) if _is_hint_or_member(value) else value
        array = array_words(value)
        if array is not None:
            words += array
        elif isinstance(value, tuple):
            words += kernel_values(value, pointer)
        elif hasattr(value, "dtype") and getattr(value.dtype, "fields", None):
            words += _record(value)
        elif hasattr(value, "dtype") and value.dtype.kind in "mM":
            words.append(str(int(value.view("int64"))))
        elif isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c":
            words += [repr(float(value.real)), repr(float(value.imag))]
        elif isinstance(value, (bool, int, float)) or hasattr(value, "item"):
            words.append(_number(value))
        elif pointer is not None and getattr(value, "__cuda_memory__", False):
            words.append(pointer(int(value.device_ctypes_pointer.value or 0)))
        else:
            raise LaunchNotModelled(f"an argument of type {type(value).__name__} is neither number nor array: pass a number, a tuple, "
                                    "forewarp.buffer(...) or a NumPy array")
    return words


def _is_hint_or_member(value: Any) -> bool:
    """cuda.In, Out and InOut around an array, and members of enumerations."""
    import enum
    return isinstance(value, enum.Enum) or hasattr(value, "to_device") and hasattr(value, "value")


def numba_types() -> Any:
    """numba-cuda's own types, which earlier versions took from Numba."""
    try:
        from numba.cuda import types
    except ImportError:
        from numba import types
    return types


def _typed(value: Any) -> Any:
    try:
        from numba.cuda.typing.typeof import Purpose, typeof
    except ImportError:
        from numba.core.typing.typeof import Purpose, typeof
    types = numba_types()
    kinds = tuple(getattr(types, name) for name in _KINDS if hasattr(types, name))
    try:
        found = typeof(value, Purpose.argument)
    except Exception:
        return None
    return found if isinstance(found, kinds) else None


def type_of(value: Any) -> Any:
    """As Numba types an argument."""
    types = numba_types()
    if isinstance(value, Buffer):
        rows = Buffer(value.dtype, value.shape).strides == value.strides
        return types.Array(getattr(types, "boolean" if value.dtype == "bool" else str(value.dtype)), value.ndim, "C" if rows else "A")
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return types.BaseTuple.from_types(tuple(type_of(each) for each in value))
    found = getattr(types, _SCALARS[type(value)]) if type(value) in _SCALARS else _typed(value)
    if found is None:
        raise Error(f"an argument of type {type(value).__name__} is neither number nor array", "", "pass a number, a tuple, "
                    "forewarp.buffer(...) or a NumPy array", "usage", 2)
    return found
