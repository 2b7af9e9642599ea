// Blocked LU decomposition, step `offset`: half of the group solves for a block right of the diagonal block,
// the other half for its counterpart below.
#define BLOCK 16

__kernel __attribute__((reqd_work_group_size(2 * BLOCK, 1, 1)))
void lud_perimeter(__global float* matrix, int dimension, int offset) {
  __local float diagonal[BLOCK][BLOCK];
  __local float right[BLOCK][BLOCK];
  __local float below[BLOCK][BLOCK];
  int lane = get_local_id(0) % BLOCK;
  bool upper = get_local_id(0) < BLOCK;
  int away = offset + ((int)get_group_id(0) + 1) * BLOCK;
  int first = upper ? 0 : BLOCK / 2;
  for (int row = first; row < first + BLOCK / 2; ++row)
    diagonal[row][lane] = matrix[(offset + row) * dimension + offset + lane];
  for (int row = 0; row < BLOCK; ++row)
    if (upper)
      right[row][lane] = matrix[(offset + row) * dimension + away + lane];
    else
      below[row][lane] = matrix[(away + row) * dimension + offset + lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (upper) { // column `lane`: forward substitution with the unit lower triangle
    for (int row = 1; row < BLOCK; ++row)
      for (int k = 0; k < row; ++k)
        right[row][lane] -= diagonal[row][k] * right[k][lane];
  } else { // row `lane`: substitution with the upper triangle
    for (int column = 0; column < BLOCK; ++column) {
      for (int k = 0; k < column; ++k)
        below[lane][column] -= below[lane][k] * diagonal[k][column];
      below[lane][column] /= diagonal[column][column];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int row = 0; row < BLOCK; ++row)
    if (upper)
      matrix[(offset + row) * dimension + away + lane] = right[row][lane];
    else
      matrix[(away + row) * dimension + offset + lane] = below[row][lane];
}
