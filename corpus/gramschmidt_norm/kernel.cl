// The first step of modified Gram-Schmidt for column k: its length, by one work-item. The rest of the group has
// nothing to do.
__kernel void gramschmidt_norm(__global const float* a, __global float* r, int rows, int columns, int k) {
  if (get_global_id(0) != 0)
    return;
  float sum = 0.0f;
  for (int i = 0; i < rows; ++i)
    sum += a[i * columns + k] * a[i * columns + k];
  r[k * columns + k] = sqrt(sum);
}
