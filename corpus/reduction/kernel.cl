// Partial sums: each group adds 2 * GROUP elements in a tree in shared memory.
#define GROUP 256

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduction(__global const float* in, __global float* partial, int n) {
  __local float sums[GROUP];
  int lane = get_local_id(0);
  int i = get_group_id(0) * (2 * GROUP) + lane;
  float sum = i < n ? in[i] : 0.0f;
  if (i + GROUP < n)
    sum += in[i + GROUP];
  sums[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int stride = GROUP / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      sums[lane] += sums[lane + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0)
    partial[get_group_id(0)] = sums[0];
}
