#ifndef SIZE
#define SIZE 16
#endif

void insertion_sort(int* keys, int sorts) {
  for (int i = 0; i < sorts; ++i)
    for (int k = 1; k < SIZE; ++k) {
      int key = keys[k * sorts + i];
      int at = k;
      for (; at > 0 && keys[(at - 1) * sorts + i] > key; --at)
        keys[at * sorts + i] = keys[(at - 1) * sorts + i];
      keys[at * sorts + i] = key;
    }
}

void reference_insertion_sort(void** v) {
  insertion_sort(v[0], *(int*)v[1]);
}
