// Electric half step on a height x width grid: ex is one column wider, ey one row higher than hz. Row 0 of ey
// is driven.
__global__ void fdtd_electric(float* ex, float* ey, const float* hz, float source, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float here = hz[y * width + x];
  if (y == 0)
    ey[x] = source;
  else
    ey[y * width + x] -= 0.5f * (here - hz[(y - 1) * width + x]);
  if (x > 0)
    ex[y * (width + 1) + x] -= 0.5f * (here - hz[y * width + x - 1]);
}
