// Each work-item sorts SIZE keys of its own in a private array whose index is not known before it runs: it lives in
// memory.
#ifndef SIZE
#define SIZE 16
#endif

__kernel void insertion_sort(__global int* keys, int sorts) {
  int i = get_global_id(0);
  if (i >= sorts)
    return;
  int own[SIZE];
  for (int k = 0; k < SIZE; ++k) {
    int key = keys[k * sorts + i];
    int at = k;
    while (at > 0 && own[at - 1] > key) {
      own[at] = own[at - 1];
      --at;
    }
    own[at] = key;
  }
  for (int k = 0; k < SIZE; ++k)
    keys[k * sorts + i] = own[k];
}
