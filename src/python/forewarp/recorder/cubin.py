"""Registers and stack frame of a kernel, from the assembler's output: cubins, and code objects of AMD GPUs."""
from __future__ import annotations

import struct

_REGISTER_COUNT = 0x2F  # EIATTR_REGCOUNT of .nv.info: (symbol, registers)
_FRAME_SIZE = 0x11  # EIATTR_FRAME_SIZE: (symbol, bytes a thread)
_WITH_SIZE = 4  # EIFMT_SVAL


_VECTOR_REGISTERS = b".vgpr_count"  # key of a kernel's metadata in an AMD code object, MessagePack


def registers_of(binary: bytes) -> int | None:
    """The most that a kernel of the file takes per thread; None where the file does not say."""
    return _most(binary, _REGISTER_COUNT) or _vector_registers(binary)


def _vector_registers(code_object: bytes) -> int | None:
    at = code_object.find(_VECTOR_REGISTERS)
    value = code_object[at + len(_VECTOR_REGISTERS):][:3] if at >= 0 else b""
    if len(value) < 3:
        return None
    if value[0] < 0x80:  # a small number is its own byte; 0xcc and 0xcd stand before one of 8 and 16 bits
        return value[0]
    return {0xCC: value[1], 0xCD: value[1] << 8 | value[2]}.get(value[0])


def frame_of(cubin: bytes) -> int | None:
    """Bytes of a thread's stack frame, the most of the file's kernels: values that found no register. None where the file
    does not say."""
    return _most(cubin, _FRAME_SIZE)


def _most(cubin: bytes, attribute: int) -> int | None:
    try:
        return max(_counts(cubin, attribute), default=None)
    except (struct.error, ValueError, IndexError):
        return None


def _counts(cubin: bytes, attribute: int):
    if cubin[:5] != b"\x7fELF\x02":
        return
    table, = struct.unpack_from("<Q", cubin, 40)
    entry_size, count, names = struct.unpack_from("<HHH", cubin, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", cubin, table + i * entry_size) for i in range(count)]
    strings = sections[names][4]
    for section in sections:
        begin = strings + section[0]
        if cubin[begin:cubin.index(b"\0", begin)] == b".nv.info":
            yield from _counts_in(cubin[section[4]:section[4] + section[5]], attribute)


def _counts_in(info: bytes, wanted: int):
    at = 0
    while at + 4 <= len(info):
        form, attribute, size = struct.unpack_from("<BBH", info, at)
        at += 4
        if form == _WITH_SIZE:
            if attribute == wanted:
                yield struct.unpack_from("<II", info, at)[1]
            at += size
