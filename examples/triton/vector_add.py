"""Vector addition on GPUs that are not there: python3 vector_add.py"""
import forewarp
import forewarp.triton
from kernels import add

x = forewarp.buffer("fp32", 1 << 26)
for answer in forewarp.triton.predict(add, (1 << 16,), x, x, x, 1 << 26, BLOCK=1024, gpu=["a100", "h100", "l40s"]):
    print(f"{answer['gpu']:16} {answer['time_ms']:.3f} ms, bound by {answer['limiter']}")
