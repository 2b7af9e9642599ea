void reference_hotspot_3d(void** v) {
  const float *power = v[0], *heat = v[1];
  float* result = v[2];
  int columns = *(int*)v[3], rows = *(int*)v[4], layers = *(int*)v[5];
  float across = *(float*)v[6], up = *(float*)v[7], centre = *(float*)v[8], per_watt = *(float*)v[9];
  float ambient = *(float*)v[10];
  for (int z = 0; z < layers; ++z)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) {
        int i = (z * rows + y) * columns + x;
        float sides = heat[x > 0 ? i - 1 : i] + heat[x < columns - 1 ? i + 1 : i] + heat[y > 0 ? i - columns : i] +
                      heat[y < rows - 1 ? i + columns : i];
        float ends = heat[z > 0 ? i - columns * rows : i] + heat[z < layers - 1 ? i + columns * rows : i];
        result[i] = centre * heat[i] + across * sides + up * ends + per_watt * power[i] + ambient;
      }
}
