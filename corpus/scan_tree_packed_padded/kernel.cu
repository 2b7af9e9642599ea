// Inclusive scan of 2 GROUP elements a group by a tree up and down (Baghsorkhi et al. 2010, section 4.2:
// Div_B): scan_tree_packed on padded memory.
#ifndef GROUP
#define GROUP 128
#endif

// Banks of shared memory: 32, but 16 on compute capability 1.x.
#ifndef BANKS
#define BANKS 32
#endif

// A word of padding after every BANKS: neighbouring stops of the tree lie in different banks. Without signs the quotient is a
// shift.
#define AT(i) ((i) + (i) / (unsigned)BANKS)

__global__ void __launch_bounds__(GROUP) scan_tree_packed_padded(const float* in, float* out, int n) {
  __shared__ float buffer[AT(2 * GROUP)];
  int t = threadIdx.x;
  int first = blockIdx.x * (2 * GROUP);
  buffer[AT(t)] = first + t < n ? in[first + t] : 0.0f;
  buffer[AT(t + GROUP)] = first + t + GROUP < n ? in[first + t + GROUP] : 0.0f;
  for (int stride = 1; stride <= GROUP; stride *= 2) {
    __syncthreads();
    if (t < GROUP / stride) {
      int i = 2 * stride * (t + 1) - 1;
      buffer[AT(i)] += buffer[AT(i - stride)];
    }
  }
  for (int stride = GROUP / 2; stride >= 1; stride /= 2) {
    __syncthreads();
    int i = 2 * stride * (t + 1) - 1;
    if (i + stride < 2 * GROUP)
      buffer[AT(i + stride)] += buffer[AT(i)];
  }
  __syncthreads();
  if (first + t < n)
    out[first + t] = buffer[AT(t)];
  if (first + t + GROUP < n)
    out[first + t + GROUP] = buffer[AT(t + GROUP)];
}
