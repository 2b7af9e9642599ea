void copy(const float* source, float* destination, int n) {
  for (int i = 0; i < n; ++i)
    destination[i] = source[i];
}

void reference_copy(void** v) { copy(v[0], v[1], 4 * *(int*)v[2]); }
