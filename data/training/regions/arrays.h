/* Arrays of the training regions: filled, so that no page is shared and no branch is always the same. */
#include <stdio.h>
#include <stdlib.h>

static double* doubles(long count) {
  double* a = malloc((size_t)count * sizeof *a);
  for (long i = 0; i < count; ++i)
    a[i] = (double)((i * 7919) % 1009) / 1009.0;
  return a;
}

static int* ints(long count) {
  int* a = malloc((size_t)count * sizeof *a);
  for (long i = 0; i < count; ++i)
    a[i] = (int)((i * 7919) % 1009);
  return a;
}
