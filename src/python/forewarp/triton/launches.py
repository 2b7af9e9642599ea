"""One launch of a compiled Triton kernel as the words of `forewarp predict`."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..buffers import Buffer, dtype
from .cubin import registers_of
from .gpus import Gpu


class LaunchNotModelled(Exception):
    """A launch that cannot be written as arguments of a prediction; says which part of it."""


@dataclass(frozen=True)
class Launch:
    kernel: str
    grid: tuple[int, int, int]
    arguments: dict[str, Any]
    """By name as the kernel was called, compile-time values too."""
    options: dict[str, int]
    """num_warps, num_stages, num_ctas, maxnreg."""
    shared_bytes: int
    registers: int | None
    """Per thread, from the assembler; None: estimated."""
    code: Path
    """The module's LLVM IR in Triton's cache."""
    words: tuple[str, ...] = field(repr=False, default=())
    """Of `forewarp predict`, without the GPU."""


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float)):
        return repr(value)
    if hasattr(value, "value"):
        return _scalar(value.value)
    raise LaunchNotModelled(f"an argument of type {type(value).__name__} is neither number nor array")


def as_buffer(value: Any) -> Buffer | None:
    """Of anything with a type and a place: ours, torch's (fake and meta too). None: a number or something else."""
    if isinstance(value, Buffer):
        return value
    if not hasattr(value, "dtype") or not hasattr(value, "data_ptr"):
        return None
    shape = tuple(int(size) for size in getattr(value, "shape", (1,)))
    strides = tuple(int(step) for step in value.stride()) if callable(getattr(value, "stride", None)) else ()
    reach = 1 + sum((size - 1) * abs(step) for size, step in zip(shape, strides)) if strides else 0
    return Buffer(dtype(value.dtype), shape, strides, reach)


def _descriptor_values(value: Any, is_map: bool) -> list[str]:
    """A host descriptor where it is taken apart: base, shape, strides, two flags, shape and strides again."""
    if is_map:
        raise LaunchNotModelled("tensor maps (TMA) are not modelled")
    base = as_buffer(value.base)
    if base is None:
        raise LaunchNotModelled("a tensor descriptor rests on something that is no array")
    places = [_scalar(int(number)) for number in (*value.shape, *value.strides)]
    flags = [str(int(getattr(value, "padding", "zero") == "nan")), str(int(getattr(value, "round_f32_to_tf32", False)))]
    return [base.argument(), *places, *flags, *places]


def kernel_values(names: list[str], signature: dict[str, str], values: list[Any], is_map: bool) -> list[str]:
    """The values of the compiled kernel's parameters in order, as `--arg` takes them."""
    words: list[str] = []
    for name, value in zip(names, values):
        kind = signature.get(name, "constexpr")
        if kind == "constexpr" or value is None:
            continue
        if isinstance(value, (tuple, list)):
            raise LaunchNotModelled(f"argument '{name}' is a tuple")
        if str(kind).startswith("tensordesc"):
            words += _descriptor_values(value, is_map)
            continue
        array = as_buffer(value)
        words.append(array.argument() if array is not None else _scalar(value))
    return words


def describe(gpu: Gpu, source: Any, metadata: Any, grid: tuple[int, int, int], values: tuple[Any, ...]) -> Launch:
    """From what Triton hands to a launcher: source and metadata of the compiled kernel, all bound arguments."""
    from triton.runtime.cache import get_cache_manager

    names = list(source.fn.arg_names)
    signature = {name: str(kind) for name, kind in source.signature.items()}
    files = get_cache_manager(metadata.hash).get_group(f"{metadata.name}.json") or {}
    code = files.get(f"{metadata.name}.llir")
    if code is None:
        raise LaunchNotModelled(f"Triton kept no LLVM IR of '{metadata.name}'")
    cubin = files.get(f"{metadata.name}.cubin")
    registers = registers_of(Path(cubin).read_bytes()) if cubin else None
    if getattr(metadata, "num_ctas", 1) != 1:
        raise LaunchNotModelled(f"'{metadata.name}' runs in clusters of {metadata.num_ctas} groups")
    groups = grid[0] * grid[1] * grid[2]
    arguments = kernel_values(names, signature, list(values), bool(getattr(metadata, "tensordesc_meta", None)))
    for kind in ("global_scratch", "profile_scratch"):
        size = getattr(metadata, f"{kind}_size", 0) or 0
        arguments.append(f"buffer:u8[{max(1, size * groups)}]")
    words = [f"--grid={','.join(map(str, grid))}", f"--dynamic-shared={metadata.shared}",
             f"--local={metadata.num_warps * gpu.warp_width}"]
    if registers:
        words.append(f"--registers={registers}")
    words += [f"--arg={place}={value}" for place, value in enumerate(arguments)]
    options = {key: getattr(metadata, key) for key in ("num_warps", "num_stages", "num_ctas", "maxnreg")
               if getattr(metadata, key, None) is not None}
    return Launch(metadata.name, grid, dict(zip(names, values)), options, metadata.shared, registers, Path(code),
                  tuple(words))
