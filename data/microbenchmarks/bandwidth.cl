// Streams. Work-items of the whole grid take turns (grid stride), four floats each.
__kernel void read(__global const float4* a, __global float* out, int n4, int passes) {
  const int items = get_global_size(0);
  float4 sum = (float4)(0.0f);
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = get_global_id(0); i < n4; i += items)
      sum += a[i];
    sum.x += (float)pass;
  }
  const float result = sum.x + sum.y + sum.z + sum.w;
  if (result == 1.25f) // never, and the compiler cannot know
    out[get_global_id(0)] = result;
}

__kernel void write(__global float4* a, float value, int n4) {
  const int items = get_global_size(0);
  for (int i = get_global_id(0); i < n4; i += items)
    a[i] = (float4)(value);
}

__kernel void copy(__global const float4* a, __global float4* b, int n4) {
  const int items = get_global_size(0);
  for (int i = get_global_id(0); i < n4; i += items)
    b[i] = a[i];
}

__kernel void triad(__global const float4* a, __global const float4* b, __global float4* c, float scale, int n4) {
  const int items = get_global_size(0);
  for (int i = get_global_id(0); i < n4; i += items)
    c[i] = a[i] + scale * b[i];
}

// Every group reads its own stretch of n4 elements again and again: the level is the one that holds the stretch.
__kernel void read_own(__global const float4* a, __global float* out, int n4, int rounds) {
  const int first = get_group_id(0) * n4;
  float4 sum = (float4)(0.0f);
  int at = get_local_id(0);
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      sum += a[first + at];
      at = (at + get_local_size(0)) & (n4 - 1);
    }
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
