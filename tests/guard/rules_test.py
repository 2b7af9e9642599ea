#!/usr/bin/env python3
"""The guard refuses what is worse, new or gone, and takes a worsening only with its reason."""
import guard

STAGE, TIME, ALL = ("s", "copy", "g", "occupancy"), ("s", "copy", "g", "time"), ("s", "all", "all", "time")
ROWS = ("s", "copy", "g", "rows")
REACHED = {STAGE: 1.5, TIME: 9.1, ALL: 9.1, ROWS: 4}
REASON = "the bus turns once more, as the counters of the board say"


def lines(**changes):
    now = {**REACHED, **{{"stage": STAGE, "time": TIME, "all": ALL, "rows": ROWS}[name]: value for name, value in changes.items()}}
    return guard.compare({key: value for key, value in now.items() if value is not None}, REACHED)


# Every row but the one of all kernels may be half a point worse; that one is held to the next half point.
assert not lines() and not lines(stage=2.0, time=9.6, all=9.5)
assert lines(stage=2.01)[0].startswith("s: copy on g, occupancy: off by 2.01, and may be by 2.0;")
assert len(lines(time=9.7)) == 1 and len(lines(all=9.51)) == 1
assert lines(rows=3) == ["s: copy on g, rows: 3, and should be 4"]
assert lines(stage=None) == ["s: copy on g, occupancy: not in the result any more"]
assert guard.compare({**REACHED, ("s", "add", "g", "time"): 1.0}, REACHED) == [
    "s: add on g, time: not in reached.toml; run tests/guard/renew.py"]

# Renewing keeps the least that a row ever had, so that many small worsenings do not add up.
reached, entries, refused = guard.renewed({**REACHED, TIME: 9.5, STAGE: 1.0}, REACHED, {}, "")
assert reached[TIME] == 9.1 and reached[STAGE] == 1.0 and not entries and not refused
# Worse without a reason is refused; with one it stands in the file of accepted rows.
worse = {**REACHED, TIME: 12.0}
assert guard.renewed(worse, REACHED, {}, "")[2] == ["s: copy on g, time: 9.1 -> 12.0"]
reached, entries, refused = guard.renewed(worse, REACHED, {}, REASON)
assert reached[TIME] == 12.0 and entries == {TIME: {"old": 9.1, "new": 12.0, "reason": REASON}} and not refused
assert not guard.compare(worse, reached) and not guard.check_accepted(entries, reached)
# A second worsening remembers the first value; a partial mend keeps the entry, a whole one takes it away.
again = guard.renewed({**REACHED, TIME: 14.0}, reached, entries, REASON)[1]
assert again[TIME]["old"] == 9.1 and again[TIME]["new"] == 14.0
reached_between, between, _ = guard.renewed({**REACHED, TIME: 10.0}, reached, entries, "")
assert between[TIME]["new"] == 10.0 and not guard.check_accepted(between, reached_between)
assert guard.renewed(REACHED, reached, entries, "")[1] == {}

# What was written by hand does not pass: no reason, another value than reached.toml's, nothing that got worse.
assert "without a reason" in guard.check_accepted({TIME: {**entries[TIME], "reason": "slower now"}}, reached)[0]
assert "reached.toml has 9.1" in guard.check_accepted(entries, REACHED)[0]
assert "no worse" in guard.check_accepted({TIME: {**entries[TIME], "old": 12.0}}, reached)[0]

# Files are read as they are written.
assert guard.read_reached(guard.write_reached(REACHED)) == REACHED
assert guard.read_accepted(guard.write_accepted(entries))[TIME]["reason"] == REASON
