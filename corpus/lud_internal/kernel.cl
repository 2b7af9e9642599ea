// Blocked LU decomposition, the update of the trailing blocks after step `offset`: A22 -= L21 U12.
#define BLOCK 16

__kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1)))
void lud_internal(__global float* matrix, int dimension, int offset) {
  __local float upper[BLOCK][BLOCK];
  __local float lower[BLOCK][BLOCK];
  int x = get_local_id(0), y = get_local_id(1);
  int row = offset + (get_group_id(1) + 1) * BLOCK + y;
  int column = offset + (get_group_id(0) + 1) * BLOCK + x;
  upper[y][x] = matrix[(offset + y) * dimension + column];
  lower[y][x] = matrix[row * dimension + offset + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int k = 0; k < BLOCK; ++k)
    sum += lower[y][k] * upper[k][x];
  matrix[row * dimension + column] -= sum;
}
