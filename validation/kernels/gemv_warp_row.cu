// y = A x, a row a warp: a lane takes WIDTH floats of 32 WIDTH at a time.
#define LANES 32
#if WIDTH == 4
typedef float4 piece;
static __device__ __forceinline__ float product(piece a, piece x) { return a.x * x.x + a.y * x.y + a.z * x.z + a.w * x.w; }
#else
typedef float piece;
static __device__ __forceinline__ float product(piece a, piece x) { return a * x; }
#endif

extern "C" __global__ void gemv_warp_row(const float* a, const float* x, float* y, int rows, int columns) {
  int lane = threadIdx.x;
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  const piece* of_row = (const piece*)(a + row * columns);
  const piece* of_x = (const piece*)x;
  float sum = 0.0f;
  for (int at = lane; at < columns / WIDTH; at += LANES)
    sum += product(of_row[at], of_x[at]);
#pragma unroll
  for (int offset = LANES / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    y[row] = sum;
}
