// Neighbouring threads take one of PATHS different loops: the warp runs them one after the other.
#ifndef PATHS
#define PATHS 8
#endif

__global__ void divergent_paths(const unsigned* in, unsigned* out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned v = in[i];
  switch (i % PATHS) {
  case 0:
    for (int r = 0; r < rounds; ++r)
      v = v * 1664525u + 1013904223u;
    break;
  case 1:
    for (int r = 0; r < rounds; ++r)
      v ^= (v << 13) ^ (v >> 7);
    break;
  case 2:
    for (int r = 0; r < rounds; ++r)
      v = (v + (unsigned)r) ^ (v >> 3);
    break;
  case 3:
    for (int r = 0; r < rounds; ++r)
      v = v & 1u ? 3u * v + 1u : v >> 1;
    break;
  case 4:
    for (int r = 0; r < rounds; ++r)
      v = v * v + 12345u;
    break;
  case 5:
    for (int r = 0; r < rounds; ++r)
      v = (v << 5) - v + (unsigned)r;
    break;
  case 6:
    for (int r = 0; r < rounds; ++r)
      v = v / 3u + 2654435769u;
    break;
  default:
    for (int r = 0; r < rounds; ++r)
      v = (v | (unsigned)r) + (v >> 1);
    break;
  }
  out[i] = v;
}
