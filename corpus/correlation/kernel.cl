// Correlations of normalised columns: work-item `first` makes one row of the upper triangle and its mirror, so the
// work-items have unequal loops. The sum grows in memory, as the loop nest in C writes it.
__kernel void correlation(__global const float* data, __global float* matrix, int columns, int points) {
  int first = get_global_id(0);
  if (first >= columns)
    return;
  matrix[first * columns + first] = 1.0f;
  for (int second = first + 1; second < columns; ++second) {
    matrix[first * columns + second] = 0.0f;
    for (int i = 0; i < points; ++i)
      matrix[first * columns + second] += data[i * columns + first] * data[i * columns + second];
    matrix[second * columns + first] = matrix[first * columns + second];
  }
}
