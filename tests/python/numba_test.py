"""forewarp.numba: what stands on no compiler; with numba-cuda and its compiler, kernels and scripts."""
import importlib.util
import math
import pathlib
import re
import subprocess
import sys
import time
import timeit

import forewarp
import forewarp.numba
from forewarp.numba.arguments import Array
from forewarp.numba.compiling import name_captured
from forewarp.numba.functions import groups_per_sm, most_threads, suggested_threads
from forewarp.numba.gpus import gpu_named
from forewarp.numba.memory import Memory
from forewarp.numba.recording import asks_for_data, touched_places
from forewarp.numba.standin import attributes
from forewarp.recorder.clock import Clock
from forewarp.recorder.launches import LaunchNotModelled

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "numba"


def check_values():
    x = forewarp.buffer("fp32", (8, 4))
    assert forewarp.numba.kernel_values([3, x, 0.5, True]) == [
        "3", "0", "0", "32", "4", "buffer:f32[32]", "8", "4", "16", "4", "0.5", "1"]
    assert forewarp.numba.kernel_values([x.T])[5:] == ["4", "8", "4", "16"]
    assert forewarp.numba.kernel_values([(x, (2, 1.5)), 1 - 2j])[5:] == ["8", "4", "16", "4", "2", "1.5", "1.0", "-2.0"]
    try:
        forewarp.numba.kernel_values(["two"])
    except LaunchNotModelled as error:
        assert "type str" in str(error)
    else:
        raise AssertionError("a string")
    try:
        forewarp.numba.ptx_of(lambda x: None, [x], "mi300x")
    except forewarp.Error as error:
        assert error.code in ("unsupported", "not_found"), error
    else:
        raise AssertionError("CUDA on AMD")


def check_gpus():
    a100 = gpu_named("a100-sxm4-80gb")
    assert a100.capability == (8, 0) and gpu_named("k20").capability == (3, 5)
    words = attributes(a100)
    assert words["MULTIPROCESSOR_COUNT"] == 108 and words["MAX_SHARED_MEMORY_PER_BLOCK"] == 49152
    assert words["SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO"] == 2 and attributes(gpu_named("rtx-4090"))["SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO"] == 64
    # 65536 registers hold 65536 / (32 * 72) = 28 warps of 70 registers, which are given by eights: 896 threads.
    assert most_threads(a100, 70) == 896 and most_threads(a100, 32) == 1024
    assert groups_per_sm(a100, 32, 256, 0) == 8 and groups_per_sm(a100, 70, 256, 0) == 3  # 28 warps hold three groups of 8
    assert groups_per_sm(a100, 32, 64, 20000) == 167936 // 20000
    # Of 70 registers, 28 warps fit whichever way they are cut, and 896 is the largest group that keeps all of them.
    assert suggested_threads(a100, 32, 0) == 1024 and suggested_threads(a100, 70, 0) == 896


def check_clock():
    clock = Clock()
    with clock.shown():
        begin = time.perf_counter()
        for _ in range(100):
            clock.launched(30.0)
        clock.launched(math.nan)
        launched = time.perf_counter() - begin
        clock.wait()
        waited = time.perf_counter() - begin
        assert launched < 3 <= waited < 4, (launched, waited)
        assert timeit.timeit(lambda: (clock.launched(1000), clock.wait()), number=5) >= 5
        begin = time.time()
        with clock.hidden():
            time.sleep(0.2)
        assert time.time() - begin < 0.1
    assert time.perf_counter() - begin < 1e9 and time.perf_counter.__name__ == "perf_counter"


def check_what_is_written():
    sites = [{"access": "load", "space": "global", "buffer": "k_param_4", "class": "coalesced", "requests": 1.0},
             {"access": "store", "space": "global", "buffer": "k_param_11", "class": "coalesced", "requests": 1.0},
             {"access": "store", "space": "shared", "buffer": "", "class": "coalesced", "requests": 1.0}]
    values = ["0"] * 18
    for place in (4, 11, 17):
        values[place] = Array(forewarp.buffer("fp32", 8))
    answer = {"memory": sites, "notes": [{"rests_on_data": False}]}
    assert touched_places(answer, values, "load") == {11} and touched_places(answer, values, "store") == {4}
    assert touched_places(None, values, "load") == {4, 11, 17}
    assert not asks_for_data(answer) and asks_for_data({**answer, "notes": [{"rests_on_data": True}]})
    sites[0]["class"] = "unknown"
    assert asks_for_data(answer)
    sites.append({"access": "store", "space": "global", "buffer": "table[]", "class": "unknown", "requests": 1.0})
    assert touched_places(answer, values, "load") == {4, 11, 17}  # anything may lie there


