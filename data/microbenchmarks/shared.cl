// Shared memory: lanes `stride` words apart meet in stride / (odd part) ways in one bank.
#define WORDS 8192

__kernel void loads(__global float* out, __global const float* in, int stride, int rounds) {
  __local float words[WORDS + 1024];
  for (int i = get_local_id(0); i < WORDS + 1024; i += get_local_size(0))
    words[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint at = get_local_id(0) * stride & (WORDS - 1);
  float sum = 0.0f;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 32; ++k) // one address, constant distances
      sum += words[at + 32 * k];
    at = (at + 32) & (WORDS - 1);
  }
  out[get_global_id(0)] = sum;
}

// Lanes of a warp add to `spread` different words.
__kernel void atomics(__global uint* out, int spread, int rounds) {
  __local uint counts[1024];
  for (int i = get_local_id(0); i < 1024; i += get_local_size(0))
    counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint at = (get_local_id(0) & 31) % spread;
  uint sum = 0;
  for (int round = 0; round < rounds; ++round)
    sum += atomic_add(&counts[(at + (sum & 1)) & 1023], 2);
  out[get_global_id(0)] = sum;
}
