#!/usr/bin/env python3
"""Two `local` pointer arguments through a bundle: on OpenCL (PoCL), with occupancies limited by a third that is not used; as PTX
on a driver that pretends (fake_cuda.c), where they are offsets into one shared memory. Results against the C reference."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NO_DEVICE = 10
OWN_BYTES = 37 * 4 + 36 * 8


def check(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def measured(programs, folder, target, *words, **environment):
    shutil.rmtree(folder, ignore_errors=True)
    made = subprocess.run([programs / "forewarp", "bundle", HERE / "two_locals", "--target", target, "--output", folder],
                          capture_output=True, text=True)
    check(made.returncode == 0 and "left out" not in made.stderr, f"a bundle for {target}: {made.stderr}")
    ran = subprocess.run([programs / "forewarp-measure", folder, "--quiet", "--only", "two_locals", "--output",
                          folder / "measured.json", *words], capture_output=True, text=True, env={**os.environ, **environment})
    if ran.returncode == NO_DEVICE:
        return None
    check(ran.returncode == 0, f"{target} ends with 0, found {ran.returncode}: {ran.stderr}")
    entries = json.loads((folder / "measured.json").read_text())
    check([entry["correct"] for entry in entries["measurements"] if entry["what"] == "check"] == [True], f"{target}: right results")
    return entries


def main():
    programs, fake, scratch = pathlib.Path(sys.argv[1]).parent, sys.argv[2], pathlib.Path(sys.argv[3])
    result = measured(programs, scratch / "ptx", "sm_90", FOREWARP_CUDA=fake, FOREWARP_NVML="/nonexistent")
    ptx = (scratch / "ptx/kernels/two_locals.ptx").read_text()
    check(".extern .shared .align 16 .b8 forewarp_dynamic_shared[]" in ptx and "nctaid.z" in ptx, "dynamic shared memory and dimensions")
    check(any(entry["what"] == "sweep" for entry in result["measurements"]), "occupancies")
    result = measured(programs, scratch / "opencl", "opencl", "--backend", "opencl", POCL_CACHE_DIR=str(scratch / "pocl-cache"))
    if result is None:
        print("no OpenCL device: only the PTX side was checked")
        return
    most = result["device"]["shared_per_group_bytes"]
    sweeps = {entry["groups_by_local_memory"]: entry["unused_shared_bytes"] for entry in result["measurements"] if entry["what"] == "sweep"}
    check(sweeps, "occupancies on OpenCL")
    for groups, unused in sweeps.items():
        check(most // (unused + OWN_BYTES) == groups, f"{groups} groups of {unused} + {OWN_BYTES} bytes in {most}")


if __name__ == "__main__":
    main()
