// Blocked LU decomposition, step `offset`: the diagonal block, factored in place by one group of BLOCK work-items.
#define BLOCK 16

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void lud_diagonal(__global float* matrix, int dimension, int offset) {
  __local float block[BLOCK][BLOCK];
  int lane = get_local_id(0);
  int corner = offset * dimension + offset;
  for (int row = 0; row < BLOCK; ++row)
    block[row][lane] = matrix[corner + row * dimension + lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int pivot = 0; pivot < BLOCK - 1; ++pivot) {
    if (lane > pivot) { // column `pivot` of L
      float sum = block[lane][pivot];
      for (int k = 0; k < pivot; ++k)
        sum -= block[lane][k] * block[k][pivot];
      block[lane][pivot] = sum / block[pivot][pivot];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane > pivot) { // row `pivot + 1` of U
      float sum = block[pivot + 1][lane];
      for (int k = 0; k <= pivot; ++k)
        sum -= block[pivot + 1][k] * block[k][lane];
      block[pivot + 1][lane] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int row = 1; row < BLOCK; ++row)
    matrix[corner + row * dimension + lane] = block[row][lane];
}