def check_captured():
    text = ".version 8.0\n.target sm_80\n.address_size 64\nmov.u64 %rd1, 94078957063444;\nadd.s64 %rd2, %rd1, 94078957063400;"
    named = name_captured(text, (("forewarp_captured_0", 94078957063424, 32),))
    assert ".global .align 16 .b8 forewarp_captured_0[32];" in named and "forewarp_captured_0+20;" in named
    assert "94078957063400" in named and name_captured(text, ()) == text


def check_memory():
    memory = Memory()
    first, host = memory.allocate(64), bytearray(range(64))
    import ctypes
    at = ctypes.addressof((ctypes.c_char * 64).from_buffer(host))
    assert first % 256 == 0 and memory.span(first + 63) == (first, 64) and memory.span(first + 64) is None
    assert memory.contents(first, 64) is None  # nobody has written there
    memory.copy(first, at, 64)
    assert memory.contents(first + 8, 4) == bytes([8, 9, 10, 11])
    memory.kernel_wrote(first, 64)
    assert memory.contents(first, 64) is None
    memory.copy(at, first, 64)  # a result that is not there
    assert not memory.is_known(at, 64)
    second = memory.allocate(64)
    memory.copy(second, at, 64)
    assert not memory.is_known(second, 64)
    host[3] = 77  # the script's own
    memory.copy(second, at, 64)
    assert memory.contents(second, 4) == bytes([0, 1, 2, 77])
    memory.fill(first, 5, 64)
    assert memory.contents(first, 2) == b"\5\5"
    memory.free(first)
    assert memory.span(first) is None and memory.span(second)


