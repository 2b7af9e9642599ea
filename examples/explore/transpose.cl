// b = transposed a (n x n, n a multiple of TILE): a tile of TILE x TILE goes through shared memory, moved by TILE x ROWS work-items.
// To be tuned: TILE, ROWS (work-items a column), PAD (unused columns against bank conflicts), UNROLL.
#if UNROLL
#define COPY_LOOP _Pragma("unroll")
#else
#define COPY_LOOP _Pragma("nounroll")
#endif

__kernel void transpose(__global const float* a, __global float* b, int n) {
  __local float tile[TILE][TILE + PAD];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
  COPY_LOOP
  for (int j = y; j < TILE; j += ROWS)
    tile[j][x] = a[(row + j) * n + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  COPY_LOOP
  for (int j = y; j < TILE; j += ROWS)
    b[(column + j) * n + row + x] = tile[x][j];
}
