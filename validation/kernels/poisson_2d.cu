// Double-precision kernels of conjugate gradients and of Jacobi's method for Poisson's equation on n x n points, 0 around them
// (what they do: cuda-solver-lab, P. Yadav Annappa, 2026). Jacobi: 32 x ROWS threads; the others: 256.
#define ROWS 8

extern "C" __global__ void jacobi_direct(const double* __restrict__ u, const double* __restrict__ f, double* __restrict__ out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * ROWS + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int at = y * n + x;
  double sum = f[at];
  if (x > 0) sum += u[at - 1];
  if (x < n - 1) sum += u[at + 1];
  if (y > 0) sum += u[at - n];
  if (y < n - 1) sum += u[at + n];
  out[at] = 0.25 * sum;
}

extern "C" __global__ void jacobi_tile(const double* __restrict__ u, const double* __restrict__ f, double* __restrict__ out, int n) {
  __shared__ double tile[ROWS + 2][34];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * ROWS + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int at = y * n + x;
  tile[ty][tx] = u[at];
  if (threadIdx.x == 0) tile[ty][0] = x > 0 ? u[at - 1] : 0.0;
  if (threadIdx.x == 31) tile[ty][33] = x < n - 1 ? u[at + 1] : 0.0;
  if (threadIdx.y == 0) tile[0][tx] = y > 0 ? u[at - n] : 0.0;
  if (threadIdx.y == ROWS - 1) tile[ROWS + 1][tx] = y < n - 1 ? u[at + n] : 0.0;
  __syncthreads();
  out[at] = 0.25 * (f[at] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

extern "C" __global__ void spmv_stencil(const double* __restrict__ p, double* __restrict__ out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n * n)
    return;
  int y = at / n, x = at - y * n;
  double sum = 4.0 * p[at];
  if (x > 0) sum -= p[at - 1];
  if (x < n - 1) sum -= p[at + 1];
  if (y > 0) sum -= p[at - n];
  if (y < n - 1) sum -= p[at + n];
  out[at] = sum;
}

static __device__ double block_sum(double sum) {
  __shared__ double sums[8];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = threadIdx.x < 8 ? sums[threadIdx.x] : 0.0;
  for (int offset = 4; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  return sum;
}

extern "C" __global__ void dot_product(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ out, int count) {
  double sum = 0.0;
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += gridDim.x * blockDim.x)
    sum += a[at] * b[at];
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

extern "C" __global__ void update_dot(const double* __restrict__ p, const double* __restrict__ product, double* __restrict__ x,
                                      double* __restrict__ r, double* __restrict__ out, const double* alpha, int count) {
  double sum = 0.0, a = *alpha;
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += gridDim.x * blockDim.x) {
    x[at] += a * p[at];
    double rest = r[at] - a * product[at];
    r[at] = rest;
    sum += rest * rest;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
