// Streams: a work-item reads or writes four floats, LOADS times, the whole grid's items apart.
#define LOADS 16

__kernel void read(__global const float4* a, __global float* out) {
  const int items = get_global_size(0);
  float4 sum = (float4)(0.0f);
  int i = get_global_id(0);
#pragma unroll
  for (int k = 0; k < LOADS; ++k, i += items)
    sum += a[i];
  const float result = sum.x + sum.y + sum.z + sum.w;
  if (result == 1.25f) // never, and the compiler cannot know
    out[get_global_id(0)] = result;
}

// As `read`, all over a footprint of n4 elements (a power of two): an L1 sees little of it twice.
__kernel void read_within(__global const float4* a, __global float* out, uint n4, uint apart, int rounds) {
  float4 sum = (float4)(0.0f);
  uint i = get_global_id(0);
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 8; ++k, i += apart)
      sum += a[i & (n4 - 1)];
  }
  const float result = sum.x + sum.y + sum.z + sum.w;
  if (result == 1.25f)
    out[get_global_id(0)] = result;
}

__kernel void write(__global float4* a, float value) {
  const int items = get_global_size(0);
  int i = get_global_id(0);
#pragma unroll
  for (int k = 0; k < LOADS; ++k, i += items)
    a[i] = (float4)(value);
}

__kernel void copy(__global const float4* restrict a, __global float4* restrict b) {
  const int items = get_global_size(0);
  int i = get_global_id(0);
#pragma unroll
  for (int k = 0; k < LOADS; ++k, i += items)
    b[i] = a[i];
}

__kernel void triad(__global const float4* restrict a, __global const float4* restrict b, __global float4* restrict c,
                    float scale) {
  const int items = get_global_size(0);
  int i = get_global_id(0);
#pragma unroll
  for (int k = 0; k < LOADS; ++k, i += items)
    c[i] = a[i] + scale * b[i];
}

// All groups read the same 18 KiB again and again: L1. 128 work-items.
__kernel void read_same(__global const float4* restrict a, __global float* restrict out, int rounds) {
  float4 sum = (float4)(0.0f);
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    __global const float4* first = a + ((get_local_id(0) + 8 * round) & 127);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      sum += first[128 * k];
  }
  const float result = sum.x + sum.y + sum.z + sum.w;
  if (result == 1.25f)
    out[get_global_id(0)] = result;
}

// One word a lane, `stride` words apart: transactions per request from 4 to 32. C's departure delay is the time of one
// transaction more.
__kernel void read_strided(__global const float* a, __global float* out, int stride, uint mask, int rounds) {
  uint at = get_global_id(0) * stride;
  float sum = 0.0f;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      sum += a[at & mask];
      at += get_local_size(0) * stride;
    }
  }
  if (sum == 1.25f)
    out[get_global_id(0)] = sum;
}

// Constant memory: the lanes of a warp ask for one word, warps for different ones.
#define C4(i) (i), (i) + 1, (i) + 2, (i) + 3
#define C16(i) C4(i), C4((i) + 4), C4((i) + 8), C4((i) + 12)
#define C64(i) C16(i), C16((i) + 16), C16((i) + 32), C16((i) + 48)
#define C256(i) C64(i), C64((i) + 64), C64((i) + 128), C64((i) + 192)
#define C1024(i) C256(i), C256((i) + 256), C256((i) + 512), C256((i) + 768)
__constant uint constants[4096] = {C1024(0), C1024(1024), C1024(2048), C1024(3072)};

__kernel void read_constant(__global uint* out, uint mask, int rounds) {
  uint at = get_local_id(0) / 32 * 16, sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    __constant uint* first = constants + at;
#pragma unroll
    for (int k = 0; k < 32; ++k)
      sum += first[8 * k];
    at = (at + 1) & mask;
  }
  out[get_global_id(0)] = sum;
}

// All SMs on few lines: a line lies in one slice of the second level. Volatile: not from L1.
__kernel void read_lines(__global const volatile float* a, __global float* out, uint lines, int rounds) {
  const uint warp = get_global_id(0) / 32, lane = get_global_id(0) % 32;
  uint line = warp;
  float sum = 0.0f;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      sum += a[(line & (lines - 1)) * 32 + lane];
      line += 7;
    }
  }
  if (sum == 1.25f)
    out[get_global_id(0)] = sum;
}
