enum { BLOCK = 16 };

void reference_lud_perimeter(void** v) {
  float* matrix = v[0];
  int n = *(int*)v[1], offset = *(int*)v[2];
  for (int away = offset + BLOCK; away < n; ++away)
    for (int i = 0; i < BLOCK; ++i) {
      int at = offset + i;
      for (int k = offset; k < at; ++k) {
        matrix[at * n + away] -= matrix[at * n + k] * matrix[k * n + away];
        matrix[away * n + at] -= matrix[away * n + k] * matrix[k * n + at];
      }
      matrix[away * n + at] /= matrix[at * n + at];
    }
}
