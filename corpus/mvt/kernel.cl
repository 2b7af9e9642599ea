// x1 += A y1 and x2 += A^T y2 in one loop: one walk along a row and one along a column of A.
__kernel void mvt(__global const float* a, __global float* x1, __global float* x2, __global const float* y1,
                  __global const float* y2, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float along = x1[i], across = x2[i];
  for (int j = 0; j < n; ++j) {
    along += a[i * n + j] * y1[j];
    across += a[j * n + i] * y2[j];
  }
  x1[i] = along;
  x2[i] = across;
}
