#ifndef PATHS
#define PATHS 8
#endif

static unsigned step(int path, unsigned v, unsigned r) {
  switch (path) {
  case 0:
    return v * 1664525u + 1013904223u;
  case 1:
    return v ^ (v << 13) ^ (v >> 7);
  case 2:
    return (v + r) ^ (v >> 3);
  case 3:
    return v & 1u ? 3u * v + 1u : v >> 1;
  case 4:
    return v * v + 12345u;
  case 5:
    return (v << 5) - v + r;
  case 6:
    return v / 3u + 2654435769u;
  default:
    return (v | r) + (v >> 1);
  }
}

void divergent_paths(const unsigned* in, unsigned* out, int n, int rounds) {
  for (int i = 0; i < n; ++i) {
    unsigned v = in[i];
    for (int r = 0; r < rounds; ++r)
      v = step(i % PATHS, v, (unsigned)r);
    out[i] = v;
  }
}

void reference_divergent_paths(void** v) {
  divergent_paths(v[0], v[1], *(int*)v[2], *(int*)v[3]);
}
