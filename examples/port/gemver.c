// First step of GEMVER: A += u1 v1^T + u2 v2^T.
// Forewarp's own program; the kernel's name and meaning are PolyBench's.
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 512
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

static void gemver(row *a, float *u1, float *v1, float *u2, float *v2) {
#pragma forewarp parallel name(gemver) block(32, 32)
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      a[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
}

int main(void) {
  row *a = matrix(1);
  float *u1 = vector(1), *v1 = vector(2), *u2 = vector(3), *v2 = vector(4);
  gemver(a, u1, v1, u2, v2);
  printf("%f\n", a[N / 2][N / 3]);
  return 0;
}
