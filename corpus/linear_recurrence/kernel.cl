// x[t] = a x[t - 1] + b[t] along each row: a chain of dependent operations, and as many work-items as there are rows.
__kernel void linear_recurrence(__global const float* b, __global float* x, float a, int rows, int length) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  float last = 0.0f;
  for (int t = 0; t < length; ++t) {
    last = a * last + b[row * length + t];
    x[row * length + t] = last;
  }
}
