// Launches, barriers, divergence, mixes of two pipelines, global atomics.
__kernel void empty(__global uint* out) {
  if (get_local_size(0) == 1025)
    out[0] = 1;
}

// Iterative barrier (Lemeire et al., section 6.2): a computation that depends on the one before, then a barrier.
__kernel void barriers(__global float* out, float a, float b, int rounds) {
  float x = a;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      x = fma(x, a, b);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[get_global_id(0)] = x;
}

// `paths` parts of a warp go different ways, each with eight additions.
__kernel void divergence(__global float* out, float a, int paths, int rounds) {
  const int path = get_local_id(0) % paths;
  float x = a;
  for (int round = 0; round < rounds; ++round)
    for (int p = 0; p < paths; ++p)
      if (p == path) {
        x = x + a;
        x = x * a;
        x = x + a;
        x = x * a;
        x = x + a;
        x = x * a;
        x = x + a;
        x = x * a;
      }
  out[get_global_id(0)] = x;
}

// Instruction mix (Lemeire et al., section 4.2): BETA multiply-adds for one special function, all in one chain.
#ifndef BETA
#define BETA 4
#endif
__kernel void mix(__global float* out, float a, float b, int rounds) {
  float x = a;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int i = 0; i < BETA; ++i)
        x = fma(x, a, b);
      x = native_sin(x);
    }
  }
  out[get_global_id(0)] = x;
}

__kernel void atomics(__global uint* counts, uint mask, int rounds) {
  const uint at = get_global_id(0) & mask;
  for (int round = 0; round < rounds; ++round)
    atomic_add(&counts[at], 1);
}
