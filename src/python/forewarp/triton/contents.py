"""Contents of arrays that a script spells out, in files of ours: lengths and places decide what a kernel does."""
from __future__ import annotations

import struct
from typing import Any

from ..recorder.kept import kept

_FORMS = {"bool": "?", "int8": "b", "uint8": "B", "int16": "h", "int32": "i", "int64": "q", "float16": "e", "float32": "f", "float64": "d"}


def kept_contents(data: bytes) -> str:
    """What follows TYPE[COUNT] in `--arg`; nothing for no bytes."""
    if not data:
        return ""
    return f"@{kept(data, 'triton', '.bin')}"


def kept_values(values: list[Any], kind: str) -> str:
    """`kept_contents` of numbers of a type; nothing where they do not fit it."""
    form = _FORMS.get(kind)
    if form is None or not values:
        return ""
    cast = float if form in "efd" else bool if form == "?" else int
    try:
        return kept_contents(struct.pack(f"<{len(values)}{form}", *map(cast, values)))
    except (struct.error, OverflowError):
        return ""
