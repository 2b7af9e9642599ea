// y = A x, compressed sparse rows, 16 threads a row (Baghsorkhi et al. 2010, section 4.3: Coalesced). They
// start at the last multiple of 16 before the row, so that every step of theirs reads whole aligned pieces;
// the lanes before the row sit out.
#define GROUP 128
#define LANES 16

__global__ void __launch_bounds__(GROUP)
    spmv_csr_aligned(const int* row_begin, const int* column, const float* value, const float* x, float* y,
                     int rows) {
  __shared__ float sums[GROUP];
  int local_id = threadIdx.x;
  int lane = local_id % LANES;
  int row = (blockIdx.x * GROUP + local_id) / LANES;
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
  __syncthreads();
  for (int stride = LANES / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      sums[local_id] += sums[local_id + stride];
    __syncthreads();
  }
  if (lane == 0 && row < rows)
    y[row] = sums[local_id];
}
