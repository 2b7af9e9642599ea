static float at(const float* image, int columns, int rows, int row, int column) {
  row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
  column = column < 0 ? 0 : column >= columns ? columns - 1 : column;
  return image[row * columns + column];
}

void reference_srad_coefficient(void** v) {
  const float* image = v[0];
  float *to_north = v[1], *to_south = v[2], *to_west = v[3], *to_east = v[4], *coefficient = v[5];
  int columns = *(int*)v[6], rows = *(int*)v[7];
  float speckle = *(float*)v[8];
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      int i = row * columns + column;
      float own = image[i];
      float dn = to_north[i] = at(image, columns, rows, row - 1, column) - own;
      float ds = to_south[i] = at(image, columns, rows, row + 1, column) - own;
      float dw = to_west[i] = at(image, columns, rows, row, column - 1) - own;
      float de = to_east[i] = at(image, columns, rows, row, column + 1) - own;
      float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (own * own);
      float laplacian = (dn + ds + dw + de) / own;
      float scale = 1.0f + 0.25f * laplacian;
      float variation = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (scale * scale);
      float diffusion = 1.0f / (1.0f + (variation - speckle) / (speckle * (1.0f + speckle)));
      coefficient[i] = diffusion < 0 ? 0 : diffusion > 1 ? 1 : diffusion;
    }
}
