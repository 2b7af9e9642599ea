"""Matrix products in Gluon for Hopper: tiles come by tensor descriptors into a ring of buffers, warp groups multiply them; for
docs/results/triton.md. a is M x K, b is K x N, c is M x N, rows one behind the other, sizes multiples of the tile."""
import triton.experimental.gluon as gluon
import triton.experimental.gluon.language as gl
from triton.experimental.gluon.language.nvidia.hopper import (fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_init,
                                                              warpgroup_mma_wait)
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


def descriptor(array, block):
    dtype = {"float16": gl.float16, "float8e4nv": gl.float8e4nv}[array.dtype]
    return TensorDescriptor.from_tensor(array, block, gl.NVMMASharedLayout.get_default_for(block, dtype))


@gluon.jit
def place_of(tile, tiles_m, tiles_n, GROUP: gl.constexpr):
    """Row and column of a tile where GROUP rows of tiles are gone through together, column by column."""
    band = tile // (GROUP * tiles_n)
    height = gl.minimum(tiles_m - band * GROUP, GROUP)
    inside = tile % (GROUP * tiles_n)
    return band * GROUP + inside % height, inside // height


@gluon.jit
def make_ring(desc, BUFFERS: gl.constexpr):
    return gl.allocate_shared_memory(desc.dtype, [BUFFERS] + desc.block_type.shape, desc.layout)


