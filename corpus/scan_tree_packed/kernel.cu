// Inclusive scan of 2 GROUP elements a group by a tree up and down (Baghsorkhi et al. 2010, section 4.2:
// Div). The first threads do the work of each step, so warps are full or idle; the stride between them makes
// bank conflicts.
#ifndef GROUP
#define GROUP 128
#endif

__global__ void __launch_bounds__(GROUP) scan_tree_packed(const float* in, float* out, int n) {
  __shared__ float buffer[2 * GROUP];
  int t = threadIdx.x;
  int first = blockIdx.x * (2 * GROUP);
  buffer[t] = first + t < n ? in[first + t] : 0.0f;
  buffer[t + GROUP] = first + t + GROUP < n ? in[first + t + GROUP] : 0.0f;
  for (int stride = 1; stride <= GROUP; stride *= 2) {
    __syncthreads();
    if (t < GROUP / stride) {
      int i = 2 * stride * (t + 1) - 1;
      buffer[i] += buffer[i - stride];
    }
  }
  for (int stride = GROUP / 2; stride >= 1; stride /= 2) {
    __syncthreads();
    int i = 2 * stride * (t + 1) - 1;
    if (i + stride < 2 * GROUP)
      buffer[i + stride] += buffer[i];
  }
  __syncthreads();
  if (first + t < n)
    out[first + t] = buffer[t];
  if (first + t + GROUP < n)
    out[first + t + GROUP] = buffer[t + GROUP];
}
