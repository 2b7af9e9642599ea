// Sums of blocks in the steps of "Optimizing Parallel Reduction in CUDA" (M. Harris, 2007): what each step changes is
// taken from its titles. STEP 1: neighbours first, by remainder; 2: neighbours first, by index; 3: halves; 4: two
// elements a thread before; 5: the last warp without barriers; 6: all steps unrolled; 7: many elements a thread; 8: as 7, with shuffles.
static __device__ __forceinline__ void last_warp(volatile TYPE* sums, unsigned thread) {
  sums[thread] += sums[thread + 32];
  sums[thread] += sums[thread + 16];
  sums[thread] += sums[thread + 8];
  sums[thread] += sums[thread + 4];
  sums[thread] += sums[thread + 2];
  sums[thread] += sums[thread + 1];
}

static __device__ __forceinline__ TYPE first_sum(const TYPE* in, unsigned n) {
#if STEP <= 3
  return in[blockIdx.x * GROUP + threadIdx.x];
#elif STEP <= 6
  unsigned at = blockIdx.x * (2 * GROUP) + threadIdx.x;
  return in[at] + in[at + GROUP];
#else
  TYPE sum = 0;
  for (unsigned at = blockIdx.x * (2 * GROUP) + threadIdx.x; at < n; at += 2 * GROUP * gridDim.x)
    sum += in[at] + in[at + GROUP];
  return sum;
#endif
}

#if STEP == 8
static __device__ __forceinline__ TYPE warp_sum(TYPE sum, int width) {
#pragma unroll
  for (int offset = width / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  return sum;
}

extern "C" __global__ void reduction_step(const TYPE* in, TYPE* out, unsigned n) {
  __shared__ TYPE sums[32];
  TYPE sum = warp_sum(first_sum(in, n), 32);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warp_sum(threadIdx.x < GROUP / 32 ? sums[threadIdx.x] : 0, GROUP / 32);
    if (threadIdx.x == 0)
      out[blockIdx.x] = sum;
  }
}
#else
extern "C" __global__ void reduction_step(const TYPE* in, TYPE* out, unsigned n) {
  __shared__ TYPE sums[GROUP + 32];
  unsigned thread = threadIdx.x;
  sums[thread] = first_sum(in, n);
  __syncthreads();
#if STEP == 1
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    if (thread % (2 * distance) == 0)
      sums[thread] += sums[thread + distance];
    __syncthreads();
  }
#elif STEP == 2
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    unsigned at = 2 * distance * thread;
    if (at < blockDim.x)
      sums[at] += sums[at + distance];
    __syncthreads();
  }
#elif STEP <= 4
  for (unsigned distance = blockDim.x / 2; distance > 0; distance /= 2) {
    if (thread < distance)
      sums[thread] += sums[thread + distance];
    __syncthreads();
  }
#elif STEP == 5
  for (unsigned distance = blockDim.x / 2; distance > 32; distance /= 2) {
    if (thread < distance)
      sums[thread] += sums[thread + distance];
    __syncthreads();
  }
  if (thread < 32)
    last_warp(sums, thread);
#else
#pragma unroll
  for (unsigned distance = GROUP / 2; distance > 32; distance /= 2) {
    if (thread < distance)
      sums[thread] += sums[thread + distance];
    __syncthreads();
  }
  if (thread < 32)
    last_warp(sums, thread);
#endif
  if (thread == 0)
    out[blockIdx.x] = sums[0];
}
#endif
