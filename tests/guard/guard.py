"""What the guard reaches, what it may be, and which worsenings were accepted. No program is run here but by `run`.

A row is (run, kernel, GPU, quantity): the error of a predicted time (`time`, MAPE over the measured launches) or of a stage before
it (median error; occupancy in points of 100). `reached.toml` holds the least error that each row ever had, but for rows of
`accepted.toml`: there a worsening stands with its reason, and `reached.toml` holds what was accepted. The row of all kernels and GPUs of
a run is held to the next half point, every other row to half a point above what it reached.
"""

import json
import math
import pathlib
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REACHED, ACCEPTED = HERE / "reached.toml", HERE / "accepted.toml"
TOLERANCE = 0.5
LEAST_WORDS = 6
EVERY = "all"


def runs():
    return tomllib.loads((HERE / "runs.toml").read_text(encoding="utf-8"))


def run(program, name, settings):
    command = [program, "validate", HERE / settings["suite"], "--sources", ROOT / settings.get("sources", "."), "--data",
               ROOT / settings["data"], "--format", "json"]
    if "gpus" in settings:
        command += ["--gpu", ",".join(settings["gpus"])]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        sys.exit(f"{name}: forewarp validate ended with {answer.returncode}\n{answer.stderr}")
    return json.loads(answer.stdout)[0]


def values(name, result):
    """{(run, kernel, GPU, quantity): error}; quantity `rows` counts the predicted launches."""
    found = {}
    for space in [*result["spaces"], {**result["total"], "kernel": EVERY, "gpu": EVERY}]:
        key = (name, space["kernel"], space["gpu"])
        found[(*key, "rows")] = space["rows"]
        found[(*key, "time")] = round(space["mape_percent"], 2)
        for stage, summary in space.get("stages", {}).items():
            found[(*key, stage)] = round(summary["median_error_percent"], 2)
    return found


def limit(key, reached):
    if key[1] == EVERY:
        return math.ceil(2 * reached - 1e-9) / 2
    return reached + TOLERANCE


def said(key):
    return f"{key[0]}: {key[1]} on {key[2]}, {key[3]}"


def compare(now, reached):
    """Lines of what is worse than it may be, new or gone."""
    wrong = [f"{said(key)}: not in reached.toml; run tests/guard/renew.py" for key in sorted(now.keys() - reached.keys())]
    for key, least in sorted(reached.items()):
        if key not in now:
            wrong.append(f"{said(key)}: not in the result any more")
        elif key[3] == "rows" and now[key] != least:
            wrong.append(f"{said(key)}: {now[key]}, and should be {least}")
        elif key[3] != "rows" and now[key] > limit(key, least) + 1e-9:
            wrong.append(f"{said(key)}: off by {now[key]}, and may be by {limit(key, least)}; mend it, or accept it with a reason: "
                         "tests/guard/renew.py --help")
    return wrong


def read_reached(text):
    return {(name, kernel, gpu, quantity): value for name, kernels in tomllib.loads(text).items() for kernel, gpus in kernels.items()
            for gpu, quantities in gpus.items() for quantity, value in quantities.items()}


def write_reached(reached):
    lines = ["# Made by tests/guard/renew.py; guard.py says what it holds. In per cent, occupancy in points of 100.\n"]
    head = None
    for key, value in sorted(reached.items()):
        if key[:3] != head:
            head = key[:3]
            lines.append(f"\n[{head[0]}.{json.dumps(head[1])}.{json.dumps(head[2])}]\n")
        lines.append(f"{key[3]} = {value}\n")
    return "".join(lines)


def read_accepted(text):
    """{row: entry}; an entry has what the row had (`old`), what it may have (`new`) and why."""
    entries = {}
    for entry in tomllib.loads(text).get("accepted", []):
        entries[(entry["run"], entry["kernel"], entry["gpu"], entry["quantity"])] = entry
    return entries


def write_accepted(entries):
    lines = ["# Rows of the guard that a change made worse by more than half a point, and why that was taken. Entries are added by\n"
             "# `tests/guard/renew.py --accept REASON`, and go when a row is as good again. Held by guard_test.py.\n"]
    for key, entry in sorted(entries.items()):
        lines.append("\n[[accepted]]\n" + "".join(f"{field} = {json.dumps(value, ensure_ascii=False)}\n" for field, value in
                                                  zip(("run", "kernel", "gpu", "quantity"), key)))
        lines.append(f"old = {entry['old']}\nnew = {entry['new']}\nreason = {json.dumps(entry['reason'], ensure_ascii=False)}\n")
    return "".join(lines)


def is_reason(text):
    return len(text.split()) >= LEAST_WORDS


def check_accepted(entries, reached):
    """Lines of entries that do not say why, or do not say what reached.toml holds."""
    wrong = []
    for key, entry in sorted(entries.items()):
        if not is_reason(entry["reason"]):
            wrong.append(f"{said(key)}: accepted without a reason of at least {LEAST_WORDS} words")
        if reached.get(key) != entry["new"]:
            wrong.append(f"{said(key)}: accepted at {entry['new']}, and reached.toml has {reached.get(key)}")
        if entry["new"] <= entry["old"]:
            wrong.append(f"{said(key)}: accepted at {entry['new']}, which is no worse than {entry['old']}")
    return wrong


def renewed(now, reached, entries, reason):
    """(reached, entries, refused lines) with the least that each row ever had; what is worse needs a reason."""
    new_reached, new_entries, refused = {}, {}, []
    for key, value in now.items():
        old = reached.get(key)
        best = entries[key]["old"] if key in entries else old
        if key[3] == "rows" or old is None or value <= best:
            new_reached[key] = value
        elif value <= old: # between the best and what was accepted
            new_reached[key] = value
            new_entries[key] = {**entries[key], "new": value}
        elif value <= limit(key, old):
            new_reached[key] = old
            if key in entries:
                new_entries[key] = entries[key]
        elif reason:
            new_reached[key] = value
            new_entries[key] = {"old": best, "new": value, "reason": reason}
        else:
            new_reached[key] = old
            if key in entries:
                new_entries[key] = entries[key]
            refused.append(f"{said(key)}: {old} -> {value}")
    return new_reached, new_entries, refused
