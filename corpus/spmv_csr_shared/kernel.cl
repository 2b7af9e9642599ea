// y = A x, compressed sparse rows, a work-item a row (Baghsorkhi et al. 2010, section 4.3: Shared). The starts of the
// group's rows are read once, into shared memory: each is the end of the row before.
#define GROUP 128

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void spmv_csr_shared(__global const int* row_begin, __global const int* column, __global const float* value,
                     __global const float* x, __global float* y, int rows) {
  __local int begin[GROUP + 1];
  int lane = get_local_id(0);
  int row = get_global_id(0);
  if (row <= rows)
    begin[lane] = row_begin[row];
  if (lane == GROUP - 1 && row < rows)
    begin[GROUP] = row_begin[row + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int i = begin[lane]; i < begin[lane + 1]; ++i)
    sum += value[i] * x[column[i]];
  y[row] = sum;
}
