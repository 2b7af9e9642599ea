// C = alpha A B + beta C, n x n, one element a work-item.
#ifndef BITS
#define BITS 32
#endif
#if BITS == 64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

__kernel void gemm(__global const real* a, __global const real* b, __global real* c, real alpha, real beta, int n) {
  int column = get_global_id(0);
  int row = get_global_id(1);
  if (row >= n || column >= n)
    return;
  real sum = beta * c[row * n + column];
  for (int k = 0; k < n; ++k)
    sum += alpha * a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
