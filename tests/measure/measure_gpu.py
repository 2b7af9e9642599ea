#!/usr/bin/env python3
"""tools/measure_gpu from end to end, split in two as for a machine without Forewarp: on a driver that pretends (fake_cuda.c) and a
profiler that writes a CSV file of Nsight Compute's form. And tools/sass_mix on cuobjdump's form."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROFILER = r"""#!/bin/sh
while [ "$1" != ./forewarp-measure ]; do
  [ "$1" = --log-file ] && log=$2
  shift
done
cat >"$log" <<'TEXT'
==PROF== Connected to process 7
"ID","Process ID","Kernel Name","Block Size","Grid Size","launch__registers_per_thread","smsp__inst_executed.sum","dram__bytes_read.sum"
"","","","","","register/thread","inst","byte"
"0","7","vector_add","(256, 1, 1)","(65536, 1, 1)","16","10,485,760","134,217,728"
TEXT
exec "$@"
"""
SASS = """
        code for sm_90
                Function : vector_add
        .headerflags    @"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                       /* 0x00000a00ff017b82 */
        /*0010*/                   IMAD.WIDE R2, R0, 0x4, R2 ;                  /* 0x0000000400027825 */
        /*0020*/              @!P0 FADD R7, R4, R3 ;                            /* 0x0000000304077221 */
        /*0030*/                   STG.E desc[UR4][R2.64], R7 ;                 /* 0x0000000702007986 */
        /*0040*/                   EXIT ;                                       /* 0x000000000000794d */
"""


def check(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def main():
    program, fake, scratch = pathlib.Path(sys.argv[1]).parent, sys.argv[2], pathlib.Path(sys.argv[3])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    tool, bundle, into = ROOT / "tools" / "measure_gpu", scratch / "bundle", scratch / "into"
    words = ["--program", program, "--into", into, "--base", "h200"]
    subprocess.run([tool, "prepare", bundle, "--target", "sm_90", *words, "--kernels", "corpus/vector_add",
                    "data/microbenchmarks/issue.toml"], check=True, cwd=ROOT)
    moved = scratch / "elsewhere"  # nothing but the folder
    bundle.rename(moved)
    profiler = scratch / "ncu"
    profiler.write_text(PROFILER)
    profiler.chmod(0o755)
    ran = subprocess.run([moved / "run", "30s"], env={**os.environ, "FOREWARP_CUDA": fake, "FOREWARP_NVML": "/nonexistent", "NCU": profiler})
    check(ran.returncode == 11, f"the pretending driver's wrong sum is told by exit code 11, found {ran.returncode}")
    sass = scratch / "k.sass"
    sass.write_text(SASS)
    tools = scratch / "tools"  # the vendor's, pretended
    tools.mkdir()
    for name, line in (("ptxas", 'touch "$3"'), ("cuobjdump", f'cat "{sass}"')):
        (tools / name).write_text(f"#!/bin/sh\n{line}\n")
        (tools / name).chmod(0o755)
    subprocess.run([tool, "finish", moved, *words], check=True, env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
    classes = "vector_add 5 branch:1 fp32_add:1 int_mul_wide:1 move:1 store_global:1"
    machine_code = (into / "data/measured/fake-gpu/machine_code.txt").read_text()
    check(machine_code == f"vector_add: {classes}\n", f"operation classes of the machine code, found '{machine_code}'")
    toml = (into / "data/calibrations/fake-gpu.toml").read_text()
    check('extends = "h200-sxm"' in toml and "[value_sets.measured]" in toml and "issue_per_scheduler" in toml, "a calibration")
    subprocess.run([program / "forewarp", "gpus", "check", into / "data/calibrations/fake-gpu.toml"], check=True)
    page = (into / "docs/results/fake-gpu.md").read_text()
    check("check vector_add/check: wrong result" in page and page.count("vector_add  ") >= 3, "a page with failures and predictions")
    check(json.loads((into / "data/measured/fake-gpu/measured.json").read_text())["format"] == "forewarp-measured", "the raw result")
    counters = (into / "data/measured/fake-gpu/counters.csv").read_text().splitlines()
    check(counters[0] == "kernel,launch,registers_per_thread,instructions_per_warp,dram_sectors_read", f"columns, found {counters[0]}")
    launch = json.loads((moved / "once.json").read_text())["kernels"][0]["launches"][1]
    warps = launch["groups"][0] * launch["group_size"][0] // 32
    check(counters[1] == f"vector_add,{launch['name']},16,{10485760 / warps:.6g},{134217728 / 32:.6g}",
          f"counters by warp and sector, found {counters[1]}")
    mix = subprocess.run([ROOT / "tools" / "sass_mix", sass], capture_output=True, text=True, check=True).stdout.strip()
    check(mix == classes, f"classes, found '{mix}'")


if __name__ == "__main__":
    main()
