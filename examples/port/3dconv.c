// Convolution of a volume, one launch for each plane.
// Forewarp's own program; the kernel's name and meaning are PolyBench's.
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 64
#endif

typedef float plane[N][N];

static plane *volume(int seed) {
  plane *v = malloc(N * sizeof *v);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k)
        v[i][j][k] = (float)((i * j + 3 * k + seed) % 13) / 13;
  return v;
}

static void convolve(plane *a, plane *b, int i) {
#pragma forewarp parallel name(3dconv) block(32, 32)
  for (int j = 1; j < N - 1; ++j)
    for (int k = 1; k < N - 1; ++k)
      b[i][j][k] = 0.2f * a[i - 1][j - 1][k - 1] + 0.4f * a[i + 1][j - 1][k - 1] +
                   0.5f * a[i - 1][j - 1][k - 1] + 0.7f * a[i + 1][j - 1][k - 1] -
                   0.8f * a[i - 1][j - 1][k - 1] + 0.1f * a[i + 1][j - 1][k - 1] -
                   0.3f * a[i][j - 1][k] + 0.6f * a[i][j][k] - 0.9f * a[i][j + 1][k] +
                   0.2f * a[i - 1][j - 1][k + 1] + 0.4f * a[i + 1][j - 1][k + 1] +
                   0.5f * a[i - 1][j][k + 1] + 0.7f * a[i + 1][j][k + 1] -
                   0.8f * a[i - 1][j + 1][k + 1] + 0.1f * a[i + 1][j + 1][k + 1];
}

int main(void) {
  plane *a = volume(1), *b = volume(2);
  for (int i = 1; i < N - 1; ++i)
    convolve(a, b, i);
  printf("%f\n", b[N / 2][N / 3][N / 4]);
  return 0;
}
