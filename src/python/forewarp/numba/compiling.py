"""Numba's compiler and linker without a driver, and what they make of a kernel."""
from __future__ import annotations

import contextlib
import itertools
import re
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import Error
from ..recorder.cubin import frame_of, registers_of
from ..recorder.kept import kept
from ..recorder.script import replaced

_HEAD = re.compile(r"^[ \t]*\.(version|target|address_size)\b.*$", re.MULTILINE)
_OTHER_VERSION_WARNS = re.compile(r'(!\{ *i32) 2, (!"Debug Info Version")')
_LONG_NUMBER = re.compile(r"(?<![\w.%$])[0-9]{8,}(?!\w)")
_ADDRESS_SIZE = re.compile(r"^\.address_size 64\b.*$", re.MULTILINE)
_TEXTS = {".cu", ".ptx"}


@dataclass(frozen=True)
class Code:
    """A compiled kernel."""

    path: Path
    """PTX."""
    registers: int | None
    """Per thread, from the linker's assembler; None: not asked, they are estimated."""
    frame: int | None
    """Bytes of a thread's stack frame."""
    captured: tuple[tuple[str, int, int], ...] = ()
    """Device arrays that the kernel holds the addresses of: variable of the PTX, address, bytes."""

    def words(self) -> list[str]:
        if self.registers is None:
            return []
        return [f"--registers={self.registers}" + ("" if self.frame is None else f",{self.frame}")]


def _checked(status: Any) -> None:
    if int(status) != 0:
        raise Error(f"NVRTC does not compile C++ that the kernel calls ({status.name})", "", "give Numba sources that NVRTC takes",
                    "compile", 5)


@contextlib.contextmanager
def without_driver() -> Iterator[None]:
    """Numba has NVRTC compile C++ by way of cuda.core, which asks the driver of what it can load: here NVRTC is asked alone."""
    try:
        from cuda.bindings import nvrtc
        from numba.cuda.cudadrv import nvrtc as of_numba
        before = of_numba.Program
    except (ImportError, AttributeError):  # other versions of Numba have another way
        yield
        return

    class Program:
        def __init__(self, source: str, kind: str, options: Any) -> None:
            self._source, self._options = source, options

        def compile(self, target: str, logs: Any = None) -> Any:
            options = [word for word in self._options.as_bytes("nvrtc") if word != b"--generate-line-info"]
            _, program = nvrtc.nvrtcCreateProgram(self._source.encode(), b"linked.cu", 0, [], [])
            status, = nvrtc.nvrtcCompileProgram(program, len(options), options)
            _checked(status)
            ask = ("LTOIR" if target == "ltoir" else "PTX")
            _, size = getattr(nvrtc, f"nvrtcGet{ask}Size")(program)
            code = bytes(size)
            getattr(nvrtc, f"nvrtcGet{ask}")(program, code)
            nvrtc.nvrtcDestroyProgram(program)
            return _object_code(target, code)

    of_numba.Program = Program
    try:
        yield
    finally:
        of_numba.Program = before


def _object_code(target: str, code: bytes) -> Any:
    try:
        from cuda.core import ObjectCode
    except ImportError:
        try:
            from cuda.core.experimental import ObjectCode
        except ImportError:
            return types.SimpleNamespace(code=code)
    return ObjectCode.from_ltoir(code) if target == "ltoir" else ObjectCode.from_ptx(code)


@contextlib.contextmanager
def forgetting() -> Iterator[None]:
    """Numba keeps what it has compiled of `@cuda.jit(device=True)` functions, for whichever GPU: here it does not keep it for longer
    than the block."""
    from numba.cuda.dispatcher import CUDADispatcher

    compiled: list[tuple[Any, Any]] = []
    compile_device = CUDADispatcher.compile_device

    def remembered(self: Any, args: Any, *words: Any, **named: Any) -> Any:
        compiled.append((self, args))
        return compile_device(self, args, *words, **named)

    with replaced(CUDADispatcher, compile_device=remembered):
        try:
            yield
        finally:
            for function, args in compiled:
                function.overloads.pop(args, None)


def _linker(library: Any, cc: Any) -> Any:
    from numba.cuda.cudadrv import driver

    make = getattr(driver._Linker, "new", driver._Linker)
    return make(max_registers=library._max_registers, cc=cc, lto=library._lto, lineinfo=True)


def _agree_with_cpp(library: Any) -> None:
    """What NVRTC makes says of its lines' version that others must be the same, and nvJitLink refuses those that say otherwise."""
    if library._lto and library._linking_files:
        library._llvm_strs = [_OTHER_VERSION_WARNS.sub(r"\1 1, \2", text) for text in library.llvm_strs]


