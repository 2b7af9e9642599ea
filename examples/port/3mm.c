// E = A B, F = C D, G = E F: three launches of one product.
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

static void product(row *a, row *b, row *c) {
#ifdef TILED
#pragma forewarp parallel name(3mm) block(32, 32) shared(a, b) tile(32)
#else
#pragma forewarp parallel name(3mm) block(32, 32)
#endif
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < N; ++k)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

int main(void) {
  row *a = matrix(1), *b = matrix(2), *c = matrix(3), *d = matrix(4);
  row *e = matrix(5), *f = matrix(6), *g = matrix(7);
  product(a, b, e);
  product(c, d, f);
  product(e, f, g);
  printf("%f\n", g[N / 2][N / 3]);
  return 0;
}
