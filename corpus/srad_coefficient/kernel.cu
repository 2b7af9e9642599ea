// Speckle reducing anisotropic diffusion, first half: the four gradients of each pixel and its coefficient.
// No tile: the neighbours come through the read-only path, whose cache holds the rows above and below.
__global__ void srad_coefficient(const float* __restrict__ image, float* to_north, float* to_south, float* to_west,
                                 float* to_east, float* coefficient, int columns, int rows, float speckle) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows)
    return;
  const auto pixel = [&](int r, int c) {
    return __ldg(image + min(max(r, 0), rows - 1) * columns + min(max(c, 0), columns - 1));
  };
  const float own = pixel(row, column);
  const float dn = pixel(row - 1, column) - own, ds = pixel(row + 1, column) - own;
  const float dw = pixel(row, column - 1) - own, de = pixel(row, column + 1) - own;
  const float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (own * own);
  const float laplacian = (dn + ds + dw + de) / own;
  const float scale = 1.0f + 0.25f * laplacian;
  const float variation = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (scale * scale);
  const float excess = (variation - speckle) / (speckle * (1.0f + speckle));
  const int at = row * columns + column;
  to_north[at] = dn;
  to_south[at] = ds;
  to_west[at] = dw;
  to_east[at] = de;
  coefficient[at] = __saturatef(1.0f / (1.0f + excess));
}
