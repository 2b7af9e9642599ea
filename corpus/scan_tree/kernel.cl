// Inclusive scan of 2 GROUP elements a group by a tree up and down (Baghsorkhi et al. 2010, section 4.2: Init).
// Work-item t owns element 2 t + 1, so few lanes of every warp are active.
#ifndef GROUP
#define GROUP 128
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_tree(__global const float* in, __global float* out, int n) {
  __local float buffer[2 * GROUP];
  int t = get_local_id(0);
  int first = get_group_id(0) * (2 * GROUP);
  int i = 2 * t + 1;
  buffer[t] = first + t < n ? in[first + t] : 0.0f;
  buffer[t + GROUP] = first + t + GROUP < n ? in[first + t + GROUP] : 0.0f;
  for (int stride = 1; stride <= GROUP; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((i + 1) % (2 * stride) == 0)
      buffer[i] += buffer[i - stride];
  }
  for (int stride = GROUP / 2; stride >= 1; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((i + 1) % (2 * stride) == 0 && i + stride < 2 * GROUP)
      buffer[i + stride] += buffer[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (first + t < n)
    out[first + t] = buffer[t];
  if (first + t + GROUP < n)
    out[first + t + GROUP] = buffer[t + GROUP];
}
