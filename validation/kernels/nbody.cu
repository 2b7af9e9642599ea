// Accelerations of all bodies by all bodies, a body a thread, in single or (DOUBLE 1) double precision, through tiles of GROUP bodies in
// shared memory ("Fast N-Body Simulation with CUDA", L. Nyland, M. Harris, J. Prins, GPU Gems 3, 2007), and one step of time.
#if DOUBLE
typedef double real;
typedef double4 real4;
#define RSQRT rsqrt
#else
typedef float real;
typedef float4 real4;
#define RSQRT rsqrtf
#endif

extern "C" __global__ void __launch_bounds__(GROUP)
    nbody(real4* moved, const real4* position, real4* velocity, real softening, real step, int n) {
  __shared__ real4 tile[GROUP];
  int body = blockIdx.x * GROUP + threadIdx.x;
  real4 here = position[body];
  real ax = 0, ay = 0, az = 0;
  for (int first = 0; first < n; first += GROUP) {
    tile[threadIdx.x] = position[first + threadIdx.x];
    __syncthreads();
#pragma unroll 128
    for (int j = 0; j < GROUP; ++j) {
      real dx = tile[j].x - here.x, dy = tile[j].y - here.y, dz = tile[j].z - here.z;
      real inverse = RSQRT(dx * dx + dy * dy + dz * dz + softening);
      real pull = tile[j].w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  real4 speed = velocity[body];
  speed.x += ax * step;
  speed.y += ay * step;
  speed.z += az * step;
  velocity[body] = speed;
  here.x += speed.x * step;
  here.y += speed.y * step;
  here.z += speed.z * step;
  moved[body] = here;
}
