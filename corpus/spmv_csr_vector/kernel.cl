// y = A x, compressed sparse rows, LANES work-items a row, tree sum in shared memory (16:
// Baghsorkhi et al. 2010, section 4.3: Consecutive).
#define GROUP 128
#ifndef LANES
#define LANES 32
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void spmv_csr_vector(__global const int* row_begin, __global const int* column, __global const float* value,
                     __global const float* x, __global float* y, int rows) {
  __local float sums[GROUP];
  int local_id = get_local_id(0);
  int lane = local_id % LANES;
  int row = get_global_id(0) / LANES;
  float sum = 0.0f;
  if (row < rows)
    for (int i = row_begin[row] + lane; i < row_begin[row + 1]; i += LANES)
      sum += value[i] * x[column[i]];
  sums[local_id] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int stride = LANES / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      sums[local_id] += sums[local_id + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0 && row < rows)
    y[row] = sums[local_id];
}
