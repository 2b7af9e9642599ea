// Particle filter, resampling: the linear search of the OpenCL version, eight cumulative weights a step through the
// read-only path; the warp stops when all its draws have found their particle.
__global__ void particle_find_index(const float* __restrict__ cumulative, const float* __restrict__ draw,
                                    const float* __restrict__ place_x, const float* __restrict__ place_y, float* new_x,
                                    float* new_y, int particles) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  const bool mine = p < particles;
  const float wanted = mine ? draw[p] : -1.0f;
  int found = particles - 1;
  bool searching = mine;
  for (int from = 0; from < particles && __any_sync(0xffffffffu, searching); from += 8) {
#pragma unroll
    for (int i = 7; i >= 0; --i)
      if (searching && from + i < particles && __ldg(cumulative + from + i) >= wanted)
        found = from + i;
    searching = searching && !(found < from + 8);
  }
  if (mine) {
    new_x[p] = place_x[found];
    new_y[p] = place_y[found];
  }
}
