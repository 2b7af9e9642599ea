/* Lcals_* of RAJAPerf: loops after the Livermore kernels, 8 M iterations. */
#include "arrays.h"

#include <math.h>

#ifndef N
#define N 8388608L
#endif

static void first_diff(double* x, const double* y) {
#pragma forewarp parallel name(Lcals_FIRST_DIFF)
  for (long i = 0; i < N; ++i)
    x[i] = y[i + 1] - y[i];
}

static void first_sum(double* x, const double* y) {
#pragma forewarp parallel name(Lcals_FIRST_SUM)
  for (long i = 1; i < N; ++i)
    x[i] = y[i - 1] + y[i];
}

static long first_min(const double* x) {
  double least = x[0];
  long where = 0;
#pragma forewarp parallel name(Lcals_FIRST_MIN)
  for (long i = 0; i < N; ++i)
    if (x[i] < least) {
      least = x[i];
      where = i;
    }
  return where;
}

static void tridiagonal(double* out, const double* in, const double* y, const double* z) {
#pragma forewarp parallel name(Lcals_TRIDIAG_ELIM)
  for (long i = 1; i < N; ++i)
    out[i] = z[i] * (y[i] - in[i - 1]);
}

static void planckian(double* y, double* w, const double* u, const double* v, const double* x) {
#pragma forewarp parallel name(Lcals_PLANCKIAN)
  for (long i = 0; i < N; ++i) {
    y[i] = u[i] / v[i];
    w[i] = x[i] / (exp(y[i]) - 1.0);
  }
}

static void int_predict(double* px) {
#pragma forewarp parallel name(Lcals_INT_PREDICT)
  for (long i = 0; i < N; ++i)
    px[i] = 0.1 * px[i + N * 12] + 0.2 * px[i + N * 11] + 0.3 * px[i + N * 10] + 0.4 * px[i + N * 9] +
            0.5 * px[i + N * 8] + 0.6 * px[i + N * 7] + 0.7 * px[i + N * 6] +
            0.8 * (px[i + N * 4] + px[i + N * 5]) + px[i + N * 2];
}

static void diff_predict(double* px, const double* cx) {
#pragma forewarp parallel name(Lcals_DIFF_PREDICT)
  for (long i = 0; i < N; ++i) {
    double a = cx[i + N * 4], b = a - px[i + N * 4], c = b - px[i + N * 5];
    px[i + N * 4] = a;
    a = c - px[i + N * 6];
    px[i + N * 5] = b;
    b = a - px[i + N * 7];
    px[i + N * 6] = c;
    c = b - px[i + N * 8];
    px[i + N * 7] = a;
    a = c - px[i + N * 9];
    px[i + N * 8] = b;
    b = a - px[i + N * 10];
    px[i + N * 9] = c;
    c = b - px[i + N * 11];
    px[i + N * 10] = a;
    px[i + N * 13] = c - px[i + N * 12];
    px[i + N * 11] = b;
    px[i + N * 12] = c;
  }
}

static void linear_recurrence(double* b5, double* stb5, const double* sa, const double* sb, int once) {
#ifndef NESTS
#pragma forewarp parallel name(Lcals_GEN_LIN_RECUR)
#endif
  for (int rep = 0; rep < once; ++rep) {
#ifdef NESTS
#pragma forewarp parallel name(Lcals_GEN_LIN_RECUR_1)
#endif
    for (long k = 0; k < N; ++k) {
      b5[k] = sa[k] + stb5[k] * sb[k];
      stb5[k] = b5[k] - stb5[k];
    }
#ifdef NESTS
#pragma forewarp parallel name(Lcals_GEN_LIN_RECUR_2)
#endif
    for (long i = 1; i < N + 1; ++i) {
      long k = N - i;
      b5[k] = sa[k] + stb5[k] * sb[k];
      stb5[k] = b5[k] - stb5[k];
    }
  }
}

int main(int argc, char** argv) {
  (void)argv;
  double *px = doubles(14 * N), *cx = doubles(5 * N + 1);
  double *u = doubles(N + 1), *v = doubles(N + 1), *w = doubles(N + 1), *x = doubles(N + 1),
         *y = doubles(N + 1);
  for (long i = 0; i < N + 1; ++i)
    v[i] += 1.0;
  first_diff(x, u);
  first_sum(y, u);
  long where = first_min(u);
  tridiagonal(x, y, u, v);
  planckian(y, w, u, v, x);
  int_predict(px);
  diff_predict(px, cx);
  linear_recurrence(u, v, w, x, argc);
  printf("%f %ld\n", px[N / 2] + y[N / 3] + u[N / 4], where);
  return 0;
}
