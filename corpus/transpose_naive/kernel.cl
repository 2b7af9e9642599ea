// Row-wise reads, column-wise writes: every write is strided.
__kernel void transpose_naive(__global const float* in, __global float* out, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}
