"""A module `torch` for scripts that launch Triton kernels on a machine without torch. Its tensors (fake_tensor.py) have no
contents. What is not here is an AttributeError that says so."""
from __future__ import annotations

import contextlib
import math
import types
from typing import Any

from ..buffers import buffer
from . import fake_autograd, fake_nn, fake_values
from .contents import kept_values
from .fake_values import with_values
from .fake_tensor import (ELEMENTWISE, KINDS, PAIRWISE, REDUCTIONS, SHORT, Device, Size, Tensor, TorchDType, broadcast, launched, new,
                          promoted, reads, sizes_of, table_of, watched)

fake_values.install()

__all__ = ["Tensor", "module", "modules", "new", "reads", "watched"]

def _maker(default: str, fills: bool = True, value: int | None = None) -> Any:
    """A function such as torch.empty(*sizes, dtype=...)."""
    def make(*words: Any, size: Any = None, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
        made = new(sizes_of((size,) if size is not None else words), dtype or KINDS[default])
        made = (made._filled() if fills else made).requires_grad_(requires_grad)
        return made if value is None else with_values(made, fake_values.same(made.numel(), value, made.dtype))
    return make


def _randint(*words: Any, size: Any = None, low: int = 0, high: Any = None, dtype: Any = None, **_: Any) -> Tensor:
    """As torch's (low=0, high, size): numbers that decide addresses are there, of a seed of ours."""
    numbers = list(words)
    shape = tuple(size) if size is not None else tuple(numbers.pop())
    high = numbers.pop() if numbers else high
    low = numbers.pop() if numbers else low
    kind = dtype or KINDS["int64"]
    made = Tensor(buffer(str.__str__(kind), shape, contents=f"random(1,{int(low)},{int(high)})"), kind)
    return with_values(made, fake_values.drawn(made.numel(), int(low), int(high)))


def _full(size: Any, value: Any, *, dtype: Any = None, **_: Any) -> Tensor:
    made = new(sizes_of((size,)), dtype or KINDS["float32" if isinstance(value, float) else "int64"])
    return with_values(made, fake_values.same(made.numel(), value, made.dtype))


def _full_like(tensor: Tensor, value: Any, *, dtype: Any = None, **_: Any) -> Tensor:
    return new(tensor.shape, dtype or tensor.dtype)._filled()


def _arange(*words: Any, dtype: Any = None, **_: Any) -> Tensor:
    start, stop, step = (0, words[0], 1) if len(words) == 1 else (*words, 1)[:3]
    count = max(0, math.ceil((stop - start) / step))
    kind = dtype or KINDS["int64" if all(isinstance(word, int) for word in words) else "float32"]
    made = new((count,), kind, f"iota({start},{step})" if str.__str__(kind) in ("int32", "int64") else "")
    return with_values(made, fake_values.counted(start, stop, step) if fake_values.integer(kind) else None)


def _linspace(start: Any, end: Any, steps: int, *, dtype: Any = None, **_: Any) -> Tensor:
    return new((steps,), dtype or KINDS["float32"])._filled()


def _randperm(count: int, *, dtype: Any = None, **_: Any) -> Tensor:
    return new((count,), dtype or KINDS["int64"], f"random(1,0,{max(1, count)})")


def _like(tensor: Tensor, *_: Any, dtype: Any = None, **__: Any) -> Tensor:
    return new(tensor.shape, dtype or tensor.dtype)


def _filled_like(tensor: Tensor, *_: Any, dtype: Any = None, **__: Any) -> Tensor:
    return _like(tensor, dtype=dtype)._filled()


def _randint_like(tensor: Tensor, *words: int, dtype: Any = None, **named: Any) -> Tensor:
    return _randint(*words, size=tensor.shape, dtype=dtype or tensor.dtype, **named)


def _of_tensor(name: str) -> Any:
    """torch.NAME(tensor, ...) as tensor.NAME(...)."""
    return lambda tensor, *words, **named: getattr(tensor, name)(*words, **named)


def _tensor(values: Any, dtype: Any = None, **_: Any) -> Tensor:
    if isinstance(values, Tensor):
        return values.to(dtype) if dtype else values.clone()
    if hasattr(values, "tolist") and hasattr(values, "dtype"):
        return _from_numpy(values)
    shape, flat = [], [values]
    while flat and isinstance(flat[0], (list, tuple)):
        shape.append(len(flat[0]))
        flat = [each for inner in flat for each in inner]
    kind = dtype or KINDS["bool" if flat and all(isinstance(each, bool) for each in flat) else
                          "int64" if flat and all(isinstance(each, int) for each in flat) else "float32"]
    table = table_of(flat, kind) if len(shape) == 1 and kind == "int64" else None
    if table is not None:
        return table
    made = with_values(new(tuple(shape), kind), flat)
    return made if made.values is not None else new(tuple(shape), kind, kept_values(flat, str.__str__(kind)))


def _from_numpy(array: Any) -> Tensor:
    return _tensor(array.tolist(), KINDS[str(array.dtype)])


def _joined(dim_of: Any) -> Any:
    def join(tensors: Any, dim: int = 0, **_: Any) -> Tensor:
        made = new(dim_of(list(tensors), dim), tensors[0].dtype)
        launched("pass", list(tensors), [made])
        return fake_values.concatenated(list(tensors), made)
    return join


def _cat_shape(tensors: list[Tensor], dim: int) -> tuple[int, ...]:
    sizes = list(tensors[0].shape)
    sizes[dim] = sum(each.shape[dim] for each in tensors)
    return tuple(sizes)


def _stack_shape(tensors: list[Tensor], dim: int) -> tuple[int, ...]:
    sizes = list(tensors[0].shape)
    sizes.insert(dim % (len(sizes) + 1), len(tensors))
    return tuple(sizes)


def _where(condition: Tensor, a: Any = None, b: Any = None) -> Tensor:
    if a is None:
        return condition._no_contents()
    shape = condition.shape
    for each in (a, b):
        shape = broadcast(shape, getattr(each, "shape", ()))
    kinds = [each.dtype for each in (a, b) if isinstance(each, Tensor)] or [KINDS["float32"]]
    made = new(shape, promoted(kinds[0], kinds[-1]))
    launched("pass", [condition, a, b], [made])
    return made


def _broadcast_tensors(*tensors: Tensor) -> list[Tensor]:
    shape: tuple[int, ...] = ()
    for each in tensors:
        shape = broadcast(shape, each.shape)
    return [each.expand(shape) for each in tensors]


def _constructor(default: str) -> Any:
    """torch.FloatTensor and its like: of sizes or of values."""
    def make(*words: Any) -> Tensor:
        return _tensor(words[0], KINDS[default]) if words and isinstance(words[0], (list, tuple)) and not isinstance(words[0], Size) \
            else new(sizes_of(words), KINDS[default])
    return make


def _einsum(rule: str, *tensors: Any) -> Tensor:
    tensors = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    left, _, right = rule.replace(" ", "").partition("->")
    sizes = {letter: size for word, each in zip(left.split(","), tensors) for letter, size in zip(word, each.shape)}
    made = new(tuple(sizes[letter] for letter in right), tensors[0].dtype)
    launched("matmul", list(tensors), [made])
    return made


_FLOATS = {"float16": (65504.0, 2.0**-10, 2.0**-14), "bfloat16": (3.3895313892515355e38, 2.0**-7, 2.0**-126),
           "float32": (3.4028234663852886e38, 2.0**-23, 2.0**-126), "float64": (1.7976931348623157e308, 2.0**-52, 2.0**-1022),
           "float8_e4m3fn": (448.0, 0.125, 2.0**-6), "float8_e5m2": (57344.0, 0.25, 2.0**-14),
           "float8_e4m3fnuz": (240.0, 0.125, 2.0**-7), "float8_e5m2fnuz": (57344.0, 0.25, 2.0**-15)}


def _finfo(kind: TorchDType = KINDS["float32"]) -> Any:
    most, step, tiny = _FLOATS[str.__str__(kind)]
    return types.SimpleNamespace(max=most, min=-most, eps=step, tiny=tiny, smallest_normal=tiny, bits=8 * kind.itemsize, dtype=str.__str__(kind))


def _iinfo(kind: TorchDType) -> Any:
    bits = 8 * kind.itemsize
    low, high = (0, 2**bits - 1) if str.__str__(kind).startswith("u") else (-(2**(bits - 1)), 2**(bits - 1) - 1)
    return types.SimpleNamespace(max=high, min=low, bits=bits, dtype=str.__str__(kind))


class _Stream:
    """Streams and graphs: what is launched inside is launched."""

    cuda_stream = 0

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def _nothing(self, *_: Any, **__: Any) -> None:
        pass

    synchronize = wait_stream = wait_event = record_event = replay = _nothing


class Generators:
    """`torch.cuda.default_generators`: a state of seed and offset, which kernels take as numbers."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def __getitem__(self, device: Any) -> "Generators":
        return self

    def get_state(self) -> Any:
        return self._state()

    def set_state(self, state: Any) -> None:
        pass


def _no_wrapping(function: Any = None, *_: Any, **__: Any) -> Any:
    """A decorator, plain or with options."""
    return function if callable(function) else lambda each: each


@contextlib.contextmanager
def _scope(*_: Any, **__: Any) -> Any:
    yield


def cuda_members(gpu: Any) -> dict[str, Any]:
    from .events import Event

    facts = gpu.facts
    properties = types.SimpleNamespace(
        name=gpu.name, multi_processor_count=facts["sm_count"], gcnArchName=str(gpu.arch), warp_size=gpu.warp_width,
        max_threads_per_multi_processor=facts["max_threads_per_sm"], L2_cache_size=facts["l2_bytes"],
        shared_memory_per_block_optin=facts["shared_per_group_max_bytes"], shared_memory_per_multiprocessor=facts["shared_per_sm_bytes"],
        regs_per_multiprocessor=facts["registers_per_sm"])
    properties.major, properties.minor = capability = divmod(gpu.arch, 10) if isinstance(gpu.arch, int) else (9, 4)
    return {"is_available": lambda: True, "synchronize": lambda *_: None, "current_device": lambda: 0, "device_count": lambda: 1,
            "get_device_name": lambda *_: gpu.name, "empty_cache": lambda: None, "manual_seed": lambda *_: None, "manual_seed_all": lambda *_: None,
            "set_device": lambda *_: None, "device": _scope, "get_device_capability": lambda *_: capability, "Event": Event,
            "get_device_properties": lambda *_: properties, "Stream": _Stream, "stream": _scope, "set_stream": lambda *_: None,
            "current_stream": lambda *_: _Stream(), "CUDAGraph": _Stream, "graph": _scope, "is_current_stream_capturing": lambda: False,
            "max_memory_allocated": lambda *_: 0, "memory_allocated": lambda *_: 0, "reset_peak_memory_stats": lambda *_: None,
            "cudart": lambda: types.SimpleNamespace(cudaProfilerStart=lambda: None, cudaProfilerStop=lambda: None),
            "_DeviceGuard": _scope, "device_of": _scope, "_exchange_device": lambda *_: 0, "_maybe_exchange_device": lambda *_: 0,
            "is_initialized": lambda: True, "is_bf16_supported": lambda *_, **__: True, "mem_get_info": lambda *_: (1 << 36, 1 << 36),
            "memory_reserved": lambda *_: 0, "max_memory_reserved": lambda *_: 0, "reset_max_memory_allocated": lambda *_: None,
            "get_arch_list": lambda: [f"sm_{gpu.arch}" if isinstance(gpu.arch, int) else gpu.arch], "nvtx": types.SimpleNamespace(range_push=lambda *_: None, range_pop=lambda: None, range=_scope)}


def _functions() -> dict[str, Any]:
    made = {name: _of_tensor(name) for name in (*ELEMENTWISE, *PAIRWISE, *REDUCTIONS, "max", "min", "argmax", "argmin", "matmul", "mm", "bmm",
                                                "transpose", "permute", "reshape", "squeeze", "unsqueeze", "flatten", "split", "chunk",
                                                "isnan", "isinf", "isfinite", "is_floating_point", "neg", "t") if hasattr(Tensor, name)}
    made |= {name: _maker("float32") for name in ("rand", "randn")}
    made |= {name: _maker("float32", value=value) for name, value in (("zeros", 0), ("ones", 1))}
    made |= {name: _filled_like for name in ("zeros_like", "ones_like", "rand_like", "randn_like")}
    made |= dict(empty=_maker("float32", fills=False), empty_like=_like, full=_full, full_like=_full_like, randint=_randint,
                 randint_like=_randint_like, arange=_arange, linspace=_linspace, randperm=_randperm, tensor=_tensor, as_tensor=_tensor,
                 from_numpy=_from_numpy, eye=lambda n, m=None, **named: _maker("float32")(n, m or n, **named), cat=_joined(_cat_shape),
                 concat=_joined(_cat_shape), stack=_joined(_stack_shape), where=_where, einsum=_einsum, finfo=_finfo, iinfo=_iinfo,
                 addmm=lambda bias, a, b, **_: a @ b + bias, outer=lambda a, b: a[:, None] * b[None, :],
                 empty_strided=lambda size, stride, **named: new(tuple(size), named.get("dtype") or KINDS["float32"]).as_strided(size, stride),
                 broadcast_tensors=_broadcast_tensors, is_tensor=lambda each: isinstance(each, Tensor), numel=lambda tensor: tensor.numel())
    return made


def module(gpu: Any) -> types.ModuleType:
    """The module, for one GPU."""
    torch = types.ModuleType("torch")
    torch.__version__ = "2.0.0+forewarp"
    torch.__path__ = []  # a package: `import torch.nn.functional` looks among `modules`

    def part(name: str, **members: Any) -> None:
        made = types.ModuleType(f"torch.{name}")
        vars(made).update(members)
        owner, _, own = made.__name__.rpartition(".")
        setattr(torch if owner == "torch" else getattr(torch, owner.split(".")[1]), own, made)

    vars(torch).update(KINDS)
    vars(torch).update({short: KINDS[name] for short, name in SHORT.items()})
    vars(torch).update(_functions())
    torch.Tensor = Tensor
    torch.device, torch.dtype, torch.Size, torch.inf, torch.nan, torch.pi = Device, TorchDType, Size, math.inf, math.nan, math.pi
    for name, kind in (("Float", "float32"), ("Half", "float16"), ("Double", "float64"), ("Long", "int64"), ("Int", "int32"), ("Bool", "bool")):
        setattr(torch, f"{name}Tensor", _constructor(kind))
    torch.allclose = torch.equal = lambda *_, **__: True  # nothing is there that could differ
    torch.manual_seed = torch.set_printoptions = torch.set_float32_matmul_precision = lambda *_, **__: None
    torch.set_default_device = torch.set_default_dtype = torch.manual_seed
    torch.compile, torch.autocast = _no_wrapping, _scope
    torch.no_grad, torch.inference_mode, torch.enable_grad = fake_autograd.no_grad, fake_autograd.no_grad, fake_autograd.enable_grad
    torch.contiguous_format, torch.preserve_format, torch.strided = "contiguous", "preserve", "strided"
    part("autograd", __path__=[], Function=fake_autograd.Function, backward=fake_autograd.backward, grad=fake_autograd.grad)
    part("autograd.function", Function=fake_autograd.Function)
    part("testing", assert_close=lambda *_, **__: None, assert_allclose=lambda *_, **__: None)
    part("cuda", **cuda_members(gpu), default_generators=Generators(lambda: _tensor([1, 0])))
    part("amp", custom_fwd=_no_wrapping, custom_bwd=_no_wrapping, autocast=_scope)
    torch.cuda.amp = torch.amp
    part("version", cuda=None if gpu.backend == "hip" else "12.8", hip="6.4" if gpu.backend == "hip" else None)
    part("backends", cuda=types.SimpleNamespace(matmul=types.SimpleNamespace(allow_tf32=False)), cudnn=types.SimpleNamespace(allow_tf32=True, benchmark=False))
    part("nn", **fake_nn.CLASSES)
    part("nn.functional", **fake_nn.FUNCTIONS)

    def missing(name: str) -> Any:
        raise AttributeError(f"torch.{name} is not in the stand-in for torch: install torch (CPU is enough), or take it "
                             "out of the script")

    torch.__getattr__ = missing
    return torch


def modules(torch: types.ModuleType) -> dict[str, types.ModuleType]:
    """What `import` finds: torch and its parts."""
    found = {torch.__name__: torch}
    for part in vars(torch).values():
        if isinstance(part, types.ModuleType):
            found |= modules(part)
    return found
