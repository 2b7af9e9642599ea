"""The torch that is installed, where its GPU is not: tensors lie on the CPU and say that they are on the GPU. Small operations are
computed, so that lengths and places which a script makes have their values; of large ones only the shapes are made."""
from __future__ import annotations

import contextlib
import ctypes
import math
from collections.abc import Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

from .contents import kept_contents
from .fake_torch import Generators, cuda_members

with contextlib.suppress(ImportError):
    import torch._dynamo  # noqa: F401  (looks at torch's members when it is imported, which may not be replaced by then)

_COMPUTED_FLOATS = 1 << 20
"""An operation that touches a larger tensor of floats is not computed."""
_COMPUTED_INTEGERS = 1 << 24
_COMPUTED_FACTORS = 1 << 38
"""Elements of one factor of a matrix product times those of the other: two of 724 x 724."""
_PRODUCTS = ("mm", "bmm", "addmm", "baddbmm", "matmul", "convolution", "linear", "attention")
_BLANK = ("empty", "zeros", "new_empty", "new_zeros", "empty_like", "zeros_like", "empty_strided", "new_empty_strided")
_SAME = {torch.Tensor.cuda, torch.Tensor.pin_memory}
_READS = {getattr(torch.Tensor, name) for name in ("item", "tolist", "numpy", "__array__", "__bool__", "__float__", "__int__", "__index__")}
_AGREE = {torch.allclose, torch.equal, torch.Tensor.allclose, torch.Tensor.equal}


def _on_cpu(word: Any) -> Any:
    """A device, or its name, as one that is there."""
    if isinstance(word, torch.device):
        return word if word.type in ("cpu", "meta") else torch.device("cpu")
    return "cpu" if isinstance(word, str) and word.split(":")[0] in ("cuda", "hip") else word


def _place(tensor: Any) -> int:
    """Of the memory behind it."""
    return tensor.untyped_storage().data_ptr() if hasattr(tensor, "untyped_storage") else tensor.storage().data_ptr()


def _elements(tensor: Any) -> int:
    """Weighted: as many floats as it is worth in the question whether to compute."""
    share = 1 if tensor.dtype.is_floating_point or tensor.dtype.is_complex else _COMPUTED_INTEGERS // _COMPUTED_FLOATS
    return tensor.numel() // share


class _Known:
    """Which memory has the values that it would have on the GPU: what a kernel may have written has not."""

    def __init__(self) -> None:
        self._unknown: set[int] = set()
        self._blank: set[int] = set()
        self.reads = 0
        """Of values that are not known."""

    def unknown(self, tensor: Any) -> bool:
        return _place(tensor) in self._unknown

    def made(self, tensor: Any, unknown: bool, blank: bool = False) -> None:
        place = _place(tensor)
        (self._unknown.add if unknown else self._unknown.discard)(place)
        (self._blank.add if blank else self._blank.discard)(place)

    def launched(self, values: tuple[Any, ...]) -> None:
        """What a script made empty or zero for a kernel is its result; a mask of zeros is none."""
        for value in values:
            if isinstance(value, torch.Tensor) and value.dtype != torch.bool and \
                    (value.dtype.is_floating_point or _place(value) in self._blank):
                self.made(value, unknown=True)

    def contents(self, tensor: Any) -> str:
        """For a prediction: of integers, which addresses and branches rest on."""
        if tensor.dtype.is_floating_point or tensor.dtype.is_complex or _elements(tensor) > _COMPUTED_FLOATS or self.unknown(tensor):
            return ""
        kept = kept_contents(ctypes.string_at(tensor.data_ptr(), _reach(tensor) * tensor.element_size()))
        return kept and ":" + kept


def _reach(tensor: Any) -> int:
    return 1 + sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride())) if tensor.numel() else 0


class _Devices(TorchFunctionMode):
    """Each device of a GPU is the CPU; each tensor says that it is on the GPU."""

    def __init__(self, known: _Known) -> None:
        super().__init__()
        self._known, self._gpu = known, torch.device("cuda", 0)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if func in _AGREE:
            return True
        if func in _SAME:
            return args[0]
        if func is torch.Tensor.get_device:
            return 0
        if func in _READS and args[0].device.type != "meta" and self._known.unknown(args[0]):
            self._known.reads += 1
        if "device" in kwargs and kwargs["device"] is not None:
            kwargs["device"] = _on_cpu(torch.device("cpu") if isinstance(kwargs["device"], int) else kwargs["device"])
        kwargs.pop("pin_memory", None)
        return self._answer(func, func(*map(_on_cpu, args), **kwargs))

    def _answer(self, func: Any, made: Any) -> Any:
        attribute = getattr(func, "__self__", None)
        if attribute is torch.Tensor.device:
            return made if made.type == "meta" else self._gpu
        return True if attribute is torch.Tensor.is_cuda else made


