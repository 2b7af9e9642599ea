"""forewarp.numba: what stands on no compiler; with numba-cuda and its compiler, kernels."""
import importlib.util

import forewarp
import forewarp.numba


def check_values():
    x = forewarp.buffer("fp32", (8, 4))
    assert forewarp.numba.kernel_values([3, x, 0.5, True]) == [
        "3", "0", "0", "32", "4", "buffer:f32[32]", "8", "4", "16", "4", "0.5", "1"]
    assert forewarp.numba.kernel_values([x.T])[5:] == ["4", "8", "4", "16"]
    try:
        forewarp.numba.ptx_of(lambda x: None, [x], "mi300x")
    except forewarp.Error as error:
        assert error.code in ("unsupported", "not_found"), error
    else:
        raise AssertionError("CUDA on AMD")


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


def has_compiler():
    if not importlib.util.find_spec("numba"):
        return False
    try:
        from numba import cuda
        return hasattr(cuda, "compile")
    except ImportError:
        return False


def main():
    checks = [check_values] + ([check_kernels, check_functions] if has_compiler() else [])
    for check in checks:
        check()
    print(f"{len(checks)} checks" + ("" if len(checks) > 1 else "; those with the module 'numba.cuda' were not run"))


if __name__ == "__main__":
    main()
