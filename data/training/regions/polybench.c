/* Polybench_* of RAJAPerf. One row or one time step in SHARE stands for all of the products and of the
 * stencils. */
#include "arrays.h"

#ifndef SIDE
#define SIDE 2897L /* 2897^2 = 8,392,609 */
#endif
#ifndef ROWS
#define ROWS 16L /* of the products' result, of SIDE */
#endif
#ifndef STEPS
#define STEPS 1L /* of the stencils' time steps, of 40 and 20 */
#endif
#define INNER 1200L /* of the product: SIDE x INNER by INNER x SIDE */
#define CUBE 202L   /* of the heat equation: 8,242,408 = 202^3 */

static void gemm(double* c, const double* a, const double* b, double alpha, double beta) {
#pragma forewarp parallel name(Polybench_GEMM)
  for (long i = 0; i < ROWS; ++i)
    for (long j = 0; j < SIDE; ++j) {
      double sum = 0;
      c[j + i * SIDE] *= beta;
      for (long k = 0; k < INNER; ++k)
        sum += alpha * a[k + i * INNER] * b[j + k * SIDE];
      c[j + i * SIDE] += sum;
    }
}

static void atax(const double* a, const double* x, double* y, double* tmp, int once) {
#ifndef NESTS
#pragma forewarp parallel name(Polybench_ATAX)
#endif
  for (int rep = 0; rep < once; ++rep) {
#ifdef NESTS
#pragma forewarp parallel name(Polybench_ATAX_1)
#endif
    for (long i = 0; i < SIDE; ++i) {
      y[i] = 0;
      double sum = 0;
      for (long j = 0; j < SIDE; ++j)
        sum += a[j + i * SIDE] * x[j];
      tmp[i] = sum;
    }
#ifdef NESTS
#pragma forewarp parallel name(Polybench_ATAX_2)
#endif
    for (long j = 0; j < SIDE; ++j) {
      double sum = y[j];
      for (long i = 0; i < SIDE; ++i)
        sum += a[j + i * SIDE] * tmp[i];
      y[j] = sum;
    }
  }
}

static void mvt(const double* a, double* x1, double* x2, const double* y1, const double* y2, int once) {
#ifndef NESTS
#pragma forewarp parallel name(Polybench_MVT)
#endif
  for (int rep = 0; rep < once; ++rep) {
#ifdef NESTS
#pragma forewarp parallel name(Polybench_MVT_1)
#endif
    for (long i = 0; i < SIDE; ++i) {
      double sum = 0;
      for (long j = 0; j < SIDE; ++j)
        sum += a[j + i * SIDE] * y1[j];
      x1[i] += sum;
    }
#ifdef NESTS
#pragma forewarp parallel name(Polybench_MVT_2)
#endif
    for (long i = 0; i < SIDE; ++i) {
      double sum = 0;
      for (long j = 0; j < SIDE; ++j)
        sum += a[i + j * SIDE] * y2[j];
      x2[i] += sum;
    }
  }
}

static void gesummv(const double* a, const double* b, const double* x, double* y, double alpha, double beta) {
#pragma forewarp parallel name(Polybench_GESUMMV)
  for (long i = 0; i < SIDE; ++i) {
    double left = 0, right = 0;
    for (long j = 0; j < SIDE; ++j) {
      left += a[j + i * SIDE] * x[j];
      right += b[j + i * SIDE] * x[j];
    }
    y[i] = alpha * left + beta * right;
  }
}

static void gemver(double* a, double* const* u, double* w, double* x, const double* y, const double* z,
                   double alpha, double beta, int once) {
  const double *u1 = u[0], *v1 = u[1], *u2 = u[2], *v2 = u[3];
#ifndef NESTS
#pragma forewarp parallel name(Polybench_GEMVER)
#endif
  for (int rep = 0; rep < once; ++rep) {
#ifdef NESTS
#pragma forewarp parallel name(Polybench_GEMVER_1)
#endif
    for (long i = 0; i < SIDE; ++i)
      for (long j = 0; j < SIDE; ++j)
        a[j + i * SIDE] += u1[i] * v1[j] + u2[i] * v2[j];
#ifdef NESTS
#pragma forewarp parallel name(Polybench_GEMVER_2)
#endif
    for (long i = 0; i < SIDE; ++i) {
      double sum = 0;
      for (long j = 0; j < SIDE; ++j)
        sum += beta * a[i + j * SIDE] * y[j];
      x[i] += sum;
    }
#ifdef NESTS
#pragma forewarp parallel name(Polybench_GEMVER_3)
#endif
    for (long i = 0; i < SIDE; ++i)
      x[i] += z[i];
#ifdef NESTS
#pragma forewarp parallel name(Polybench_GEMVER_4)
#endif
    for (long i = 0; i < SIDE; ++i) {
      double sum = w[i];
      for (long j = 0; j < SIDE; ++j)
        sum += alpha * a[j + i * SIDE] * x[j];
      w[i] = sum;
    }
  }
}

