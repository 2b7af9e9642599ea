// C = alpha A A^T + beta C, all of C.
// Forewarp's own program; the kernel's name and meaning are PolyBench's.
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 128
#endif

typedef float row[N];

static row *matrix(int seed) {
  row *m = malloc(N * sizeof *m);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      m[i][j] = (float)((i * j + seed) % 13) / 13;
  return m;
}

static void syrk(row *a, row *c) {
#ifdef TILED
#pragma forewarp parallel name(syrk) block(32, 32) shared(a) tile(32)
#else
#pragma forewarp parallel name(syrk) block(32, 32)
#endif
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < N; ++k)
        sum += a[i][k] * a[j][k];
      c[i][j] = 1.5f * sum + 1.2f * c[i][j];
    }
}

int main(void) {
  row *a = matrix(1), *c = matrix(2);
  syrk(a, c);
  printf("%f\n", c[N / 2][N / 3]);
  return 0;
}
