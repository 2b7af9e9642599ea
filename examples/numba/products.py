"""A script as it is written for a GPU: two products of matrices, timed by events, and one of a sparse matrix with a vector."""
import numpy as np
from numba import cuda, float32

TILE, N, ROWS = 16, 1024, 1 << 18


@cuda.jit(fastmath=True)
def simple(a, b, c):
    x, y = cuda.grid(2)
    total = float32(0.0)
    for k in range(a.shape[1]):
        total += a[y, k] * b[k, x]
    c[y, x] = total


@cuda.jit(fastmath=True)
def tiled(a, b, c):
    part_a, part_b = cuda.shared.array((TILE, TILE), float32), cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0.0)
    for step in range(a.shape[1] // TILE):
        part_a[ty, tx] = a[y, tx + step * TILE]
        part_b[ty, tx] = b[ty + step * TILE, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += part_a[ty, k] * part_b[k, tx]
        cuda.syncthreads()
    c[y, x] = total


@cuda.jit
def sparse(begins, columns, values, x, y):
    row = cuda.grid(1)
    if row < y.size:
        total = float32(0.0)
        for place in range(begins[row], begins[row + 1]):
            total += values[place] * x[columns[place]]
        y[row] = total


rng = np.random.default_rng(1)
a, b = (cuda.to_device(rng.random((N, N), dtype=np.float32)) for _ in range(2))
c = cuda.device_array_like(a)
begin, end = cuda.event(), cuda.event()
for kernel in (simple, tiled):
    kernel[(N // TILE, N // TILE), (TILE, TILE)](a, b, c)  # compiles
    begin.record()
    kernel[(N // TILE, N // TILE), (TILE, TILE)](a, b, c)
    end.record()
    end.synchronize()
    milliseconds = begin.elapsed_time(end)
    print(f"{kernel.py_func.__name__}: {milliseconds:.3f} ms, {2 * N**3 / milliseconds / 1e9:.2f} TFLOPS")

counts = rng.integers(1, 64, ROWS)
begins = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
columns = rng.integers(0, ROWS, begins[-1]).astype(np.int32)
x, y = np.ones(ROWS, dtype=np.float32), np.zeros(ROWS, dtype=np.float32)
sparse.forall(ROWS)(begins, columns, np.ones(begins[-1], dtype=np.float32), x, y)
np.testing.assert_allclose(y, counts)
