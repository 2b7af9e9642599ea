// A chain of one operation: STEP makes the next x (and y) of the one before. One chain a work-item gives the latency,
// several chains of many warps the throughput. The steps are of a kind that neither LLVM nor the driver's assembler
// can merge; tests/unit/bundle counts what is left of them.
#ifdef NEEDS_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef NEEDS_FP16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#ifdef NEEDS_SUB_GROUPS // Clang declares them for no NVIDIA target
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
uint __attribute__((overloadable)) sub_group_shuffle_xor(uint, uint);
uint4 __attribute__((overloadable)) sub_group_ballot(int);
uint lanes_where(int flag) { const uint4 all = sub_group_ballot(flag); return all.x; }
#endif

// The larger half of a full product. Of one value: a factor from outside the loop would be taken as 64 bits wide.
#define WIDE(x) max((uint)(((ulong)(x) * (x)) >> 32), (uint)((ulong)(x) * (x)))

// The second half of a step that is two operations, behind the first of all chains: none waits for its own.
#ifndef THEN
#define THEN(x, y)
#endif

#ifndef TOTAL
#define TOTAL 1024 // steps of a round; much less where a step is a whole function
#endif

__kernel void operation(__global TYPE* out, __global const TYPE* in, int rounds) {
  TYPE x[CHAINS], y[CHAINS];
  const TYPE a = in[0], b = in[1];
  const int lane = get_local_id(0) & 31; // each lane its own values: nothing is uniform
  for (int c = 0; c < CHAINS; ++c) {
    x[c] = in[2 + c + lane];
    y[c] = in[3 + c + lane];
  }
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < TOTAL / CHAINS; ++k) {
#pragma unroll
      for (int c = 0; c < CHAINS; ++c) {
        STEP(x[c], y[c]);
      }
#pragma unroll
      for (int c = 0; c < CHAINS; ++c) {
        THEN(x[c], y[c]);
      }
    }
  }
  TYPE result = x[0] + y[0];
  for (int c = 1; c < CHAINS; ++c)
    result += x[c] + y[c];
  out[get_global_id(0)] = result;
}
