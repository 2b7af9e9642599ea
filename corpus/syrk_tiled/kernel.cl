// C = alpha A A^T + beta C through tiles; n and m are multiples of TILE. Without PAD a warp reads a column of the
// second tile: all its lanes meet in one bank.
#ifndef TILE
#define TILE 16
#endif
#ifndef PAD
#define PAD 0
#endif

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void syrk_tiled(__global const float* a, __global float* c, float alpha, float beta, int n, int m) {
  __local float row_tile[TILE][TILE];
  __local float column_tile[TILE][TILE + PAD];
  int x = get_local_id(0), y = get_local_id(1);
  int first_column = get_group_id(0) * TILE;
  int column = first_column + x;
  int row = get_group_id(1) * TILE + y;
  float sum = 0.0f;
  for (int tile = 0; tile < m; tile += TILE) {
    row_tile[y][x] = a[row * m + tile + x];
    column_tile[y][x] = a[(first_column + y) * m + tile + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += row_tile[y][k] * column_tile[x][k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