static void jacobi_2d(double* a, double* b, long steps) {
#ifndef NESTS
#pragma forewarp parallel name(Polybench_JACOBI_2D)
#endif
  for (long t = 0; t < steps; ++t) {
#ifdef NESTS
#pragma forewarp parallel name(Polybench_JACOBI_2D_1)
#endif
    for (long i = 1; i < SIDE - 2; ++i)
      for (long j = 1; j < SIDE - 2; ++j)
        b[j + i * SIDE] = 0.2 * (a[j + i * SIDE] + a[j - 1 + i * SIDE] + a[j + 1 + i * SIDE] +
                                 a[j + (i + 1) * SIDE] + a[j + (i - 1) * SIDE]);
#ifdef NESTS
#pragma forewarp parallel name(Polybench_JACOBI_2D_2)
#endif
    for (long i = 1; i < SIDE - 2; ++i)
      for (long j = 1; j < SIDE - 2; ++j)
        a[j + i * SIDE] = 0.2 * (b[j + i * SIDE] + b[j - 1 + i * SIDE] + b[j + 1 + i * SIDE] +
                                 b[j + (i + 1) * SIDE] + b[j + (i - 1) * SIDE]);
  }
}

static void fdtd_2d(double* ex, double* ey, double* hz, const double* source, long steps) {
#ifndef NESTS
#pragma forewarp parallel name(Polybench_FDTD_2D)
#endif
  for (long t = 0; t < steps; ++t) {
#ifdef NESTS
#pragma forewarp parallel name(Polybench_FDTD_2D_1)
#endif
    for (long j = 0; j < SIDE; ++j)
      ey[j] = source[t];
#ifdef NESTS
#pragma forewarp parallel name(Polybench_FDTD_2D_2)
#endif
    for (long i = 1; i < SIDE; ++i)
      for (long j = 0; j < SIDE; ++j)
        ey[j + i * SIDE] -= 0.5 * (hz[j + i * SIDE] - hz[j + (i - 1) * SIDE]);
#ifdef NESTS
#pragma forewarp parallel name(Polybench_FDTD_2D_3)
#endif
    for (long i = 0; i < SIDE; ++i)
      for (long j = 1; j < SIDE; ++j)
        ex[j + i * SIDE] -= 0.5 * (hz[j + i * SIDE] - hz[j - 1 + i * SIDE]);
#ifdef NESTS
#pragma forewarp parallel name(Polybench_FDTD_2D_4)
#endif
    for (long i = 0; i < SIDE - 1; ++i)
      for (long j = 0; j < SIDE - 1; ++j)
        hz[j + i * SIDE] -=
            0.7 * (ex[j + 1 + i * SIDE] - ex[j + i * SIDE] + ey[j + (i + 1) * SIDE] - ey[j + i * SIDE]);
  }
}

static void heat_step(const double* a, double* b) {
  const long plane = CUBE * CUBE;
#ifdef NESTS
#pragma forewarp parallel name(Polybench_HEAT_3D_1)
#endif
  for (long i = 1; i < CUBE - 1; ++i)
    for (long j = 1; j < CUBE - 1; ++j)
      for (long k = 1; k < CUBE - 1; ++k) {
        long at = k + CUBE * j + plane * i;
        b[at] = 0.125 * (a[at + plane] - 2.0 * a[at] + a[at - plane]) +
                0.125 * (a[at + CUBE] - 2.0 * a[at] + a[at - CUBE]) +
                0.125 * (a[at + 1] - 2.0 * a[at] + a[at - 1]) + a[at];
      }
}

static void heat_3d(double* a, double* b, long steps) {
#ifndef NESTS
#pragma forewarp parallel name(Polybench_HEAT_3D)
#endif
  for (long t = 0; t < steps; ++t) {
    heat_step(a, b);
    heat_step(b, a);
  }
}

int main(int argc, char** argv) {
  (void)argv;
  double *a = doubles(SIDE * SIDE), *b = doubles(SIDE * SIDE), *c = doubles(SIDE * SIDE), *row[12];
  for (int i = 0; i < 12; ++i)
    row[i] = doubles(SIDE);
  gemm(c, a, b, 1.5, 1.2);
  atax(a, row[0], row[1], row[2], argc);
  mvt(a, row[3], row[4], row[5], row[6], argc);
  gesummv(a, b, row[0], row[7], 1.5, 1.2);
  gemver(a, row, row[4], row[5], row[6], row[7], 1.5, 1.2, argc);
  jacobi_2d(a, b, argc * STEPS);
  fdtd_2d(a, b, c, row[8], argc * STEPS);
  heat_3d(a, b, argc * STEPS);
  printf("%f\n", a[SIDE] + b[SIDE] + c[SIDE] + row[1][3] + row[3][3] + row[4][5]);
  return 0;
}
