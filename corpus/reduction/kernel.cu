// Partial sums: shuffles inside a warp, shared memory between the warps of a block.
#define GROUP 256

__global__ void __launch_bounds__(GROUP) reduction(const float* in, float* partial, int n) {
  __shared__ float sums[GROUP / 32];
  int i = blockIdx.x * (2 * GROUP) + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  if (i + GROUP < n)
    sum += in[i + GROUP];
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < GROUP / 32 ? sums[threadIdx.x] : 0.0f;
    for (int offset = GROUP / 64; offset > 0; offset /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0)
      partial[blockIdx.x] = sum;
  }
}
