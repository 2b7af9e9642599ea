"""Triton kernels of the usual operations, for docs/guide/triton.md, docs/results/triton.md and tests."""
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    total = tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
    tl.store(out + at, total, mask=inside)


@triton.jit
def softmax(source, result, row_stride, rows, columns, BLOCK: tl.constexpr, num_stages: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=num_stages):
        values = tl.load(source + row * row_stride + at, mask=inside, other=-float("inf"))
        powers = tl.exp(values - tl.max(values, axis=0))
        tl.store(result + row * row_stride + at, powers / tl.sum(powers, axis=0), mask=inside)


@triton.jit
def matmul(a, b, c, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
           BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
           PRECISION: tl.constexpr = None):
    tile = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BLOCK_M), tl.cdiv(N, BLOCK_N)
    row, column = tl.swizzle2d(tile // tiles_n, tile % tiles_n, tiles_m, tiles_n, GROUP)
    rows = (row * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    columns = (column * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    depth = tl.arange(0, BLOCK_K)
    from_a = a + rows[:, None] * stride_am + depth[None, :] * stride_ak
    from_b = b + depth[:, None] * stride_bk + columns[None, :] * stride_bn
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BLOCK_K)):
        left = K - step * BLOCK_K
        part_a = tl.load(from_a, mask=depth[None, :] < left, other=0.0)
        part_b = tl.load(from_b, mask=depth[:, None] < left, other=0.0)
        sums = tl.dot(part_a, part_b, sums, input_precision=PRECISION)
        from_a += BLOCK_K * stride_ak
        from_b += BLOCK_K * stride_bk
    to_rows = row * BLOCK_M + tl.arange(0, BLOCK_M)
    to_columns = column * BLOCK_N + tl.arange(0, BLOCK_N)
    inside = (to_rows[:, None] < M) & (to_columns[None, :] < N)
    tl.store(c + to_rows[:, None] * stride_cm + to_columns[None, :] * stride_cn, sums.to(c.dtype.element_ty), mask=inside)


def matmul_configs(shapes):
    """Of tiles M x N x K with their stages and warps."""
    return [triton.Config({"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k, "GROUP": 8}, num_stages=stages, num_warps=warps)
            for m, n, k, stages, warps in shapes]


# For NVIDIA GPUs from 8.0 on: factors of two bytes, and of one byte, whose second matrix lies along K.
autotuned_matmul = triton.autotune(key=["M", "N", "K"], configs=matmul_configs(
    [(128, 256, 64, 3, 8), (64, 256, 32, 4, 4), (128, 128, 32, 4, 4), (128, 64, 32, 4, 4), (64, 128, 32, 4, 4),
     (128, 32, 32, 4, 4), (64, 32, 32, 5, 2), (32, 64, 32, 5, 2)]))(matmul)
autotuned_matmul_of_bytes = triton.autotune(key=["M", "N", "K"], configs=matmul_configs(
    [(128, 256, 128, 3, 8), (256, 128, 128, 3, 8), (256, 64, 128, 4, 4), (64, 256, 128, 4, 4), (128, 128, 128, 4, 4),
     (128, 64, 64, 4, 4), (64, 128, 64, 4, 4), (128, 32, 64, 4, 4)]))(matmul)


def matmul_grid(meta):
    return (triton.cdiv(meta["M"], meta["BLOCK_M"]) * triton.cdiv(meta["N"], meta["BLOCK_N"]),)


@triton.jit
def layer_norm(source, result, weight, bias, mean_out, scale_out, row_stride, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    source += row * row_stride
    result += row * row_stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(source + at, mask=at < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        away = tl.where(at < columns, tl.load(source + at, mask=at < columns, other=0.0).to(tl.float32) - mean, 0.0)
        squares += away * away
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + epsilon)
    tl.store(mean_out + row, mean)
    tl.store(scale_out + row, scale)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        value = tl.load(source + at, mask=inside, other=0.0).to(tl.float32)
        made = (value - mean) * scale * tl.load(weight + at, mask=inside) + tl.load(bias + at, mask=inside)
        tl.store(result + at, made, mask=inside)


@triton.jit
def attention(q, k, v, out, length, scale, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD: tl.constexpr):
    head = tl.program_id(1) * length * HEAD
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    width = tl.arange(0, HEAD)
    part_q = tl.load(q + head + rows[:, None] * HEAD + width[None, :])
    most = tl.full([BLOCK_M], -float("inf"), tl.float32)
    weights = tl.zeros([BLOCK_M], tl.float32)
    sums = tl.zeros([BLOCK_M, HEAD], tl.float32)
    for start in range(0, length, BLOCK_N):
        keys = start + tl.arange(0, BLOCK_N)
        part_k = tl.load(k + head + keys[None, :] * HEAD + width[:, None])
        products = tl.dot(part_q, part_k) * scale
        new_most = tl.maximum(most, tl.max(products, 1))
        powers = tl.exp2(products - new_most[:, None])
        shrink = tl.exp2(most - new_most)
        weights = weights * shrink + tl.sum(powers, 1)
        sums *= shrink[:, None]
        part_v = tl.load(v + head + keys[:, None] * HEAD + width[None, :])
        sums = tl.dot(powers.to(tl.float16), part_v, sums)
        most = new_most
    tl.store(out + head + rows[:, None] * HEAD + width[None, :], (sums / weights[:, None]).to(tl.float16))


@triton.jit
def attend(part_q, k, v, head, rows, scale, most, weights, sums, first, last, MASKED: tl.constexpr, BLOCK_N: tl.constexpr,
           HEAD: tl.constexpr):
    """Rows of queries over keys first to last; with a mask, later keys than a row are left out."""
    width = tl.arange(0, HEAD)
    for start in tl.range(first, last, BLOCK_N):
        keys = start + tl.arange(0, BLOCK_N)
        products = tl.dot(part_q, tl.load(k + head + keys[None, :] * HEAD + width[:, None]))
        if MASKED:
            products = tl.where(rows[:, None] >= keys[None, :], products, -float("inf"))
        new_most = tl.maximum(most, tl.max(products, 1) * scale)
        powers = tl.exp2(products * scale - new_most[:, None])
        shrink = tl.exp2(most - new_most)
        weights = weights * shrink + tl.sum(powers, 1)
        sums *= shrink[:, None]
        sums = tl.dot(powers.to(tl.float16), tl.load(v + head + keys[:, None] * HEAD + width[None, :]), sums)
        most = new_most
    return most, weights, sums


@triton.jit
def causal_attention(q, k, v, out, length, scale, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD: tl.constexpr):
    """`attention` of each row over the keys up to its own: only blocks on the diagonal need a mask."""
    head = tl.program_id(1).to(tl.int64) * length * HEAD
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    width = tl.arange(0, HEAD)
    part_q = tl.load(q + head + rows[:, None] * HEAD + width[None, :])
    most = tl.full([BLOCK_M], -float("inf"), tl.float32)
    weights = tl.zeros([BLOCK_M], tl.float32)
    sums = tl.zeros([BLOCK_M, HEAD], tl.float32)
    diagonal = tl.program_id(0) * BLOCK_M
    most, weights, sums = attend(part_q, k, v, head, rows, scale, most, weights, sums, 0, diagonal, False, BLOCK_N, HEAD)
    most, weights, sums = attend(part_q, k, v, head, rows, scale, most, weights, sums, diagonal, diagonal + BLOCK_M, True,
                                 BLOCK_N, HEAD)
    tl.store(out + head + rows[:, None] * HEAD + width[None, :], (sums / weights[:, None]).to(tl.float16))


@triton.jit
def matmul_descriptors(a, b, c, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """a is M x K, b is N x K, c is M x N, each behind a tensor descriptor."""
    row, column = tl.program_id(0) * BLOCK_M, tl.program_id(1) * BLOCK_N
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for depth in range(0, K, BLOCK_K):
        sums = tl.dot(a.load([row, depth]), b.load([column, depth]).T, sums)
    c.store([row, column], sums.to(c.dtype))


@triton.jit
def matmul_descriptors_persistent(a, b, c, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
                                  GROUP: tl.constexpr):
    """The same by as many groups as there are multiprocessors; the loads of the next tile begin in this one's last steps."""
    tiles_m, tiles_n = tl.cdiv(c.shape[0], BLOCK_M), tl.cdiv(c.shape[1], BLOCK_N)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0), flatten=True):
        row, column = tl.swizzle2d(tile // tiles_n, tile % tiles_n, tiles_m, tiles_n, GROUP)
        sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for depth in range(0, K, BLOCK_K):
            sums = tl.dot(a.load([row * BLOCK_M, depth]), b.load([column * BLOCK_N, depth]).T, sums)
        c.store([row * BLOCK_M, column * BLOCK_N], sums.to(c.dtype))
