// Gaussian elimination, column `pivot`: as the OpenCL version, with x along the columns, so that rows coalesce, and
// the multiplier of a row read once through the read-only path.
__global__ void gaussian_eliminate(const float* multiplier, float* matrix, float* right_side, int size, int pivot) {
  const int along = blockIdx.x * blockDim.x + threadIdx.x, below = blockIdx.y * blockDim.y + threadIdx.y;
  if (below >= size - 1 - pivot || along >= size - pivot)
    return;
  const int row = pivot + 1 + below, column = pivot + along;
  const float factor = __ldg(multiplier + row * size + pivot);
  matrix[row * size + column] -= factor * matrix[pivot * size + column];
  if (along == 0)
    right_side[row] -= factor * right_side[pivot];
}
