// Covariances of centred columns: work-item `first` makes one row of the upper triangle and its mirror. The sum stays
// in a register.
__kernel void covariance(__global const float* data, __global float* matrix, int columns, int points) {
  int first = get_global_id(0);
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
