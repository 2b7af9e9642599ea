"""y = a x + y on GPUs that are not there: python3 axpy.py"""
import forewarp
import forewarp.numba
from numba import cuda


@cuda.jit
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] += a * x[i]


x = forewarp.buffer("fp32", 1 << 26)
for answer in forewarp.numba.predict(axpy, 1 << 18, 256, 2.0, x, x, gpu="a100,h100,l40s"):
    print(f"{answer['gpu']:16} {answer['time_ms']:.3f} ms, bound by {answer['limiter']}")
