// Particle filter: weights over their sum, which one work-item of each group fetches for all; and each particle's
// draw, evenly spaced from a common start.
__kernel void particle_normalize(__global float* weight, __global const float* sum, __global float* draw, int particles,
                                 float start) {
  __local float total;
  int p = get_global_id(0);
  if (get_local_id(0) == 0)
    total = sum[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (p >= particles)
    return;
  weight[p] /= total;
  draw[p] = (start + (float)p) / (float)particles;
}
