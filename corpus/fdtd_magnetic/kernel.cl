// Magnetic half step on a height x width grid: ex is one column wider, ey one row higher than hz.
__kernel void fdtd_magnetic(__global const float* ex, __global const float* ey, __global float* hz, int height,
                            int width) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  __global const float* ex_here = ex + y * (width + 1) + x;
  __global const float* ey_here = ey + y * width + x;
  hz[y * width + x] -= 0.7f * (ex_here[1] - ex_here[0] + ey_here[width] - ey_here[0]);
}
