// C = alpha A B + beta C through TILE x TILE tiles in shared memory; n is a multiple of TILE.
#ifndef TILE
#define TILE 16
#endif

__global__ void __launch_bounds__(TILE* TILE)
    gemm_tiled(const float* a, const float* b, float* c, float alpha, float beta, int n) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * TILE + x;
  int row = blockIdx.y * TILE + y;
  float sum = 0.0f;
  for (int tile = 0; tile < n; tile += TILE) {
    a_tile[y][x] = a[row * n + tile + x];
    b_tile[y][x] = b[(tile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
