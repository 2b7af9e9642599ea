// Gaussian elimination, column `pivot`: what each row below must subtract of the pivot row.
__kernel void gaussian_multipliers(__global const float* matrix, __global float* multiplier, int size, int pivot) {
  int below = get_global_id(0);
  if (below >= size - 1 - pivot)
    return;
  int row = pivot + 1 + below;
  multiplier[row * size + pivot] = matrix[row * size + pivot] / matrix[pivot * size + pivot];
}
