"""Which tiles of a matrix multiplication to measure: python3 rank_matmul.py [GPU]"""
import sys

import forewarp
import forewarp.triton
from kernels import autotuned_matmul, matmul_grid

n = 4096
a, b, c = (forewarp.buffer("fp16", (n, n)) for _ in range(3))
print(forewarp.triton.rank(autotuned_matmul, matmul_grid, a, b, c, n, n, n, *a.stride(), *b.stride(), *c.stride(),
                           gpu=sys.argv[1] if len(sys.argv) > 1 else "a100").table())
