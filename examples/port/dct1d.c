// One-dimensional cosine transform of each row by a table of the basis: y = x basis^T.
// Forewarp's own program; CGPredict's Table 7 has a kernel of this name.
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

static void dct1d(row *x, row *basis, row *y) {
#pragma forewarp parallel name(dct1d) block(32, 32)
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < N; ++k)
        sum += x[i][k] * basis[j][k];
      y[i][j] = sum;
    }
}

int main(void) {
  row *x = matrix(1), *basis = matrix(2), *y = matrix(3);
  dct1d(x, basis, y);
  printf("%f\n", y[N / 2][N / 3]);
  return 0;
}
