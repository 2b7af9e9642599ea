// Accelerations of all bodies by all bodies in double precision, a body a thread, through tiles of GROUP bodies in
// shared memory ("Fast N-Body Simulation with CUDA", L. Nyland, M. Harris, J. Prins, GPU Gems 3, 2007), and one step of time.
extern "C" __global__ void __launch_bounds__(GROUP)
    nbody(double4* moved, const double4* position, double4* velocity, double softening, double step, int n) {
  __shared__ double4 tile[GROUP];
  int body = blockIdx.x * GROUP + threadIdx.x;
  double4 here = position[body];
  double ax = 0.0, ay = 0.0, az = 0.0;
  for (int first = 0; first < n; first += GROUP) {
    tile[threadIdx.x] = position[first + threadIdx.x];
    __syncthreads();
#pragma unroll 128
    for (int j = 0; j < GROUP; ++j) {
      double dx = tile[j].x - here.x, dy = tile[j].y - here.y, dz = tile[j].z - here.z;
      double inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
      double pull = tile[j].w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  double4 speed = velocity[body];
  speed.x += ax * step;
  speed.y += ay * step;
  speed.z += az * step;
  velocity[body] = speed;
  here.x += speed.x * step;
  here.y += speed.y * step;
  here.z += speed.z * step;
  moved[body] = here;
}
