// The last step of modified Gram-Schmidt for column k: each later column gives up its part along q[.][k]. Two
// walks down the columns.
__global__ void gramschmidt_update(float* a, float* r, const float* q, int rows, int columns, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j <= k || j >= columns)
    return;
  float along = 0.0f;
  for (int i = 0; i < rows; ++i)
    along += q[i * columns + k] * a[i * columns + j];
  for (int i = 0; i < rows; ++i)
    a[i * columns + j] -= q[i * columns + k] * along;
  r[k * columns + j] = along;
}
