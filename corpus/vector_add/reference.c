void vector_add(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i)
    c[i] = a[i] + b[i];
}

void reference_vector_add(void** v) { vector_add(v[0], v[1], v[2], *(int*)v[3]); }
