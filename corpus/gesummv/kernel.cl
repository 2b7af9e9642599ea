// y = alpha A x + beta B x: a work-item walks one row of both matrices.
__kernel void gesummv(__global const float* a, __global const float* b, __global const float* x, __global float* y,
                      float alpha, float beta, int n) {
  int row = get_global_id(0);
  if (row >= n)
    return;
  float a_sum = 0.0f, b_sum = 0.0f;
  for (int j = 0; j < n; ++j) {
    a_sum += a[row * n + j] * x[j];
    b_sum += b[row * n + j] * x[j];
  }
  y[row] = alpha * a_sum + beta * b_sum;
}
