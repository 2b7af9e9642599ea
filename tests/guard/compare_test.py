#!/usr/bin/env python3
"""guard_test.py refuses what is worse, what is new and what is gone."""
import guard_test

VALUES = {"left_out": 0, "stage.occupancy": 1.5, "time.copy": 9.0}
LIMITS = {"left_out": 0, "stage.occupancy": 2, "time.copy": 10}


def lines(values=None, limits=None):
    return guard_test.compare("s", {**VALUES, **(values or {})}, {**LIMITS, **(limits or {})})


assert not lines()
assert lines({"time.copy": 10.1}) == ["s: time.copy is off by 10.1, and may be by 10"]
assert lines({"left_out": 1}) == ["s: left_out is off by 1.0, and may be by 0"]
assert lines({"time.add": 1.0}) == ["s: time.add is not limited in thresholds.toml"]
assert lines(limits={"stage.ipc": 5}) == ["s: stage.ipc is not in the result any more"]
