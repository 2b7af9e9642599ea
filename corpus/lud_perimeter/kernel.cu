// Blocked LU decomposition, step `offset`: half of the block solves for a tile right of the diagonal tile,
// the other half for its counterpart below; each thread keeps its column (row) in registers.
constexpr int tile = 16;

__global__ void __launch_bounds__(2 * tile) lud_perimeter(float* matrix, int dimension, int offset) {
  __shared__ float diagonal[tile][tile];
  __shared__ float below[tile][tile + 1];
  const int lane = threadIdx.x % tile;
  const bool upper = threadIdx.x < tile;
  const int away = offset + (blockIdx.x + 1) * tile;
  for (int row = threadIdx.x / tile; row < tile; row += 2)
    diagonal[row][lane] = matrix[(offset + row) * dimension + offset + lane];
  float own[tile];
#pragma unroll
  for (int row = 0; row < tile; ++row)
    if (upper)
      own[row] = matrix[(offset + row) * dimension + away + lane];
    else
      below[row][lane] = matrix[(away + row) * dimension + offset + lane];
  __syncthreads();
  if (upper) {
#pragma unroll
    for (int row = 0; row < tile; ++row) {
#pragma unroll
      for (int k = 0; k < row; ++k)
        own[row] -= diagonal[row][k] * own[k];
      matrix[(offset + row) * dimension + away + lane] = own[row];
    }
  } else {
#pragma unroll
    for (int column = 0; column < tile; ++column) {
      own[column] = below[lane][column];
#pragma unroll
      for (int k = 0; k < column; ++k)
        own[column] -= own[k] * diagonal[k][column];
      own[column] /= diagonal[column][column];
      below[lane][column] = own[column];
    }
  }
  __syncthreads();
  if (!upper)
    for (int row = 0; row < tile; ++row)
      matrix[(away + row) * dimension + offset + lane] = below[row][lane];
}
