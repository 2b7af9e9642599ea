// Shared memory: lanes `stride` words apart meet in stride / (odd part) ways in one bank.
#define WORDS 4096

__kernel void loads(__global float* out, __global const float4* in, int stride, int rounds) {
  __local float4 filled[(WORDS + 1024) / 4];
  for (int i = get_local_id(0); i < (WORDS + 1024) / 4; i += get_local_size(0))
    filled[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  __local const float* words = (__local const float*)filled;
  uint at = get_local_id(0) * stride & (WORDS - 1);
  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f}; // no load waits for the sum before
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 32; ++k) // one address, constant distances
      sum[k & 3] += words[at + 32 * k];
    at = (at + 32) & (WORDS - 1);
  }
  out[get_global_id(0)] = sum[0] + sum[1] + sum[2] + sum[3];
}

// Four words a lane: the banks' full width, however many requests the pipe takes.
__kernel void wide_loads(__global float* out, __global const float4* in, int rounds) {
  __local float4 words[2048];
  for (int i = get_local_id(0); i < 2048; i += get_local_size(0))
    words[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint at = get_local_id(0) & 1023;
  float4 sum = (float4)(0.0f);
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 32; ++k)
      sum += words[at + 32 * k];
    at = (at + 32) & 1023;
  }
  out[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

// Lanes of a warp add to `spread` different words.
__kernel void atomics(__global uint* out, int spread, int rounds) {
  __local uint counts[1024];
  for (int i = get_local_id(0); i < 1024; i += get_local_size(0))
    counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint at = (get_local_id(0) & 31) % spread;
  uint sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    sum += atomic_add(&counts[(at + (sum & 1)) & 1023], 2);
  out[get_global_id(0)] = sum;
}
