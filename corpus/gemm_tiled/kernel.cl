// C = alpha A B + beta C through TILE x TILE tiles in shared memory; n is a multiple of TILE.
#ifndef TILE
#define TILE 16
#endif

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void gemm_tiled(__global const float* a, __global const float* b, __global float* c, float alpha, float beta, int n) {
  __local float a_tile[TILE][TILE];
  __local float b_tile[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE + x;
  int row = get_group_id(1) * TILE + y;
  float sum = 0.0f;
  for (int tile = 0; tile < n; tile += TILE) {
    a_tile[y][x] = a[row * n + tile + x];
    b_tile[y][x] = b[(tile + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += a_tile[y][k] * b_tile[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
