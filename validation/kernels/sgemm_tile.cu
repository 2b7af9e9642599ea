// C = alpha A B + beta C, one element of C a thread, through square tiles in shared memory.
extern "C" __global__ void sgemm_tile(int n, int inner, float alpha, const float* a, const float* b, float beta, float* c) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int x = threadIdx.x % TILE;
  int y = threadIdx.x / TILE;
  int row = blockIdx.y * TILE + y;
  int column = blockIdx.x * TILE + x;
  float sum = 0.0f;
  for (int first = 0; first < inner; first += TILE) {
    tile_a[y][x] = a[row * inner + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k)
      sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
