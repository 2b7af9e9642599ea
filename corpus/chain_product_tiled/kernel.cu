// One product of a chain: c (rows x columns) = a (rows x inner) b (inner x columns). Tiles in shared memory,
// 0 beyond the edge.
#ifndef TILE
#define TILE 16
#endif

__global__ void __launch_bounds__(TILE* TILE)
    chain_product_tiled(const float* a, const float* b, float* c, int rows, int columns, int inner) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * TILE + x;
  int row = blockIdx.y * TILE + y;
  float sum = 0.0f;
  for (int tile = 0; tile < inner; tile += TILE) {
    a_tile[y][x] = row < rows && tile + x < inner ? a[row * inner + tile + x] : 0.0f;
    b_tile[y][x] = tile + y < inner && column < columns ? b[(tile + y) * columns + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}
