// Finite differences in time and two dimensions: three kernels a step.
// Forewarp's own program; the kernel's name and meaning are PolyBench's.
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 64
#endif

typedef float row[N];

static row *matrix(int seed) {
  row *m = malloc(N * sizeof *m);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      m[i][j] = (float)((i * j + seed) % 13) / 13;
  return m;
}

#ifndef STEPS
#define STEPS 2
#endif

static void electric_y(row *ey, row *hz, float source) {
#pragma forewarp parallel name(fdtd2d_ey) block(32, 32)
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      if (i == 0)
        ey[i][j] = source;
      else
        ey[i][j] -= 0.5f * (hz[i][j] - hz[i - 1][j]);
}

static void electric_x(row *ex, row *hz) {
#pragma forewarp parallel name(fdtd2d_ex) block(32, 32)
  for (int i = 0; i < N; ++i)
    for (int j = 1; j < N; ++j)
      ex[i][j] -= 0.5f * (hz[i][j] - hz[i][j - 1]);
}

static void magnetic(row *ex, row *ey, row *hz) {
#pragma forewarp parallel name(fdtd2d_hz) block(32, 32)
  for (int i = 0; i < N - 1; ++i)
    for (int j = 0; j < N - 1; ++j)
      hz[i][j] -= 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
}

int main(void) {
  row *ex = matrix(1), *ey = matrix(2), *hz = matrix(3);
  for (int t = 0; t < STEPS; ++t) {
    electric_y(ey, hz, (float)t);
    electric_x(ex, hz);
    magnetic(ex, ey, hz);
  }
  printf("%f\n", hz[N / 2][N / 3]);
  return 0;
}
