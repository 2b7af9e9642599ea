void reference_srad_update(void** v) {
  const float *to_north = v[0], *to_south = v[1], *to_west = v[2], *to_east = v[3], *coefficient = v[4];
  float* image = v[5];
  int columns = *(int*)v[6], rows = *(int*)v[7];
  float rate = *(float*)v[8];
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      int i = row * columns + column;
      float own = coefficient[i];
      float below = row < rows - 1 ? coefficient[i + columns] : own;
      float right = column < columns - 1 ? coefficient[i + 1] : own;
      image[i] += 0.25f * rate * (own * to_north[i] + below * to_south[i] + own * to_west[i] + right * to_east[i]);
    }
}
