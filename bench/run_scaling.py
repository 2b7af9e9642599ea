#!/usr/bin/env python3
"""Scaling of one sweep with threads and with MPI processes.

  bench/run_scaling.py [--program build/bin/forewarp] [--gpu k620] [--jobs 1,2] [--ranks 1,2,4] [--repeat 3]

The sweep: tile sizes of the tiled matrix multiply, group sizes and lengths of the vector addition (many cheap configurations), and sizes of the
2-D stencil. Prints wall seconds (least of the repetitions), processor seconds of all processes (median) and wall time relative to the first line.
Ranks beyond the cores are oversubscribed. Every answer is compared with the first one, byte for byte."""
import argparse
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWEEPS = [
    ("vector addition, sizes", "vector_add/check.toml", ["local=32:256:+32", "n=1:8001:+10"]),
    ("wavefront tiles, sizes", "needleman_wunsch_tile/default.toml", ["size=8192:8400:+16", "diagonal=0:500:+20"]),
    ("tiled matrix multiply, compiles", "matrix_multiply_tiled/check.toml",
     ["TILE=4,8,16,32", "local.x=TILE", "local.y=TILE", "VARIANT=1:25:+1"]),
]


def mpi_environment():
    # Containers run as root and have fewer cores than processes; ranks of one machine need no network.
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                OMPI_MCA_btl="self,vader", OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_plm="isolated")


def run_once(words, environment, output):
    """Wall and processor seconds of a command and all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    done = subprocess.run([*words, "--format", "csv", "--output", output], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True)
    wall = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/bin/forewarp"))
    parser.add_argument("--gpu", default="k620")
    parser.add_argument("--jobs", default="1,2")
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--repeat", type=int, default=3)
    words = parser.parse_args()
    program = pathlib.Path(words.program).resolve()
    ways = [(f"--jobs {n}", [], ["--jobs", n]) for n in words.jobs.split(",") if n]
    if shutil.which("mpirun") and program.with_name("forewarp_mpi.so").exists():
        ways += [(f"mpirun -n {n}", ["mpirun", "-n", n], []) for n in words.ranks.split(",") if n]
    else:
        print("no mpirun, or a program built without MPI: threads only")
    with tempfile.TemporaryDirectory() as folder:
        for name, launch, space in SWEEPS:
            print(f"{name:<34}{'rows':>7}{'wall s':>8}{'cpu s':>8}{'speed-up':>9}")
            first, reference = None, None
            for way, prefix, more in ways:
                command = [*prefix, str(program), "explore", "--launch", str(ROOT / "corpus" / launch), "--gpu", words.gpu, "--no-cache", *more]
                for parameter in space:
                    command += ["--space", parameter]
                output = os.path.join(folder, "out.csv")
                runs = [run_once(command, mpi_environment(), output) for _ in range(words.repeat)]
                answer = pathlib.Path(output).read_bytes()
                reference = reference or answer
                assert answer == reference, f"{way}: another answer"
                wall, cpu = min(run[0] for run in runs), statistics.median(run[1] for run in runs)
                first = first or wall
                print(f"  {way:<32}{answer.count(10) - 1:>7}{wall:>8.2f}{cpu:>8.2f}{first / wall:>9.2f}", flush=True)


if __name__ == "__main__":
    main()
