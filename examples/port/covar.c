// Covariance of the columns of a matrix.
// Forewarp's own program; the kernel's name and meaning are PolyBench's.
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 128
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

static void mean(row *data, float *average) {
#pragma forewarp parallel name(covar_mean) block(256)
  for (int j = 0; j < N; ++j) {
    float sum = 0;
    for (int i = 0; i < N; ++i)
      sum += data[i][j];
    average[j] = sum / N;
  }
}

static void centre(row *data, float *average) {
#pragma forewarp parallel name(covar_centre) block(32, 32)
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      data[i][j] -= average[j];
}

// IN_MEMORY: the sum is read and written in every iteration, as in the paper's trace. noinline: as for a kernel, the
// compiler does not know that the arrays are different ones.
#ifdef IN_MEMORY
#define SUM volatile
#else
#define SUM
#endif
__attribute__((noinline)) static void covariance(row *data, SUM row *symmetric) {
#pragma forewarp parallel name(covar) block(256)
  for (int j1 = 0; j1 < N; ++j1)
    for (int j2 = j1; j2 < N; ++j2) {
      symmetric[j1][j2] = 0;
      for (int i = 0; i < N; ++i)
        symmetric[j1][j2] += data[i][j1] * data[i][j2];
      symmetric[j2][j1] = symmetric[j1][j2];
    }
}

int main(void) {
  row *data = matrix(1), *symmetric = matrix(2);
  float *average = vector(1);
  mean(data, average);
  centre(data, average);
  covariance(data, symmetric);
  printf("%f\n", symmetric[N / 2][N / 3]);
  return 0;
}
