"""Launches of Numba's kernels: recorded, predicted, not run."""
from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .. import Error
from ..recorder.clock import Clock
from ..recorder.kept import kept
from ..recorder.launches import Launch, LaunchNotModelled
from ..recorder.memo import Memo
from ..recorder.script import replaced
from . import functions
from .arguments import Array, kernel_values, numba_types
from .compiling import Code, code_of, forgetting
from .gpus import Gpu
from .memory import Memory
from .standin import driver_of

_PARAMETER = re.compile(r"_param_(\d+)$")


def launch_words(code: Code, entry: str, grid: tuple[int, ...], block: tuple[int, ...], shared_bytes: int,
                 values: list[str | Array], contents: dict[int, str]) -> list[str]:
    """Of `forewarp predict`. `contents`: by the value's place, as behind TYPE[COUNT]."""
    words = [f"--kernel={entry}", f"--grid={_sizes(grid)}", f"--local={_sizes(block)}", f"--dynamic-shared={shared_bytes}", *code.words()]
    for place, value in enumerate(values):
        words.append(f"--arg={place}={value.buffer.argument() + contents.get(place, '') if isinstance(value, Array) else value}")
    return words


def _sizes(size: Any) -> str:
    return ",".join(map(str, size)) if isinstance(size, (tuple, list)) else str(size)


def asks_for_data(prediction: dict[str, Any]) -> bool:
    """Whether the time rests on what buffers hold."""
    return (any(note.get("rests_on_data") for note in prediction["notes"])
            or any(site["class"] == "unknown" and site["requests"] > 0 for site in prediction["memory"]))


def touched_places(prediction: dict[str, Any] | None, values: list[str | Array], but: str) -> set[int]:
    """Of arrays that the kernel accesses otherwise than by `but` ("load": what it writes; "store": what it reads); all of them where
    that is not told."""
    arrays = {place for place, value in enumerate(values) if isinstance(value, Array)}
    if prediction is None:
        return arrays
    touched = set()
    for site in prediction["memory"]:
        if site["access"] == but or site["space"] not in ("global", "generic"):
            continue
        found = _PARAMETER.search(site["buffer"])
        if found is None or int(found[1]) not in arrays:
            return arrays
        touched.add(int(found[1]))
    return touched & arrays


def _as_typed(kind: Any, value: Any) -> Any:
    """A number as the compiled kernel's parameter holds it."""
    types = numba_types()
    names = {name: getattr(types, name, ()) for name in ("Boolean", "Integer", "Float")}
    if names["Boolean"] and isinstance(kind, names["Boolean"]):
        return bool(value)
    if names["Integer"] and isinstance(kind, names["Integer"]) and not hasattr(value, "dtype"):
        return int(getattr(value, "value", value))
    if names["Float"] and isinstance(kind, names["Float"]):
        return float(value)
    return value


