void reference_cfd_fill(void** v) {
  float* array = v[0];
  for (int i = 0; i < *(int*)v[2]; ++i)
    array[i] = *(float*)v[1];
}
