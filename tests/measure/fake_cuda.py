#!/usr/bin/env python3
"""The CUDA side of forewarp-measure on a driver that only pretends (fake_cuda.c): good, wrong, hanging, faulting and
crashing kernels, too little memory, a driver that is too old, occupancy sweeps, no device, no driver."""
import json
import os
import pathlib
import subprocess
import sys

COUNT = 1024


def buffer(name, count=COUNT, contents="zeros", read_only=False):
    value = {"type": "f32", "count": count, "contents": contents}
    if contents == "iota":
        value.update(start=0, step=1)
    return {"name": name, "buffer": value, "read_only": read_only}


def expected():
    values = [float(i) for i in range(256)]
    return {"buffer": "destination", "type": "f32", "count": 256, "tolerance": 0, "largest": 255, "sum": sum(values),
            "norm1": sum(values), "norm2": sum(v * v for v in values) ** 0.5, "projection": None, "values": values}


def launch(name, timed, count, results):
    made = {"name": name, "groups": [8, 1, 1], "groups_per_sm": False, "group_size": [128, 1, 1], "dynamic_shared_bytes": 0,
            "checks_inputs": False, "timed": timed, "occupancy_sweep": timed, "stage": 2 if timed else 0,
            "arguments": [buffer("source", count, "iota", True), buffer("destination", count),
                          {"name": "n", "scalar": count.to_bytes(4, "little").hex()}]}
    if results:
        made["expected"] = [results]
    return made


def kernel(name, count=256, timed=False):
    return {"name": name, "symbol": name, "file": f"kernels/{name}.ptx", "options": "", "standard": "", "kind": "corpus",
            "source": "none", "source_suffix": ".cl", "launches": [launch("default" if timed else "check", timed, count, None)]}


def make_bundle(folder, names):
    (folder / "kernels").mkdir(parents=True, exist_ok=True)
    kernels = []
    for name in names:
        made = kernel(name, count=1 << 28 if name == "big" else 256, timed=name in ("copy", "slow"))
        if name == "slow":  # predicted to take a thousand seconds
            made["launches"][0].update(predicted_us=1e9, occupancy_sweep=False)
        if name == "copy":
            made["launches"].append(launch("check", False, 256, None))
        for one in made["launches"]:
            if one["name"] == "check":
                one["expected"] = [projected(expected())]
        kernels.append(made)
        text = "newer than the driver" if name == "new" else "ptx"
        (folder / "kernels" / f"{name}.ptx").write_text(text)
    manifest = {"format": "forewarp-bundle", "version": 1, "language": "ptx", "target": "sm_90", "made_by": "a test",
                "kernels": kernels}
    (folder / "manifest.json").write_text(json.dumps(manifest))


def unit(seed, index):
    mask = (1 << 64) - 1
    z = ((seed + 1) * 0xD1342543DE82EF95 + (index + 1) * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return ((z ^ (z >> 31)) >> 40) * 2.0 ** -24


def projected(results):
    results["projection"] = sum(v * unit(0x57454947, i) for i, v in enumerate(results["values"]))
    return results


def run(program, folder, fake, *words, **environment):
    out = folder / "measured.json"
    ran = subprocess.run([program, folder, "--quiet", "--timeout", "4s", "--output", out, *words], capture_output=True, text=True,
                         env={**os.environ, "FOREWARP_CUDA": str(fake), "FOREWARP_NVML": "/nonexistent", **environment})
    print(ran.returncode, ran.stderr)
    return ran, json.loads(out.read_text()) if out.exists() else None


def check(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def main():
    program, fake, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    make_bundle(folder, ["wrong", "hang", "fault", "abort", "big", "new", "slow", "copy"])
    (folder / "measured.json").unlink(missing_ok=True)
    ran, result = run(program, folder, fake)
    check(ran.returncode == 11, "exit code 11 where something failed")
    reasons = {failure["task"].split()[-1].split("/")[0]: failure["reason"] for failure in result["failures"]}
    for name, words in {"wrong": "wrong result: destination[1] is 0, expected 1", "hang": "timed out", "fault": "ILLEGAL_ADDRESS",
                        "abort": "signal 6", "big": "too little device memory", "new": "too old for this PTX"}.items():
        check(words in reasons.get(name, ""), f"{name} is reported with '{words}', found '{reasons.get(name)}'")
    check(result["skipped"] == ["time slow/default"], f"what the budget does not hold is left out, found {result['skipped']}")
    check("copy" not in reasons, "the good kernel is measured all the same")
    of_copy = [entry for entry in result["measurements"] if entry.get("kernel") == "copy"]
    check([entry["correct"] for entry in of_copy if entry["what"] == "check"] == [True], "the good kernel is right")
    times = [entry for entry in of_copy if entry["what"] == "time"]
    check([entry["l2"] for entry in times] == ["warm", "cold"], "warm and cold times")
    check(abs(times[0]["median_us"] - 8) < 0.01, "the event's time is taken as it is")
    check(abs(times[0]["clocks_after"]["sm_mhz_in_kernel"] - 1500) < 1e-6, "the clock is read in a kernel")
    sweeps = {entry["concurrent_groups"]: entry["unused_shared_bytes"] for entry in of_copy if entry["what"] == "sweep"}
    check(sorted(sweeps) == [1, 2, 3, 4, 6], f"the sweep visits the occupancies below the full one, found {sorted(sweeps)}")
    # The least multiple of 256 with which two groups fit, not three: floor(228 K / (b + 1 K)) <= 2.
    check(sweeps[2] == 76 * 1024 - 1024 + 256, f"two groups need {sweeps[2]} bytes")
    check(any(entry["what"] == "copy" for entry in result["measurements"]), "copies are measured")
    for lines, code, words, library, options, environment in (
            (1, 10, "no device", fake, [], {"FAKE_CUDA_EMPTY": "1"}),
            (1, 10, "no CUDA driver", folder / "no_such_library.so", [], {}),
            (1, 10, "does not start: SOME_ERROR", fake, [], {"FAKE_CUDA_INIT": "803"}),  # driver and library differ
            (1, 10, "there is no CUDA device 3; there are 1", fake, ["--device", "3"], {}),
            (1, 10, "cuInit", "libm.so.6", [], {}),  # a driver that lacks a function
            (2, 7, "the bundle is for sm_90, but Fake GPU is sm_70", fake, [], {"FAKE_CUDA_MAJOR": "7"})):
        ran, _ = run(program, folder, library, *options, **environment)
        check(ran.returncode == code and ran.stderr.count("\n") == lines and words in ran.stderr,
              f"exit code {code}, {lines} line(s) and '{words}', found {ran.returncode} and '{ran.stderr}'")


if __name__ == "__main__":
    main()
