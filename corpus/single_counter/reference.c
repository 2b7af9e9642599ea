void single_counter(const unsigned* in, unsigned* counter, unsigned limit, int n) {
  for (int i = 0; i < n; ++i)
    if (in[i] < limit)
      ++*counter;
}

void reference_single_counter(void** v) {
  single_counter(v[0], v[1], *(unsigned*)v[2], *(int*)v[3]);
}
