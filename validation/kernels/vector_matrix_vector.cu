// The number y A x of two vectors and a square matrix of doubles. A thread takes whole rows; BY_COLUMNS: the matrix lies by columns, so
// that the lanes of a warp read neighbours.
#if BY_COLUMNS
#define AT(row, column) ((size_t)(column) * n + (row))
#else
#define AT(row, column) ((size_t)(row) * n + (column))
#endif

extern "C" __global__ void vector_matrix_vector(const double* y, const double* a, const double* x, int n, double* result) {
  double sum = 0.0;
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < n; row += gridDim.x * blockDim.x) {
    double product = 0.0;
    for (int column = 0; column < n; ++column)
      product += a[AT(row, column)] * x[column];
    sum += y[row] * product;
  }
  atomicAdd(result, sum);
}
