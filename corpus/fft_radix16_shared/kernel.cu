// Whole transforms of POINTS points (a power of 16): Stockham radix 16 in shared memory, GROUP * 16 / POINTS
// transforms a group. PARTS 2: the real parts are exchanged, then the imaginary
// ones; half the memory, twice the barriers.
#ifndef POINTS
#define POINTS 256
#endif
#ifndef PARTS
#define PARTS 1
#endif
#define GROUP 256
#define LANES (POINTS / 16)
#define PI 3.14159265358979f

// CUDA's float2 has no operators.
__device__ float2 operator+(float2 a, float2 b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
__device__ float2 operator-(float2 a, float2 b) {
  return make_float2(a.x - b.x, a.y - b.y);
}

__device__ float2 turn(float2 v, float angle) {
  float c = __cosf(angle), s = __sinf(angle);
  return make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}

// The transform of v[0], v[step], v[2 step], v[3 step], in place.
__device__ void transform4(float2* v, int step) {
  float2 even_sum = v[0] + v[2 * step], even_difference = v[0] - v[2 * step];
  float2 odd_sum = v[step] + v[3 * step], odd = v[step] - v[3 * step];
  float2 odd_difference = make_float2(odd.y, -odd.x);
  v[0] = even_sum + odd_sum;
  v[step] = even_difference + odd_difference;
  v[2 * step] = even_sum - odd_sum;
  v[3 * step] = even_difference - odd_difference;
}

// The transform of 16 values as 4 x 4. Result number p + 4 q is left in v[4 p + q].
__device__ void transform16(float2* v) {
#pragma unroll
  for (int a = 0; a < 4; ++a)
    transform4(v + a, 4);
#pragma unroll
  for (int p = 1; p < 4; ++p)
#pragma unroll
    for (int a = 1; a < 4; ++a) {
      float angle = -2.0f * PI / 16.0f * (float)(a * p);
      float c = cosf(angle), s = sinf(angle);
      float2 w = v[4 * p + a];
      v[4 * p + a] = make_float2(w.x * c - w.y * s, w.x * s + w.y * c);
    }
#pragma unroll
  for (int p = 0; p < 4; ++p)
    transform4(v + 4 * p, 1);
}

__global__ void __launch_bounds__(GROUP) fft_radix16_shared(const float2* in, float2* out, int n) {
#if PARTS == 2
  __shared__ float buffer[GROUP * 16];
#else
  __shared__ float2 buffer[GROUP * 16];
#endif
  int lane = threadIdx.x % LANES;
  int own = threadIdx.x / LANES * POINTS;
  int first = blockIdx.x * (GROUP * 16) + own;
  if (blockIdx.x * (GROUP * 16) >= n)
    return;
  float2 v[16];
#pragma unroll
  for (int r = 0; r < 16; ++r)
    v[r] = in[first + lane + r * LANES];
  for (int span = 1; span < POINTS; span *= 16) {
    int k = lane & (span - 1);
    float angle = -PI / 8.0f * (float)k / (float)span;
#pragma unroll
    for (int r = 1; r < 16; ++r)
      v[r] = turn(v[r], angle * (float)r);
    transform16(v);
    int to = own + ((lane - k) << 4) + k;
#if PARTS == 2
    float2 sorted[16];
#pragma unroll
    for (int r = 0; r < 16; ++r)
      buffer[to + r * span] = v[4 * (r % 4) + r / 4].x;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 16; ++r)
      sorted[r].x = buffer[own + lane + r * LANES];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 16; ++r)
      buffer[to + r * span] = v[4 * (r % 4) + r / 4].y;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 16; ++r) {
      sorted[r].y = buffer[own + lane + r * LANES];
      v[r] = sorted[r];
    }
    __syncthreads();
#else
#pragma unroll
    for (int r = 0; r < 16; ++r)
      buffer[to + r * span] = v[4 * (r % 4) + r / 4];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 16; ++r)
      v[r] = buffer[own + lane + r * LANES];
    __syncthreads();
#endif
  }
#pragma unroll
  for (int r = 0; r < 16; ++r)
    out[first + lane + r * LANES] = v[r];
}
