#!/usr/bin/env python3
"""`forewarp run` around programs of others, as their packages have them: each is tried where it is there.

Exit code 77: none of them is. Packages: clinfo, clpeak, clblast-utils; pyopencl and kernel_tuner of the Python that runs this."""
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOREWARP = sys.argv[1]

SUM = """
import numpy, pyopencl as cl
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
a = numpy.arange(1 << 20, dtype=numpy.float32)
flags = cl.mem_flags
x, y = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=a), cl.Buffer(context, flags.WRITE_ONLY, a.nbytes)
kernel = cl.Program(context, "kernel void twice(global const float* a, global float* b) { int i = get_global_id(0); b[i] = 2 * a[i]; }").build().twice
event = kernel(queue, a.shape, (256,), x, y)
b = numpy.empty_like(a)
cl.enqueue_copy(queue, b, y)
event.wait()
print("device", context.devices[0].name)
print("event", event.profile.end - event.profile.start, "right" if (b == 2 * a).all() else "wrong")
try:
    kernel(queue, (2048,), (2048,), x, y)
except cl.LogicError as error:
    print("refused", error.code)
"""

TILED = """
kernel void tiled(global const float* a, global const float* b, global float* c, int n) {
  local float ta[TILE][TILE], tb[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; k += TILE) {
    ta[y][x] = a[row * n + k + x]; tb[y][x] = b[(k + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < TILE; ++j) s += ta[y][j] * tb[j][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = s;
}
"""

TUNE = """
import json, kernel_tuner, numpy
from kernel_tuner.observers import BenchmarkObserver
class Launches(BenchmarkObserver):
    count = 0
    def after_finish(self): self.count += 1
    def get_results(self): return {"launches": self.count}
n = numpy.int32(128)
a, b = numpy.ones(n * n, numpy.float32), numpy.ones(n * n, numpy.float32)
sizes = [8, 16, 32, 64]
tuned, _ = kernel_tuner.tune_kernel("tiled", open("tiled.cl").read(), (n, n), [a, b, numpy.zeros_like(a), n],
    {"TILE": sizes, "block_size_x": sizes, "block_size_y": sizes}, restrictions=["TILE==block_size_x", "TILE==block_size_y"],
    lang="OpenCL", iterations=3, answer=[None, None, numpy.full_like(a, n), None], observers=[Launches()])
json.dump([[row["TILE"], row["time"] if isinstance(row["time"], float) else None, row.get("launches")] for row in tuned], open("tuned.json", "w"))
"""


def call(*words, folder, expected=0):
    ran = subprocess.run([FOREWARP, *map(str, words)], capture_output=True, text=True, cwd=folder, timeout=280,
                         env={**os.environ, "POCL_CACHE_DIR": str(folder / "pocl-cache"), "HOME": str(folder)})
    if ran.returncode != expected:
        sys.exit(f"{words}: exit code {ran.returncode}, not {expected}\n{ran.stdout}\n{ran.stderr}")
    return ran.stdout


def check(claim, detail):
    if not claim:
        sys.exit(f"wrong: {detail}")


def clinfo(folder):
    said = call("run", "--gpu", "v100", "--output", "report", "--", "clinfo", folder=folder)
    check(re.search(r"Number of devices +1\b", said) and "Tesla V100 SXM2" in said and re.search(r"Max compute units +80\b", said), said)


def clpeak(folder):
    said = call("run", "--gpu", "v100", "--execute", "none", "--output", "report", "--", "clpeak", "--kernel-latency", "--global-bandwidth",
                folder=folder)
    bandwidth = float(re.search(r"float +: ([0-9.]+)", said)[1])
    check("Tesla V100 SXM2" in said and 600 < bandwidth < 900, said)


def clblast(folder):
    said = call("run", "--gpu", "v100", "--execute", "none", "--output", "report", "--", "clblast_tuner_xaxpy", "-n", "65536", folder=folder)
    check("Completed the tuning process" in said or "Best parameters" in said or "GB/s" in said, said)


def pyopencl(folder):
    (folder / "sum.py").write_text(SUM)
    said = call("run", "--gpu", "v100", "--keep", "sum", "--output", "report", "--", sys.executable, "sum.py", folder=folder).splitlines()
    answer = json.loads(call("predict", "--launch", "sum/1.toml", "--gpu", "v100", "--format", "json", folder=folder))
    check(said == ["device Tesla V100 SXM2", f"event {round(answer['time_ms'] * 1e6)} right", "refused -54"], said)


def kernel_tuner(folder):
    """Its event times are those of `explore`, to the nanosecond, and the same configurations fail."""
    (folder / "tiled.cl").write_text(TILED)
    (folder / "tune.py").write_text(TUNE)
    call("run", "--gpu", "v100", "--output", "report", "--", sys.executable, "tune.py", folder=folder)
    tuned = {tile: (time, launches) for tile, time, launches in json.loads((folder / "tuned.json").read_text())}
    space = ["--space", "TILE=8,16,32,64", "--space", "local.x=TILE", "--space", "local.y=TILE"]
    buffers = [word for name in "abc" for word in ("--arg", f"{name}=buffer:float[16384]")]
    answer = json.loads(call("explore", "tiled.cl", "--kernel", "tiled", "--gpu", "v100", *space, "--global", "128,128", *buffers, "--arg",
                             "n=128", "--format", "json", folder=folder))
    predicted = {each["parameters"]["TILE"]: each["time_ms"]["Tesla V100 SXM2"] for each in answer["configurations"]}
    fails = {tile for tile, time in predicted.items() if time is None}
    check(fails == {64} and all(tuned.get(tile, (None, 0))[0] is None for tile in fails), (tuned, predicted))
    for tile in predicted.keys() - fails:
        time, launches = tuned[tile]
        check(round(time * 1e6) == round(predicted[tile] * 1e6) and launches, (tile, tuned, predicted))


def main():
    found = [(shutil.which(name), test) for name, test in (("clinfo", clinfo), ("clpeak", clpeak), ("clblast_tuner_xaxpy", clblast))]
    found += [(importlib.util.find_spec(name), test) for name, test in (("pyopencl", pyopencl), ("kernel_tuner", kernel_tuner))]
    if not any(there for there, _ in found):
        print("SKIPPED: none of clinfo, clpeak, clblast-utils, pyopencl and kernel_tuner is installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="forewarp-clients-") as name:
        for there, test in found:
            if there:
                test(pathlib.Path(name))
            print("passed:" if there else "not there:", test.__name__)


main()
