// C = alpha A A^T + beta C through tiles; n and m are multiples of TILE. Without PAD a warp reads a column of
// the second tile: all its lanes meet in one bank.
#ifndef TILE
#define TILE 16
#endif
#ifndef PAD
#define PAD 0
#endif

__global__ void __launch_bounds__(TILE* TILE)
    syrk_tiled(const float* a, float* c, float alpha, float beta, int n, int m) {
  __shared__ float row_tile[TILE][TILE];
  __shared__ float column_tile[TILE][TILE + PAD];
  int x = threadIdx.x, y = threadIdx.y;
  int first_column = blockIdx.x * TILE;
  int column = first_column + x;
  int row = blockIdx.y * TILE + y;
  float sum = 0.0f;
  for (int tile = 0; tile < m; tile += TILE) {
    row_tile[y][x] = a[row * m + tile + x];
    column_tile[y][x] = a[(first_column + y) * m + tile + x];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += row_tile[y][k] * column_tile[x][k];
    __syncthreads();
  }
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