@gluon.jit
def make_barriers(BUFFERS: gl.constexpr):
    ready = gl.allocate_shared_memory(gl.int64, [BUFFERS, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(BUFFERS):
        mbarrier.init(ready.index(i), count=1)
    fence_async_shared()
    return ready


@gluon.jit
def fetch(a, b, at_m, at_n, at_k, ring_a, ring_b, ready, step, BUFFERS: gl.constexpr, wanted=True):
    """Sends for one step of two tiles."""
    slot = step % BUFFERS
    mbarrier.expect(ready.index(slot), a.block_type.nbytes + b.block_type.nbytes, pred=wanted)
    tma.async_load(a, [at_m, at_k], ready.index(slot), ring_a.index(slot), pred=wanted)
    tma.async_load(b, [at_k, at_n], ready.index(slot), ring_b.index(slot), pred=wanted)


@gluon.jit
def multiply(sums, ring_a, ring_b, ready, step, BUFFERS: gl.constexpr):
    """Waits for a step's tiles and for the product before it, and begins the next: one product is under way at a time."""
    slot = step % BUFFERS
    mbarrier.wait(ready.index(slot), step // BUFFERS & 1)
    sums = warpgroup_mma_wait(num_outstanding=0, deps=(sums, ))
    return warpgroup_mma(ring_a.index(slot), ring_b.index(slot), sums, is_async=True)


@gluon.jit
def empty_sums(BLOCK_M: gl.constexpr, BLOCK_N: gl.constexpr):
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[gl.num_warps(), 1], instr_shape=[16, BLOCK_N, 16])
    return warpgroup_mma_init(gl.zeros([BLOCK_M, BLOCK_N], gl.float32, layout))


@gluon.jit
def matmul_ring(a, b, c, K, BUFFERS: gl.constexpr, GROUP: gl.constexpr):
    """A group makes one tile. Loads run BUFFERS - 2 steps ahead: one buffer is being multiplied, one being filled."""
    BLOCK_M: gl.constexpr = c.block_type.shape[0]
    BLOCK_N: gl.constexpr = c.block_type.shape[1]
    BLOCK_K: gl.constexpr = a.block_type.shape[1]
    ring_a, ring_b, ready = make_ring(a, BUFFERS), make_ring(b, BUFFERS), make_barriers(BUFFERS)
    row, column = place_of(gl.program_id(0), gl.cdiv(c.shape[0], BLOCK_M), gl.cdiv(c.shape[1], BLOCK_N), GROUP)
    at_m, at_n, steps = row * BLOCK_M, column * BLOCK_N, gl.cdiv(K, BLOCK_K)
    for step in gl.static_range(BUFFERS - 2):
        fetch(a, b, at_m, at_n, step * BLOCK_K, ring_a, ring_b, ready, step, BUFFERS)
    sums = empty_sums(BLOCK_M, BLOCK_N)
    for step in range(BUFFERS - 2, steps):
        fetch(a, b, at_m, at_n, step * BLOCK_K, ring_a, ring_b, ready, step, BUFFERS)
        sums = multiply(sums, ring_a, ring_b, ready, step - (BUFFERS - 2), BUFFERS)
    for step in gl.static_range(BUFFERS - 2):
        sums = multiply(sums, ring_a, ring_b, ready, steps - (BUFFERS - 2) + step, BUFFERS)
    result = warpgroup_mma_wait(num_outstanding=0, deps=(sums, ))
    ring_a._keep_alive()
    ring_b._keep_alive()
    out = gl.allocate_shared_memory(c.dtype, c.block_type.shape, c.layout)
    out.store(result.to(c.dtype))
    fence_async_shared()
    tma.async_store(c, [at_m, at_n], out)
    tma.store_wait(pendings=0)


@gluon.jit
def matmul_ring_persistent(a, b, c, K, BUFFERS: gl.constexpr, GROUP: gl.constexpr):
    """As many groups as multiprocessors, each makes one tile after the other; a tile's end overlaps with nothing but its store."""
    BLOCK_M: gl.constexpr = c.block_type.shape[0]
    BLOCK_N: gl.constexpr = c.block_type.shape[1]
    BLOCK_K: gl.constexpr = a.block_type.shape[1]
    ring_a, ring_b, ready = make_ring(a, BUFFERS), make_ring(b, BUFFERS), make_barriers(BUFFERS)
    # Where the ring leaves no room for the result, it takes the place of tiles of b, which are no longer needed.
    SHARED: gl.constexpr = 2 * (BUFFERS * BLOCK_K * (BLOCK_M + BLOCK_N) + BLOCK_M * BLOCK_N) > 227 * 1024
    if SHARED:
        out = ring_b.reinterpret(c.dtype, c.block_type.shape, c.layout)
    else:
        out = gl.allocate_shared_memory(c.dtype, c.block_type.shape, c.layout)
    tiles_m, tiles_n, steps = gl.cdiv(c.shape[0], BLOCK_M), gl.cdiv(c.shape[1], BLOCK_N), gl.cdiv(K, BLOCK_K)
    fetched = gl.to_tensor(0)
    done = gl.to_tensor(0)
    for tile in range(gl.program_id(0), tiles_m * tiles_n, gl.num_programs(0)):
        row, column = place_of(tile, tiles_m, tiles_n, GROUP)
        at_m, at_n = row * BLOCK_M, column * BLOCK_N
        if SHARED:
            tma.store_wait(pendings=0)
        for step in gl.static_range(BUFFERS - 2):
            fetch(a, b, at_m, at_n, step * BLOCK_K, ring_a, ring_b, ready, fetched, BUFFERS)
            fetched += 1
        sums = empty_sums(BLOCK_M, BLOCK_N)
        for step in range(BUFFERS - 2, steps):
            fetch(a, b, at_m, at_n, step * BLOCK_K, ring_a, ring_b, ready, fetched, BUFFERS)
            fetched += 1
            sums = multiply(sums, ring_a, ring_b, ready, done, BUFFERS)
            done += 1
        for step in gl.static_range(BUFFERS - 2):
            sums = multiply(sums, ring_a, ring_b, ready, done, BUFFERS)
            done += 1
        result = warpgroup_mma_wait(num_outstanding=0, deps=(sums, ))
        tma.store_wait(pendings=0)
        out.store(result.to(c.dtype))
        fence_async_shared()
        tma.async_store(c, [at_m, at_n], out)
    tma.store_wait(pendings=0)


@gluon.jit
def matmul_ring_across(a, b, c, K, BUFFERS: gl.constexpr, GROUP: gl.constexpr):
    """The same, but the next tile's first loads are sent for before the end of this one."""
    BLOCK_M: gl.constexpr = c.block_type.shape[0]
    BLOCK_N: gl.constexpr = c.block_type.shape[1]
    BLOCK_K: gl.constexpr = a.block_type.shape[1]
    ring_a, ring_b, ready = make_ring(a, BUFFERS), make_ring(b, BUFFERS), make_barriers(BUFFERS)
    out = gl.allocate_shared_memory(c.dtype, c.block_type.shape, c.layout)
    tiles_m, tiles_n, steps = gl.cdiv(c.shape[0], BLOCK_M), gl.cdiv(c.shape[1], BLOCK_N), gl.cdiv(K, BLOCK_K)
    row, column = place_of(gl.program_id(0), tiles_m, tiles_n, GROUP)
    fetched = gl.to_tensor(0)
    done = gl.to_tensor(0)
    for step in gl.static_range(BUFFERS - 2):
        fetch(a, b, row * BLOCK_M, column * BLOCK_N, step * BLOCK_K, ring_a, ring_b, ready, fetched, BUFFERS)
        fetched += 1
    for tile in range(gl.program_id(0), tiles_m * tiles_n, gl.num_programs(0)):
        at_m, at_n = row * BLOCK_M, column * BLOCK_N
        sums = empty_sums(BLOCK_M, BLOCK_N)
        for step in range(BUFFERS - 2, steps):
            fetch(a, b, at_m, at_n, step * BLOCK_K, ring_a, ring_b, ready, fetched, BUFFERS)
            fetched += 1
            sums = multiply(sums, ring_a, ring_b, ready, done, BUFFERS)
            done += 1
        following = tile + gl.num_programs(0)
        row, column = place_of(following, tiles_m, tiles_n, GROUP)
        for step in gl.static_range(BUFFERS - 2):
            fetch(a, b, row * BLOCK_M, column * BLOCK_N, step * BLOCK_K, ring_a, ring_b, ready, fetched, BUFFERS,
                  wanted=following < tiles_m * tiles_n)
            fetched += 1
            sums = multiply(sums, ring_a, ring_b, ready, done, BUFFERS)
            done += 1
        result = warpgroup_mma_wait(num_outstanding=0, deps=(sums, ))
        tma.store_wait(pendings=0)
        out.store(result.to(c.dtype))
        fence_async_shared()
        tma.async_store(c, [at_m, at_n], out)
    tma.store_wait(pendings=0)
