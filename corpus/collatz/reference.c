void collatz(unsigned* steps, unsigned first, int n) {
  for (int i = 0; i < n; ++i) {
    unsigned count = 0;
    for (unsigned value = first + (unsigned)i; value > 1u; ++count)
      value = value & 1u ? 3u * value + 1u : value / 2u;
    steps[i] = count;
  }
}

void reference_collatz(void** v) {
  collatz(v[0], *(unsigned*)v[1], *(int*)v[2]);
}
