enum { GROUP = 256 };

void scan(const float* in, float* out, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum = i % GROUP == 0 ? in[i] : sum + in[i];
    out[i] = (float)sum;
  }
}

void reference_scan(void** v) { scan(v[0], v[1], *(int*)v[2]); }
