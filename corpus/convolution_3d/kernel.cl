// One plane of a 3 x 3 x 3 convolution with eleven non-zero weights; the host steps through the planes. The border
// stays as it is.
__kernel void convolution_3d(__global const float* in, __global float* out, int n, int plane) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
    return;
  int step = n * n;
  __global const float* centre = in + plane * step + y * n + x;
  float sum = 0.2f * centre[-step - n - 1] + 0.5f * centre[-step - 1] - 0.8f * centre[-step + n - 1];
  sum += -0.3f * centre[-n] + 0.6f * centre[0] - 0.9f * centre[n];
  sum += 0.4f * centre[step - n + 1] + 0.7f * centre[step + 1] + 0.1f * centre[step + n + 1];
  sum += 0.25f * centre[-1] - 0.25f * centre[1];
  out[plane * step + y * n + x] = sum;
}