def check_kernels():
    from numba import cuda, float32

    @cuda.jit
    def axpy(a, x, y):
        i = cuda.grid(1)
        if i < x.shape[0]:
            y[i] += a * x[i]

    @cuda.jit
    def product(a, b, c):
        part_a, part_b = cuda.shared.array((16, 16), float32), cuda.shared.array((16, 16), float32)
        x, y = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = float32(0.0)
        for step in range(a.shape[1] // 16):
            part_a[ty, tx] = a[y, tx + step * 16]
            part_b[ty, tx] = b[ty + step * 16, x]
            cuda.syncthreads()
            for k in range(16):
                total += part_a[ty, k] * part_b[k, tx]
            cuda.syncthreads()
        c[y, x] = total

    x = forewarp.buffer("fp32", 1 << 24)
    fast, slow = forewarp.numba.predict(axpy, 1 << 16, 256, 2.0, x, x, gpu="h100,a100")
    assert fast["gpu"].startswith("H100") and slow["gpu"].startswith("A100")
    least = 3 * 4 * 2**24 / 1555e6  # 64 MiB read twice and written once at A100's peak
    assert least < slow["time_ms"] < 2 * least, slow["time_ms"]
    m = forewarp.buffer("fp32", (1024, 1024))
    answer = forewarp.numba.predict(product, (64, 64), (16, 16), m, m, m, gpu="a100")[0]
    assert answer["time_ms"] > 2 * 1024**3 / 19.5e9 and answer["valid"], answer["time_ms"]  # no faster than fp32's peak
    try:
        forewarp.numba.predict(axpy, 1, 32, "two", x, x, gpu="a100")
    except forewarp.Error as error:
        assert "neither number nor array" in str(error)
    else:
        raise AssertionError("a string")


def check_functions():
    """Doubles whose logarithm takes an approximate reciprocal, and halves, which Numba links as C++."""
    import math

    from numba import cuda, vectorize

    with forewarp.numba.compiling_for("a100"):
        @vectorize(["float64(float64, float64)"], target="cuda")
        def distance(a, b):
            return math.sqrt(a * a + b * b)

    @cuda.jit
    def logarithms(x, y):
        i = cuda.grid(1)
        if i < x.shape[0]:
            y[i] = math.log(x[i])

    @cuda.jit
    def halves(x, y):
        i = cuda.grid(1)
        if i < x.shape[0]:
            y[i] = cuda.fp16.hsqrt(x[i]) + x[i]

    doubles, shorts = forewarp.buffer("fp64", 1 << 22), forewarp.buffer("fp16", 1 << 22)
    long = forewarp.numba.predict(logarithms, 1 << 14, 256, doubles, doubles, gpu="a100")[0]
    three = forewarp.numba.predict(distance, 1 << 14, 256, doubles, doubles, doubles, gpu="a100")[0]
    assert three["time_ms"] > 3 * 8 * 2**22 / 1555e6, three["time_ms"]
    try:
        forewarp.numba.predict(distance, 1, 32, doubles, doubles, gpu="a100")
    except forewarp.Error as error:
        assert "no kernel of (float64)" in str(error), error
    else:
        raise AssertionError("one input of two")
    short = forewarp.numba.predict(halves, 1 << 14, 256, shorts, shorts, gpu="a100")[0]
    assert long["valid"] and short["valid"]
    assert short["time_ms"] > 2 * 2 * 2**22 / 1555e6  # read and written at A100's peak
    assert long["time_ms"] > 2 * 8 * 2**22 / 1555e6, long["time_ms"]


def check_options():
    """What the linker's assembler says of registers, records, tuples, types beside the kernel, C++ that is linked."""
    import numpy
    from numba import cuda

    def work(out, pair, scale):
        i = cuda.grid(1)
        if i < out.size:
            total = 0.0
            for k in range(8):
                total += math.sin(pair[0][i] + k) * math.cos(pair[1] * k) * scale.real
            out[i] = total

    x = forewarp.buffer("fp64", 1 << 20)
    free, bound = (forewarp.numba.predict(cuda.jit(work, **options), 1 << 12, 256, x, (x, 2.0), 1 + 2j, gpu="a100")[0]
                   for options in ({}, {"max_registers": 24}))
    assert free["registers_per_thread"] > bound["registers_per_thread"] == 24, (free["registers_per_thread"], bound["registers_per_thread"])
    points = numpy.zeros(1 << 20, dtype=[("x", "f4"), ("k", "i4")])

    @cuda.jit
    def records(points, one):
        i = cuda.grid(1)
        if i < points.size:
            points[i].x = points[i].k * one.x

    answer = forewarp.numba.predict(records, 1 << 12, 256, points, points[0], gpu="a100")[0]
    assert answer["time_ms"] > 2 * 8 * 2**20 / 1555e6, answer["time_ms"]  # sectors that are read for k and written back for x
    with forewarp.numba.compiling_for("a100"):
        eager = cuda.jit("void(float64[::1], float64)")(lambda out, a: None)
    assert len(eager.overloads) == 1


def check_script():
    done = subprocess.run([sys.executable, "-W", "ignore", "-m", "forewarp.numba", "--gpu", "a100", str(EXAMPLES / "products.py")],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "simple[64, 64, 1]" in done.stdout and "A100" in done.stdout and "1 comparisons of arrays passed" in done.stdout, done.stdout
    said, listed = (float(re.search(pattern, done.stdout)[1]) for pattern in (r"tiled: ([0-9.]+) ms", r"tiled\[64, 64, 1\] +x2 +([0-9.]+) ms"))
    assert abs(said - listed) < 0.001, done.stdout
    # The columns that rows have, 32 in the mean, were handed over: 2^18 rows read 8 bytes for each, at A100's peak.
    sparse = float(re.search(r"sparse\[256, 1, 1\] +x1 +([0-9.]+) ms", done.stdout)[1])
    assert sparse > 2**18 * 32 * 8 / 1555e6, done.stdout


def has_compiler():
    if not importlib.util.find_spec("numba"):
        return False
    try:
        from numba import cuda
        return hasattr(cuda, "compile")
    except ImportError:
        return False


def main():
    checks = [check_values, check_gpus, check_clock, check_what_is_written, check_captured]
    checks += [check_memory] if importlib.util.find_spec("numpy") else []
    checks += [check_kernels, check_functions, check_options, check_script] if has_compiler() else []
    for check in checks:
        check()
    print(f"{len(checks)} checks" + ("" if has_compiler() else "; those with the module 'numba.cuda' were not run"))


if __name__ == "__main__":
    main()
