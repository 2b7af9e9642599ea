// y = alpha A x + beta B x.
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

static void gesummv(row *a, row *b, float *x, float *y) {
#pragma forewarp parallel name(gesummv) block(256)
  for (int i = 0; i < N; ++i) {
    float left = 0, right = 0;
    for (int j = 0; j < N; ++j) {
      left += a[i][j] * x[j];
      right += b[i][j] * x[j];
    }
    y[i] = 1.5f * left + 1.2f * right;
  }
}

int main(void) {
  row *a = matrix(1), *b = matrix(2);
  float *x = vector(1), *y = vector(2);
  gesummv(a, b, x, y);
  printf("%f\n", y[N / 2]);
  return 0;
}
