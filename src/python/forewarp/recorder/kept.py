"""Files that a script's launches need later, in the user's cache."""
from __future__ import annotations

import hashlib
import os
from pathlib import Path


def kept(data: bytes, owner: str, suffix: str) -> Path:
    """A file of these contents; `owner` is the folder's name, such as "triton"."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "forewarp" / owner
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(data).hexdigest()[:32]}{suffix}"
    if not path.exists():  # written beside it and renamed: another process never sees half of it
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(data)
        fresh.replace(path)
    return path
