// Partial sums: each block adds 2 * GROUP elements in a tree in shared memory.
#define GROUP 256

__global__ void __launch_bounds__(GROUP) reduction(const float* in, float* partial, int n) {
  __shared__ float sums[GROUP];
  const int lane = threadIdx.x;
  const int i = blockIdx.x * (2 * GROUP) + lane;
  float sum = i < n ? in[i] : 0.0f;
  if (i + GROUP < n)
    sum += in[i + GROUP];
  sums[lane] = sum;
  __syncthreads();
  for (int stride = GROUP / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      sums[lane] += sums[lane + stride];
    __syncthreads();
  }
  if (lane == 0)
    partial[blockIdx.x] = sums[0];
}
