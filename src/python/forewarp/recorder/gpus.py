"""A GPU as compilers and launchers ask about it, from the GPU files."""
from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Gpu:
    requested: str
    name: str
    facts: dict[str, int | float | str] = field(compare=False)

    @property
    def warp_width(self) -> int:
        return int(self.facts["warp_width"])

    @property
    def max_shared_bytes(self) -> int:
        return int(self.facts["shared_per_group_max_bytes"])

    @property
    def max_threads(self) -> int:
        return int(self.facts["max_threads_per_group"])
