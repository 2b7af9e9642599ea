void stencil_3d(const float* in, float* out, int n) {
  for (int z = 1; z < n - 1; ++z)
    for (int y = 1; y < n - 1; ++y)
      for (int x = 1; x < n - 1; ++x) {
        int i = (z * n + y) * n + x;
        out[i] = 0.4f * in[i] +
                 0.1f * (in[i - n * n] + in[i + n * n] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
      }
}

void reference_stencil_3d(void** v) { stencil_3d(v[0], v[1], *(int*)v[2]); }
