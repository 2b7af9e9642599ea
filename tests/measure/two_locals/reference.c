/* Groups of 36 work-items; one dimension. */
void reference_two_locals(void** v) {
  const float* in = v[0];
  float* out = v[1];
  for (int group = 0; group < 8; ++group)
    for (int item = 0; item < 36; ++item) {
      const float* own = in + 36 * group;
      out[36 * group + item] = own[(item + 1) % 36] + 2.0f * own[35 - item] + 1.0f;
    }
}
