"""Kernels as serving frameworks run them, in Triton: attention over whole prompts, and the grouped products of a layer of
experts; for docs/results/serving.md."""
import triton
import triton.language as tl


@triton.jit
def take_in(part_q, keys, values, there, seen, scale, most, weights, sums):
    """One block of keys and values into the running maximum, sum of weights and weighted sums; rows may see none of them."""
    part_k = tl.load(keys, mask=there[None, :], other=0.0)
    products = tl.where(seen, tl.dot(part_q, part_k, out_dtype=tl.float32) * scale, -float("inf"))
    largest = tl.max(products, 1)
    new_most = tl.maximum(tl.where(largest == -float("inf"), -1e20, largest), most)
    shrink = tl.exp(most - new_most)
    powers = tl.exp(products - new_most[:, None])
    weights = weights * shrink + tl.sum(powers, 1)
    part_v = tl.load(values, mask=there[:, None], other=0.0)
    sums = sums * shrink[:, None] + tl.dot(powers.to(part_v.dtype), part_v)
    return new_most, weights, sums


@triton.jit
def prompt_attention(q, k, v, out, cached_k, cached_v, starts, cached_starts, cached_places, scale, q_row, q_head, kv_row, kv_head, cached_row,
                     cached_head, HEADS_PER_KV: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, HEAD: tl.constexpr):
    """Causal; grid (prompts, heads, blocks of rows). A prompt's rows begin where `starts` says; before them it may have tokens in
    the cache, where `cached_places` says. Heads of a row lie side by side; several share one of keys and values."""
    prompt, head, block = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    first = tl.load(starts + prompt)
    length = tl.load(starts + prompt + 1) - first
    first_cached = tl.load(cached_starts + prompt)
    cached = tl.load(cached_starts + prompt + 1) - first_cached
    rows, width, column = block * BLOCK_M + tl.arange(0, BLOCK_M), tl.arange(0, HEAD), tl.arange(0, BLOCK_N)
    inside = rows < length
    part_q = tl.load(q + (first + rows[:, None]) * q_row + head * q_head + width[None, :], mask=inside[:, None], other=0.0)
    of_kv = head // HEADS_PER_KV
    most = tl.full([BLOCK_M], -float("inf"), tl.float32)
    weights = tl.zeros([BLOCK_M], tl.float32)
    sums = tl.zeros([BLOCK_M, HEAD], tl.float32)
    for start in range(0, cached, BLOCK_N):
        there = start + column < cached
        place = tl.load(cached_places + first_cached + start + column, mask=there, other=0)
        most, weights, sums = take_in(part_q, cached_k + place[None, :] * cached_row + of_kv * cached_head + width[:, None],
                                      cached_v + place[:, None] * cached_row + of_kv * cached_head + width[None, :], there,
                                      inside[:, None] & there[None, :], scale, most, weights, sums)
    end = tl.minimum(length, (block + 1) * BLOCK_M)
    for start in range(0, end, BLOCK_N):
        start = tl.multiple_of(start, BLOCK_N)
        keys = start + column
        there = keys < end
        seen = (rows[:, None] >= keys[None, :]) & inside[:, None] & there[None, :]
        most, weights, sums = take_in(part_q, k + (first + keys[None, :]) * kv_row + of_kv * kv_head + width[:, None],
                                      v + (first + keys[:, None]) * kv_row + of_kv * kv_head + width[None, :], there, seen, scale, most,
                                      weights, sums)
    tl.store(out + (first + rows[:, None]) * q_row + head * q_head + width[None, :], sums / weights[:, None], mask=inside[:, None])


@triton.jit
def keep_tokens(k, v, cached_k, cached_v, places, tokens, WIDTH: tl.constexpr, ROWS: tl.constexpr):
    """Writes the keys and values of new tokens, WIDTH numbers each, to the cache, where `places` says."""
    row, column = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, WIDTH)
    there = row < tokens
    to = tl.load(places + row, mask=there, other=0).to(tl.int64)[:, None] * WIDTH + column[None, :]
    source = row.to(tl.int64)[:, None] * WIDTH + column[None, :]
    tl.store(cached_k + to, tl.load(k + source, mask=there[:, None]), mask=there[:, None])
    tl.store(cached_v + to, tl.load(v + source, mask=there[:, None]), mask=there[:, None])


@triton.jit
def expert_products(a, b, c, weights, places, experts, N, K, padded, valid, b_expert, stride_am, stride_bn, stride_cm,
                    PER_ROW: tl.constexpr, WEIGHTED: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                    BLOCK_K: tl.constexpr, GROUP: tl.constexpr):
    """Row `places[i] / PER_ROW` of a times the matrix of the block's expert, to row `places[i]` of c. Places are sorted by
    expert and filled up to whole blocks with numbers of `valid` and above."""
    tile = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(padded, BLOCK_M), tl.cdiv(N, BLOCK_N)
    row, column = tl.swizzle2d(tile // tiles_n, tile % tiles_n, tiles_m, tiles_n, GROUP)
    place = tl.load(places + row * BLOCK_M + tl.arange(0, BLOCK_M)).to(tl.int64)
    there = place < valid
    expert = tl.load(experts + row).to(tl.int64)
    columns = (column * BLOCK_N + tl.arange(0, BLOCK_N).to(tl.int64)) % N
    depth = tl.arange(0, BLOCK_K)
    from_a = a + place[:, None] // PER_ROW * stride_am + depth[None, :]
    from_b = b + expert * b_expert + depth[:, None] + columns[None, :] * stride_bn
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BLOCK_K)):
        left = K - step * BLOCK_K
        part_a = tl.load(from_a, mask=there[:, None] & (depth[None, :] < left), other=0.0)
        part_b = tl.load(from_b, mask=depth[:, None] < left, other=0.0)
        sums += tl.dot(part_a, part_b)
        from_a += BLOCK_K
        from_b += BLOCK_K
    if WEIGHTED:
        sums *= tl.load(weights + place, mask=there, other=0.0)[:, None]
    to = column * BLOCK_N + tl.arange(0, BLOCK_N)
    tl.store(c + place[:, None] * stride_cm + to[None, :], sums.to(c.dtype.element_ty), mask=there[:, None] & (to[None, :] < N))


