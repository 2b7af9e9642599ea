// y = A^T (A x): rows, then columns.
// Forewarp's own program; the kernel's name and meaning are PolyBench's.
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1024
#endif

typedef float row[N];

static float *vector(int seed) {
  float *v = malloc(N * sizeof *v);
  for (int i = 0; i < N; ++i)
    v[i] = (float)((i * 3 + seed) % 11) / 11;
  return v;
}

static row *matrix(int seed) {
  row *m = malloc(N * sizeof *m);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      m[i][j] = (float)((i * j + seed) % 13) / 13;
  return m;
}

static void rows(row *a, float *x, float *y) {
#pragma forewarp parallel name(atax_rows) block(256)
  for (int i = 0; i < N; ++i) {
    float sum = 0;
    for (int j = 0; j < N; ++j)
      sum += a[i][j] * x[j];
    y[i] = sum;
  }
}

static void columns(row *a, float *x, float *y) {
#pragma forewarp parallel name(atax_columns) block(256)
  for (int j = 0; j < N; ++j) {
    float sum = 0;
    for (int i = 0; i < N; ++i)
      sum += a[i][j] * x[i];
    y[j] = sum;
  }
}

int main(void) {
  row *a = matrix(1);
  float *x = vector(1), *t = vector(2), *y = vector(3);
  rows(a, x, t);
  columns(a, t, y);
  printf("%f\n", y[N / 2]);
  return 0;
}
