enum { GROUP = 256 };

void reduction(const float* in, float* partial, int n) {
  for (int group = 0; group * 2 * GROUP < n; ++group) {
    double sum = 0;
    for (int i = group * 2 * GROUP; i < n && i < (group + 1) * 2 * GROUP; ++i)
      sum += in[i];
    partial[group] = (float)sum;
  }
}

void reference_reduction(void** v) { reduction(v[0], v[1], *(int*)v[2]); }
