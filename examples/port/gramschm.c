// Gram-Schmidt: Q R = A, one column after the other.
// Forewarp's own program; the kernel's name and meaning are PolyBench's.
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 512
#endif

typedef float row[N];

static row *matrix(int seed) {
  row *m = malloc(N * sizeof *m);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      m[i][j] = (float)((i * j + seed) % 13) / 13;
  return m;
}

#include <math.h>

static void normalise(row *a, row *q, int k, float norm) {
#pragma forewarp parallel name(gramschm_q) block(256)
  for (int i = 0; i < N; ++i)
    q[i][k] = a[i][k] / norm;
}

static void project(row *a, row *q, row *r, int k) {
#pragma forewarp parallel name(gramschm) block(256)
  for (int j = k + 1; j < N; ++j) {
    float sum = 0;
    for (int i = 0; i < N; ++i)
      sum += q[i][k] * a[i][j];
    r[k][j] = sum;
    for (int i = 0; i < N; ++i)
      a[i][j] -= q[i][k] * sum;
  }
}

#ifndef COLUMNS
#define COLUMNS 4
#endif

int main(void) {
  row *a = matrix(1), *q = matrix(2), *r = matrix(3);
  for (int k = 0; k < COLUMNS; ++k) {
    float sum = 0;
    for (int i = 0; i < N; ++i)
      sum += a[i][k] * a[i][k];
    r[k][k] = sqrtf(sum) + 0.001f;
    normalise(a, q, k, r[k][k]);
    project(a, q, r, k);
  }
  printf("%f\n", q[N / 2][0]);
  return 0;
}