class Recorder:
    def __init__(self, gpu: Gpu, memo: Memo) -> None:
        self.gpu, self.memo, self.memory = gpu, memo, Memory()
        self.clock = Clock()
        self.launches: list[Launch] = []
        self._streams: list[int] = []
        self.results_read = 0
        """Copies to the host of what a kernel would have written."""
        self._codes: dict[int, tuple[Any, Code | Error]] = {}

    def code(self, library: Any) -> Code:
        if id(library) not in self._codes:
            try:
                made: Code | Error = code_of(library, library._ensure_cc(None))
            except Error as error:
                made = error
            self._codes[id(library)] = (library, made)  # the library is kept: its number stays its own
        found = self._codes[id(library)][1]
        if isinstance(found, Error):
            raise found
        return found

    def function(self, library: Any) -> functions.Function:
        return functions.Function(self.gpu, library._entry_name, self.code(library))

    def launch(self, kernel: Any, args: Any, grid: Any, block: Any, stream: Any = 0, shared_bytes: int = 0) -> None:
        """In the place of a kernel's own."""
        after: list[Any] = []
        with self.clock.hidden():
            values = self._launch(kernel, args, grid, block, stream, shared_bytes, after)
        self.clock.launched(self.memo.milliseconds(self.launches[-1:]))
        if any(isinstance(value, Array) and value.address and self.memory.span(value.address) is None for value in values):
            self.clock.wait()  # arrays of the host are copied back
        for each in after:
            each()

    def _launch(self, kernel: Any, args: Any, grid: Any, block: Any, stream: Any, shared_bytes: int,
                after: list[Any]) -> list[str | Array]:
        values: list[str | Array] = []
        try:
            values = self._values(kernel, args, stream, after)
            made = self._described(kernel, values, tuple(grid), tuple(block), shared_bytes)
        except (LaunchNotModelled, Error) as error:
            made = Launch(_name(kernel), tuple(grid), {}, {}, shared_bytes, None, Path(), reason=str(error))
        self.launches.append(made)
        self._streams.append(_handle(stream))
        self._forget_written(made, values)
        return values

    def described(self, kernel: Any, args: Any, grid: tuple[int, ...], block: tuple[int, ...], shared_bytes: int) -> Launch:
        """A launch that is not made."""
        return self._described(kernel, self._values(kernel, args, 0, []), grid, block, shared_bytes)

    def _values(self, kernel: Any, args: Any, stream: Any, after: list[Any]) -> list[str | Array]:
        given = [self._extended(kernel, kind, value, stream, after) for kind, value in zip(kernel.argument_types, args)]
        return kernel_values(given, self._behind)

    def _extended(self, kernel: Any, kind: Any, value: Any, stream: Any, after: list[Any]) -> Any:
        for extension in reversed(kernel.extensions):
            kind, value = extension.prepare_args(kind, value, stream=stream, retr=after)
        if isinstance(kind, numba_types().CPointer):
            return self._behind(int(getattr(value, "value", value) or 0))
        return _as_typed(kind, value)

    def _behind(self, address: int) -> Array:
        from ..buffers import Buffer, dtype

        span = self.memory.span(address)
        size = span[0] + span[1] - address if span else 1
        return Array(Buffer(dtype("uint8"), (size,), (), size), address)

    def _described(self, kernel: Any, values: list[str | Array], grid: tuple[int, ...], block: tuple[int, ...],
                   shared_bytes: int) -> Launch:
        code = self.code(kernel._codelibrary)
        options = {"block": _sizes(block), **({"registers": code.registers} if code.registers else {})}

        def launch(contents: dict[int, str]) -> Launch:
            words = launch_words(code, kernel.entry_name, grid, block, shared_bytes, values, contents)
            words += [f"--arg={each}=buffer:u8[{size}]{self._held(address, size)}" for each, address, size in code.captured]
            return Launch(_name(kernel), grid, {}, options, shared_bytes, code.registers, code.path, tuple(words))

        plain = launch({})
        try:
            prediction = self.memo.prediction(plain)
        except Exception:  # what it says is reported with the launch
            return plain
        contents = self._contents(values, touched_places(prediction, values, "store")) if asks_for_data(prediction) else {}
        return launch(contents) if contents else plain

    def _held(self, address: int, size: int) -> str:
        data = self.memory.contents(address, size)
        return "" if data is None else f":@{_file(data, 'uint8')}"

    def _contents(self, values: list[str | Array], places: set[int]) -> dict[int, str]:
        found = {}
        for place in sorted(places):
            value = values[place]
            if isinstance(value, Array) and value.address and value.bytes:
                data = self.memory.contents(value.address, value.bytes)
                if data is not None:
                    found[place] = f":@{_file(data, value.buffer.dtype)}"
        return found

    def _forget_written(self, launch: Launch, values: list[str | Array]) -> None:
        try:
            prediction: dict[str, Any] | None = self.memo.prediction(launch)
        except Exception:
            prediction = None
        for place in touched_places(prediction, values, "load"):
            array = values[place]
            if isinstance(array, Array) and array.address:
                self.memory.kernel_wrote(array.address, array.bytes)

    def mark(self, stream: int) -> tuple[int, int]:
        return (len(self.launches), stream)

    def milliseconds_between(self, begin: tuple[int, int], end: tuple[int, int]) -> float:
        """Of what was launched between two marks; on one stream where both lie on it."""
        places = range(begin[0], end[0])
        alone = begin[1] == end[1] != 0
        return self.memo.milliseconds([self.launches[place] for place in places if not alone or self._streams[place] == end[1]])


def _name(kernel: Any) -> str:
    return getattr(getattr(kernel, "py_func", None), "__name__", kernel.entry_name)


def _handle(stream: Any) -> int:
    handle = getattr(stream, "handle", stream)
    return int(getattr(handle, "value", handle) or 0)


def _file(data: bytes, kind: str) -> Path:
    """As NumPy keeps an array."""
    import io

    import numpy

    names = {"bfloat16": "uint16", "bool": "uint8"}
    array = numpy.frombuffer(data, dtype=names.get(kind, str(kind)))
    file = io.BytesIO()
    numpy.save(file, array)
    return kept(file.getvalue(), "numba", ".npy")


@contextlib.contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Inside, Numba compiles for the recorder's GPU, and what it launches is recorded."""
    from numba.cuda import codegen, dispatcher
    from numba.cuda.cudadrv import driver

    with (driver_of(recorder.gpu, recorder.memory, recorder), forgetting(),
          replaced(dispatcher._Kernel, launch=_launching(recorder), __init__=_with_lines(dispatcher._Kernel.__init__)),
          replaced(codegen.CUDACodeLibrary, get_cufunc=lambda self: recorder.function(self)),
          replaced(dispatcher.CUDADispatcher, enable_caching=lambda self: None),
          replaced(driver.Context, get_max_potential_block_size=functions.suggestion(recorder.gpu),
                   get_active_blocks_per_multiprocessor=functions.occupancy(recorder.gpu))):
        yield


def _launching(recorder: Recorder) -> Callable[..., None]:
    def launch(self: Any, args: Any, griddim: Any, blockdim: Any, stream: Any = 0, sharedmem: int = 0) -> None:
        recorder.launch(self, args, griddim, blockdim, stream, sharedmem)
    return launch


def _with_lines(made: Callable[..., None]) -> Callable[..., None]:
    """Kernels are compiled with the lines of their sources."""
    def make(self: Any, py_func: Any, argtypes: Any, **options: Any) -> None:
        made(self, py_func, argtypes, **{**options, "lineinfo": not options.get("debug")})
    return make
