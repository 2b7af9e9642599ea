void reference_particle_find_index(void** v) {
  const float *cumulative = v[0], *draw = v[1], *place_x = v[2], *place_y = v[3];
  float *new_x = v[4], *new_y = v[5];
  int particles = *(int*)v[6];
  for (int p = 0; p < particles; ++p) {
    int found = 0;
    while (found < particles - 1 && cumulative[found] < draw[p])
      ++found;
    new_x[p] = place_x[found];
    new_y[p] = place_y[found];
  }
}
