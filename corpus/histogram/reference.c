void histogram(const unsigned char* data, unsigned* bins, int n) {
  for (int i = 0; i < n; ++i)
    bins[data[i]] += 1;
}

void reference_histogram(void** v) { histogram(v[0], v[1], *(int*)v[2]); }
