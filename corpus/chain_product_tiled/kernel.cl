// One product of a chain: c (rows x columns) = a (rows x inner) b (inner x columns). Tiles in shared memory, 0 beyond
// the edge.
#ifndef TILE
#define TILE 16
#endif

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void chain_product_tiled(__global const float* a, __global const float* b, __global float* c, int rows, int columns,
                         int inner) {
  __local float a_tile[TILE][TILE];
  __local float b_tile[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE + x;
  int row = get_group_id(1) * TILE + y;
  float sum = 0.0f;
  for (int tile = 0; tile < inner; tile += TILE) {
    a_tile[y][x] = row < rows && tile + x < inner ? a[row * inner + tile + x] : 0.0f;
    b_tile[y][x] = tile + y < inner && column < columns ? b[(tile + y) * columns + column] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += a_tile[y][k] * b_tile[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}
