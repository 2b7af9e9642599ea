// Inclusive scans of independent pieces of GROUP floats, one a block. scan_shuffle: every warp scans its part with shuffles,
// the first warp the parts' sums. scan_tree: up and down a binary tree in shared memory (G. Blelloch, 1990).
static __device__ __forceinline__ float warp_scan(float sum) {
  int lane = threadIdx.x % 32;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    float before = __shfl_up_sync(0xffffffffu, sum, distance);
    if (lane >= distance)
      sum += before;
  }
  return sum;
}

extern "C" __global__ void scan_shuffle(const float* in, float* out, int n) {
  __shared__ float sums[GROUP / 32];
  int at = blockIdx.x * GROUP + threadIdx.x;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = warp_scan(at < n ? in[at] : 0.0f);
  if (lane == 31)
    sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    float all = warp_scan(lane < GROUP / 32 ? sums[lane] : 0.0f);
    if (lane < GROUP / 32)
      sums[lane] = all;
  }
  __syncthreads();
  if (warp > 0)
    sum += sums[warp - 1];
  if (at < n)
    out[at] = sum;
}

extern "C" __global__ void scan_tree(const float* in, float* out, int n) {
  __shared__ float sums[GROUP];
  int thread = threadIdx.x;
  int at = blockIdx.x * GROUP + thread;
  float own = at < n ? in[at] : 0.0f;
  sums[thread] = own;
  __syncthreads();
  for (int half = 1; half < GROUP; half *= 2) {
    int node = (thread + 1) * 2 * half - 1;
    if (node < GROUP)
      sums[node] += sums[node - half];
    __syncthreads();
  }
  if (thread == 0)
    sums[GROUP - 1] = 0.0f;
  __syncthreads();
  for (int half = GROUP / 2; half > 0; half /= 2) {
    int node = (thread + 1) * 2 * half - 1;
    if (node < GROUP) {
      float left = sums[node - half];
      sums[node - half] = sums[node];
      sums[node] += left;
    }
    __syncthreads();
  }
  if (at < n)
    out[at] = sums[thread] + own;
}