class _Computing(TorchDispatchMode):
    """Computes what is small, and makes the shapes of what is large."""

    def __init__(self, known: _Known) -> None:
        super().__init__()
        self._known = known

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        given = [each for each in tree_flatten((args, kwargs))[0] if isinstance(each, torch.Tensor) and each.device.type != "meta"]
        returns = func._schema.returns
        written = [each.alias_info is not None and each.alias_info.is_write for each in returns]
        if any(each.alias_info is not None for each in returns) and not any(written):
            return func(*args, **kwargs)  # a view
        unknown = any(self._known.unknown(each) for each in given)
        made = self._shaped(func, args, kwargs, given) if self._too_large(func, args, given) else None
        unknown, made = (unknown, func(*args, **kwargs)) if made is None else (True, made[0])
        blank = func._schema.name.split("::")[-1] in _BLANK
        for each in tree_flatten(made)[0]:
            if isinstance(each, torch.Tensor) and each.device.type != "meta":
                self._known.made(each, unknown, blank)
        return made

    @staticmethod
    def _too_large(func: Any, args: Any, given: list[Any]) -> bool:
        if given and any(word in func._schema.name for word in _PRODUCTS):
            return math.prod(max(1, each.numel()) for each in given[-2:]) > _COMPUTED_FACTORS or sum(map(_elements, given)) > _COMPUTED_FLOATS
        sizes = [each for each in args if isinstance(each, (list, tuple)) and each and all(isinstance(size, int) for size in each)]
        made = math.prod(sizes[0]) if sizes and not given else 0
        return max([made, *map(_elements, given)]) > _COMPUTED_FLOATS

    @staticmethod
    def _shaped(func: Any, args: Any, kwargs: Any, given: list[Any]) -> tuple[Any] | None:
        """What the operation gives, with memory that nothing was written to. None: it has to be computed."""
        if any(each.alias_info is not None for each in func._schema.returns):
            targets = [each for each, word in zip(args, func._schema.arguments) if word.alias_info is not None and word.alias_info.is_write]
            targets += [kwargs[word.name] for word in func._schema.arguments if word.name in kwargs and word.alias_info is not None]
            return (targets[0] if len(targets) == 1 else tuple(targets),)

        def shape(each: Any) -> Any:
            if isinstance(each, torch.Tensor) and each.device.type != "meta":
                return torch.empty_strided(each.shape, each.stride(), dtype=each.dtype, device="meta")
            return torch.device("meta") if isinstance(each, torch.device) else each

        def memory(each: Any) -> Any:
            return torch.empty_strided(each.shape, each.stride(), dtype=each.dtype) if isinstance(each, torch.Tensor) else each

        words = dict(kwargs) if given else {**kwargs, "device": torch.device("meta")}
        try:
            return (tree_map(memory, func(*tree_map(shape, args), **tree_map(shape, words))),)
        except (NotImplementedError, RuntimeError, TypeError):  # no shapes without contents
            return None


class _Generator(torch.Generator):
    def __new__(cls, device: Any = "cpu") -> "_Generator":
        return super().__new__(cls, "cpu")


def _replacements(gpu: Any) -> list[tuple[Any, str, Any]]:
    """What of torch asks for a GPU before a tensor is there."""
    def plain(function: Any = None, *_: Any, **__: Any) -> Any:
        return function if callable(function) else lambda each: each

    def nothing(*_: Any, **__: Any) -> None:
        pass

    found: list[tuple[Any, str, Any]] = [(torch.cuda, name, member) for name, member in cuda_members(gpu).items()]
    found += [(torch.cuda, name, nothing) for name in ("init", "_lazy_init", "ipc_collect")]
    seeds = Generators(lambda: torch.tensor([1, 0]).view(torch.uint8))
    found += [(torch.cuda, "default_generators", seeds), (torch, "compile", plain), (torch, "set_default_device", nothing), (torch, "Generator", _Generator),
              (torch, "allclose", lambda *_, **__: True), (torch, "equal", lambda *_, **__: True),
              (torch.testing, "assert_close", nothing), (torch.testing, "assert_allclose", nothing),
              (torch.version, "cuda", None if gpu.backend == "hip" else "12.8"), (torch.version, "hip", "6.4" if gpu.backend == "hip" else None),
              (torch._C, "_cuda_getCurrentRawStream", lambda *_: 0), (torch.backends.cuda, "is_built", lambda: True)]
    guards = getattr(getattr(torch._C, "_dynamo", None), "guards", None)
    if hasattr(guards, "_empty_strided_cuda"):  # what TorchInductor's code makes its arrays by
        found.append((guards, "_empty_strided_cuda", guards._empty_strided_cpu))
    if hasattr(torch, "accelerator"):
        found += [(torch.accelerator, "is_available", lambda *_: True), (torch.accelerator, "synchronize", nothing),
                  (torch.accelerator, "current_accelerator", lambda *_, **__: torch.device("cuda")), (torch.accelerator, "device_count", lambda: 1)]
    return found


@contextlib.contextmanager
def posing(gpu: Any) -> Iterator[_Known]:
    """Inside the block torch has the GPU. Tells what of its memory is known."""
    known = _Known()
    with contextlib.ExitStack() as ended:
        for owner, name, member in [*_replacements(gpu), (torch.Tensor, "forewarp_contents", property(known.contents))]:
            ended.callback(*((setattr, owner, name, getattr(owner, name)) if hasattr(owner, name) else (delattr, owner, name)))
            setattr(owner, name, member)
        ended.enter_context(_Devices(known))
        ended.enter_context(_Computing(known))
        yield known
