void strided_sum(const float* in, float* sums, int pieces, int piece) {
  for (int i = 0; i < pieces; ++i) {
    float sum = 0.0f;
    for (int k = 0; k < piece; ++k)
      sum += in[i * piece + k];
    sums[i] = sum;
  }
}

void reference_strided_sum(void** v) {
  strided_sum(v[0], v[1], *(int*)v[2], *(int*)v[3]);
}
