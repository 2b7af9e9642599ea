// Particle filter, resampling: each draw takes the place of the first particle whose cumulative weight reaches it;
// a linear search, as long as the draw is large.
__kernel void particle_find_index(__global const float* cumulative, __global const float* draw,
                                  __global const float* place_x, __global const float* place_y, __global float* new_x,
                                  __global float* new_y, int particles) {
  int p = get_global_id(0);
  if (p >= particles)
    return;
  float wanted = draw[p];
  int found = particles - 1;
  for (int i = 0; i < particles; ++i)
    if (cumulative[i] >= wanted) {
      found = i;
      break;
    }
  new_x[p] = place_x[found];
  new_y[p] = place_y[found];
}
