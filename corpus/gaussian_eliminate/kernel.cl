// Gaussian elimination, column `pivot`: rows below lose their multiple of the pivot row, the right side with them.
// x counts rows and y columns, as the algorithm is often written: neighbours in x lie a row apart.
__kernel void gaussian_eliminate(__global const float* multiplier, __global float* matrix, __global float* right_side,
                                 int size, int pivot) {
  int below = get_global_id(0), along = get_global_id(1);
  if (below >= size - 1 - pivot || along >= size - pivot)
    return;
  int row = pivot + 1 + below, column = pivot + along;
  matrix[row * size + column] -= multiplier[row * size + pivot] * matrix[pivot * size + column];
  if (along == 0)
    right_side[row] -= multiplier[row * size + pivot] * right_side[pivot];
}
