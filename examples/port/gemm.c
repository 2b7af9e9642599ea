// C = alpha A B + beta C. Forewarp's own program; the kernel's name and form follow PolyBench.
#include <stdio.h>

#ifndef N
#define N 128
#endif

static float a[N][N], b[N][N], c[N][N];

static void prepare(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      a[i][j] = (float)(i * j % 7) / 7;
      b[i][j] = (float)(i * j % 11) / 11;
      c[i][j] = (float)(i + j) / N;
    }
}

static void gemm(float alpha, float beta) {
#pragma forewarp parallel name(gemm) block(32, 32)
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < N; ++k)
        sum += a[i][k] * b[k][j];
      c[i][j] = alpha * sum + beta * c[i][j];
    }
}

int main(void) {
  prepare();
  gemm(1.5f, 1.2f);
  printf("%f\n", c[N / 2][N / 3]);
  return 0;
}
