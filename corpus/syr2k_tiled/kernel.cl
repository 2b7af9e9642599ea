// C = alpha (A B^T + B A^T) + beta C through four tiles; n and m are multiples of TILE. PAD as in syrk_tiled.
#ifndef TILE
#define TILE 16
#endif
#ifndef PAD
#define PAD 0
#endif

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void syr2k_tiled(__global const float* a, __global const float* b, __global float* c, float alpha, float beta, int n,
                 int m) {
  __local float a_rows[TILE][TILE], b_rows[TILE][TILE];
  __local float a_columns[TILE][TILE + PAD], b_columns[TILE][TILE + PAD];
  int x = get_local_id(0), y = get_local_id(1);
  int first_column = get_group_id(0) * TILE;
  int column = first_column + x;
  int row = get_group_id(1) * TILE + y;
  float sum = 0.0f;
  for (int tile = 0; tile < m; tile += TILE) {
    a_rows[y][x] = a[row * m + tile + x];
    b_rows[y][x] = b[row * m + tile + x];
    a_columns[y][x] = a[(first_column + y) * m + tile + x];
    b_columns[y][x] = b[(first_column + y) * m + tile + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += a_rows[y][k] * b_columns[x][k] + b_rows[y][k] * a_columns[x][k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
