#ifndef BITS
#define BITS 32
#endif
#if BITS == 64
typedef double real;
#else
typedef float real;
#endif

void gemm(const real* a, const real* b, real* c, real alpha, real beta, int n) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      real sum = beta * c[row * n + column];
      for (int k = 0; k < n; ++k)
        sum += alpha * a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
}

void reference_gemm(void** v) {
  gemm(v[0], v[1], v[2], *(real*)v[3], *(real*)v[4], *(int*)v[5]);
}
