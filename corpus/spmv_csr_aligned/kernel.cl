// y = A x, compressed sparse rows, 16 work-items a row (Baghsorkhi et al. 2010, section 4.3: Coalesced). They start
// at the last multiple of 16 before the row, so that every step of theirs reads whole aligned pieces; the lanes
// before the row sit out.
#define GROUP 128
#define LANES 16

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void spmv_csr_aligned(__global const int* row_begin, __global const int* column, __global const float* value,
                      __global const float* x, __global float* y, int rows) {
  __local float sums[GROUP];
  int local_id = get_local_id(0);
  int lane = local_id % LANES;
  int row = (get_group_id(0) * GROUP + local_id) / LANES;
  float sum = 0.0f;
  if (row < rows) {
    int begin = row_begin[row], end = row_begin[row + 1];
    int i = begin / LANES * LANES + lane;
    if (i >= begin && i < end)
      sum = value[i] * x[column[i]];
    for (i += LANES; i < end; i += LANES)
      sum += value[i] * x[column[i]];
  }
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
