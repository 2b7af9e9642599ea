// C = A B in strips of 16 rows and WIDTH columns a group (Baghsorkhi et al. 2010, section 4.1): 16 x 16
// threads, each with WIDTH / 16 sums in registers. n is a multiple of WIDTH and of 16.
#ifndef WIDTH
#define WIDTH 64
#endif
#define ROWS 16
#define SUMS (WIDTH / ROWS)

__global__ void __launch_bounds__(ROWS* ROWS)
    matrix_multiply_strip(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[ROWS][ROWS];
  __shared__ float b_tile[ROWS][WIDTH];
  int x = threadIdx.x, y = threadIdx.y;
  int first = blockIdx.x * WIDTH;
  int row = blockIdx.y * ROWS + y;
  float sum[SUMS];
#pragma unroll
  for (int s = 0; s < SUMS; ++s)
    sum[s] = 0.0f;
  for (int tile = 0; tile < n; tile += ROWS) {
    a_tile[y][x] = a[row * n + tile + x];
#pragma unroll
    for (int s = 0; s < SUMS; ++s)
      b_tile[y][s * ROWS + x] = b[(tile + y) * n + first + s * ROWS + x];
    __syncthreads();
    for (int k = 0; k < ROWS; ++k) {
      float left = a_tile[y][k];
#pragma unroll
      for (int s = 0; s < SUMS; ++s)
        sum[s] += left * b_tile[k][s * ROWS + x];
    }
    __syncthreads();
  }
#pragma unroll
  for (int s = 0; s < SUMS; ++s)
    c[row * n + first + s * ROWS + x] = sum[s];
}
