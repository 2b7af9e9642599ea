#include <stdlib.h>
#include <string.h>

static int smaller(int a, int b) { return a < b ? a : b; }

void pathfinder(const int* wall, const int* source, int* result, int columns, int first_row, int steps) {
  int* previous = malloc(sizeof(int) * columns);
  memcpy(previous, source, sizeof(int) * columns);
  for (int step = 0; step < steps; ++step) {
    for (int column = 0; column < columns; ++column) {
      int best = previous[column];
      if (column > 0)
        best = smaller(best, previous[column - 1]);
      if (column < columns - 1)
        best = smaller(best, previous[column + 1]);
      result[column] = best + wall[(first_row + step) * columns + column];
    }
    memcpy(previous, result, sizeof(int) * columns);
  }
  free(previous);
}

void reference_pathfinder(void** v) { pathfinder(v[0], v[1], v[2], *(int*)v[3], *(int*)v[4], *(int*)v[5]); }
