// Launches, barriers, divergence, mixes of two pipelines, global atomics.
__kernel void empty(__global uint* out) {
  if (get_local_size(0) == 1025)
    out[0] = 1;
}

// Iterative barrier (Lemeire et al., section 6.2): a computation that depends on the one before, then a barrier.
__kernel void barriers(__global float* out, float a, float b, int rounds) {
  float x = a;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      x = fma(x, a, b);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  out[get_global_id(0)] = x;
}

// Nothing but barriers: their latency.
__kernel void barrier_chain(__global float* out, int rounds) {
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 32; ++k)
      barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = 1.0f;
}

// `paths` parts of a warp go different ways, each with eight additions.
__kernel void divergence(__global float* out, float a, int paths, int rounds) {
  const int path = get_local_id(0) % paths;
  float x = a;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll 1
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
#pragma unroll 1
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
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    atomic_add(&counts[at], 1);
}

// One warp's atomics on global memory, each on where the one before said: latency.
__kernel void atomic_chain(__global uint* counts, int rounds) {
  const uint lane = get_local_id(0);
  uint at = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 4; ++k)
      at = atomic_add(&counts[lane + 32 * (at & 1)], 2);
  }
  counts[64 + lane] = at;
}

// Independent chains on several pipelines: as many instructions a cycle as the schedulers issue.
#ifndef FMAS
#define FMAS 1
#define ADDS 1
#define SINES 0
#endif
__kernel void issue(__global float* out, float a, float b, uint c, int rounds) {
  enum { chains = 4 }; // of each pipeline and instruction, so that a warp alone hides latencies
  float x[FMAS][chains], z[SINES + 1][chains];
  uint u[ADDS + 1][chains], v[ADDS + 1][chains];
  for (int i = 0; i < chains; ++i) {
    const uint first = c + get_local_id(0) + i;
    for (int n = 0; n < FMAS; ++n)
      x[n][i] = a + first + n;
    for (int n = 0; n < ADDS; ++n) {
      u[n][i] = first + n;
      v[n][i] = first * 3 + n;
    }
    for (int n = 0; n < SINES; ++n)
      z[n][i] = b + first + n;
  }
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 64; ++k) {
#pragma unroll
      for (int i = 0; i < chains; ++i) {
#pragma unroll
        for (int n = 0; n < FMAS; ++n) {
          if (n < ADDS)
            u[n][i] += v[n][i];
          x[n][i] = fma(x[n][i], a, b);
          if (n < ADDS)
            v[n][(i + 2) % chains] += u[n][(i + 2) % chains];
          if (n < SINES)
            z[n][i] = native_sin(z[n][i]);
        }
      }
    }
  }
  float sum = 0.0f;
  for (int i = 0; i < chains; ++i) {
    for (int n = 0; n < FMAS; ++n)
      sum += x[n][i];
    for (int n = 0; n < ADDS; ++n)
      sum += (float)(u[n][i] + v[n][i]);
    for (int n = 0; n < SINES; ++n)
      sum += z[n][i];
  }
  out[get_global_id(0)] = sum;
}