def _linked(library: Any, cc: Any, kind: str) -> bytes | None:
    """What is linked for the kernel, by nvJitLink, which asks no driver; None: it is not there."""
    from numba.cuda.cudadrv import driver

    if not driver._have_nvjitlink():
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _agree_with_cpp(library)
        linker = _linker(library, cc)
        library._link_all(linker, cc, ignore_nonlto=kind == "ptx")
        made = linker.get_linked_ptx() if kind == "ptx" else linker.complete()
    return made if isinstance(made, bytes) else made.code


def _needs_machine_code(library: Any) -> bool:
    kinds = [Path(each).suffix if isinstance(each, str) else str(getattr(each, "kind", "")) for each in library._linking_files]
    return any(kind not in _TEXTS and kind not in ("cu", "ptx") and "PTX" not in kind.upper()
               and not (library._lto and "ltoir" in kind.lower()) for kind in kinds)


def _texts(library: Any, cc: Any) -> list[str]:
    """The kernel's PTX and that of the sources that are linked to it, not linked."""
    from numba.cuda.cudadrv import nvrtc

    words = list(library.get_asm_strs(cc=cc)) if hasattr(library, "get_asm_strs") else [library.get_asm_str(cc=cc)]
    for each in library._linking_files:
        name = each if isinstance(each, str) else each.name
        data = Path(each).read_bytes() if isinstance(each, str) else each.data
        data = data if isinstance(data, bytes) else data.encode()
        if Path(name).suffix == ".ptx" or "PTX" in str(getattr(each, "kind", "")).upper():
            words.append(data.decode())
            continue
        made = nvrtc.compile(data.decode(), Path(name).name, cc)[0]
        made = getattr(made, "code", made)
        words.append(made.decode() if isinstance(made, bytes) else made)
    return words


def one_module(texts: list[str]) -> str:
    """The kernel's PTX with that of the functions that it calls, whose heads are left out."""
    return "\n".join([texts[0].rstrip("\0")] + [_HEAD.sub("", text.rstrip("\0")) for text in texts[1:]])


def ptx_of(library: Any, cc: Any) -> str:
    """Of a kernel's code library: what its machine code is made of, link-time optimisation done where Numba does it."""
    linked = _linked(library, cc, "ptx") if library._lto else None
    return linked.decode().rstrip("\0") if linked else one_module(_texts(library, cc))


def _captured_arrays(library: Any) -> tuple[tuple[str, int, int], ...]:
    """Those of the script's global variables, whose addresses Numba writes into the code."""
    arrays = [each for each in getattr(library, "referenced_objects", {}).values() if getattr(each, "__cuda_array_interface__", None)]
    places = sorted({(int(each.__cuda_array_interface__["data"][0]), int(getattr(each, "alloc_size", 0) or each.nbytes)) for each in arrays})
    return tuple((f"forewarp_captured_{number}", address, size) for number, (address, size) in enumerate(places))


def name_captured(text: str, captured: tuple[tuple[str, int, int], ...]) -> str:
    """PTX in which variables stand for addresses: those are others in every run."""
    number = itertools.count()

    def named(line: str) -> str:
        for found in reversed(list(_LONG_NUMBER.finditer(line))):
            for name, address, size in captured:
                if address <= int(found[0]) < address + size:
                    register = f"%forewarp_captured_{next(number)}"
                    line = (f".reg .b64 {register}; mov.u64 {register}, {name}+{int(found[0]) - address};\n"
                            + line[:found.start()] + register + line[found.end():])
        return line

    body = "\n".join(named(line) for line in text.split("\n")) if captured else text
    variables = "".join(f".global .align 16 .b8 {name}[{size}];\n" for name, _, size in captured)
    return _ADDRESS_SIZE.sub(lambda head: head[0] + "\n" + variables, body, count=1) if captured else text


def code_of(library: Any, cc: Any) -> Code:
    """Error where it does not link."""
    with without_driver():
        try:
            cubin = _linked(library, cc, "cubin")
        except Exception as error:
            raise Error(f"the kernel does not link: {str(error).strip() or type(error).__name__}", "", "name what it calls in link=",
                        "compile", 5) from error
        if _needs_machine_code(library):
            raise Error("the kernel is linked with machine code, which it calls", "link=", "link C++, PTX or LTO code", "unsupported", 7)
        captured = _captured_arrays(library)
        path = kept(name_captured(ptx_of(library, cc), captured).encode(), "numba", ".ptx")
    return Code(path, registers_of(cubin) if cubin else None, frame_of(cubin) if cubin else None, captured)
