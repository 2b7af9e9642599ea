/* Stream_* of RAJAPerf: the four of the STREAM benchmark, 8 M doubles. */
#include "arrays.h"

#ifndef N
#define N 8388608L
#endif

static void copy(const double* a, double* c) {
#pragma forewarp parallel name(Stream_COPY)
  for (long i = 0; i < N; ++i)
    c[i] = a[i];
}

static void mul(double* b, const double* c, double alpha) {
#pragma forewarp parallel name(Stream_MUL)
  for (long i = 0; i < N; ++i)
    b[i] = alpha * c[i];
}

static void add(const double* a, const double* b, double* c) {
#pragma forewarp parallel name(Stream_ADD)
  for (long i = 0; i < N; ++i)
    c[i] = a[i] + b[i];
}

static void triad(double* a, const double* b, const double* c, double alpha) {
#pragma forewarp parallel name(Stream_TRIAD)
  for (long i = 0; i < N; ++i)
    a[i] = b[i] + alpha * c[i];
}

int main(void) {
  double *a = doubles(N), *b = doubles(N), *c = doubles(N);
  copy(a, c);
  mul(b, c, 1.5);
  add(a, b, c);
  triad(a, b, c, 1.5);
  printf("%f\n", a[N / 3]);
  return 0;
}
