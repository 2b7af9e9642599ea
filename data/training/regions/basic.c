/* Basic_* and Algorithm_* of RAJAPerf: small loops over 8 M doubles or integers. */
#include "arrays.h"

#ifndef N
#define N 8388608L
#endif
#ifndef SIDE
#define SIDE 203L /* of the cube of NESTED_INIT: 203^3 = 8,365,427 */
#endif

static void daxpy(double* y, const double* x, double a) {
#pragma forewarp parallel name(Basic_DAXPY)
  for (long i = 0; i < N; ++i)
    y[i] += a * x[i];
}

static void muladdsub(double* sum, double* difference, double* product, const double* a, const double* b) {
#pragma forewarp parallel name(Basic_MULADDSUB)
  for (long i = 0; i < N; ++i) {
    product[i] = a[i] * b[i];
    sum[i] = a[i] + b[i];
    difference[i] = a[i] - b[i];
  }
}

static void init3(double* out1, double* out2, double* out3, const double* in1, const double* in2) {
#pragma forewarp parallel name(Basic_INIT3)
  for (long i = 0; i < N; ++i)
    out1[i] = out2[i] = out3[i] = -in1[i] - in2[i];
}

static void init_view(double* a, double v) {
#pragma forewarp parallel name(Basic_INIT_VIEW1D)
  for (long i = 0; i < N; ++i)
    a[i] = (double)(i + 1) * v;
}

static void nested_init(double* array) {
#pragma forewarp parallel name(Basic_NESTED_INIT)
  for (long k = 0; k < SIDE; ++k)
    for (long j = 0; j < SIDE; ++j)
      for (long i = 0; i < SIDE; ++i)
        array[i + SIDE * (j + SIDE * k)] = 0.00000001 * (double)i * (double)j * (double)k;
}

static double pi_sum(double width) {
  double pi = 0;
#pragma forewarp parallel name(Basic_PI_ATOMIC)
  for (long i = 0; i < N; ++i) {
    double x = ((double)i + 0.5) * width;
    pi += width / (1.0 + x * x);
  }
  return 4 * pi;
}

static double trapezoids(double from, double step, double xp, double yp) {
  double sum = 0;
#pragma forewarp parallel name(Basic_TRAP_INT)
  for (long i = 0; i < N; ++i) {
    double x = from + (double)i * step;
    double distance = (x - xp) * (x - xp) + (yp - 2.0) * (yp - 2.0);
    sum += 1.0 / __builtin_sqrt(distance);
  }
  return sum * step;
}

static long reduce3(const int* v, int* least, int* most) {
  int sum = 0, low = v[0], high = v[0];
#pragma forewarp parallel name(Basic_REDUCE3_INT)
  for (long i = 0; i < N; ++i) {
    sum += v[i];
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
  }
  *least = low;
  *most = high;
  return sum;
}

static double reduce_struct(const double* x, const double* y) {
  double sum_x = 0, sum_y = 0, low_x = x[0], high_x = x[0], low_y = y[0], high_y = y[0];
#pragma forewarp parallel name(Basic_REDUCE_STRUCT)
  for (long i = 0; i < N; ++i) {
    sum_x += x[i];
    low_x = x[i] < low_x ? x[i] : low_x;
    high_x = x[i] > high_x ? x[i] : high_x;
    sum_y += y[i];
    low_y = y[i] < low_y ? y[i] : low_y;
    high_y = y[i] > high_y ? y[i] : high_y;
  }
  return sum_x + low_x + high_x + sum_y + low_y + high_y;
}

static long index_list(const double* x, int* list) {
  long count = 0;
#pragma forewarp parallel name(Basic_INDEXLIST)
  for (long i = 0; i < N; ++i)
    if (x[i] < 0.5) {
      list[count] = (int)i;
      ++count;
    }
  return count;
}

static long index_list_3(const double* x, int* counts, int* list, int once) {
  long length = 0;
#ifndef NESTS
#pragma forewarp parallel name(Basic_INDEXLIST_3LOOP)
#endif
  for (int rep = 0; rep < once; ++rep) {
#ifdef NESTS
#pragma forewarp parallel name(Basic_INDEXLIST_3LOOP_1)
#endif
    for (long i = 0; i < N; ++i)
      counts[i] = x[i] < 0.5 ? 1 : 0;
    int count = 0;
#ifdef NESTS
#pragma forewarp parallel name(Basic_INDEXLIST_3LOOP_2)
#endif
    for (long i = 0; i < N + 1; ++i) {
      int own = counts[i];
      counts[i] = count;
      count += own;
    }
#ifdef NESTS
#pragma forewarp parallel name(Basic_INDEXLIST_3LOOP_3)
#endif
    for (long i = 0; i < N; ++i)
      if (counts[i] != counts[i + 1])
        list[counts[i]] = (int)i;
    length = counts[N];
  }
  return length;
}

static void copy8(double* const* y, double* const* x) {
  double *y0 = y[0], *y1 = y[1], *y2 = y[2], *y3 = y[3], *y4 = y[4], *y5 = y[5], *y6 = y[6], *y7 = y[7];
  double *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3], *x4 = x[4], *x5 = x[5], *x6 = x[6], *x7 = x[7];
#pragma forewarp parallel name(Basic_COPY8)
  for (long i = 0; i < N; ++i) {
    y0[i] = x0[i];
    y1[i] = x1[i];
    y2[i] = x2[i];
    y3[i] = x3[i];
    y4[i] = x4[i];
    y5[i] = x5[i];
    y6[i] = x6[i];
    y7[i] = x7[i];
  }
}

static void copy_bytes(double* y, const double* x) {
#pragma forewarp parallel name(Algorithm_MEMCPY)
  for (long i = 0; i < N; ++i)
    y[i] = x[i];
}

static void set_bytes(double* x, double value) {
#pragma forewarp parallel name(Algorithm_MEMSET)
  for (long i = 0; i < N; ++i)
    x[i] = value;
}

static double reduce_sum(const double* x) {
  double sum = 0;
#pragma forewarp parallel name(Algorithm_REDUCE_SUM)
  for (long i = 0; i < N; ++i)
    sum += x[i];
  return sum;
}

int main(int argc, char** argv) {
  (void)argv;
  double *x[8], *y[8];
  for (int i = 0; i < 8; ++i) {
    x[i] = doubles(N);
    y[i] = doubles(N);
  }
  int *v = ints(N + 1), *list = ints(N + 1), low = 0, high = 0;
  daxpy(x[0], x[1], 1.5);
  muladdsub(y[0], y[1], y[2], x[0], x[1]);
  init3(y[3], y[4], y[5], x[2], x[3]);
  init_view(y[6], 0.00000123);
  nested_init(y[7]);
  double sum = pi_sum(1.0 / N) + trapezoids(0.0, 1.0 / N, 0.5, 1.0) + reduce_struct(x[0], x[1]);
  sum += (double)reduce3(v, &low, &high) + (double)index_list(x[4], list);
  sum += (double)index_list_3(x[4], v, list, argc);
  copy8(y, x);
  copy_bytes(y[0], x[0]);
  set_bytes(x[0], 0.25);
  sum += reduce_sum(x[1]);
  printf("%f %d %d\n", sum, low, high);
  return 0;
}
