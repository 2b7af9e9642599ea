// As nbody_fp64.cu, in single precision.
extern "C" __global__ void __launch_bounds__(GROUP)
    nbody(float4* moved, const float4* position, float4* velocity, float softening, float step, int n) {
  __shared__ float4 tile[GROUP];
  int body = blockIdx.x * GROUP + threadIdx.x;
  float4 here = position[body];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = 0; first < n; first += GROUP) {
    tile[threadIdx.x] = position[first + threadIdx.x];
    __syncthreads();
#pragma unroll 128
    for (int j = 0; j < GROUP; ++j) {
      float dx = tile[j].x - here.x, dy = tile[j].y - here.y, dz = tile[j].z - here.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      float pull = tile[j].w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  float4 speed = velocity[body];
  speed.x += ax * step;
  speed.y += ay * step;
  speed.z += az * step;
  velocity[body] = speed;
  here.x += speed.x * step;
  here.y += speed.y * step;
  here.z += speed.z * step;
  moved[body] = here;
}
