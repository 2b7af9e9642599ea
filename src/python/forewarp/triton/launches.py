"""One launch of a compiled Triton kernel as the words of `forewarp predict`."""
from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ..buffers import Buffer, dtype
from ..recorder.cubin import frame_of, registers_of
from ..recorder.launches import Launch, LaunchNotModelled
from .gpus import Gpu


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float)):
        return repr(value)
    if hasattr(value, "value"):
        return _scalar(value.value)
    raise LaunchNotModelled(f"an argument of type {type(value).__name__} is neither number nor array: pass forewarp.buffer(TYPE, SHAPE), "
                            "a tensor or a number")


def as_buffer(value: Any) -> Buffer | None:
    """Of anything with a type and a place: ours, torch's (fake and meta too). None: a number or something else."""
    if isinstance(value, Buffer):
        return value
    if not hasattr(value, "dtype") or not hasattr(value, "data_ptr"):
        return None
    shape = tuple(int(size) for size in getattr(value, "shape", (1,)))
    strides = tuple(int(step) for step in value.stride()) if callable(getattr(value, "stride", None)) else ()
    reach = 1 + sum((size - 1) * abs(step) for size, step in zip(shape, strides)) if strides else 0
    return Buffer(dtype(value.dtype), shape, strides, reach, getattr(value, "forewarp_contents", ""),
                  leads_to=getattr(value, "forewarp_leads_to", None))


_SWIZZLE_BYTES = (0, 32, 64, 128)  # by Triton's number


def _tensor_map(value: Any, base: Buffer, meta: dict[str, Any]) -> list[str]:
    """A host descriptor as the hardware takes it: the tensor map, shape, strides."""
    shape, strides = [int(size) for size in value.shape], [int(step) for step in value.strides]
    if meta.get("fp4_padded") or meta.get("is_im2col"):
        raise LaunchNotModelled("a tensor map of padded 4-bit numbers or of an im2col tensor")
    if strides != [math.prod(shape[i + 1:]) for i in range(len(shape))]:
        raise LaunchNotModelled("a tensor map of rows that do not lie one behind the other")
    sizes, box = ("x".join(map(str, words)) for words in (shape, meta["block_size"]))
    words = f"tensormap:{base.dtype.buffer_type}[{sizes}]:box={box}:swizzle={_SWIZZLE_BYTES[meta['swizzle']]}"
    return [words + base.contents, *map(str, shape), *map(str, strides)]


def _descriptor_values(value: Any, meta: dict[str, Any] | None) -> list[str]:
    """A host descriptor; where it is taken apart: base, shape, strides, two flags, shape and strides again."""
    base = as_buffer(value.base)
    if base is None:
        raise LaunchNotModelled("a tensor descriptor rests on something that is no array")
    if meta is not None:
        return _tensor_map(value, base, meta)
    places = [_scalar(int(number)) for number in (*value.shape, *value.strides)]
    flags = [str(int(getattr(value, "padding", "zero") == "nan")), str(int(getattr(value, "round_f32_to_tf32", False)))]
    return [base.argument(), *places, *flags, *places]


def _flat(kind: Any, value: Any) -> list[tuple[Any, Any]]:
    """Tuples as the compiled kernel takes them: their elements one after the other."""
    if not isinstance(kind, tuple):
        return [(kind, value)]
    return [each for inner, part in zip(kind, value) for each in _flat(inner, part)]


def kernel_values(names: list[str], signature: dict[str, Any], values: list[Any],
                  maps: list[dict[str, Any]]) -> list[str | Buffer]:
    """The values of the compiled kernel's parameters in order, as `--arg` takes them, or tables of addresses. `maps`: what Triton says of its
    descriptors where they are tensor maps."""
    words: list[str | Buffer] = []
    left = iter(maps)
    given = [each for name, value in zip(names, values) for each in _flat(signature.get(name, "constexpr"), value)]
    for kind, value in given:
        if kind == "constexpr" or value is None:
            continue
        if str(kind).startswith("tensordesc"):
            words += _descriptor_values(value, next(left, None))
            continue
        array = as_buffer(value)
        words.append(_scalar(value) if array is None else array if array.leads_to else array.argument())
    return words


def describe(gpu: Gpu, source: Any, metadata: Any, grid: tuple[int, int, int], values: tuple[Any, ...]) -> Launch:
    """From what Triton hands to a launcher: source and metadata of the compiled kernel, all bound arguments."""
    from triton.runtime.cache import get_cache_manager

    from .releases import bound_arguments

    names, signature, given = bound_arguments(source, values)
    files = get_cache_manager(metadata.hash).get_group(f"{metadata.name}.json") or {}
    code = files.get(f"{metadata.name}.llir")
    if code is None:
        raise LaunchNotModelled(f"Triton kept no LLVM IR of '{metadata.name}'")
    cubin = files.get(f"{metadata.name}.cubin")
    assembled = Path(cubin).read_bytes() if cubin else b""
    registers, frame = registers_of(assembled), frame_of(assembled)
    cluster = getattr(metadata, "num_ctas", 1)
    groups = grid[0] * grid[1] * grid[2] * cluster
    arguments = kernel_values(names, signature, given,
                              list(getattr(metadata, "tensordesc_meta", None) or []))
    for kind in ("global_scratch", "profile_scratch"):
        if hasattr(metadata, f"{kind}_size"):  # of releases whose kernels take it
            arguments.append(f"buffer:u8[{max(1, (getattr(metadata, f'{kind}_size') or 0) * groups)}]")
    words = [f"--grid={grid[0] * cluster},{grid[1]},{grid[2]}", f"--dynamic-shared={metadata.shared}",
             f"--local={metadata.num_warps * gpu.warp_width}"]
    if cluster > 1:
        words.append(f"--cluster={cluster},1,1")
    if registers:
        words.append(f"--registers={registers}" + ("" if frame is None else f",{frame}"))
    for place, value in enumerate(arguments):
        words += value.arguments(place) if isinstance(value, Buffer) else [f"--arg={place}={value}"]
    options = {key: getattr(metadata, key) for key in ("num_warps", "num_stages", "num_ctas", "maxnreg")
               if getattr(metadata, key, None) is not None}
    return Launch(metadata.name, grid, dict(zip(names, given)), options, metadata.shared, registers, Path(code),
                  tuple(words))
