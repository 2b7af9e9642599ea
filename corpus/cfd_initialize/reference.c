void reference_cfd_initialize(void** v) {
  float *variable = v[0], *free_stream = v[1];
  int elements = *(int*)v[2];
  for (int each = 0; each < 5; ++each)
    for (int element = 0; element < elements; ++element)
      variable[each * elements + element] = free_stream[each];
}
