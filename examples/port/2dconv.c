// Convolution with 3x3 weights.
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

static void convolve(row *a, row *b) {
#pragma forewarp parallel name(2dconv) block(32, 32)
  for (int i = 1; i < N - 1; ++i)
    for (int j = 1; j < N - 1; ++j)
      b[i][j] = 0.2f * a[i - 1][j - 1] - 0.3f * a[i][j - 1] + 0.4f * a[i + 1][j - 1] +
                0.5f * a[i - 1][j] + 0.6f * a[i][j] + 0.7f * a[i + 1][j] -
                0.8f * a[i - 1][j + 1] - 0.9f * a[i][j + 1] + 0.1f * a[i + 1][j + 1];
}

int main(void) {
  row *a = matrix(1), *b = matrix(2);
  convolve(a, b);
  printf("%f\n", b[N / 2][N / 3]);
  return 0;
}