@triton.jit
def gated(x, result, width, BLOCK: tl.constexpr):
    """silu(first half of a row) times its second half."""
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    for start in range(0, width, BLOCK):
        inside = start + at < width
        gate = tl.load(x + row * 2 * width + start + at, mask=inside).to(tl.float32)
        value = tl.load(x + row * 2 * width + width + start + at, mask=inside).to(tl.float32)
        tl.store(result + row * width + start + at, (gate / (1 + tl.exp(-gate)) * value).to(result.dtype.element_ty), mask=inside)


@triton.jit
def sum_of_experts(x, result, width, PER_ROW: tl.constexpr, BLOCK: tl.constexpr):
    """Row r of the result: the sum of rows PER_ROW * r and on."""
    row, at = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for part in tl.static_range(PER_ROW):
        total += tl.load(x + (row * PER_ROW + part) * width + at, mask=at < width).to(tl.float32)
    tl.store(result + row * width + at, total.to(result.dtype.element_ty), mask=at < width)


@triton.jit
def token_attention(q, k, v, part_out, part_log, places, scale, length, splits, q_row, q_head, kv_row, kv_head, HEADS_PER_KV: tl.constexpr,
                    HEADS: tl.constexpr, BLOCK_H: tl.constexpr, BLOCK_N: tl.constexpr, HEAD: tl.constexpr, MOST_SPLITS: tl.constexpr):
    """One new token a sequence; grid (sequences, blocks of heads that share keys and values, parts of the sequence). Tokens lie
    where `places` says. A part leaves its own weighted sum and the logarithm of its weights."""
    sequence, block, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    valid: tl.constexpr = BLOCK_H if HEADS_PER_KV > BLOCK_H else HEADS_PER_KV
    heads = block * valid + tl.arange(0, BLOCK_H)
    in_block = (heads < (block + 1) * valid) & (heads < HEADS)
    of_kv = block // tl.cdiv(HEADS_PER_KV, BLOCK_H)
    width = tl.arange(0, HEAD)
    part = tl.cdiv(length, splits)
    begin, end = part * split, tl.minimum(part * split + part, length)
    most = tl.full([BLOCK_H], -float("inf"), tl.float32)
    weights = tl.zeros([BLOCK_H], tl.float32)
    sums = tl.zeros([BLOCK_H, HEAD], tl.float32)
    if end > begin:
        part_q = tl.load(q + sequence * q_row + heads[:, None] * q_head + width[None, :], mask=in_block[:, None], other=0.0)
        for start in range(begin, end, BLOCK_N):
            keys = start + tl.arange(0, BLOCK_N)
            there = keys < end
            place = tl.load(places + sequence * length + keys, mask=there, other=0)
            part_k = tl.load(k + place[None, :] * kv_row + of_kv * kv_head + width[:, None], mask=there[None, :], other=0.0)
            products = tl.dot(part_q, part_k) * scale
            products = tl.where(in_block[:, None] & there[None, :], products, -float("inf"))
            part_v = tl.load(v + place[:, None] * kv_row + of_kv * kv_head + width[None, :], mask=there[:, None], other=0.0)
            new_most = tl.maximum(tl.max(products, 1), most)
            shrink = tl.exp(most - new_most)
            powers = tl.exp(products - new_most[:, None])
            sums = sums * shrink[:, None] + tl.dot(powers.to(part_v.dtype), part_v)
            weights = weights * shrink + tl.sum(powers, 1)
            most = new_most
        to = (sequence * HEADS + heads) * MOST_SPLITS + split
        tl.store(part_out + to[:, None] * HEAD + width[None, :], sums / weights[:, None], mask=in_block[:, None])
        tl.store(part_log + to, most + tl.log(weights), mask=in_block)


@triton.jit
def join_parts(part_out, part_log, out, length, splits, HEADS: tl.constexpr, HEAD: tl.constexpr, MOST_SPLITS: tl.constexpr):
    """Grid (sequences, heads)."""
    row, width = tl.program_id(0) * HEADS + tl.program_id(1), tl.arange(0, HEAD)
    part = tl.cdiv(length, splits)
    weights, most = 0.0, -float("inf")
    sums = tl.zeros([HEAD], tl.float32)
    for split in range(0, MOST_SPLITS):
        if part * split < length:
            value = tl.load(part_out + (row * MOST_SPLITS + split) * HEAD + width)
            log = tl.load(part_log + row * MOST_SPLITS + split)
            new_most = tl.maximum(log, most)
            shrink = tl.exp(most - new_most)
            sums = sums * shrink + tl.exp(log - new_most) * value
            weights = weights * shrink + tl.exp(log - new_most)
            most = new_most
    tl.store(out + row * HEAD + width, (sums / weights).to(out.dtype.element_ty))
