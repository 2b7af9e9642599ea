// The transposed product of a biconjugate gradient step: a thread walks one column of A.
__global__ void bicg(const float* a, const float* r, float* product, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns)
    return;
  float sum = 0.0f;
  for (int i = 0; i < rows; ++i)
    sum += a[i * columns + column] * r[i];
  product[column] = sum;
}
