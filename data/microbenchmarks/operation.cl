// A chain of one operation: STEP makes the next x (and y) of the one before. One chain a work-item gives the latency,
// several chains of many warps the throughput. The steps are of a kind that neither LLVM nor the driver's assembler
// can merge; tests/unit/bundle counts what is left of them.
#ifdef NEEDS_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef NEEDS_FP16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#ifndef TOTAL
#define TOTAL 1024 // steps of a round; much less where a step is a whole function
#endif

__kernel void operation(__global TYPE* out, __global const TYPE* in, int rounds) {
  TYPE x[CHAINS], y[CHAINS];
  const TYPE a = in[0], b = in[1];
  for (int c = 0; c < CHAINS; ++c) {
    x[c] = in[2 + c];
    y[c] = in[3 + c];
  }
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < TOTAL / CHAINS; ++k) {
#pragma unroll
      for (int c = 0; c < CHAINS; ++c) {
        STEP(x[c], y[c]);
      }
    }
  }
  TYPE result = x[0] + y[0];
  for (int c = 1; c < CHAINS; ++c)
    result += x[c] + y[c];
  out[get_global_id(0)] = result;
}
