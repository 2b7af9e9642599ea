// Deriche's recursive filter, one pass down the columns: each column is a thread.
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

static void deriche(row *x, row *y) {
#pragma forewarp parallel name(deriche) block(256)
  for (int j = 0; j < N; ++j) {
    float before = 0, last = 0, previous = 0;
    for (int i = 0; i < N; ++i) {
      float value = 0.2f * x[i][j] + 0.1f * previous + 0.6f * last - 0.1f * before;
      y[i][j] = value;
      previous = x[i][j];
      before = last;
      last = value;
    }
  }
}

int main(void) {
  row *x = matrix(1), *y = matrix(2);
  deriche(x, y);
  printf("%f\n", y[N / 2][N / 3]);
  return 0;
}
