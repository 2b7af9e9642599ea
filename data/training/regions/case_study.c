/* The two loops of the case study of Ardalani's section 6.3: the decomposition of a graph's matrix, whose diagonal gives the
 * number of spanning trees, and its connected components, by the least number of a node that reaches another. */
#include "arrays.h"

#include <string.h>

#ifndef SIDE
#define SIDE 384L
#endif
#ifndef NODES
#define NODES 20000L
#endif
#define DEGREE 8L

static int changes;

/* A Laplacian matrix, made regular: diagonally dominant, symmetric. */
static double* matrix(void) {
  double* a = doubles(SIDE * SIDE);
  for (long i = 0; i < SIDE; ++i)
    for (long j = 0; j <= i; ++j)
      a[i * SIDE + j] = a[j * SIDE + i] = i == j ? 2.0 * SIDE : -a[i * SIDE + j];
  return a;
}

static void decompose(double* a) {
  for (long k = 0; k < SIDE; ++k) {
    for (long i = k + 1; i < SIDE; ++i)
      a[i * SIDE + k] /= a[k * SIDE + k];
#pragma forewarp parallel name(LUDecomposition)
    for (long i = k + 1; i < SIDE; ++i)
      for (long j = k + 1; j < SIDE; ++j)
        a[i * SIDE + j] -= a[i * SIDE + k] * a[k * SIDE + j];
  }
}

/* Every fourth neighbour is far: few rounds, and addresses that no cache holds. */
static int* neighbours(void) {
  int* list = malloc(NODES * DEGREE * sizeof *list);
  for (long i = 0; i < NODES; ++i)
    for (long d = 0; d < DEGREE; ++d)
      list[i * DEGREE + d] = (int)(d % 4 == 3 ? (i * 7919 + d * 104729) % NODES : (i + d + 1) % NODES);
  return list;
}

static void components(const int* list, int* label, int* next) {
  do {
    changes = 0;
#pragma forewarp parallel name(FindConnectedComponent)
    for (long i = 0; i < NODES; ++i) {
      int least = label[i];
      for (long d = 0; d < DEGREE; ++d)
        if (label[list[i * DEGREE + d]] < least)
          least = label[list[i * DEGREE + d]];
      next[i] = least;
      if (least != label[i])
        changes++;
    }
    memcpy(label, next, NODES * sizeof *label);
  } while (changes > 0);
}

int main(void) {
  double* a = matrix();
  decompose(a);
  int *label = ints(NODES), *next = ints(NODES), *list = neighbours();
  for (long i = 0; i < NODES; ++i)
    label[i] = (int)i;
  components(list, label, next);
  printf("%g %d\n", a[SIDE * SIDE - 1], label[NODES - 1]);
  return 0;
}
