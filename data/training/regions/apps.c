/* Apps_* of RAJAPerf: parts of physics codes, 8 M elements or zones. */
#include "arrays.h"

#ifndef N
#define N 8388608L
#endif
#define SIDE 203L   /* zones along an edge of the cubes, 203^3 = 8,365,427 */
#define PLANE 2896L /* zones along an edge of the square, 2896^2 = 8,386,816 */
#define MOMENTS 25L
#define DIRECTIONS 64L
#define GROUPS 32L
#define ZONES (N / (DIRECTIONS * GROUPS))

static void fir(double* out, const double* in, const double* coefficient) {
#pragma forewarp parallel name(Apps_FIR)
  for (long i = 0; i < N - 16; ++i) {
    double sum = 0;
    for (long j = 0; j < 16; ++j)
      sum += coefficient[j] * in[i + j];
    out[i] = sum;
  }
}

static void pressure(double* p, double* bvc, const double* compression, const double* e_old,
                     const double* vnewc, int once) {
  const double third2 = 2.0 / 3.0, least = 1e-9, cut = 1e-7, most = 0.9;
#ifndef NESTS
#pragma forewarp parallel name(Apps_PRESSURE)
#endif
  for (int rep = 0; rep < once; ++rep) {
#ifdef NESTS
#pragma forewarp parallel name(Apps_PRESSURE_1)
#endif
    for (long i = 0; i < N; ++i)
      bvc[i] = third2 * (compression[i] + 1.0);
#ifdef NESTS
#pragma forewarp parallel name(Apps_PRESSURE_2)
#endif
    for (long i = 0; i < N; ++i) {
      p[i] = bvc[i] * e_old[i];
      if (__builtin_fabs(p[i]) < cut)
        p[i] = 0.0;
      if (vnewc[i] >= most)
        p[i] = 0.0;
      if (p[i] < least)
        p[i] = least;
    }
  }
}

static void ltimes(double* phi, const double* ell, const double* psi) {
#pragma forewarp parallel name(Apps_LTIMES)
  for (long z = 0; z < ZONES; ++z)
    for (long g = 0; g < GROUPS; ++g)
      for (long m = 0; m < MOMENTS; ++m)
        for (long d = 0; d < DIRECTIONS; ++d)
          phi[m + g * MOMENTS + z * MOMENTS * GROUPS] +=
              ell[d + m * DIRECTIONS] * psi[d + g * DIRECTIONS + z * DIRECTIONS * GROUPS];
}

static void zonal(double* zone, const double* node, const int* zones, long count) {
  const long row = SIDE + 1, plane = row * row;
#pragma forewarp parallel name(Apps_ZONAL_ACCUMULATION_3D)
  for (long ii = 0; ii < count; ++ii) {
    long i = zones[ii];
    zone[i] = 0.125 * (node[i] + node[i + 1] + node[i + row] + node[i + row + 1] + node[i + plane] +
                       node[i + plane + 1] + node[i + plane + row] + node[i + plane + row + 1]);
  }
}

static void nodal(double* node, const double* volume, const int* zones, long count) {
  const long row = SIDE + 1, plane = row * row;
#pragma forewarp parallel name(Apps_NODAL_ACCUMULATION_3D)
  for (long ii = 0; ii < count; ++ii) {
    long i = zones[ii];
    double value = 0.125 * volume[i];
    node[i] += value;
    node[i + 1] += value;
    node[i + row] += value;
    node[i + row + 1] += value;
    node[i + plane] += value;
    node[i + plane + 1] += value;
    node[i + plane + row] += value;
    node[i + plane + row + 1] += value;
  }
}

static void divergence(double* div, const double* x, const double* y, const double* xd, const double* yd,
                       const int* zones, long count) {
  const long row = PLANE + 1;
#pragma forewarp parallel name(Apps_DEL_DOT_VEC_2D)
  for (long ii = 0; ii < count; ++ii) {
    long i = zones[ii];
    double x1 = x[i], x2 = x[i + 1], x3 = x[i + row + 1], x4 = x[i + row];
    double y1 = y[i], y2 = y[i + 1], y3 = y[i + row + 1], y4 = y[i + row];
    double u1 = xd[i], u2 = xd[i + 1], u3 = xd[i + row + 1], u4 = xd[i + row];
    double v1 = yd[i], v2 = yd[i + 1], v3 = yd[i + row + 1], v4 = yd[i + row];
    double xi = 0.5 * (x1 + x2 - x3 - x4), xj = 0.5 * (x2 + x3 - x4 - x1);
    double yi = 0.5 * (y1 + y2 - y3 - y4), yj = 0.5 * (y2 + y3 - y4 - y1);
    double ui = 0.5 * (u1 + u2 - u3 - u4), uj = 0.5 * (u2 + u3 - u4 - u1);
    double vi = 0.5 * (v1 + v2 - v3 - v4), vj = 0.5 * (v2 + v3 - v4 - v1);
    double area = 1.0 / (xi * yj - xj * yi + 1e-80);
    double dudx = area * (ui * yj - uj * yi), dvdy = area * (vj * xi - vi * xj);
    double height = y1 + y2 + y3 + y4, mean = v1 + v2 + v3 + v4;
    div[i] = dudx + dvdy + 0.1 * mean / (height + 1e-80);
  }
}

/* Numbers of the zones of a grid of `rows` rows of `columns` zones, each row one node longer. */
static int* zone_list(long rows, long columns, long planes) {
  int* list = malloc((size_t)(rows * columns * planes) * sizeof *list);
  long at = 0;
  for (long k = 0; k < planes; ++k)
    for (long j = 0; j < rows; ++j)
      for (long i = 0; i < columns; ++i)
        list[at++] = (int)(i + (columns + 1) * (j + (rows + 1) * k));
  return list;
}

int main(int argc, char** argv) {
  (void)argv;
  const long nodes = (SIDE + 1) * (SIDE + 1) * (SIDE + 1);
  double *a = doubles(nodes), *b = doubles(nodes), *c = doubles(nodes), *d = doubles(nodes),
         *e = doubles(nodes);
  double *phi = doubles(MOMENTS * GROUPS * ZONES), *ell = doubles(DIRECTIONS * MOMENTS);
  int *cube = zone_list(SIDE, SIDE, SIDE), *square = zone_list(PLANE, PLANE, 1);
  fir(a, b, ell);
  pressure(a, b, c, d, e, argc);
  ltimes(phi, ell, c);
  zonal(a, b, cube, SIDE * SIDE * SIDE);
  nodal(b, c, cube, SIDE * SIDE * SIDE);
  divergence(a, b, c, d, e, square, PLANE * PLANE);
  printf("%f\n", a[N / 2] + b[N / 3] + phi[7]);
  return 0;
}
