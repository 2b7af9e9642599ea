// Seven-point stencil on an n x n x n grid; a work-item walks up the z axis and keeps three planes in registers.
__kernel void stencil_3d(__global const float* in, __global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
    return;
  int plane = n * n;
  int i = y * n + x;
  float below = in[i], here = in[i + plane];
  for (int z = 1; z < n - 1; ++z) {
    i += plane;
    float above = in[i + plane];
    out[i] = 0.4f * here + 0.1f * (below + above + in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    below = here;
    here = above;
  }
}
