// Covariances of centred columns: thread `first` makes one row of the upper triangle and its mirror. The sum
// stays in a register.
__global__ void covariance(const float* data, float* matrix, int columns, int points) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first >= columns)
    return;
  for (int second = first; second < columns; ++second) {
    float sum = 0.0f;
    for (int i = 0; i < points; ++i)
      sum += data[i * columns + first] * data[i * columns + second];
    sum /= (float)(points - 1);
    matrix[first * columns + second] = sum;
    matrix[second * columns + first] = sum;
  }
}
