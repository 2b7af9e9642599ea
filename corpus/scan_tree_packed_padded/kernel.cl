// Inclusive scan of 2 GROUP elements a group by a tree up and down (Baghsorkhi et al. 2010, section 4.2: Div_B):
// scan_tree_packed on padded memory.
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

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_tree_packed_padded(__global const float* in, __global float* out, int n) {
  __local float buffer[AT(2 * GROUP)];
  int t = get_local_id(0);
  int first = get_group_id(0) * (2 * GROUP);
  buffer[AT(t)] = first + t < n ? in[first + t] : 0.0f;
  buffer[AT(t + GROUP)] = first + t + GROUP < n ? in[first + t + GROUP] : 0.0f;
  for (int stride = 1; stride <= GROUP; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < GROUP / stride) {
      int i = 2 * stride * (t + 1) - 1;
      buffer[AT(i)] += buffer[AT(i - stride)];
    }
  }
  for (int stride = GROUP / 2; stride >= 1; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = 2 * stride * (t + 1) - 1;
    if (i + stride < 2 * GROUP)
      buffer[AT(i + stride)] += buffer[AT(i)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (first + t < n)
    out[first + t] = buffer[AT(t)];
  if (first + t + GROUP < n)
    out[first + t + GROUP] = buffer[AT(t + GROUP)];
}
