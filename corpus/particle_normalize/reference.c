void reference_particle_normalize(void** v) {
  float *weight = v[0], *draw = v[2];
  const float* sum = v[1];
  int particles = *(int*)v[3];
  for (int p = 0; p < particles; ++p) {
    weight[p] /= sum[0];
    draw[p] = (*(float*)v[4] + (float)p) / (float)particles;
  }
}
